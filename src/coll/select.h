/* The choice of the algorithm of a collective: by its kind, the place and size of the group, and the size of the data.
 * The table is in select.c; the rows of the file TESSERA_COLL_TABLE come before it. Unit 0 reads that file when the
 * runtime starts and sends it to all others, so all members make the same choice for the same call. */
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
  TSR_BY_DOUBLING, /* all members in every round, with twice the distance of the round before */
  TSR_BY_DIRECT,   /* one round: each member sends to all that need its data */
  TSR_BY_RING,     /* in parts along a chain or a ring: many rounds, least data per link */
  TSR_BY_HALVING,  /* in parts, with half the distance of the round before: few rounds, little data in each */
  TSR_BY_NODES     /* on each node, among the members that act for the nodes, and on each node again */
};

/* ONE_NODE: all members of a team on one node; in a started call also the members on each node. NODES: all members of a
 * team on several nodes. LEADERS: the members that act for their nodes. */
enum tsr_where { TSR_ONE_NODE = 1, TSR_NODES = 2, TSR_ANYWHERE = TSR_ONE_NODE | TSR_NODES, TSR_LEADERS = 4 };

#define TSR_ANY_TEAM INT32_MAX
#define TSR_ANY_SIZE SIZE_MAX
struct tsr_select_row {
  enum tsr_coll_kind kind;
  enum tsr_where where;
  bool commutes; /* only for operations that commute */
  int32_t most_members;
  size_t most_bytes;
  enum tsr_algorithm algorithm;
};

/* Reads rows from the text of a file (docs/tuning-collectives.md), stores at most `most_n`, and returns their number.
 * For a wrong line, or one without room for its row, returns minus its number; *fault says what is wrong. */
int tsr_select_parse(const char *text, struct tsr_select_row rows[], int most_n, const char **fault);

/* Return an algorithm. `bytes` is the size of one member's block (leaders: the mean of the nodes' blocks), or of the
 * whole vector of a reduction or broadcast. `commutes` is also true if nothing is combined. Only tsr_select returns
 * TSR_BY_NODES; the others choose for the parts of such a call. */
enum tsr_algorithm tsr_select(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes, bool commutes);
enum tsr_algorithm tsr_select_leaders(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes);
enum tsr_algorithm tsr_select_locals(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes);

#endif
