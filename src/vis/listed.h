/* Blocks whose places are listed: copies that find out where the list says no more than that they lie end to end. */
#ifndef TSR_VIS_LISTED_H
#define TSR_VIS_LISTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vis/blocks.h"

/* Lists are looked at in parts: what follows one another on a side, as far as a part goes, needs no list there. */
enum { TSR_LIST_PART_N = 512 };

/* Whether n > 0 blocks of `bytes` lie end to end. */
bool tsr_list_is_dense(const tsr_off *offs, size_t n, ptrdiff_t bytes);

/* Whether all n pointers lie in [base, base + room]; room is below half of all memory. */
bool tsr_list_is_inside(void *const list[], size_t n, uintptr_t base, size_t room);

/* The same of pairs, each of a pointer and a length: whether all have `bytes`, too. */
bool tsr_list_is_even(const tsr_off *pairs, size_t n, size_t bytes, uintptr_t base, size_t room);

/* Copies blocks of any kind. */
void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src);

#endif
