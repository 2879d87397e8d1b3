/* A buddy allocator over a range of offsets. Its tables are private: it never touches the range itself.
 *
 * The range is a binary tree of blocks; each tree node has the order of the largest free block below it. Nodes are made when a
 * block is split, so memory is proportional to the largest number of live blocks. Every call that does not go from block to block
 * costs O(orders). One owner; the caller locks. */
#ifndef TSR_NODE_BUDDY_H
#define TSR_NODE_BUDDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct tsr_buddy tsr_buddy;

/* Where a block is taken from: the lowest address that fits, or the highest chunk that has room, and there the lowest address (the
 * highest for blocks of a chunk and more). Free halves merge at once. So two allocators with the same history at one end return the
 * same offsets there, whatever happened at the other end, as long as the two regions do not touch, and there is room for blocks of
 * twice the size. */
enum tsr_buddy_end { TSR_BUDDY_LOW, TSR_BUDDY_HIGH };
enum { TSR_BUDDY_CHUNK_ORDER = 16 };

/* A range of 2^range_order bytes (at most 2^62) in blocks of at least 2^min_order, min_order <= range_order. NULL: no
 * memory. Destroying NULL does nothing. */
tsr_buddy *tsr_buddy_create(unsigned range_order, unsigned min_order);

/* From now on blocks of 64 KiB and more begin a few pages behind the multiple of their size, each by another number: otherwise
 * arrays of a program would be powers of two apart, and their elements in the same sets of the caches. Taken and given back as the
 * others, and still at multiples of a page. `has_space`: blocks of up to 1/128 of the range may take the next power of two;
 * otherwise they begin later only as far as their own has room. */
void tsr_buddy_stagger(tsr_buddy *buddy, bool has_space);
void tsr_buddy_destroy(tsr_buddy *buddy);

/* Takes a block of at least `bytes` (> 0). False: no such block is free, or no memory for a node. */
bool tsr_buddy_take(tsr_buddy *buddy, uint64_t bytes, enum tsr_buddy_end end, uint64_t *offset);

/* Takes exactly the block at `offset` that holds `bytes`. False: not aligned to its size (a staggered one: to a page), outside, or
 * not free. */
bool tsr_buddy_take_at(tsr_buddy *buddy, uint64_t offset, uint64_t bytes);

/* Takes the lowest block at `from` or behind it that holds `bytes`. False: none is free. Goes from block to block. */
bool tsr_buddy_take_from(tsr_buddy *buddy, uint64_t from, uint64_t bytes, uint64_t *offset);

/* Gives a block back. Returns the bytes that were asked for; 0: no block starts at `offset` (nothing is changed). */
uint64_t tsr_buddy_give(tsr_buddy *buddy, uint64_t offset);

/* The live block that starts at `offset` keeps its place, and holds only `bytes` (> 0) of its bytes from now on. */
void tsr_buddy_shrink(tsr_buddy *buddy, uint64_t offset, uint64_t bytes);

/* The owner's tag on the live block that starts at `offset`; 0 when it is taken. tsr_buddy_tag returns -1 where no block starts;
 * else it stores the bytes asked for, unless `bytes` is NULL. */
void tsr_buddy_set_tag(tsr_buddy *buddy, uint64_t offset, uint8_t tag);
int tsr_buddy_tag(const tsr_buddy *buddy, uint64_t offset, uint64_t *bytes);

/* The live block that holds the byte at `offset`: its tag, and where it starts; -1: none does. */
int tsr_buddy_find(const tsr_buddy *buddy, uint64_t offset, uint64_t *start);

/* Moves *offset to the start of the next live block with this tag, at *offset or behind it. False: there is none. */
bool tsr_buddy_next(const tsr_buddy *buddy, uint8_t tag, uint64_t *offset);

/* Bytes from the start of a block for `bytes` that no other block has: the next power of two, at least the smallest block; of a
 * staggered block `bytes`. */
uint64_t tsr_buddy_rounded(const tsr_buddy *buddy, uint64_t bytes);

/* Size of the largest free block, and nodes of the tree (1 when nothing is live). */
uint64_t tsr_buddy_largest(tsr_buddy *buddy);
uint32_t tsr_buddy_nodes(tsr_buddy *buddy);

/* Calls visit(offset, bytes, arg) for each maximal free block, in address order. */
void tsr_buddy_each_free(tsr_buddy *buddy, void (*visit)(uint64_t offset, uint64_t bytes, void *arg), void *arg);

#endif
