/* Common parts of the DART interface: its state, error codes, and the way from a global pointer to an address. */
#ifndef TSR_API_DART_DART_API_H
#define TSR_API_DART_DART_API_H

#include <stdbool.h>
#include <stdint.h>

#include <dash/dart/if/dart_communication.h>
#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_types.h>

#include "base/log.h"
#include "base/status.h"
#include "core/op.h"
#include "core/segment.h"
#include "core/team.h"

#define TSR_LIKELY(condition) __builtin_expect(!!(condition), 1)

extern bool tsr_dart_up; /* between dart_init and dart_exit; other interfaces may keep the runtime up longer */

dart_ret_t tsr_dart_code(tessera_status_t status);

/* Logs the message and returns the DART code. */
#define tsr_dart_fail(status, ...) tsr_dart_code(tsr_fail((status), __VA_ARGS__))
#define tsr_dart_invalid(...) tsr_dart_fail(TESSERA_ERR_ARG, __VA_ARGS__)

/* The record that dart_config hands out. */
extern dart_config_t tsr_dart_config;
/* Logs a message that is not an error, unless the program has disabled such messages in that record. */
#define tsr_dart_log(level, ...)                              \
  do {                                                        \
    if (tsr_dart_config.log_enabled) tsr_log(level, __VA_ARGS__); \
  } while (0)
/* The size of the elements. DART_ERR_INVAL, logged: neither a basic nor a custom type, or larger than PTRDIFF_MAX. */
dart_ret_t tsr_dart_size(const char *call, size_t nelem, dart_datatype_t dtype, size_t *bytes);

/* NULL: tsr_dart_no_team reports why. */
static inline tsr_team *tsr_dart_team(dart_team_t id) { return TSR_LIKELY(tsr_dart_up) ? tsr_team_find(id) : NULL; }

/* NULL: tsr_dart_report reports why. */
static inline tsr_segment *tsr_dart_segment(dart_gptr_t gptr) {
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  return TSR_LIKELY(team) ? tsr_segment_find(team, gptr.segid) : NULL;
}

/* The address of `bytes` bytes of global memory. False: tsr_dart_report reports why. */
static inline bool tsr_dart_address(dart_gptr_t gptr, uint64_t bytes, tsr_addr *address) {
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  tsr_member member = TSR_MEMBER(gptr.unitid);
  if (!TSR_LIKELY(team && tsr_team_has(team, member))) return false;
  const tsr_segment *segment = tsr_segment_find(team, gptr.segid);
  if (!TSR_LIKELY(segment)) return false;
  if (!TSR_LIKELY(tsr_segment_holds(segment, member, gptr.addr_or_offs.offset, bytes))) return false;
  if (!TSR_LIKELY(tsr_segment_lasts(segment, member))) return false;
  *address = tsr_segment_address(segment, member, gptr.addr_or_offs.offset);
  return true;
}

/* A pointer to the bytes if they lie in a heap of this node; NULL: try tsr_dart_address. */
static inline __attribute__((always_inline)) void *tsr_dart_local(dart_gptr_t gptr, uint64_t bytes) {
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  if (!TSR_LIKELY(team)) return NULL;
  return tsr_segment_local(team, gptr.segid, TSR_MEMBER(gptr.unitid), gptr.addr_or_offs.offset, bytes);
}

/* After the start of an operation that the op of a handle counts: stores the handle, or DART_HANDLE_NULL if the operation is
 * complete. If the start returned an error, waits for what it has started, and releases the handle. Returns `status`. */
tessera_status_t tsr_dart_store_handle(tsr_handle number, const tsr_op *op, tessera_status_t status, dart_handle_t *handle);

/* Called by dart_init and dart_exit. _stop and _drop free the objects that the program has not destroyed. No unit uses these any
 * more. */
void tsr_dart_locks_start(void);
void tsr_dart_locks_stop(void);
void tsr_dart_drop_allocators(void);

/* The representation of a group. */
struct dart_group_struct {
  tsr_unit *units; /* ascending, distinct; `room` of them allocated */
  size_t n, room;
};

/* Log why there is no such team, or why the pointer is invalid for a transfer of `bytes`, and return the code. */
dart_ret_t tsr_dart_no_team(const char *call, dart_team_t id) __attribute__((cold));
dart_ret_t tsr_dart_report(const char *call, dart_gptr_t gptr, uint64_t bytes) __attribute__((cold));

#endif
