#include <dash/dart/if/dart_communication.h>

#include "core/op.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/dart/dart_api.h"

/* Flushes. */

/* The unit that the pointer names; the offset is ignored. */
static bool unit_of(dart_gptr_t gptr, tsr_unit *unit) {
  const tsr_segment *segment = tsr_dart_segment(gptr);
  if (!TSR_LIKELY(segment && tsr_team_has(segment->team, TSR_MEMBER(gptr.unitid)))) return false;
  if (!TSR_LIKELY(tsr_segment_lasts(segment, TSR_MEMBER(gptr.unitid)))) return false;
  *unit = tsr_team_unit(segment->team, TSR_MEMBER(gptr.unitid));
  return true;
}

/* Out of line, so that the frequent case needs no stack frame. */
static __attribute__((noinline)) dart_ret_t flush_one(const char *call, dart_gptr_t gptr, void (*flush)(tsr_unit)) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_unit unit;
  if (!TSR_LIKELY(unit_of(gptr, &unit))) return tsr_dart_report(call, gptr, 0);
  flush(unit);
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
  return DART_OK;
}

/* True: nothing is outstanding and the pointer is valid, so a flush has nothing to do. */
static inline bool flush_local_units(dart_gptr_t gptr) {
  gptr.addr_or_offs.offset = 0;
  return !tsr_stats_are_wanted() && tsr_dart_local(gptr, 0) && tsr_op_nothing_under_way();
}

static inline dart_ret_t flush_all(const char *call, dart_gptr_t gptr, void (*flush)(void)) {
  uint64_t begun_ns = tsr_stats_begin();
  if (!TSR_LIKELY(tsr_dart_segment(gptr))) return tsr_dart_report(call, gptr, 0);
  flush();
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
  return DART_OK;
}

dart_ret_t dart_flush(dart_gptr_t gptr) {
  return TSR_LIKELY(flush_local_units(gptr)) ? DART_OK : flush_one(__func__, gptr, tsr_op_flush);
}
dart_ret_t dart_flush_local(dart_gptr_t gptr) {
  return TSR_LIKELY(flush_local_units(gptr)) ? DART_OK : flush_one(__func__, gptr, tsr_op_flush_local);
}
dart_ret_t dart_flush_all(dart_gptr_t gptr) { return flush_all(__func__, gptr, tsr_op_flush_all); }
dart_ret_t dart_flush_local_all(dart_gptr_t gptr) { return flush_all(__func__, gptr, tsr_op_flush_local_all); }

/* Handles. */
enum reach { LOCALLY, REMOTELY };

static tsr_op *op_of(dart_handle_t handle) { return tsr_handle_op((tsr_handle)(uintptr_t)handle); }

/* All handles are checked before any of them is used. */
static dart_ret_t check_handles(const char *call, const dart_handle_t handles[], size_t n) {
  if (!tsr_dart_up) return tsr_dart_no_team(call, DART_TEAM_ALL);
  for (size_t i = 0; handles && i < n; i++) {
    if (handles[i] && !op_of(handles[i]))
      return tsr_dart_invalid("TSR-2020 %s: handle %p at index %zu is stale or not a DART handle; use a handle until it was "
                              "waited for, tested as finished, or freed", call, (void *)handles[i], i);
  }
  return DART_OK;
}

static void release_handles(dart_handle_t handles[], size_t n) {
  for (size_t i = 0; handles && i < n; i++) {
    if (handles[i]) tsr_handle_release((tsr_handle)(uintptr_t)handles[i]);
    handles[i] = DART_HANDLE_NULL;
  }
}

/* True: the handle is null. Its operation was complete when the call returned, as most operations within the node
 * are. */
static inline bool is_null(const dart_handle_t *handle) {
  return TSR_LIKELY(tsr_dart_up && handle && !*handle && !tsr_stats_are_wanted());
}

tessera_status_t tsr_dart_store_handle(tsr_handle number, const tsr_op *op, tessera_status_t status, dart_handle_t *handle) {
  if (status) tsr_handle_wait_remote(op); /* parts may have started, and use the caller's memory */
  bool done = tsr_op_remote_done(op);
  if (done) tsr_handle_release(number);
  if (!status) *handle = done ? DART_HANDLE_NULL : (dart_handle_t)(uintptr_t)number;
  return status;
}

/* Out of line, so that waiting for a null handle needs no stack frame. */
static __attribute__((noinline)) dart_ret_t wait_for(const char *call, dart_handle_t handles[], size_t n, enum reach reach) {
  uint64_t begun_ns = tsr_stats_begin();
  dart_ret_t result = check_handles(call, handles, n);
  if (result != DART_OK) return result;
  for (size_t i = 0; handles && i < n; i++) {
    const tsr_op *op = handles[i] ? op_of(handles[i]) : NULL;
    if (op && reach == LOCALLY) tsr_handle_wait_local(op);
    else if (op) tsr_handle_wait_remote(op);
  }
  release_handles(handles, n);
  tsr_stats_end(TSR_STAT_WAIT, begun_ns, 0);
  return DART_OK;
}

static bool all_done(const dart_handle_t handles[], size_t n, enum reach reach) {
  for (size_t i = 0; handles && i < n; i++) {
    const tsr_op *op = handles[i] ? op_of(handles[i]) : NULL;
    if (op && !(reach == LOCALLY ? tsr_op_local_done(op) : tsr_op_remote_done(op))) return false;
  }
  return true;
}

static dart_ret_t test_handles(const char *call, dart_handle_t handles[], size_t n, int32_t *finished, enum reach reach) {
  dart_ret_t result = check_handles(call, handles, n);
  if (finished) *finished = 0;
  if (result != DART_OK) return result;
  if (!finished) return tsr_dart_invalid("TSR-2021 %s: the pointer to the result is NULL; pass where to store it", call);
  bool done = all_done(handles, n, reach);
  if (!done) {
    tsr_progress(); /* not only where progress_required: messages always need it */
    done = all_done(handles, n, reach);
  }
  if (done) release_handles(handles, n);
  *finished = done;
  return DART_OK;
}

dart_ret_t dart_wait(dart_handle_t *handle) {
  return is_null(handle) ? DART_OK : wait_for(__func__, handle, 1, REMOTELY);
}
dart_ret_t dart_waitall(dart_handle_t handles[], size_t n) { return wait_for(__func__, handles, n, REMOTELY); }
dart_ret_t dart_wait_local(dart_handle_t *handle) {
  return is_null(handle) ? DART_OK : wait_for(__func__, handle, 1, LOCALLY);
}
dart_ret_t dart_waitall_local(dart_handle_t handles[], size_t n) { return wait_for(__func__, handles, n, LOCALLY); }

dart_ret_t dart_test(dart_handle_t *handle, int32_t *is_finished) {
  return test_handles(__func__, handle, 1, is_finished, REMOTELY);
}
dart_ret_t dart_testall(dart_handle_t handles[], size_t n, int32_t *is_finished) {
  return test_handles(__func__, handles, n, is_finished, REMOTELY);
}
dart_ret_t dart_test_local(dart_handle_t *handle, int32_t *is_finished) {
  return test_handles(__func__, handle, 1, is_finished, LOCALLY);
}
dart_ret_t dart_testall_local(dart_handle_t handles[], size_t n, int32_t *is_finished) {
  return test_handles(__func__, handles, n, is_finished, LOCALLY);
}

dart_ret_t dart_handle_free(dart_handle_t *handle) {
  dart_ret_t result = check_handles(__func__, handle, 1);
  if (result == DART_OK) release_handles(handle, 1);
  return result;
}
