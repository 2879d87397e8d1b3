/* Collectives except reductions: the published calls and the extensions of dart_ext_collective.h. One function of each kind
 * serves the blocking and the non-blocking call. */
#include <dash/dart/if/dart_ext_collective.h>

#include "coll/coll.h"
#include "coll/named.h"
#include "core/progress.h"
#include "api/dart/dart_api.h"
#include "api/dart/coll_call.h"

typedef struct tsr_dart_coll coll;
typedef struct tsr_dart_how how;

/* ---- Barriers ---- */

dart_ret_t dart_barrier(dart_team_t team) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_team *found = tsr_dart_team(team);
  if (!TSR_LIKELY(found)) return tsr_dart_no_team(__func__, team);
  tessera_status_t status = tsr_barrier(found);
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0);
  return tsr_dart_code(status);
}

dart_ret_t dart_ibarrier(dart_team_t team, dart_handle_t *handle) {
  coll *s = tsr_dart_coll_open(NULL, TSR_DART_HOW(STARTS, BARRIER, handle), team, 0, DART_TYPE_BYTE, true);
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  return tsr_dart_coll_run(s, tsr_nb_barrier(s->team));
}

dart_ret_t dart_barrier_notify(dart_team_t team, int64_t name) {
  coll own, *s = tsr_dart_coll_open(&own, TSR_DART_HOW(RUNS, BARRIER, NULL), team, 0, DART_TYPE_BYTE, true);
  if (s->team && tsr_named_is_open(s->team))
    s->result = tsr_dart_invalid("TSR-2025 %s: team %d already has an open barrier; wait for it first", __func__, team);
  else if (s->team && tsr_name_is_reserved(name))
    s->result = tsr_dart_invalid("TSR-2158 %s: the name %lld is reserved; choose one from INT64_MIN + 2 to INT64_MAX - 1, or "
                                 "DART_BARRIER_UNNAMED", __func__, (long long)name);
  if (tsr_dart_coll_goes_on(s)) tsr_named_notify(s->team, name, true);
  return tsr_dart_coll_drop(s);
}

static dart_ret_t find_open(const char *call, dart_team_t id, tsr_team **team) {
  *team = tsr_dart_team(id);
  if (!*team) return tsr_dart_no_team(call, id);
  if (!tsr_named_is_open(*team))
    return tsr_dart_invalid("TSR-2026 %s: team %d has no open barrier; call dart_barrier_notify first", call, id);
  return DART_OK;
}

dart_ret_t dart_barrier_wait(dart_team_t id) {
  tsr_team *team;
  dart_ret_t result = find_open(__func__, id, &team);
  if (result != DART_OK) return result;
  tsr_named_await(team);
  return tsr_dart_code(tsr_named_close(team, __func__));
}

dart_ret_t dart_barrier_try(dart_team_t id, int32_t *over) {
  tsr_team *team;
  dart_ret_t result = find_open(__func__, id, &team);
  if (result != DART_OK) return result;
  if (!over) return tsr_dart_invalid("TSR-2027 %s: over is NULL; pass where to store the answer", __func__);
  tsr_progress();
  *over = tsr_named_is_over(team);
  return *over ? tsr_dart_code(tsr_named_close(team, __func__)) : DART_OK;
}

/* ---- Blocks of equal size ---- */

static dart_ret_t run_bcast(const how *how, void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                            dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  tsr_dart_check_root(s, root);
  tsr_dart_check_buffer(s, buf, "buf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  struct tsr_dart_block *block = s->team->self == root.id ? &s->send : &s->receive;
  *block = block == &s->send ? tsr_dart_block_to_send(&s->shape, buf, 1) : tsr_dart_block_for(&s->shape, buf, 1);
  tsr_member from = TSR_MEMBER(root.id);
  if (how->mode == TSR_DART_WAITS) return tsr_dart_coll_end(s, tsr_bcast(s->team, block->data, s->shape.bytes, from));
  return tsr_dart_coll_run(s, tsr_nb_bcast(s->team, block->data, s->shape.bytes, from));
}

dart_ret_t dart_bcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team) {
  return run_bcast(TSR_DART_HOW(WAITS, BCAST, NULL), buf, nelem, dtype, root, team);
}
dart_ret_t dart_ibcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team,
                       dart_handle_t *handle) {
  return run_bcast(TSR_DART_HOW(STARTS, BCAST, handle), buf, nelem, dtype, root, team);
}

