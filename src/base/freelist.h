/* Blocks of many sizes that are taken and given back frequently. A block that was given back is kept for the next request of
 * about its size: once the number of blocks in use has reached its maximum, and if all of them may be kept, taking one allocates
 * no memory. For objects of one size there is base/slab. */
#ifndef TSR_BASE_FREELIST_H
#define TSR_BASE_FREELIST_H

#include <pthread.h>
#include <stddef.h>

/* The sizes are powers of two, from TSR_FREELIST_LEAST_BYTES on. */
enum { TSR_FREELIST_LEAST_BYTES = 64, TSR_FREELIST_SIZES_N = 20, TSR_FREELIST_ALIGN = 64 };

/* Static ones start as TSR_FREELIST(bytes): that many bytes of each size are kept at most, but always one block. Longer blocks
 * are not kept. */
typedef struct tsr_freelist {
  pthread_mutex_t lock;
  size_t most_bytes;
  struct tsr_freelist_size {
    void *first;
    size_t kept_n;
  } sizes[TSR_FREELIST_SIZES_N];
} tsr_freelist;
#define TSR_FREELIST(bytes) {.lock = PTHREAD_MUTEX_INITIALIZER, .most_bytes = (bytes)}

/* Any thread. Aligned to TSR_FREELIST_ALIGN bytes; what it holds is undefined. NULL: no private memory (not logged). */
void *tsr_freelist_take(tsr_freelist *list, size_t bytes);
/* Gives back a block that was taken with the same size; NULL: nothing. Any thread. */
void tsr_freelist_give(tsr_freelist *list, void *block, size_t bytes);
/* Frees what is kept. The list can be used again. */
void tsr_freelist_drop(tsr_freelist *list);

#endif
