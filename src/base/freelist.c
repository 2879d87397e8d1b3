#include "base/freelist.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/poison.h"

/* At the start of a block that is kept. */
struct link {
  struct link *next;
};

/* TSR_FREELIST_SIZES_N: a block of these bytes is not kept. With the address sanitizer no block is kept, so that the sanitizer
 * detects each use of a block that was given back. */
static unsigned size_number(const tsr_freelist *list, size_t bytes) {
  if (TSR_ASAN || bytes > list->most_bytes) return TSR_FREELIST_SIZES_N;
  unsigned number = tsr_log2_ceil(tsr_max_size(bytes, TSR_FREELIST_LEAST_BYTES)) - tsr_log2_ceil(TSR_FREELIST_LEAST_BYTES);
  return number < TSR_FREELIST_SIZES_N ? number : TSR_FREELIST_SIZES_N;
}

static size_t bytes_of(unsigned number) { return (size_t)TSR_FREELIST_LEAST_BYTES << number; }

static void *allocate_block(size_t bytes) {
  void *block;
  return posix_memalign(&block, TSR_FREELIST_ALIGN, tsr_max_size(bytes, 1)) ? NULL : block;
}

void *tsr_freelist_take(tsr_freelist *list, size_t bytes) {
  const unsigned number = size_number(list, bytes);
  if (number == TSR_FREELIST_SIZES_N) return allocate_block(bytes);
  struct tsr_freelist_size *size = &list->sizes[number];
  pthread_mutex_lock(&list->lock);
  struct link *block = size->first;
  if (block) {
    size->first = block->next;
    size->kept_n--;
  }
  pthread_mutex_unlock(&list->lock);
  return block ? block : allocate_block(bytes_of(number));
}

void tsr_freelist_give(tsr_freelist *list, void *block, size_t bytes) {
  const unsigned number = size_number(list, bytes);
  if (block && number < TSR_FREELIST_SIZES_N) {
    struct tsr_freelist_size *size = &list->sizes[number];
    struct link *link = block;
    pthread_mutex_lock(&list->lock);
    if (size->kept_n == 0 || (size->kept_n + 1) * bytes_of(number) <= list->most_bytes) {
      link->next = size->first;
      size->first = link;
      size->kept_n++;
      block = NULL;
    }
    pthread_mutex_unlock(&list->lock);
  }
  free(block);
}

void tsr_freelist_drop(tsr_freelist *list) {
  pthread_mutex_lock(&list->lock);
  for (int i = 0; i < TSR_FREELIST_SIZES_N; i++) {
    struct tsr_freelist_size *size = &list->sizes[i];
    for (struct link *link; (link = size->first); free(link)) size->first = link->next;
    size->kept_n = 0;
  }
  pthread_mutex_unlock(&list->lock);
}