static dart_ret_t run_scatter(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                              dart_team_unit_t root, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  tsr_dart_check_root(s, root);
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (tsr_dart_is_root(s, root)) tsr_dart_check_buffer(s, sendbuf, "sendbuf of the root");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  tsr_team *t = s->team;
  tsr_member from = TSR_MEMBER(root.id);
  s->send = tsr_dart_block_to_send(&s->shape, t->self == root.id ? sendbuf : NULL, t->size);
  s->receive = tsr_dart_block_for(&s->shape, recvbuf, 1);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_scatter(t, s->send.data, s->receive.data, s->shape.bytes, from));
  return tsr_dart_coll_run(s, tsr_nb_scatter(t, s->send.data, s->receive.data, s->shape.bytes, from));
}

dart_ret_t dart_scatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team) {
  return run_scatter(TSR_DART_HOW(WAITS, SCATTER, NULL), sendbuf, recvbuf, nelem, dtype, root, team);
}
dart_ret_t dart_iscatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                         dart_team_t team, dart_handle_t *handle) {
  return run_scatter(TSR_DART_HOW(STARTS, SCATTER, handle), sendbuf, recvbuf, nelem, dtype, root, team);
}

static dart_ret_t run_gather(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                             dart_team_unit_t root, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  tsr_dart_check_root(s, root);
  tsr_dart_check_buffer(s, sendbuf, "sendbuf");
  if (tsr_dart_is_root(s, root)) tsr_dart_check_buffer(s, recvbuf, "recvbuf of the root");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  tsr_team *t = s->team;
  tsr_member to = TSR_MEMBER(root.id);
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->shape, t->self == root.id ? recvbuf : NULL, t->size);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_gather(t, s->send.data, s->receive.data, s->shape.bytes, to));
  return tsr_dart_coll_run(s, tsr_nb_gather(t, s->send.data, s->receive.data, s->shape.bytes, to));
}

dart_ret_t dart_gather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                       dart_team_t team) {
  return run_gather(TSR_DART_HOW(WAITS, GATHER, NULL), sendbuf, recvbuf, nelem, dtype, root, team);
}
dart_ret_t dart_igather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team, dart_handle_t *handle) {
  return run_gather(TSR_DART_HOW(STARTS, GATHER, handle), sendbuf, recvbuf, nelem, dtype, root, team);
}

static dart_ret_t run_allgather(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  tsr_team *t = s->team;
  if (tsr_dart_in_place(sendbuf, recvbuf)) sendbuf = (char *)recvbuf + (size_t)t->self * s->shape.step_bytes;
  s->send = tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->shape, recvbuf, t->size);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_allgather(t, s->send.data, s->receive.data, s->shape.bytes));
  return tsr_dart_coll_run(s, tsr_nb_allgather(t, s->send.data, s->receive.data, s->shape.bytes));
}

dart_ret_t dart_allgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  return run_allgather(TSR_DART_HOW(WAITS, ALLGATHER, NULL), sendbuf, recvbuf, nelem, dtype, team);
}
dart_ret_t dart_iallgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team,
                           dart_handle_t *handle) {
  return run_allgather(TSR_DART_HOW(STARTS, ALLGATHER, handle), sendbuf, recvbuf, nelem, dtype, team);
}

static dart_ret_t run_alltoall(const how *how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                               dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, false);
  tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  tsr_team *t = s->team;
  s->send = tsr_dart_in_place(sendbuf, recvbuf) ? tsr_dart_block_in_place(&s->shape, recvbuf, t->size)
                                                : tsr_dart_block_to_send(&s->shape, sendbuf, t->size);
  s->receive = tsr_dart_block_for(&s->shape, recvbuf, t->size);
  if (how->mode == TSR_DART_WAITS)
    return tsr_dart_coll_end(s, tsr_alltoall(t, s->send.data, s->receive.data, s->shape.bytes));
  return tsr_dart_coll_run(s, tsr_nb_alltoall(t, s->send.data, s->receive.data, s->shape.bytes));
}

