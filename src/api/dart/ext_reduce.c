/* Reductions beyond the published interface. */
#include <stdlib.h>

#include <dash/dart/if/dart_ext_collective.h>

#include "api/dart/dart_api.h"
#include "api/dart/started.h"

typedef struct tsr_dart_started started;
typedef struct tsr_dart_how how;

#define BLOCKS(stat) ((how){__func__, TSR_STAT_##stat, true, NULL})
#define STARTS(stat) ((how){__func__, TSR_STAT_##stat, false, handle})

static dart_ret_t check_reduction(started *s, const void *sendbuf, size_t nelem, dart_operation_t op) {
  dart_ret_t result = tsr_dart_reduction_make(s->how.call, nelem, s->share.shape.base, op, &s->reduction);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, sendbuf, "sendbuf");
  return result;
}

dart_ret_t dart_ireduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_unit_t root, dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(REDUCE), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = tsr_dart_check_root(&s->share, root);
  if (result == DART_OK) result = check_reduction(s, sendbuf, nelem, op);
  if (result == DART_OK) result = tsr_dart_check_at_root(&s->share, root, recvbuf, "recvbuf of the root");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *how = &s->reduction;
  tsr_team *t = s->share.team;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->share, t->self == root.id ? recvbuf : NULL, 1);
  tsr_member to = TSR_MEMBER(root.id);
  return tsr_dart_started_go(s, tsr_nb_reduce(t, s->send.data, s->receive.data, how->n, &how->how, to));
}

dart_ret_t dart_iallreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                           dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(ALLREDUCE), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check_reduction(s, sendbuf, nelem, op);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *how = &s->reduction;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->share, recvbuf, 1);
  return tsr_dart_started_go(s, tsr_nb_allreduce(s->share.team, s->send.data, s->receive.data, how->n, &how->how));
}

/* The parts in units of combination, which are two elements for pairs. The caller frees them. */
static size_t *parts_of(const started *s, const size_t nelem[], size_t each) {
  size_t *parts = tsr_coll_memory((size_t)s->share.team->size * sizeof *parts);
  size_t per = s->reduction.how.elem_bytes / s->share.shape.elem_bytes;
  for (int32_t i = 0; i < s->share.team->size; i++) parts[i] = (nelem ? nelem[i] : each) / per;
  return parts;
}

static dart_ret_t go_scatter(started *s, void *recvbuf, const size_t nelem[], size_t each) {
  size_t *parts = parts_of(s, nelem, each);
  s->receive = tsr_dart_block_for(&s->share, recvbuf, 1);
  tsr_schedule *schedule =
      tsr_nb_reduce_scatter(s->share.team, s->send.data, s->receive.data, parts, &s->reduction.how);
  free(parts);
  return tsr_dart_started_go(s, schedule);
}

static dart_ret_t scatter_block(how how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check_reduction(s, sendbuf, nelem, op);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, s->share.team->size);
  return go_scatter(s, recvbuf, NULL, nelem);
}

dart_ret_t dart_reduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                     dart_operation_t op, dart_team_t team) {
  return scatter_block(BLOCKS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                      dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_block(STARTS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}

/* Checks each part. The share becomes this unit's own part, and `all` becomes the whole of sendbuf. */
static dart_ret_t measure_parts(started *s, const size_t nelem[], dart_datatype_t dtype, dart_operation_t op,
                                struct tsr_dart_share *all) {
  size_t total = 0;
  dart_ret_t result = DART_OK;
  if (!nelem) return tsr_dart_invalid("TSR-2048 %s: nelem is NULL; pass one number for each unit of the team", s->how.call);
  for (int32_t i = 0; result == DART_OK && i < s->share.team->size; i++) {
    result = tsr_dart_reduction_make(s->how.call, nelem[i], s->share.shape.base, op, &s->reduction);
    if (result == DART_OK) result = tsr_dart_share_measure(all, nelem[i], dtype);
    if (result == DART_OK && __builtin_add_overflow(total, nelem[i], &total))
      result = tsr_dart_invalid("TSR-2049 %s: the parts of all units exceed the address space; correct nelem", s->how.call);
  }
  if (result == DART_OK) result = tsr_dart_share_measure(all, total, dtype);
  if (result == DART_OK) result = tsr_dart_share_measure(&s->share, nelem[s->share.team->self], dtype);
  return result;
}

static dart_ret_t scatter_parts(how how, const void *sendbuf, void *recvbuf, const size_t nelem[],
                                dart_datatype_t dtype, dart_operation_t op, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, 0, dtype, true, &result);
  if (!s) return result;
  struct tsr_dart_share all = {.call = how.call, .team = s->share.team};
  if (result == DART_OK) result = measure_parts(s, nelem, dtype, op, &all);
  if (result == DART_OK) result = tsr_dart_check_buffer(&all, sendbuf, "sendbuf");
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  bool goes_on = tsr_dart_started_goes_on(s, &result);
  if (goes_on) s->send = tsr_dart_block_to_send(&all, sendbuf, 1);
  tsr_dart_shape_release(&all.shape);
  return goes_on ? go_scatter(s, recvbuf, nelem, 0) : result;
}

dart_ret_t dart_reduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                               dart_operation_t op, dart_team_t team) {
  return scatter_parts(BLOCKS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_parts(STARTS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}

static dart_ret_t start_scan(how how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                             dart_operation_t op, dart_team_t team, bool exclusive) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check_reduction(s, sendbuf, nelem, op);
  bool receives = !exclusive || s->share.team->self > 0;
  if (result == DART_OK && receives) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *combine = &s->reduction;
  s->send = tsr_dart_block_to_send(&s->share, sendbuf, 1);
  s->receive = tsr_dart_block_for(&s->share, receives ? recvbuf : NULL, 1);
  return tsr_dart_started_go(s, tsr_nb_scan(s->share.team, s->send.data, s->receive.data, combine->n, &combine->how,
                                            exclusive));
}

dart_ret_t dart_scan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                     dart_team_t team) {
  return start_scan(BLOCKS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_iscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                      dart_team_t team, dart_handle_t *handle) {
  return start_scan(STARTS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_exscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_t team) {
  return start_scan(BLOCKS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
dart_ret_t dart_iexscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_t team, dart_handle_t *handle) {
  return start_scan(STARTS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
