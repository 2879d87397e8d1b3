/* Start, configuration and end. */
#include <dash/dart/if/dart_config.h>
#include <dash/dart/if/dart_initialization.h>

#include "base/config.h"
#include "coll/end.h"
#include "core/launch.h"
#include "core/place.h"
#include "core/runtime.h"
#include "api/dart/dart_api.h"
#include "api/dart/locality/locality.h"

bool tsr_dart_up;
dart_config_t tsr_dart_config = {.log_enabled = 1};

void dart_config(dart_config_t **config) {
  if (config) *config = &tsr_dart_config;
}

/* Reads the log level from DART_LOG_LEVEL if TESSERA_LOG is not set. */
static void start_log(void) {
  if (tsr_config_is_set("TESSERA_LOG")) return;
  int level = tsr_config_foreign("DART_LOG_LEVEL", "error|warn|info|debug|trace", tsr_place.self == 0);
  if (level >= 0) tsr_log_level = level > TSR_LOG_DEBUG ? TSR_LOG_DEBUG : (enum tsr_log_level)level;
}

static void finish_dart(void) { dart_exit(); }

dart_ret_t dart_init(int *argc, char ***argv) {
  if (tsr_dart_up) {
    tsr_fail(TESSERA_ERR_STATE, "TSR-2054 dart_init: already initialised; call dart_exit first");
    return DART_ERR_OTHER;
  }
  if (tsr_runtime_up(TSR_API_DART, &(struct tsr_launch){.argc = argc, .argv = argv}) != TESSERA_OK)
    return DART_ERR_OTHER;
  tsr_runtime_at_finish(TSR_API_DART, finish_dart);
  tsr_dart_locks_start();
  tsr_dart_up = true;
  start_log();
  return DART_OK;
}

dart_ret_t dart_init_thread(int *argc, char ***argv, dart_thread_support_level_t *provided) {
  if (!provided) return tsr_dart_invalid("TSR-2055 dart_init_thread: provided is NULL; pass where to store the thread level");
  dart_ret_t result = dart_init(argc, argv);
  if (result != DART_OK) return result;
  tsr_threads = tsr_threads_possible;
  *provided = tsr_threads ? DART_THREAD_MULTIPLE : DART_THREAD_SINGLE;
  if (!tsr_threads)
    tsr_dart_log(TSR_LOG_WARN, "TSR-2056 dart_init_thread: the program's MPI_Init allows one thread, and with several nodes "
                 "the library needs more; start MPI with MPI_Init_thread and MPI_THREAD_MULTIPLE");
  return DART_OK;
}

dart_ret_t dart_exit(void) {
  if (!tsr_dart_up) return tsr_dart_code(tsr_runtime_not_up("dart_exit"));
  tessera_status_t status = tsr_end_communication(TSR_P2P_DART);
  if (status) return tsr_dart_code(status);
  tsr_dart_drop_allocators();
  tsr_dart_up = false;
  tsr_dart_locks_stop();
  tsr_locality_drop_all();
  tsr_runtime_down(TSR_API_DART);
  return DART_OK;
}

bool dart_initialized(void) { return tsr_dart_up; }

void dart_abort(int code) { tsr_abort(code ? code : DART_EXIT_ABORT, "TSR-2057 dart_abort: called with code %d", code); }
