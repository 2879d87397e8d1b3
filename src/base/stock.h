/* Objects of one size that are taken and given back frequently. Memory is allocated only if more objects are taken at once than
 * ever before. Any thread. Unlike those of base/pool they have no handles. */
#ifndef TSR_BASE_STOCK_H
#define TSR_BASE_STOCK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Static ones start as TSR_STOCK(sizeof one). */
typedef struct tsr_stock {
  void *_Atomic last; /* one object that was given back; the others are in `given`, under the lock */
  pthread_mutex_t lock;
  size_t object_bytes;
  void *given, *slabs;
} tsr_stock;
#define TSR_STOCK(bytes) {.lock = PTHREAD_MUTEX_INITIALIZER, .object_bytes = (bytes)}

/* Aligned for any type; what it holds is undefined. NULL: no private memory (not logged). */
void *tsr_stock_take_slow(tsr_stock *stock);
static inline void *tsr_stock_take(tsr_stock *stock) {
  void *object = atomic_exchange_explicit(&stock->last, NULL, memory_order_acquire); /* partner: the exchange below */
  return object ? object : tsr_stock_take_slow(stock);
}

void tsr_stock_give_slow(tsr_stock *stock, void *object);
static inline void tsr_stock_give(tsr_stock *stock, void *object) {
  void *before = atomic_exchange_explicit(&stock->last, object, memory_order_acq_rel); /* partner: the exchange above */
  if (before) tsr_stock_give_slow(stock, before);
}

/* Frees all, also what is taken. The stock can be used again. */
void tsr_stock_drop(tsr_stock *stock);

#endif
