#include "base/stock.h"

#include <stdlib.h>

#include "base/bits.h"

enum { SLAB_N = 64 };

/* At the start of an object that was given back, and of a slab. */
struct link {
  _Alignas(max_align_t) struct link *next;
};

static size_t stride_of(const tsr_stock *stock) {
  size_t bytes = stock->object_bytes > sizeof(struct link) ? stock->object_bytes : sizeof(struct link);
  return tsr_round_up(bytes, _Alignof(max_align_t));
}

void *tsr_stock_take_slow(tsr_stock *stock) {
  const size_t stride = stride_of(stock);
  pthread_mutex_lock(&stock->lock);
  struct link *slab = stock->given ? NULL : malloc(sizeof *slab + SLAB_N * stride);
  if (slab) {
    slab->next = stock->slabs;
    stock->slabs = slab;
  }
  for (size_t i = SLAB_N; slab && i-- > 0;) {
    struct link *given = (struct link *)(void *)((char *)(slab + 1) + i * stride);
    given->next = stock->given;
    stock->given = given;
  }
  struct link *object = stock->given;
  if (object) stock->given = object->next;
  pthread_mutex_unlock(&stock->lock);
  return object;
}

void tsr_stock_give_slow(tsr_stock *stock, void *object) {
  struct link *link = object;
  pthread_mutex_lock(&stock->lock);
  link->next = stock->given;
  stock->given = link;
  pthread_mutex_unlock(&stock->lock);
}

void tsr_stock_drop(tsr_stock *stock) {
  for (struct link *slab; (slab = stock->slabs);) {
    stock->slabs = slab->next;
    free(slab);
  }
  stock->given = NULL;
  atomic_store_explicit(&stock->last, NULL, memory_order_relaxed);
}
