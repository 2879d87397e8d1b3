/* Reductions beyond the published interface. */
#include <stdlib.h>

#include <dash/dart/if/dart_ext_collective.h>

#include "faces/dart/face.h"
#include "faces/dart/started.h"

typedef struct tsr_dart_started started;
typedef struct tsr_dart_how how;

#define BLOCKS(stat) ((how){__func__, TSR_STAT_##stat, true, NULL})
#define STARTS(stat) ((how){__func__, TSR_STAT_##stat, false, handle})

static dart_ret_t check(started *s, const void *sendbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op) {
  dart_ret_t result = tsr_dart_reduction_make(s->how.call, nelem, dtype, op, &s->reduction);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, sendbuf, "sendbuf");
  return result;
}

dart_ret_t dart_ireduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_unit_t root, dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(REDUCE), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = tsr_dart_check_root(&s->share, root);
  if (result == DART_OK) result = check(s, sendbuf, nelem, dtype, op);
  if (result == DART_OK) result = tsr_dart_check_at_root(&s->share, root, recvbuf, "recvbuf of the root");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *how = &s->reduction;
  return tsr_dart_started_go(s, tsr_nb_reduce(s->share.team, sendbuf, recvbuf, how->n, &how->how, TSR_MEMBER(root.id)));
}

dart_ret_t dart_iallreduce(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                           dart_team_t team, dart_handle_t *handle) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(STARTS(ALLREDUCE), team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check(s, sendbuf, nelem, dtype, op);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *how = &s->reduction;
  return tsr_dart_started_go(s, tsr_nb_allreduce(s->share.team, sendbuf, recvbuf, how->n, &how->how));
}

/* In things to combine, which may be more than one element each; freed by the caller. */
static size_t *parts_of(const started *s, const size_t nelem[], size_t each, size_t elem_bytes) {
  size_t *parts = tsr_coll_memory((size_t)s->share.team->size * sizeof *parts), per = s->reduction.how.elem_bytes / elem_bytes;
  for (int32_t i = 0; i < s->share.team->size; i++) parts[i] = (nelem ? nelem[i] : each) / per;
  return parts;
}

static dart_ret_t go_scatter(started *s, const void *sendbuf, void *recvbuf, const size_t nelem[], size_t each,
                             dart_datatype_t dtype) {
  size_t *parts = parts_of(s, nelem, each, tsr_dart_contiguous_bytes(dtype));
  tsr_schedule *schedule = tsr_nb_reduce_scatter(s->share.team, sendbuf, recvbuf, parts, &s->reduction.how);
  free(parts);
  return tsr_dart_started_go(s, schedule);
}

static dart_ret_t scatter_block(how how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check(s, sendbuf, nelem, dtype, op);
  if (result == DART_OK) result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  return go_scatter(s, sendbuf, recvbuf, NULL, nelem, dtype);
}

dart_ret_t dart_reduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                     dart_operation_t op, dart_team_t team) {
  return scatter_block(BLOCKS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter_block(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                                      dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_block(STARTS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}

/* Every part by itself, and all of them together, whose bytes memory can have. */
static dart_ret_t check_parts(started *s, const void *sendbuf, const void *recvbuf, const size_t nelem[],
                              dart_datatype_t dtype, dart_operation_t op) {
  size_t total = 0, bytes = 0;
  if (!nelem) return tsr_dart_invalid("%s: nelem is NULL; pass one number for each unit of the team", s->how.call);
  dart_ret_t result = tsr_dart_reduction_make(s->how.call, 0, dtype, op, &s->reduction);
  for (int32_t i = 0; result == DART_OK && i < s->share.team->size; i++) {
    result = tsr_dart_reduction_make(s->how.call, nelem[i], dtype, op, &s->reduction);
    if (__builtin_add_overflow(total, nelem[i], &total)) total = SIZE_MAX;
  }
  if (result == DART_OK) result = tsr_dart_size(s->how.call, total, dtype, &bytes);
  if (result == DART_OK && total && !sendbuf) result = tsr_dart_invalid("%s: sendbuf is NULL; pass the buffer", s->how.call);
  if (result == DART_OK && nelem[s->share.team->self] && !recvbuf)
    result = tsr_dart_invalid("%s: recvbuf is NULL; pass the buffer", s->how.call);
  return result;
}

static dart_ret_t scatter_parts(how how, const void *sendbuf, void *recvbuf, const size_t nelem[], dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, 0, dtype, true, &result);
  if (!s) return result;
  if (result == DART_OK) result = check_parts(s, sendbuf, recvbuf, nelem, dtype, op);
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  return go_scatter(s, sendbuf, recvbuf, nelem, 0, dtype);
}

dart_ret_t dart_reduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                               dart_operation_t op, dart_team_t team) {
  return scatter_parts(BLOCKS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}
dart_ret_t dart_ireduce_scatter(const void *sendbuf, void *recvbuf, const size_t *nelem, dart_datatype_t dtype,
                                dart_operation_t op, dart_team_t team, dart_handle_t *handle) {
  return scatter_parts(STARTS(REDUCE_SCATTER), sendbuf, recvbuf, nelem, dtype, op, team);
}

static dart_ret_t scan(how how, const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype,
                       dart_operation_t op, dart_team_t team, bool exclusive) {
  dart_ret_t result;
  started *s = tsr_dart_started_open(how, team, nelem, dtype, false, &result);
  if (!s) return result;
  if (result == DART_OK) result = check(s, sendbuf, nelem, dtype, op);
  if (result == DART_OK && !(exclusive && s->share.team->self == 0))
    result = tsr_dart_check_buffer(&s->share, recvbuf, "recvbuf");
  if (!tsr_dart_started_goes_on(s, &result)) return result;
  const struct tsr_dart_reduction *combine = &s->reduction;
  return tsr_dart_started_go(s, tsr_nb_scan(s->share.team, sendbuf, recvbuf, combine->n, &combine->how, exclusive));
}

dart_ret_t dart_scan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                     dart_team_t team) {
  return scan(BLOCKS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_iscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                      dart_team_t team, dart_handle_t *handle) {
  return scan(STARTS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, false);
}
dart_ret_t dart_exscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                       dart_team_t team) {
  return scan(BLOCKS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
dart_ret_t dart_iexscan(const void *sendbuf, void *recvbuf, size_t nelem, dart_datatype_t dtype, dart_operation_t op,
                        dart_team_t team, dart_handle_t *handle) {
  return scan(STARTS(SCAN), sendbuf, recvbuf, nelem, dtype, op, team, true);
}
