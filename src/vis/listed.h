/* Blocks whose places are listed: copies that find out where the list says no more than that they lie end to end. */
#ifndef TSR_VIS_LISTED_H
#define TSR_VIS_LISTED_H

#include <stdbool.h>
#include <stddef.h>

#include "vis/blocks.h"

/* Lists are looked at in parts: what follows one another on a side, as far as a part goes, needs no list there. */
enum { TSR_LIST_PART_N = 512 };

/* Whether n > 0 blocks of `bytes` lie end to end. */
bool tsr_list_is_dense(const ptrdiff_t *offs, size_t n, ptrdiff_t bytes);

/* Copies blocks of any kind. */
void tsr_listed_copy(const tsr_blocks *blocks, char *dest, const char *src);

#endif
