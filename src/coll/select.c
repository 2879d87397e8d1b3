#include "coll/select.h"

#include <stdint.h>

enum where { ONE_NODE = 1, NODES = 2, ANYWHERE = ONE_NODE | NODES };
#define ANY_TEAM INT32_MAX
#define ANY_SIZE SIZE_MAX

struct row {
  enum tsr_coll_kind kind;
  enum where where;
  bool commutes;     /* for operations that commute only */
  int32_t most_members;
  size_t most_bytes;
  enum tsr_algorithm algorithm;
};

/* The first row that fits. Inside a node a receiver copies straight from the sender's memory, so all receivers of one sender
 * copy side by side: large data goes directly. Between nodes each edge counts. */
static const struct row table[] = {
    {TSR_COLL_BARRIER, ONE_NODE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DOUBLING},
    {TSR_COLL_BARRIER, NODES, false, ANY_TEAM, ANY_SIZE, TSR_BY_TREE},

    {TSR_COLL_BCAST, ONE_NODE, false, ANY_TEAM, 8 << 10, TSR_BY_TREE},
    {TSR_COLL_BCAST, ONE_NODE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_BCAST, NODES, false, ANY_TEAM, 64 << 10, TSR_BY_TREE},
    {TSR_COLL_BCAST, NODES, false, ANY_TEAM, ANY_SIZE, TSR_BY_RING},

    {TSR_COLL_SCATTER, ANYWHERE, false, 8, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_SCATTER, ANYWHERE, false, ANY_TEAM, 512, TSR_BY_TREE},
    {TSR_COLL_SCATTER, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_GATHER, ANYWHERE, false, 8, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_GATHER, ANYWHERE, false, ANY_TEAM, 512, TSR_BY_TREE},
    {TSR_COLL_GATHER, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DIRECT},

    {TSR_COLL_ALLGATHER, ANYWHERE, false, 4, 512, TSR_BY_DIRECT},
    {TSR_COLL_ALLGATHER, ANYWHERE, false, ANY_TEAM, 512, TSR_BY_DOUBLING},
    {TSR_COLL_ALLGATHER, ONE_NODE, false, 32, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_ALLGATHER, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_RING},

    {TSR_COLL_REDUCE, ANYWHERE, false, ANY_TEAM, 16 << 10, TSR_BY_TREE},
    {TSR_COLL_REDUCE, ONE_NODE, false, 32, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE, ANYWHERE, true, ANY_TEAM, ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_TREE},

    {TSR_COLL_ALLREDUCE, NODES, true, ANY_TEAM, 16 << 10, TSR_BY_TREE},
    {TSR_COLL_ALLREDUCE, ANYWHERE, false, ANY_TEAM, 16 << 10, TSR_BY_DOUBLING},
    {TSR_COLL_ALLREDUCE, ONE_NODE, false, 32, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_ALLREDUCE, ANYWHERE, true, ANY_TEAM, ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_ALLREDUCE, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DOUBLING},

    {TSR_COLL_REDUCE_SCATTER, ONE_NODE, false, 32, ANY_SIZE, TSR_BY_DIRECT},
    {TSR_COLL_REDUCE_SCATTER, ANYWHERE, true, ANY_TEAM, ANY_SIZE, TSR_BY_RING},
    {TSR_COLL_REDUCE_SCATTER, ANYWHERE, false, ANY_TEAM, ANY_SIZE, TSR_BY_DIRECT},
};

enum tsr_algorithm tsr_select(enum tsr_coll_kind kind, const tsr_team *team, size_t bytes, bool commutes) {
  enum where where = team->nodes_n > 1 ? NODES : ONE_NODE;
  const struct row *row = table;
  while (row->kind != kind || !(row->where & where) || (row->commutes && !commutes) || row->most_members < team->size ||
         row->most_bytes < bytes)
    row++; /* the last row of each kind takes all */
  return row->algorithm;
}
