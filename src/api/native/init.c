#include <tessera/mpi.h>

#include "coll/end.h"
#include "core/launch.h"
#include "core/runtime.h"
#include "core/stats.h"
#include "api/native/native_api.h"

static void finish_native(void) { tessera_exit(); }

static tessera_status_t start_native(const struct tsr_launch *how) {
  tsr_runtime_at_finish(TSR_API_NATIVE, finish_native);
  return tsr_runtime_up(TSR_API_NATIVE, how);
}

tessera_status_t tessera_init(int *argc, char ***argv) {
  return start_native(&(struct tsr_launch){.argc = argc, .argv = argv});
}

tessera_status_t tessera_init_comm(MPI_Comm comm) {
  return start_native(&(struct tsr_launch){.comm = &comm, .call = "tessera_init_comm"});
}

tessera_status_t tessera_record(int on) {
  if (!tsr_runtime_is_up) return tsr_runtime_not_up("tessera_record");
  tsr_stats_pause(!on);
  return TESSERA_OK;
}

tessera_status_t tessera_exit(void) {
  if (!tsr_api_is_up[TSR_API_NATIVE]) return tsr_runtime_not_up("tessera_exit");
  tessera_status_t status = tsr_end_communication(TSR_P2P_NATIVE);
  if (status) return status;
  tsr_runtime_down(TSR_API_NATIVE);
  tsr_native_am_forget();
  return TESSERA_OK;
}
