/* Copies of blocks whose places are listed. The lists are checked during the copy. Parts of a list whose blocks lie at a
 * constant distance are copied without the list. */
#ifndef TSR_VIS_LISTED_H
#define TSR_VIS_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vis/blocks.h"
#include "vis/kernels.h"

/* Blocks of a list that are checked and copied together. */
enum { TSR_LIST_PART_N = 512 };

/* Whether n > 0 blocks of `bytes` are contiguous; in a list of pairs, whether all have this length, too. */
bool tsr_list_is_dense(const tsr_places *places, size_t n, size_t bytes);

/* Whether n > 1 blocks lie at a constant distance, which is less than 2^47 bytes; in a list of pairs, whether all have `bytes`,
 * too. */
bool tsr_list_steps(const tsr_places *places, size_t n, size_t bytes, ptrdiff_t *step);

/* Where listed blocks may begin: in [base, base + room]; room is less than half of the address space. */
typedef struct tsr_bounds {
  uintptr_t base;
  size_t room;
} tsr_bounds;

/* Whether the first n blocks begin inside; in a list of pairs, whether all have `bytes`, too. */
bool tsr_list_is_inside(const tsr_places *places, size_t n, size_t bytes, const tsr_bounds *bounds);

/* Copies listed and other blocks. */
void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src);

/* Copies one repetition while the listed blocks begin inside their bounds and, in lists of pairs, have the right
 * length. Returns the number of blocks that were copied: all, or those before the first part that fails the check. */
size_t tsr_listed_copy_many(const tsr_blocks *blocks, char *dest, const tsr_bounds *to, const char *src,
                            const tsr_bounds *from);

static inline bool tsr_place_is_inside(const tsr_places *places, size_t bytes, const tsr_bounds *bounds) {
  if (!places->offs || !bounds) return true;
  return (uintptr_t)places->offs[0] - bounds->base <= bounds->room && (places->apart == 1 || (size_t)places->offs[1] == bytes);
}

static inline size_t tsr_listed_copy_inside(const tsr_blocks *blocks, char *dest, const tsr_bounds *to, const char *src,
                                            const tsr_bounds *from) {
  if (blocks->n != 1) return tsr_listed_copy_many(blocks, dest, to, src, from);
  const bool inside =
      tsr_place_is_inside(&blocks->to, blocks->bytes, to) && tsr_place_is_inside(&blocks->from, blocks->bytes, from);
  const uintptr_t to_off = blocks->to.offs ? (uintptr_t)blocks->to.offs[0] : 0;
  const uintptr_t from_off = blocks->from.offs ? (uintptr_t)blocks->from.offs[0] : 0;
  if (inside) tsr_copy_run((char *)((uintptr_t)dest + to_off), (const char *)((uintptr_t)src + from_off), blocks->bytes);
  return inside;
}

#endif
