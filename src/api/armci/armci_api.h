/* What the files of the ARMCI interface share: whether it is up, its two names for everything, its errors, and its groups. */
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

/* PARMCI_X is the function, ARMCI_X another name of it, which a tool may define itself. */
#define TSR_ARMCI_NAME(function) \
  extern __typeof__(PARMCI_##function) ARMCI_##function __attribute__((weak, alias("PARMCI_" #function)))

/* Between ARMCI_Init and ARMCI_Finalize; other interfaces may keep the runtime up beyond. */
extern bool tsr_armci_up;
/* The same where nothing is checked beyond arguments, and nothing counted: calls may go the short way. */
extern bool tsr_armci_plain;

/* Logs what is wrong with a call and gives the code to return. */
#define tsr_armci_fail(code, ...) ((void)tsr_fail(TESSERA_ERR_ARG, __VA_ARGS__), (code))
/* The code of a status that has been logged. */
int tsr_armci_code(tessera_status_t status);
/* For functions without a result: ends the job. */
#define tsr_armci_die(...) tsr_abort(EXIT_FAILURE, __VA_ARGS__)

/* FAIL, logged, before ARMCI_Init and after ARMCI_Finalize; else 0. */
int tsr_armci_not_up(const char *call) __attribute__((cold));
static inline int tsr_armci_check_up(const char *call) { return TSR_ARMCI_LIKELY(tsr_armci_up) ? 0 : tsr_armci_not_up(call); }

/* ---- Groups: group.c ---- */

/* For the interface's start, collective; and its end, when the runtime has still all that was made. */
void tsr_armci_groups_start(void);
void tsr_armci_groups_stop(void);

/* The team of a group; NULL: no group, one that is gone, or one that the caller is no member of. */
tsr_team *tsr_armci_team(const ARMCI_Group *group);
/* The default group: the world's until the program says otherwise. */
const ARMCI_Group *tsr_armci_default_group(void);

#endif