dart_ret_t dart_alltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team) {
  return run_alltoall(TSR_DART_HOW(WAITS, ALLTOALL, NULL), sendbuf, recvbuf, nelem, dtype, team);
}
dart_ret_t dart_ialltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team,
                          dart_handle_t *handle) {
  return run_alltoall(TSR_DART_HOW(STARTS, ALLTOALL, handle), sendbuf, recvbuf, nelem, dtype, team);
}

/* ---- Calls with counts ---- */

static struct tsr_counts counts_of(const struct tsr_dart_counted *counted) {
  return counted->n ? (struct tsr_counts){counted->bytes, counted->offs} : (struct tsr_counts){NULL, NULL};
}

/* A unit states the size of its own block twice: in nelem or one table, and in the other table. */
static void check_own(coll *s, size_t bytes, size_t expected) {
  if (bytes == expected) return;
  s->result = tsr_dart_invalid("TSR-2028 %s: this unit (%d) sends itself %zu bytes, but receives %zu; nsendelem and nrecvelem "
                               "must be equal", s->how.call, s->team->self, bytes, expected);
}

/* Makes the table of the received blocks, and sets `own` to the buffer that the unit's own block is sent from. */
static void count_in(coll *s, dart_datatype_t dtype, const size_t counts[], const size_t displs[], const void **own,
                     void *recvbuf) {
  tsr_dart_count(s, &s->in, dtype, recvbuf, "recvbuf", "nrecvelem or recvdispls", counts, displs);
  if (s->result != DART_OK) return;
  size_t self = (size_t)s->team->self;
  bool ignores_own = s->how.mode == TSR_DART_WAITS && !s->in.total; /* nothing is gathered */
  if (tsr_dart_in_place(*own, recvbuf)) *own = recvbuf ? (char *)recvbuf + s->in.displs[self] : NULL;
  else if (!ignores_own) check_own(s, s->shape.bytes, s->in.bytes[self]);
}

static dart_ret_t run_scatterv(const how *how, const void *sendbuf, const size_t *counts, const size_t *displs,
                               dart_datatype_t dtype, void *recvbuf, size_t nelem, dart_team_unit_t root, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, true);
  bool is_root = tsr_dart_is_root(s, root), stays = is_root && tsr_dart_in_place(recvbuf, sendbuf);
  tsr_dart_check_root(s, root);
  if (is_root) tsr_dart_count(s, &s->out, dtype, sendbuf, "sendbuf", "nsendelem or senddispls", counts, displs);
  if (is_root && s->result == DART_OK) check_own(s, s->out.bytes[root.id], s->shape.bytes);
  if (!stays) tsr_dart_check_buffer(s, recvbuf, "recvbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  const void *send = is_root ? tsr_dart_counted_packed(&s->out) : NULL;
  if (!stays) s->receive = tsr_dart_block_for(&s->shape, recvbuf, 1);
  void *receive = stays ? (char *)send + s->out.offs[root.id] : s->receive.data;
  return tsr_dart_coll_run(s, tsr_nb_scatterv(s->team, send, counts_of(&s->out), receive, s->shape.bytes,
                                              TSR_MEMBER(root.id)));
}

dart_ret_t dart_scatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                         void *recvbuf, size_t nrecvelem, dart_team_unit_t root, dart_team_t team) {
  return run_scatterv(TSR_DART_HOW(RUNS, SCATTER, NULL), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, root, team);
}
dart_ret_t dart_iscatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                          void *recvbuf, size_t nrecvelem, dart_team_unit_t root, dart_team_t team,
                          dart_handle_t *handle) {
  return run_scatterv(TSR_DART_HOW(STARTS, SCATTER, handle), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, root,
                      team);
}

static dart_ret_t run_gatherv(const how *how, const void *sendbuf, size_t nelem, dart_datatype_t dtype, void *recvbuf,
                              const size_t *counts, const size_t *displs, dart_team_unit_t root, dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, true);
  bool is_root = tsr_dart_is_root(s, root);
  tsr_dart_check_root(s, root);
  if (is_root) count_in(s, dtype, counts, displs, &sendbuf, recvbuf);
  else tsr_dart_check_buffer(s, sendbuf, "sendbuf");
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  s->send = is_root ? tsr_dart_counted_own(&s->in, root.id, sendbuf) : tsr_dart_block_to_send(&s->shape, sendbuf, 1);
  void *receive = is_root ? tsr_dart_counted_data(&s->in) : NULL;
  return tsr_dart_coll_run(s, tsr_nb_gatherv(s->team, s->send.data, s->shape.bytes, receive, counts_of(&s->in),
                                             TSR_MEMBER(root.id)));
}

