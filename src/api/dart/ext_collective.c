/* Collectives beyond the published interface, except reductions. */
#include <dash/dart/if/dart_ext_collective.h>

#include "api/dart/dart_api.h"
#include "api/dart/started.h"

typedef struct tsr_dart_started started;
typedef struct tsr_dart_how how;

/* Whether the calling function is blocking. */
#define BLOCKS(stat) ((how){__func__, TSR_STAT_##stat, true, NULL})
#define STARTS(stat) ((how){__func__, TSR_STAT_##stat, false, handle})

static struct tsr_counts counts_of(const struct tsr_dart_counted *counted) {
  return (struct tsr_counts){counted->bytes, counted->offs};
}

dart_ret_t dart_ibarrier(dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(BARRIER), team, 0, DART_TYPE_BYTE, true, &result);
  if (!s || !tsr_dart_started_goes_on(s, &result)) return result;
  return tsr_dart_started_go(s, tsr_nb_barrier(s->share.team));
}

dart_ret_t dart_ibcast(void *buf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root, dart_team_t team,
                       dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(BCAST), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = tsr_dart_check_root(&s->share, root);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, buf, "buf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  struct tsr_dart_block *block = s->share.team->self == root.id ? &s->send : &s->receive;
  *block = block == &s->send ? tsr_dart_block_to_send(&s->share, buf, 1) : tsr_dart_block_for(&s->share, buf, 1);
  return tsr_dart_started_go(s, tsr_nb_bcast(s->share.team, block->data, s->share.bytes, TSR_MEMBER(root.id)));
}

dart_ret_t dart_iscatter(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                         dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(SCATTER), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK)
    result = tsr_dart_check_rooted(&s->share, root, recvbuf, "recvbuf", sendbuf, "sendbuf of the root");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  tsr_team *t = s->share.team;
  s->send = tsr_dart_block_to_send(&s->share, t->self == root.id ? sendbuf : NULL, t->size);
  s->receive = tsr_dart_block_for(&s->share, recvbuf, 1);
  return tsr_dart_started_go(s, tsr_nb_scatter(t, s->send.data, s->receive.data, s->share.bytes, TSR_MEMBER(root.id)));
}

dart_ret_t dart_igather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_unit_t root,
                        dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(GATHER), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK)
    result = tsr_dart_check_rooted(&s->share, root, sendbuf, "sendbuf", recvbuf, "recvbuf of the root");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  tsr_team *t = s->share.team;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->share, t->self == root.id ? recvbuf : NULL, t->size);
  return tsr_dart_started_go(s, tsr_nb_gather(t, s->send.data, s->receive.data, s->share.bytes, TSR_MEMBER(root.id)));
}

dart_ret_t dart_iallgather(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team,
                           dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(ALLGATHER), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  tsr_team *t = s->share.team;
  if (tsr_dart_in_place(sendbuf, recvbuf)) sendbuf = (char *)recvbuf + (size_t)t->self * s->share.step_bytes;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->share, recvbuf, t->size);
  return tsr_dart_started_go(s, tsr_nb_allgather(t, s->send.data, s->receive.data, s->share.bytes));
}

dart_ret_t dart_ialltoall(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_team_t team,
                          dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(ALLTOALL), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  tsr_team *t = s->share.team;
  s->send = tsr_dart_in_place(sendbuf, recvbuf) ? tsr_dart_block_in_place(&s->share, recvbuf)
                                                : tsr_dart_block_to_send(&s->share, sendbuf, t->size);
  s->receive = tsr_dart_block_for(&s->share, recvbuf, t->size);
  return tsr_dart_started_go(s, tsr_nb_alltoall(t, s->send.data, s->receive.data, s->share.bytes));
}

/* Calls with counts. A unit states the size of its own share twice: in nelem or one table, and in the other table. */
static dart_ret_t check_own(const started *s, size_t bytes, size_t expected) {
  if (bytes == expected) return DART_OK;
  return tsr_dart_invalid("TSR-2028 %s: this unit (%d) sends itself %zu bytes, but receives %zu; nsendelem and nrecvelem must "
                          "be equal", s->how.call, s->share.team->self, bytes, expected);
}

