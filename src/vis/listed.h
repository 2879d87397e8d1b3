/* Blocks whose places are listed: copies that check the lists on the way, and find out where a list says no more than that its
 * blocks lie at a constant distance. */
#ifndef TSR_VIS_LISTED_H
#define TSR_VIS_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vis/blocks.h"
#include "vis/kernels.h"

/* Lists are looked at in parts: what follows one another on a side, as far as a part goes, needs no list there. */
enum { TSR_LIST_PART_N = 512 };

/* Whether n > 0 blocks of `bytes` lie end to end; in a list of pairs, whether all have this length, too. */
bool tsr_list_is_dense(const tsr_places *places, size_t n, size_t bytes);

/* Where listed blocks may begin: in [base, base + room]; room is below half of all memory. */
typedef struct tsr_bounds {
  uintptr_t base;
  size_t room;
} tsr_bounds;

/* Whether the first n blocks begin inside; in a list of pairs, whether all have `bytes`, too. */
bool tsr_list_is_inside(const tsr_places *places, size_t n, size_t bytes, const tsr_bounds *bounds);

/* Copies blocks of any kind. */
void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src);

/* The same of one repetition, as far as the listed sides stay in their bounds and lengths. Returns the number of blocks that were
 * copied: all, or those before a part of the list in which one does not. */
size_t tsr_listed_copy_many(const tsr_blocks *blocks, char *dest, const tsr_bounds *to, const char *src,
                            const tsr_bounds *from);

static inline bool tsr_place_is_inside(const tsr_places *places, size_t bytes, const tsr_bounds *bounds) {
  if (!places->offs || !bounds) return true;
  return (uintptr_t)places->offs[0] - bounds->base <= bounds->room && (places->apart == 1 || (size_t)places->offs[1] == bytes);
}

static inline size_t tsr_listed_copy_inside(const tsr_blocks *blocks, char *dest, const tsr_bounds *to, const char *src,
                                            const tsr_bounds *from) {
  if (blocks->n != 1) return tsr_listed_copy_many(blocks, dest, to, src, from);
  const bool inside = tsr_place_is_inside(&blocks->to, blocks->bytes, to) && tsr_place_is_inside(&blocks->from, blocks->bytes, from);
  const uintptr_t to_off = blocks->to.offs ? (uintptr_t)blocks->to.offs[0] : 0;
  const uintptr_t from_off = blocks->from.offs ? (uintptr_t)blocks->from.offs[0] : 0;
  if (inside) tsr_copy_run((char *)((uintptr_t)dest + to_off), (const char *)((uintptr_t)src + from_off), blocks->bytes);
  return inside;
}

#endif
