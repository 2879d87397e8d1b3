/* Objects of one size that are taken and given back all the time: given ones are taken again, and memory is asked for only when
 * there are more at once than ever before. Any thread. Unlike those of base/pool they have no handles.
 */
#ifndef TSR_BASE_STOCK_H
#define TSR_BASE_STOCK_H

#include <pthread.h>
#include <stddef.h>

/* Static ones start as TSR_STOCK(sizeof one). */
typedef struct tsr_stock {
  pthread_mutex_t lock;
  size_t object_bytes;
  void *given, *slabs;
} tsr_stock;
#define TSR_STOCK(bytes) {.lock = PTHREAD_MUTEX_INITIALIZER, .object_bytes = (bytes)}

/* Aligned for any type; what it holds is undefined. NULL: no private memory (not logged). */
void *tsr_stock_take(tsr_stock *stock);
void tsr_stock_give(tsr_stock *stock, void *object);

/* Frees all, also what is taken. The stock can be used again. */
void tsr_stock_drop(tsr_stock *stock);

#endif
