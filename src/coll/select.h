/* Which message algorithm a collective takes: by what it is, where the team is, its size, and that of the data. One
 * table, in select.c; rows of a file that TESSERA_COLL_TABLE names stand before it. Unit 0 reads that file when the runtime
 * starts and tells all others, so all members get the same answer from the same call. */
#ifndef TSR_COLL_SELECT_H
#define TSR_COLL_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/team.h"

enum tsr_coll_kind {
  TSR_COLL_BARRIER, TSR_COLL_BCAST, TSR_COLL_SCATTER, TSR_COLL_GATHER, TSR_COLL_ALLGATHER, TSR_COLL_REDUCE,
  TSR_COLL_ALLREDUCE, TSR_COLL_REDUCE_SCATTER, TSR_COLL_KINDS_N
};

enum tsr_algorithm {
  TSR_BY_TREE,     /* binomial: few rounds, all data in each */
  TSR_BY_DOUBLING, /* everybody in every round, with twice the distance of the one before */
  TSR_BY_DIRECT,   /* one round, everybody with everybody concerned */
  TSR_BY_RING,     /* in parts along a line or a ring: many rounds, least data on each edge */
  TSR_BY_HALVING   /* in parts, with half the distance of the round before: few rounds, little data in each */
};

/* What is between leaders only is the part of a blocking collective between the nodes, of which each is a member then. */
enum tsr_where { TSR_ONE_NODE = 1, TSR_NODES = 2, TSR_ANYWHERE = TSR_ONE_NODE | TSR_NODES, TSR_LEADERS = 4 };

#define TSR_ANY_TEAM INT32_MAX
#define TSR_ANY_SIZE SIZE_MAX
struct tsr_select_row {
  enum tsr_coll_kind kind;
  enum tsr_where where;
  bool commutes; /* for operations that commute only */
  int32_t most_members;
  size_t most_bytes;
  enum tsr_algorithm algorithm;
};

/* Reads rows from the text of a file; docs/tuning-collectives.md says what they look like. Returns how many; stores at
 * most `most_n`. Negative: minus the number of the line that is wrong, or has no room; *fault says what is wrong with it. */
int tsr_select_parse(const char *text, struct tsr_select_row rows[], int most_n, const char **fault);

/* `bytes` of one member's share (between leaders: the mean of what nodes have), or of the whole vector of a reduction or broadcast. `commutes`: the order of units does
 * not matter, as where nothing is combined. */
enum tsr_algorithm tsr_select_leaders(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes);
enum tsr_algorithm tsr_select(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes, bool commutes);

#endif
