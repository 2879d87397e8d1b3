#include <armcix.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "coll/end.h"
#include "core/launch.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "api/armci/armci_api.h"
#include "api/armci/handle.h"

bool tsr_armci_up, tsr_armci_plain;
static int starts_n; /* calls of ARMCI_Init minus calls of ARMCI_Finalize */

static void finish_armci(void) { PARMCI_Finalize(); }

static int start_armci(const struct tsr_launch *how) {
  if (starts_n > 0) {
    if (tsr_launch_is_same(how)) return FAIL;
    starts_n++;
    return 0;
  }
  if (tsr_runtime_up(TSR_API_ARMCI, how) != TESSERA_OK) return FAIL;
  if (tsr_heap_bases_start())
    tsr_armci_die("TSR-3043 ARMCI_Init: no private memory for a table of %d processes; free some", tsr_place.units_n);
  tsr_runtime_at_finish(TSR_API_ARMCI, finish_armci);
  tsr_armci_handles_start();
  tsr_armci_domains_start();
  tsr_armci_groups_start();
  tsr_armci_mutexes_start();
  tsr_armci_notify_start();
  if (tsr_threads_expected) tsr_threads = true;
  tsr_armci_up = true;
  tsr_armci_plain = !tsr_stats_are_wanted() && !tsr_config_check();
  starts_n = 1;
  return 0;
}

int PARMCI_Init(void) { return start_armci(&(struct tsr_launch){.call = "ARMCI_Init"}); }
int PARMCI_Init_args(int *argc, char ***argv) {
  return start_armci(&(struct tsr_launch){.argc = argc, .argv = argv, .call = "ARMCI_Init_args"});
}

/* With level MPI_THREAD_MULTIPLE several threads may call ARMCI at the same time. */
static int start_threads(const struct tsr_launch *how, int level) {
  if (level < MPI_THREAD_SINGLE || level > MPI_THREAD_MULTIPLE)
    return tsr_armci_fail(FAIL, "TSR-3044 %s: %d is not a thread level of MPI; pass MPI_THREAD_SINGLE to MPI_THREAD_MULTIPLE",
                          how->call, level);
  int answer = start_armci(how);
  if (answer || level < MPI_THREAD_MULTIPLE) return answer;
  if (tsr_threads_possible) {
    tsr_threads = true;
    return 0;
  }
  PARMCI_Finalize();
  return tsr_armci_fail(FAIL, "TSR-3045 %s: MPI was started below MPI_THREAD_MULTIPLE, which threads need on several nodes; "
                        "start it with MPI_Init_thread and that level", how->call);
}

int PARMCI_Init_thread(int level) { return start_threads(&(struct tsr_launch){.call = "ARMCI_Init_thread"}, level); }

int PARMCI_Init_thread_comm(int level, MPI_Comm comm) {
  return start_threads(&(struct tsr_launch){.comm = &comm, .call = "ARMCI_Init_thread_comm"}, level);
}

int PARMCI_Init_mpi_comm(MPI_Comm comm) {
  return start_armci(&(struct tsr_launch){.comm = &comm, .call = "ARMCI_Init_mpi_comm"}) == 0;
}

int PARMCI_Initialized(void) { return tsr_armci_up; }

int PARMCI_Finalize(void) {
  if (!tsr_armci_up) return tsr_armci_not_up("ARMCI_Finalize");
  if (starts_n > 1) {
    starts_n--;
    return 0;
  }
  tsr_armci_batches_flush(-1);
  tessera_status_t status = tsr_end_communication(TSR_P2P_ARMCI);
  if (status) return tsr_armci_code(status);
  starts_n = 0;
  tsr_armci_notify_stop();
  tsr_armci_mutexes_stop();
  tsr_armci_groups_stop();
  tsr_armci_handles_stop();
  tsr_heap_bases_stop();
  tsr_armci_up = tsr_armci_plain = false;
  tsr_runtime_down(TSR_API_ARMCI);
  return 0;
}

void ARMCIX_Progress(void) {
  if (!tsr_armci_check_up(__func__)) tsr_progress();
}

/* Nothing to clean up: there are no files, and the shared memory of a node ends with its last process. */
void PARMCI_Cleanup(void) {}

void PARMCI_Error(const char *msg, int code) {
  tsr_abort(code ? code : EXIT_FAILURE, "TSR-3046 ARMCI_Error: %s (%d)", msg ? msg : "", code);
}

/* The message of the program's next failed assertion. */
static _Thread_local char said[1024];

void derr_printf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int n = vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  if (n < 0) said[0] = 0;
  said[strcspn(said, "\n")] = 0;
}

int dassertp_fail(const char *condition, const char *file, const char *function, unsigned int line, int code) {
  tsr_abort(code ? code : EXIT_FAILURE, "TSR-3014 %s:%u: %s: %s does not hold%s%s", file, line, function, condition,
            said[0] ? ": " : "", said);
}

int tsr_armci_not_up(const char *call) {
  tsr_runtime_not_up(call);
  return FAIL;
}

void tsr_armci_die_not_up(const char *call) {
  tsr_armci_die("TSR-3020 %s: called before ARMCI_Init or after ARMCI_Finalize; call it between the two", call);
}

int tsr_armci_code(tessera_status_t status) {
  switch (status) {
  case TESSERA_OK: return 0;
  case TESSERA_ERR_MEMORY: return FAIL8;
  default: return FAIL;
  }
}

TSR_ARMCI_NAME(Init);
TSR_ARMCI_NAME(Init_args);
TSR_ARMCI_NAME(Init_thread);
TSR_ARMCI_NAME(Init_thread_comm);
TSR_ARMCI_NAME(Init_mpi_comm);
TSR_ARMCI_NAME(Initialized);
TSR_ARMCI_NAME(Finalize);
TSR_ARMCI_NAME(Cleanup);
TSR_ARMCI_NAME(Error);