static dart_ret_t check_counted(const started *s, const struct tsr_dart_counted *counted, const void *buffer,
                                const char *which) {
  if (buffer || !counted->total) return DART_OK;
  return tsr_dart_invalid("TSR-2029 %s: %s is NULL; pass the buffer, or counts that are 0", s->how.call, which);
}

static dart_ret_t start_scatterv(how how, const void *sendbuf, const size_t *counts, const size_t *displs,
                                 dart_datatype_t dtype, void *recvbuf, size_t nelem, dart_team_unit_t root, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, true, &result);
  if (!s) return result;
  tsr_team *t = s->share.team;
  bool is_root = t->self == root.id, stays = is_root && tsr_dart_in_place(recvbuf, sendbuf);
  if (result == DART_OK) result = tsr_dart_check_root(&s->share, root);
  if (result == DART_OK && is_root)
    result = tsr_dart_counted_make(&s->share, dtype, "nsendelem or senddispls", counts, displs, &s->out);
  if (result == DART_OK && is_root) result = check_counted(s, &s->out, sendbuf, "sendbuf");
  if (result == DART_OK && is_root) result = check_own(s, s->out.bytes[t->self], s->share.bytes);
  if (result == DART_OK && !stays) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const void *send = is_root ? tsr_dart_counted_packed(&s->out, sendbuf) : NULL;
  if (!stays) s->receive = tsr_dart_block_for(&s->share, recvbuf, 1);
  void *receive = stays ? (char *)send + s->out.offs[t->self] : s->receive.data;
  return tsr_dart_started_go(s, tsr_nb_scatterv(t, send, counts_of(&s->out), receive, s->share.bytes,
                                                TSR_MEMBER(root.id)));
}

dart_ret_t dart_scatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                         void *recvbuf, size_t nrecvelem, dart_team_unit_t root, dart_team_t team) {
  return start_scatterv(BLOCKS(SCATTER), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, root, team);
}
dart_ret_t dart_iscatterv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                          void *recvbuf, size_t nrecvelem, dart_team_unit_t root, dart_team_t team,
                          dart_handle_t *handle) {
  return start_scatterv(STARTS(SCATTER), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, root, team);
}

/* Makes the table of what is received, and sets `own` to the buffer that the unit's own share is sent from. */
static dart_ret_t make_in(started *s, dart_datatype_t dtype, const size_t counts[], const size_t displs[],
                          const void **own, void *recvbuf) {
  int32_t self = s->share.team->self;
  dart_ret_t result = tsr_dart_counted_make(&s->share, dtype, "nrecvelem or recvdispls", counts, displs, &s->in);
  if (result == DART_OK) result = check_counted(s, &s->in, recvbuf, "recvbuf");
  if (result != DART_OK) return result;
  s->recvbuf = recvbuf;
  if (!tsr_dart_in_place(*own, recvbuf)) return check_own(s, s->share.bytes, s->in.bytes[self]);
  *own = recvbuf ? (char *)recvbuf + s->in.displs[self] : NULL;
  return DART_OK;
}

static dart_ret_t start_gatherv(how how, const void *sendbuf, size_t nelem, dart_datatype_t dtype, void *recvbuf,
                                const size_t *counts, const size_t *displs, dart_team_unit_t root, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, true, &result);
  if (!s) return result;
  tsr_team *t = s->share.team;
  bool is_root = t->self == root.id;
  if (result == DART_OK) result = tsr_dart_check_root(&s->share, root);
  if (result == DART_OK && is_root) result = make_in(s, dtype, counts, displs, &sendbuf, recvbuf);
  if (result == DART_OK && !is_root) result = tsr_dart_check_buffer(&s->share, sendbuf, "sendbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  s->send = is_root ? tsr_dart_counted_own(&s->in, t->self, sendbuf) : tsr_dart_block_to_send(&s->share, sendbuf, 1);
  void *receive = is_root ? tsr_dart_counted_data(&s->in, recvbuf) : NULL;
  return tsr_dart_started_go(s, tsr_nb_gatherv(t, s->send.data, s->share.bytes, receive, counts_of(&s->in),
                                               TSR_MEMBER(root.id)));
}

