#include "api/dart/started.h"

#include <stdlib.h>
#include <string.h>

#include "api/dart/dart_api.h"

static void free_started(struct tsr_dart_started *started) {
  tsr_dart_counted_drop(&started->out);
  tsr_dart_counted_drop(&started->in);
  tsr_dart_shape_release(&started->share.shape);
  free(started);
}

struct tsr_dart_started *tsr_dart_started_open(struct tsr_dart_how how, dart_team_t team, size_t nelem,
                                               dart_datatype_t dtype, bool meets, dart_ret_t *result) {
  struct tsr_dart_share share;
  *result = tsr_dart_share_start(&share, how.call, team, nelem, dtype, meets);
  if (*result != DART_OK) return NULL;
  struct tsr_dart_started *started = tsr_coll_memory(sizeof *started);
  memset(started, 0, sizeof *started);
  started->how = how;
  started->share = share;
  started->out.all_blocks = started->in.all_blocks = true;
  if (!how.blocks && !how.handle)
    *result = tsr_dart_invalid("TSR-2133 %s: handle is NULL; pass where to store it", how.call);
  return started;
}

bool tsr_dart_started_goes_on(struct tsr_dart_started *started, dart_ret_t *result) {
  if (*result == DART_OK && !started->how.blocks) /* last check: afterwards the collective cannot be failed */
    *result = tsr_dart_code(tsr_handle_create(TSR_UNIT(-1), &started->handle, &started->op));
  if (tsr_dart_share_goes_on(&started->share, *result)) return true;
  if (started->handle) tsr_handle_release(started->handle);
  if (*result == DART_OK && started->how.handle) *started->how.handle = DART_HANDLE_NULL;
  free_started(started);
  return false;
}

static void finish_started(void *arg) {
  struct tsr_dart_started *started = arg;
  tsr_dart_block_drop(&started->send);
  tsr_dart_block_receive(&started->share, &started->receive, DART_OK);
  tsr_dart_counted_unpack(&started->in, started->recvbuf);
  free_started(started);
}

dart_ret_t tsr_dart_started_go(struct tsr_dart_started *started, tsr_schedule *schedule) {
  struct tsr_dart_how how = started->how;
  uint64_t begun_ns = started->share.begun_ns, bytes = started->share.bytes + started->in.total;
  tsr_handle handle = started->handle;
  tsr_op *op = started->op;
  if (how.blocks) {
    (void)tsr_schedule_run(schedule, finish_started, started);
  } else {
    tsr_handle_explain(op, tsr_schedule_why(schedule));
    tsr_schedule_start(schedule, op, finish_started, started);
  }
  if (!how.blocks && tsr_op_remote_done(op)) {
    tsr_handle_release(handle);
    handle = 0;
  }
  if (how.handle) *how.handle = (dart_handle_t)(uintptr_t)handle;
  tsr_stats_end(how.stat, begun_ns, bytes, 0);
  return DART_OK;
}