dart_ret_t dart_gatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                        const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root, dart_team_t team) {
  return run_gatherv(TSR_DART_HOW(RUNS, GATHER, NULL), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls, root, team);
}
dart_ret_t dart_igatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                         const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root, dart_team_t team,
                         dart_handle_t *handle) {
  return run_gatherv(TSR_DART_HOW(STARTS, GATHER, handle), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls, root,
                     team);
}

/* Without bytes the call is a barrier: a unit with NULL tables cannot know that there are no bytes, and waits. */
static dart_ret_t run_allgatherv(const how *how, const void *sendbuf, size_t nelem, dart_datatype_t dtype, void *recvbuf,
                                 const size_t *counts, const size_t *displs, dart_team_t team) {
  if (tsr_dart_in_place(sendbuf, recvbuf)) nelem = 0;
  coll own, *s = tsr_dart_coll_open(&own, how, team, nelem, dtype, true);
  count_in(s, dtype, counts, displs, &sendbuf, recvbuf);
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  tsr_team *t = s->team;
  s->send = tsr_dart_counted_own(&s->in, t->self, sendbuf);
  void *receive = tsr_dart_counted_data(&s->in);
  if (how->mode == TSR_DART_STARTS)
    return tsr_dart_coll_run(s, tsr_nb_allgatherv(t, s->send.data, receive, counts_of(&s->in)));
  if (!s->in.total) return tsr_dart_coll_end(s, tsr_barrier(t));
  return tsr_dart_coll_end(s, tsr_allgatherv(t, s->send.data, receive, s->in.bytes, s->in.offs));
}

dart_ret_t dart_allgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                           const size_t *nrecvelem, const size_t *recvdispls, dart_team_t teamid) {
  return run_allgatherv(TSR_DART_HOW(WAITS, ALLGATHER, NULL), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls,
                        teamid);
}
dart_ret_t dart_iallgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                            const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team, dart_handle_t *handle) {
  return run_allgatherv(TSR_DART_HOW(STARTS, ALLGATHER, handle), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls,
                        team);
}

static dart_ret_t run_alltoallv(const how *how, const void *sendbuf, const size_t *send_counts, const size_t *send_displs,
                                dart_datatype_t dtype, void *recvbuf, const size_t *recv_counts, const size_t *recv_displs,
                                dart_team_t team) {
  coll own, *s = tsr_dart_coll_open(&own, how, team, 0, dtype, true);
  tsr_dart_count(s, &s->in, dtype, recvbuf, "recvbuf", "nrecvelem or recvdispls", recv_counts, recv_displs);
  if (tsr_dart_in_place(sendbuf, recvbuf)) {
    sendbuf = recvbuf;
    send_counts = recv_counts;
    send_displs = recv_displs;
  }
  tsr_dart_count(s, &s->out, dtype, sendbuf, "sendbuf", "nsendelem or senddispls", send_counts, send_displs);
  if (s->result == DART_OK) check_own(s, s->out.bytes[s->team->self], s->in.bytes[s->team->self]);
  if (!tsr_dart_coll_goes_on(s)) return tsr_dart_coll_drop(s);
  const void *send = tsr_dart_counted_packed(&s->out);
  void *receive = tsr_dart_counted_data(&s->in);
  return tsr_dart_coll_run(s, tsr_nb_alltoallv(s->team, send, counts_of(&s->out), receive, counts_of(&s->in)));
}

dart_ret_t dart_alltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                          void *recvbuf, const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team) {
  return run_alltoallv(TSR_DART_HOW(RUNS, ALLTOALL, NULL), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem,
                       recvdispls, team);
}
dart_ret_t dart_ialltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                           void *recvbuf, const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team,
                           dart_handle_t *handle) {
  return run_alltoallv(TSR_DART_HOW(STARTS, ALLTOALL, handle), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem,
                       recvdispls, team);
}
