#include <dash/dart/if/dart_communication.h>

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/stats.h"
#include "coll/coll.h"
#include "faces/dart/face.h"
#include "faces/dart/type.h"

/* What every collective on data starts from. */
struct share {
  tsr_team *team;
  size_t elem_bytes;
  size_t bytes; /* nelem elements */
};

static dart_ret_t check(const char *call, dart_team_t id, size_t nelem, dart_datatype_t dtype, struct share *share) {
  share->team = tsr_dart_team(id);
  if (!share->team) return tsr_dart_no_team(call, id);
  share->elem_bytes = tsr_dart_basic_bytes(dtype);
  if (!share->elem_bytes) return tsr_dart_refuse_type(call, dtype);
  size_t all;
  if (!tsr_mul_size(nelem, share->elem_bytes, &share->bytes) ||
      !tsr_mul_size(share->bytes, (size_t)share->team->size, &all) || all > PTRDIFF_MAX)
    return tsr_dart_invalid("%s: %zu elements of %s for each of %d units are more bytes than memory can have; "
                            "correct nelem", call, nelem, tsr_dart_basics[dtype].name, share->team->size);
  return DART_OK;
}

static dart_ret_t check_root(const char *call, const struct share *share, dart_team_unit_t root) {
  if (tsr_team_has(share->team, TSR_MEMBER(root.id))) return DART_OK;
  return tsr_dart_invalid("%s: root %d is not in the team; name one of its units 0 to %d", call, root.id,
                          share->team->size - 1);
}

/* A buffer that is needed when there are bytes to move. */
static dart_ret_t check_buffer(const char *call, const struct share *share, const void *buffer, const char *which) {
  if (buffer || !share->bytes) return DART_OK;
  return tsr_dart_invalid("%s: %s is NULL; pass the buffer, or nelem 0", call, which);
}

/* A buffer that only the root needs. */
static dart_ret_t check_at_root(const char *call, const struct share *share, dart_team_unit_t root, const void *buffer,
                                const char *which) {
  return share->team->self == root.id ? check_buffer(call, share, buffer, which) : DART_OK;
}

static dart_ret_t end(enum tsr_stat what, uint64_t begun_ns, const struct share *share, tessera_status_t status) {
  tsr_stats_end(what, begun_ns, share->bytes, 0);
  return tsr_dart_code(status);
}

dart_ret_t dart_barrier(dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *found = tsr_dart_team(team);
  if (!TSR_LIKELY(found)) return tsr_dart_no_team(__func__, team);
  tsr_barrier(found);
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0, 0);
  return DART_OK;
}

/* With no elements there is nothing to wait for: every unit knows it. */
dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_root(__func__, &share, root);
  if (result == DART_OK) result = check_buffer(__func__, &share, buf, "buf");
  if (result != DART_OK || !share.bytes) return result;
  return end(TSR_STAT_BCAST, begun_ns, &share, tsr_bcast(share.team, buf, share.bytes, TSR_MEMBER(root.id)));
}

dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_root(__func__, &share, root);
  if (result == DART_OK) result = check_buffer(__func__, &share, recvbuf, "recvbuf");
  if (result == DART_OK) result = check_at_root(__func__, &share, root, sendbuf, "sendbuf of the root");
  if (result != DART_OK || !share.bytes) return result;
  return end(TSR_STAT_SCATTER, begun_ns, &share,
             tsr_scatter(share.team, sendbuf, recvbuf, share.bytes, TSR_MEMBER(root.id)));
}

dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                       dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_root(__func__, &share, root);
  if (result == DART_OK) result = check_buffer(__func__, &share, sendbuf, "sendbuf");
  if (result == DART_OK) result = check_at_root(__func__, &share, root, recvbuf, "recvbuf of the root");
  if (result != DART_OK || !share.bytes) return result;
  return end(TSR_STAT_GATHER, begun_ns, &share,
             tsr_gather(share.team, sendbuf, recvbuf, share.bytes, TSR_MEMBER(root.id)));
}

static bool in_place(const void *sendbuf, const void *recvbuf) { return !sendbuf || sendbuf == recvbuf; }

dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_buffer(__func__, &share, recvbuf, "recvbuf");
  if (result != DART_OK || !share.bytes) return result;
  if (in_place(sendbuf, recvbuf)) sendbuf = (char *)recvbuf + (size_t)share.team->self * share.bytes;
  return end(TSR_STAT_ALLGATHER, begun_ns, &share, tsr_allgather(share.team, sendbuf, recvbuf, share.bytes));
}

/* Counts and displacements in bytes: table[0 .. n-1] and table[n .. 2n-1]. Stores the bytes of all together. */
static dart_ret_t count_bytes(const char *call, const struct share *share, const size_t counts[], const size_t displs[],
                              size_t table[], size_t *total) {
  size_t n = (size_t)share->team->size, end_byte = 0;
  *total = 0;
  for (size_t i = 0; i < n; i++) {
    bool fits = tsr_mul_size(counts[i], share->elem_bytes, &table[i]) &&
                tsr_mul_size(displs[i], share->elem_bytes, &table[n + i]) &&
                !__builtin_add_overflow(table[i], table[n + i], &end_byte) && end_byte <= PTRDIFF_MAX &&
                !__builtin_add_overflow(*total, table[i], total);
    if (!fits)
      return tsr_dart_invalid("%s: %zu elements at displacement %zu for unit %zu are more bytes than memory can have",
                              call, counts[i], displs[i], i);
  }
  return DART_OK;
}

