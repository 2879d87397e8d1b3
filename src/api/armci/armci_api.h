/* Common parts of the ARMCI interface: its state, its two names for each function, errors, and groups. */
#ifndef TSR_API_ARMCI_ARMCI_API_H
#define TSR_API_ARMCI_ARMCI_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <armci.h>

#include "base/status.h"
#include "core/runtime.h"
#include "core/team.h"

#define TSR_ARMCI_LIKELY(condition) __builtin_expect(!!(condition), 1)

/* PARMCI_X is the function, ARMCI_X a weak alias, which a profiling tool may define itself. */
#define TSR_ARMCI_NAME(function) \
  extern __typeof__(PARMCI_##function) ARMCI_##function __attribute__((weak, alias("PARMCI_" #function)))

/* Between ARMCI_Init and ARMCI_Finalize; other interfaces may keep the runtime up longer. */
extern bool tsr_armci_up;
/* Up, without TESSERA_CHECK and statistics: calls may take their fast path. */
extern bool tsr_armci_plain;

/* Logs the message and returns the code. */
#define tsr_armci_fail(code, ...) ((void)tsr_fail(TESSERA_ERR_ARG, __VA_ARGS__), (code))
/* The code of a status, which was logged already. */
int tsr_armci_code(tessera_status_t status);
/* For functions without a result: ends the job. */
#define tsr_armci_die(...) tsr_abort(EXIT_FAILURE, __VA_ARGS__)

/* FAIL, logged, before ARMCI_Init and after ARMCI_Finalize; else 0. */
int tsr_armci_not_up(const char *call) __attribute__((cold));
static inline int tsr_armci_check_up(const char *call) { return TSR_ARMCI_LIKELY(tsr_armci_up) ? 0 : tsr_armci_not_up(call); }

/* For calls without a result: end the job before ARMCI_Init and after ARMCI_Finalize. */
void tsr_armci_die_not_up(const char *call) __attribute__((cold, noreturn));
static inline void tsr_armci_must_be_up(const char *call) {
  if (!TSR_ARMCI_LIKELY(tsr_armci_up)) tsr_armci_die_not_up(call);
}

/* _start: called by ARMCI_Init. _stop: called by ARMCI_Finalize while the teams still exist. tsr_armci_notify_start is
 * collective. */
void tsr_armci_domains_start(void);
void tsr_armci_groups_start(void);
void tsr_armci_groups_stop(void);
void tsr_armci_mutexes_start(void);
void tsr_armci_mutexes_stop(void);
void tsr_armci_notify_start(void);
void tsr_armci_notify_stop(void);

/* The team of a group. NULL: a NULL or freed group, or the caller is not a member; the second function logs that. */
tsr_team *tsr_armci_team(const ARMCI_Group *group);
tsr_team *tsr_armci_check_team(const char *call, const ARMCI_Group *group);
/* The default group, at first the world. */
const ARMCI_Group *tsr_armci_default_group(void);

#endif
