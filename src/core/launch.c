#include "core/launch.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "core/fault.h"
#include "core/join.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/mpi/mpi.h"

static struct {
  bool done;       /* from the launch to MPI_Finalize */
  bool owns_mpi;   /* we started MPI, so we finalise it */
  _Atomic pid_t owner; /* a forked child runs no hooks, nor does who aborts the job */
  MPI_Comm units;
} launch = {.units = MPI_COMM_NULL};

MPI_Comm tsr_launch_comm(void) { return launch.units; }

void tsr_launch_abandon(void) { atomic_store(&launch.owner, 0); }

static void stop_net(void) {
  if (!launch.done) return;
  launch.done = false;
  tsr_net->finish();
  if (launch.units != MPI_COMM_WORLD) MPI_Comm_free(&launch.units);
}

/* The program finalises MPI: our receives have to be withdrawn before. Attribute of MPI_COMM_SELF, deleted first thing. */
static int on_finalize(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  if (tsr_runtime_is_up)
    tsr_abort(EXIT_FAILURE, "MPI_Finalize was called before Tessera was ended; call the exit function of every face first");
  stop_net();
  return MPI_SUCCESS;
}

/* The process ends, in order or not. */
static void on_exit_hook(void) {
  if (launch.owner != getpid()) return;
  if (tsr_runtime_is_up)
    tsr_abort(EXIT_FAILURE, "the program ended without ending Tessera; every unit calls the exit function of every face it started");
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized || !launch.owns_mpi) return;
  if (tsr_place.nodes_n == 1 || !tsr_net_mpi_leave()) MPI_Finalize();
}

static tessera_status_t start_mpi(int *argc, char ***argv) {
  int running = 0, finalized = 0, level = 0;
  MPI_Finalized(&finalized);
  if (finalized) return tsr_fail(TESSERA_ERR_STATE, "MPI was already finalised; initialise Tessera before MPI_Finalize");
  MPI_Initialized(&running);
  if (running) return TESSERA_OK;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
    return tsr_fail(TESSERA_ERR_NET, "MPI_Init_thread failed; start the program with the mpiexec of the MPI it was built with");
  launch.owns_mpi = true;
  return TESSERA_OK;
}

static tessera_status_t watch_finalize(void) {
  int key = MPI_KEYVAL_INVALID;
  if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, NULL) != MPI_SUCCESS ||
      MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) != MPI_SUCCESS)
    return tsr_fail(TESSERA_ERR_NET, "MPI refused an attribute on MPI_COMM_SELF");
  MPI_Comm_free_keyval(&key);
  return TESSERA_OK;
}

static void name_self(void) {
  char host[MPI_MAX_PROCESSOR_NAME];
  int length = 0, rank = 0;
  MPI_Get_processor_name(host, &length);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  tsr_log_identity(rank, host);
  tsr_config_load(rank == 0); /* one unit reports what is wrong with the environment */
  tsr_log_level = (enum tsr_log_level)tsr_config.log_level;
}

static void net_fatal(const char *what) { tsr_abort(EXIT_FAILURE, "the transport failed: %s", what); }

/* One node sends no messages, so that nothing of ours can meet the program's on MPI_COMM_WORLD. */
static tessera_status_t start_net(void) {
  launch.units = MPI_COMM_WORLD;
  if (tsr_place.nodes_n == 1) return TESSERA_OK;
  MPI_Comm_dup(MPI_COMM_WORLD, &launch.units);
  return tsr_net_mpi_start(launch.units);
}

tessera_status_t tsr_launch(int *argc, char ***argv) {
  if (launch.done) return TESSERA_OK;
  tessera_status_t status = start_mpi(argc, argv);
  if (status) return status;
  name_self();
  tsr_net_fatal = net_fatal;
  status = tsr_join(MPI_COMM_WORLD);
  if (!status) status = start_net();
  if (!status) launch.done = true;
  if (!status) status = watch_finalize();
  if (status) return status;
  launch.owner = getpid();
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  tsr_threads_possible = tsr_place.nodes_n == 1 || level == MPI_THREAD_MULTIPLE;
  tsr_fault_install();
  atexit(on_exit_hook);
  return TESSERA_OK;
}