static dart_ret_t gather_counted(const char *call, struct share *share, const void *sendbuf, size_t nsendelem,
                                 void *recvbuf, const size_t counts[], const size_t displs[], size_t table[]) {
  uint64_t begun_ns = tsr_stats_begin();
  size_t n = (size_t)share->team->size, self = (size_t)share->team->self;
  bool own_in_place = in_place(sendbuf, recvbuf);
  dart_ret_t result = count_bytes(call, share, counts, displs, table, &share->bytes);
  if (result == DART_OK) result = check_buffer(call, share, recvbuf, "recvbuf");
  if (result != DART_OK || !share->bytes) return result;
  if (!own_in_place && nsendelem != counts[self])
    return tsr_dart_invalid("%s: nsendelem is %zu, but nrecvelem of this unit (%zu) is %zu; they say the same", call,
                            nsendelem, self, counts[self]);
  if (own_in_place) sendbuf = (char *)recvbuf + table[n + self];
  return end(TSR_STAT_ALLGATHER, begun_ns, share, tsr_allgatherv(share->team, sendbuf, recvbuf, table, table + n));
}

dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                           const size_t *nrecvelem, const size_t *recvdispls, dart_team_t teamid) {
  struct share share = {0};
  dart_ret_t result = check(__func__, teamid, 0, dtype, &share);
  if (result != DART_OK) return result;
  if (!nrecvelem || !recvdispls)
    return tsr_dart_invalid("%s: nrecvelem or recvdispls is NULL; pass one number for each of the team's %d units",
                            __func__, share.team->size);
  size_t *table = tsr_coll_memory(2 * (size_t)share.team->size * sizeof *table);
  result = gather_counted(__func__, &share, sendbuf, nsendelem, recvbuf, nrecvelem, recvdispls, table);
  free(table);
  return result;
}

dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_buffer(__func__, &share, recvbuf, "recvbuf");
  if (result != DART_OK || !share.bytes) return result;
  void *copy = NULL;
  if (in_place(sendbuf, recvbuf)) {
    size_t all = share.bytes * (size_t)share.team->size;
    copy = tsr_coll_memory(all);
    sendbuf = memcpy(copy, recvbuf, all);
  }
  result = end(TSR_STAT_ALLTOALL, begun_ns, &share, tsr_alltoall(share.team, sendbuf, recvbuf, share.bytes));
  free(copy);
  return result;
}

/* Pairs: the smallest at DART_OP_MINMAX_MIN, the largest at DART_OP_MINMAX_MAX. */
static void combine_pairs(void *inout, const void *in, size_t n, const tsr_reducer *how) {
  size_t elem_bytes = how->elem_bytes / 2;
  for (size_t i = 0; i < n; i++) {
    size_t min = i * how->elem_bytes + DART_OP_MINMAX_MIN * elem_bytes;
    size_t max = i * how->elem_bytes + DART_OP_MINMAX_MAX * elem_bytes;
    tsr_arith_apply(how->type, TSR_MIN, (char *)inout + min, (const char *)in + min, 1);
    tsr_arith_apply(how->type, TSR_MAX, (char *)inout + max, (const char *)in + max, 1);
  }
}

/* How to combine, and the number of things to combine. */
static dart_ret_t check_op(const char *call, const struct share *share, size_t nelem, dart_datatype_t dtype,
                           dart_operation_t op, tsr_reducer *how, size_t *n) {
  tsr_type type = (tsr_type)tsr_dart_basics[dtype].type;
  tsr_arith arith;
  if (op == DART_OP_MINMAX) {
    if (nelem % 2)
      return tsr_dart_invalid("%s: nelem %zu is odd; DART_OP_MINMAX takes pairs of two elements", call, nelem);
    *how = (tsr_reducer){.elem_bytes = 2 * share->elem_bytes, .apply = combine_pairs, .commutes = true, .type = type};
    *n = nelem / 2;
    return DART_OK;
  }
  if (!tsr_dart_arith(op, &arith) || arith == TSR_REPLACE || arith == TSR_NO_OP || !tsr_arith_defined(type, arith))
    return tsr_dart_refuse_op(call, op, dtype);
  *how = tsr_reducer_make(type, arith);
  *n = nelem;
  return DART_OK;
}

dart_ret_t dart_allreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                          dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  tsr_reducer how = {0};
  size_t n = 0;
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_op(__func__, &share, nelem, dtype, op, &how, &n);
  if (result == DART_OK) result = check_buffer(__func__, &share, sendbuf, "sendbuf");
  if (result == DART_OK) result = check_buffer(__func__, &share, recvbuf, "recvbuf");
  if (result != DART_OK || !share.bytes) return result;
  return end(TSR_STAT_ALLREDUCE, begun_ns, &share, tsr_allreduce(share.team, sendbuf, recvbuf, n, &how));
}

dart_ret_t dart_reduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_unit_t root, dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  struct share share = {0};
  tsr_reducer how = {0};
  size_t n = 0;
  dart_ret_t result = check(__func__, team, nelem, dtype, &share);
  if (result == DART_OK) result = check_root(__func__, &share, root);
  if (result == DART_OK) result = check_op(__func__, &share, nelem, dtype, op, &how, &n);
  if (result == DART_OK) result = check_buffer(__func__, &share, sendbuf, "sendbuf");
  if (result == DART_OK) result = check_at_root(__func__, &share, root, recvbuf, "recvbuf of the root");
  if (result != DART_OK || !share.bytes) return result;
  return end(TSR_STAT_REDUCE, begun_ns, &share, tsr_reduce(share.team, sendbuf, recvbuf, n, &how, TSR_MEMBER(root.id)));
}
