/* Private address space that becomes memory as it is used: for tables that must not move. */
#ifndef TSR_BASE_SPACE_H
#define TSR_BASE_SPACE_H

#include <stddef.h>

/* Zeros. NULL: no address space (not logged). */
void *tsr_space_reserve(size_t bytes);
void tsr_space_release(void *space, size_t bytes);

#endif
