/* The algorithms of collectives. Each adds to a schedule what one member of a group does. Rounds with receives are
 * ended. A last round that only sends may still be open: its buffers are then still being read. */
#ifndef TSR_COLL_BUILDERS_H
#define TSR_COLL_BUILDERS_H

#include <stddef.h>

#include "coll/group.h"
#include "coll/schedule.h"
#include "coll/select.h"

/* The size of a piece in a pipelined chain. */
enum { TSR_CHAIN_BYTES = 128 << 10 };
/* The number of members with which a member exchanges blocks at a time. */
enum { TSR_AT_ONCE_N = 16 };

typedef struct tsr_block {
  char *data;
  size_t bytes;
} tsr_block;

/* Blocks of data of a group's members, indexed by the members' numbers in the group. */
typedef struct tsr_member_blocks {
  const tsr_block *list; /* NULL: `each` bytes for each member, one after another in `data` */
  char *data;            /* NULL: only the sizes count */
  size_t each;
} tsr_member_blocks;
static inline tsr_block tsr_block_of(const tsr_member_blocks *blocks, int32_t number) {
  if (blocks->list) return blocks->list[number];
  return (tsr_block){blocks->data ? blocks->data + (size_t)number * blocks->each : NULL, blocks->each};
}
static inline tsr_block tsr_block_at(const tsr_member_blocks *blocks, const tsr_group *group, int32_t place) {
  return tsr_block_of(blocks, tsr_group_number(group, place));
}

/* A vector of elements in nearly equal parts. */
struct tsr_parts {
  size_t n, elem_bytes;
  int32_t parts_n;
};
static inline size_t tsr_part_off(const struct tsr_parts *parts, int32_t part) {
  size_t parts_n = (size_t)parts->parts_n, each = parts->n / parts_n, rest = parts->n % parts_n, i = (size_t)part;
  return (i * each + (i < rest ? i : rest)) * parts->elem_bytes;
}
static inline size_t tsr_part_bytes(const struct tsr_parts *parts, int32_t part) {
  return tsr_part_off(parts, part + 1) - tsr_part_off(parts, part);
}

void tsr_add_barrier(tsr_schedule *schedule, const tsr_group *group, enum tsr_algorithm algorithm);
void tsr_add_bcast(tsr_schedule *schedule, const tsr_group *group, void *buffer, size_t bytes, enum tsr_algorithm algorithm);

/* At the root `blocks` has all data, elsewhere only the sizes, which TREE needs. Each member gets its own block. */
void tsr_add_scatter(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks, tsr_block own,
                     enum tsr_algorithm algorithm);
/* The reverse of tsr_add_scatter. */
void tsr_add_gather(tsr_schedule *schedule, const tsr_group *group, tsr_block own, const tsr_member_blocks *blocks,
                    enum tsr_algorithm algorithm);
/* Each member's own block is already in place. */
void tsr_add_allgather(tsr_schedule *schedule, const tsr_group *group, const tsr_member_blocks *blocks,
                       enum tsr_algorithm algorithm);

/* Only the root's `recv` is used; it may be `send`. TREE combines in the order of places, and DIRECT in the order of
 * numbers. The others need an operation that commutes. */
void tsr_add_reduce(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                    const tsr_reducer *how, enum tsr_algorithm algorithm);
/* The member at place 0 must have number 0. `recv` may be `send`. RING and HALVING need an operation that commutes. */
void tsr_add_allreduce(tsr_schedule *schedule, const tsr_group *group, const void *send, void *recv, size_t n,
                       const tsr_reducer *how, enum tsr_algorithm algorithm);

/* By halving: the vector has one part per member. Each round has half the distance and half the parts of the round
 * before, so there are about 2 log2(n) rounds, for any number of members, and each byte passes the link of a
 * member about twice. The reduce overwrites `data` on all members and leaves the result at the root; the allreduce
 * leaves it on all. */
void tsr_add_halving_bcast(tsr_schedule *schedule, const tsr_group *group, void *data, size_t bytes);
void tsr_add_halving_reduce(tsr_schedule *schedule, const tsr_group *group, void *data, size_t n, const tsr_reducer *how);
void tsr_add_halving_allreduce(tsr_schedule *schedule, const tsr_group *group, void *data, size_t n,
                               const tsr_reducer *how);

#endif