dart_ret_t dart_gatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                        const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root, dart_team_t team) {
  return start_gatherv(BLOCKS(GATHER), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls, root, team);
}
dart_ret_t dart_igatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                         const size_t *nrecvelem, const size_t *recvdispls, dart_team_unit_t root, dart_team_t team,
                         dart_handle_t *handle) {
  return start_gatherv(STARTS(GATHER), sendbuf, nsendelem, dtype, recvbuf, nrecvelem, recvdispls, root, team);
}

dart_ret_t dart_iallgatherv(const void *sendbuf, size_t nsendelem, dart_datatype_t dtype, void *recvbuf,
                            const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  bool in_place = tsr_dart_in_place(sendbuf, recvbuf);
  started *s = tsr_dart_started_open(STARTS(ALLGATHER), team, in_place ? 0 : nsendelem, dtype, true, &result);
  if (!s) return result;
  tsr_team *t = s->share.team;
  if (result == DART_OK) result = make_in(s, dtype, nrecvelem, recvdispls, &sendbuf, recvbuf);
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  s->send = tsr_dart_counted_own(&s->in, t->self, sendbuf);
  void *receive = tsr_dart_counted_data(&s->in, recvbuf);
  return tsr_dart_started_go(s, tsr_nb_allgatherv(t, s->send.data, receive, counts_of(&s->in)));
}

static dart_ret_t start_alltoallv(how how, const void *sendbuf, const size_t *send_counts, const size_t *send_displs,
                                  dart_datatype_t dtype, void *recvbuf, const size_t *recv_counts, const size_t *recv_displs,
                                  dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, 0, dtype, true, &result);
  if (!s) return result;
  tsr_team *t = s->share.team;
  const void *own = NULL; /* in place, so that make_in leaves the comparison to check_own below */
  if (result == DART_OK) result = make_in(s, dtype, recv_counts, recv_displs, &own, recvbuf);
  if (tsr_dart_in_place(sendbuf, recvbuf)) {
    sendbuf = recvbuf;
    send_counts = recv_counts;
    send_displs = recv_displs;
    s->out.all_blocks = false; /* sends from a copy: the call overwrites the buffer */
  }
  if (result == DART_OK)
    result = tsr_dart_counted_make(&s->share, dtype, "nsendelem or senddispls", send_counts, send_displs, &s->out);
  if (result == DART_OK) result = check_counted(s, &s->out, sendbuf, "sendbuf");
  if (result == DART_OK) result = check_own(s, s->out.bytes[t->self], s->in.bytes[t->self]);
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const void *send = tsr_dart_counted_packed(&s->out, sendbuf);
  void *receive = tsr_dart_counted_data(&s->in, recvbuf);
  return tsr_dart_started_go(s, tsr_nb_alltoallv(t, send, counts_of(&s->out), receive, counts_of(&s->in)));
}

dart_ret_t dart_alltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                          void *recvbuf, const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team) {
  return start_alltoallv(BLOCKS(ALLTOALL), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, recvdispls, team);
}
dart_ret_t dart_ialltoallv(const void *sendbuf, const size_t *nsendelem, const size_t *senddispls, dart_datatype_t dtype,
                           void *recvbuf, const size_t *nrecvelem, const size_t *recvdispls, dart_team_t team,
                           dart_handle_t *handle) {
  return start_alltoallv(STARTS(ALLTOALL), sendbuf, nsendelem, senddispls, dtype, recvbuf, nrecvelem, recvdispls, team);
}
