#include "base/slab.h"

#include <stdlib.h>

#include "base/bits.h"

enum { CHUNK_N = 64 };

/* At the start of an object that was given back, and of a chunk. */
struct link {
  _Alignas(max_align_t) struct link *next;
};

static size_t stride_of(const tsr_slab *slab) {
  size_t bytes = slab->object_bytes > sizeof(struct link) ? slab->object_bytes : sizeof(struct link);
  return tsr_round_up(bytes, _Alignof(max_align_t));
}

void *tsr_slab_take_slow(tsr_slab *slab) {
  const size_t stride = stride_of(slab);
  pthread_mutex_lock(&slab->lock);
  struct link *chunk = slab->given ? NULL : malloc(sizeof *chunk + CHUNK_N * stride);
  if (chunk) {
    chunk->next = slab->chunks;
    slab->chunks = chunk;
  }
  for (size_t i = CHUNK_N; chunk && i-- > 0;) {
    struct link *given = (struct link *)(void *)((char *)(chunk + 1) + i * stride);
    given->next = slab->given;
    slab->given = given;
  }
  struct link *object = slab->given;
  if (object) slab->given = object->next;
  pthread_mutex_unlock(&slab->lock);
  return object;
}

void tsr_slab_give_slow(tsr_slab *slab, void *object) {
  struct link *link = object;
  pthread_mutex_lock(&slab->lock);
  link->next = slab->given;
  slab->given = link;
  pthread_mutex_unlock(&slab->lock);
}

void tsr_slab_drop(tsr_slab *slab) {
  for (struct link *chunk; (chunk = slab->chunks);) {
    slab->chunks = chunk->next;
    free(chunk);
  }
  slab->given = NULL;
  atomic_store_explicit(&slab->last, NULL, memory_order_relaxed);
}
