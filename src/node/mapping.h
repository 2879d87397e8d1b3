/* Second mappings of pages of the own heap, for memory that needs an alignment of more than a page: the heaps of a node have no
 * such alignment. */
#ifndef TSR_NODE_MAPPING_H
#define TSR_NODE_MAPPING_H

#include <stddef.h>

/* Maps `bytes` at `pages`, both multiples of a page, once more, at a multiple of `alignment`, a power of two.
 * NULL: no address range, or the system call fails; not logged. */
void *tsr_mapping_make(void *pages, size_t bytes, size_t alignment);
void tsr_mapping_end(void *place, size_t bytes);

#endif
