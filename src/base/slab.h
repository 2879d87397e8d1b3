/* Objects of one size that are taken and given back frequently. Memory is allocated only if more objects are taken at once than
 * ever before. Any thread. Unlike those of base/pool they have no handles. */
#ifndef TSR_BASE_SLAB_H
#define TSR_BASE_SLAB_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* Static ones start as TSR_SLAB(sizeof one). */
typedef struct tsr_slab {
  void *_Atomic last; /* one object that was given back; the others are in `given`, under the lock */
  pthread_mutex_t lock;
  size_t object_bytes;
  void *given, *chunks;
} tsr_slab;
#define TSR_SLAB(bytes) {.lock = PTHREAD_MUTEX_INITIALIZER, .object_bytes = (bytes)}

/* Aligned for any type; what it holds is undefined. NULL: no private memory (not logged). */
void *tsr_slab_take_slow(tsr_slab *slab);
static inline void *tsr_slab_take(tsr_slab *slab) {
  void *object = atomic_exchange_explicit(&slab->last, NULL, memory_order_acquire); /* partner: the exchange below */
  return object ? object : tsr_slab_take_slow(slab);
}

void tsr_slab_give_slow(tsr_slab *slab, void *object);
static inline void tsr_slab_give(tsr_slab *slab, void *object) {
  void *before = atomic_exchange_explicit(&slab->last, object, memory_order_acq_rel); /* partner: the exchange above */
  if (before) tsr_slab_give_slow(slab, before);
}

/* Frees all, also what is taken. The slab can be used again. */
void tsr_slab_drop(tsr_slab *slab);

#endif
