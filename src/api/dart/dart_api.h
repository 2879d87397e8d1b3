/* What the files of the DART interface share: whether it is up, its error codes, and from a pointer to an address. */
#ifndef TSR_API_DART_DART_API_H
#define TSR_API_DART_DART_API_H

#include <stdbool.h>
#include <stdint.h>

#include <dash/dart/if/dart_globmem.h>
#include <dash/dart/if/dart_types.h>

#include "base/log.h"
#include "base/status.h"
#include "core/segment.h"
#include "core/team.h"

#define TSR_LIKELY(condition) __builtin_expect(!!(condition), 1)

extern bool tsr_dart_up; /* between dart_init and dart_exit; other interfaces may keep the runtime up beyond */

/* The DART code of a status. */
dart_ret_t tsr_dart_code(tessera_status_t status);

/* Logs what is wrong with the call and returns the code. */
#define tsr_dart_fail(status, ...) tsr_dart_code(tsr_fail((status), __VA_ARGS__))
#define tsr_dart_invalid(...) tsr_dart_fail(TESSERA_ERR_ARG, __VA_ARGS__)

/* What dart_config shows to the program. */
extern dart_config_t tsr_dart_config;
/* A line below an error: none while the program has switched them off. */
#define tsr_dart_log(level, ...)                              \
  do {                                                        \
    if (tsr_dart_config.log_enabled) tsr_log(level, __VA_ARGS__); \
  } while (0)
/* Takes the level of the log from DART_LOG_LEVEL where Tessera's own variable does not say; after the runtime is up. */
void tsr_dart_log_start(void);
/* The bytes of so many elements. DART_ERR_INVAL, logged: neither a basic nor a custom type, or beyond all memory. */
dart_ret_t tsr_dart_size(const char *call, size_t nelem, dart_datatype_t dtype, size_t *bytes);

/* NULL: see tsr_dart_no_team. */
static inline tsr_team *tsr_dart_team(dart_team_t id) { return TSR_LIKELY(tsr_dart_up) ? tsr_team_find(id) : NULL; }

/* NULL: see tsr_dart_refuse. */
static inline tsr_segment *tsr_dart_segment(dart_gptr_t gptr) {
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  return TSR_LIKELY(team) ? tsr_segment_find(team, gptr.segid) : NULL;
}

/* The address of `bytes` bytes of global memory. False: see tsr_dart_refuse. */
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

/* The bytes themselves, where that takes arithmetic alone; NULL: see tsr_dart_address. */
static inline __attribute__((always_inline)) void *tsr_dart_local(dart_gptr_t gptr, uint64_t bytes) {
  const tsr_team *team = tsr_dart_team(gptr.teamid);
  if (!TSR_LIKELY(team)) return NULL;
  return tsr_segment_local(team, gptr.segid, TSR_MEMBER(gptr.unitid), gptr.addr_or_offs.offset, bytes);
}

/* For the end: what is left of all allocators is stale. */
void tsr_dart_drop_allocators(void);

/* Says why there is no such team, or why the pointer is of no use for a transfer of `bytes`, and returns the code. */
dart_ret_t tsr_dart_no_team(const char *call, dart_team_t id) __attribute__((cold));
dart_ret_t tsr_dart_refuse(const char *call, dart_gptr_t gptr, uint64_t bytes) __attribute__((cold));

#endif
