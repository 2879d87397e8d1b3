#include "core/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/config.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/poison.h"
#include "base/process.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/agent.h"
#include "core/fault.h"
#include "core/finish.h"
#include "core/job_comm.h"
#include "core/join.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/topology.h"
#include "core/team.h"
#include "core/monitor.h"
#include "net/mpi/launcher.h"
#include "net/mpi/library.h"
#include "net/mpi/mpi.h"
#include "net/start.h"

static struct {
  bool done;       /* from the launch to the end of the job */
  bool is_part;    /* the job is on a communicator of the program, not on all processes */
  _Atomic pid_t owner; /* 0: aborted. A forked child, and a process that aborts the job, run no hooks */
  MPI_Comm job;    /* units and agents: MPI_COMM_WORLD, or a duplicate of the program's communicator */
  MPI_Comm units;
  int32_t first;   /* rank in MPI_COMM_WORLD of the job's first process */
  bool found_threads; /* when Tessera started MPI */
  bool leaves;     /* tsr_launch_exit: the end of this process ends the job */
} launch = {.job = MPI_COMM_NULL, .units = MPI_COMM_NULL};

MPI_Comm tsr_launch_comm(void) { return launch.units; }

int32_t tsr_launch_first(void) { return launch.first; }

bool tsr_launch_found_threads(void) { return launch.found_threads; }

bool tsr_launch_may_call_mpi(void) {
  int level = MPI_THREAD_SINGLE, is_main = 0;
  MPI_Query_thread(&level);
  MPI_Is_thread_main(&is_main);
  return level >= MPI_THREAD_SERIALIZED || is_main;
}

void tsr_launch_abandon(void) { atomic_store(&launch.owner, 0); }

static void name_self(int32_t unit) {
  char host[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(host, &length);
  tsr_log_identity(unit, host);
}

static int32_t find_first(void) {
  MPI_Group all, job;
  int none = 0, first = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Comm_group(launch.job, &job);
  MPI_Group_translate_ranks(job, 1, &none, all, &first);
  MPI_Group_free(&job);
  MPI_Group_free(&all);
  return first == MPI_UNDEFINED ? 0 : first;
}

static void free_comms(void) {
  if (launch.units != launch.job && launch.units != MPI_COMM_NULL) MPI_Comm_free(&launch.units);
  if (launch.is_part && launch.job != MPI_COMM_NULL) MPI_Comm_free(&launch.job);
  launch.units = launch.job = MPI_COMM_NULL;
}

static void stop_net(void) {
  if (!launch.done) return;
  launch.done = false;
  tsr_agent_leave();
  tsr_net->finish();
  free_comms();
}

/* Drops the nodes, the units and the monitor of the job. */
static void leave_nodes(void) {
  tsr_monitor_stop();
  tsr_team_forget_world();
  tsr_topology_forget();
  tsr_place_forget();
  tsr_heap_unmap();
  name_self(-1);
}

void tsr_launch_end_part(void) {
  if (!launch.done || !launch.is_part) return;
  tsr_job_comm_lose_agents(launch.job, launch.units);
  tsr_agent_leave();
  tsr_net->quiesce();
  stop_net();
  leave_nodes();
}

/* Leaves the job of all processes. Other processes may stay in it, so objects that MPI frees collectively are not
 * freed. */
static tessera_status_t leave_all(const struct tsr_launch *how) {
  if (tsr_net->ends_together)
    return tsr_fail(TESSERA_ERR_UNSUPPORTED, "TSR-0319 %s: with TESSERA_NET_RMA=mpi3 a process in the job of all processes "
                    "cannot start one on a part of them; start that one first, or unset the variable", how->call);
  launch.done = false;
  tsr_job_comm_lose_agents(launch.job, launch.units);
  tsr_agent_leave();
  tsr_net_leave();
  tsr_net->finish();
  launch.units = launch.job = MPI_COMM_NULL;
  leave_nodes();
  return TESSERA_OK;
}

/* The program finalises MPI, which first deletes the attributes of MPI_COMM_SELF. The receives of the transport must be
 * cancelled before that. */
static int on_finalize(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)value, (void)state;
  if (tsr_runtime_is_up) tsr_finish("MPI_Finalize was called");
  stop_net();
  return MPI_SUCCESS;
}

static void end_mpi(void) {
  if (tsr_heap.memory) atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized || !tsr_net_mpi_is_ours) return;
  MPI_Finalize(); /* the function of net/mpi/interpose */
}

void tsr_launch_end_mpi(void) {
  int running = 0, finalized = 0;
  MPI_Initialized(&running);
  MPI_Finalized(&finalized);
  if (running && !finalized) MPI_Finalize();
}

/* Runs when the process ends, in order or not. With code 0 it ends the interfaces that are still up, and MPI, even if
 * the program started MPI. */
static void on_exit_hook(int status, void *unused) {
  (void)unused;
  if (launch.owner != getpid()) return;
  if (launch.leaves) {
    fflush(NULL);
    tsr_leave(status);
  }
  if (tsr_runtime_is_up) {
    if (status) tsr_finish_failed(status);
    tsr_finish("the program ended");
    tsr_net_mpi_is_ours = true;
  }
  end_mpi();
}

bool tsr_launch_leaves(void) { return launch.leaves; }

void tsr_launch_exit(int code) {
  launch.leaves = true;
  exit(code);
}

/* Debian's MPICH with UCX ends a process if /dev/shm has no room for its messages, and does not print how much room it
 * needs. */
static void check_shm(void) {
#ifdef MPICH_VERSION
  enum { KIB_EACH = 4300 };
  struct statvfs shm;
  const char *rank = tsr_config_foreign_text("MPI_LOCALRANKID"), *ranks = tsr_config_foreign_text("MPI_LOCALNRANKS");
  bool is_asked = rank && ranks && atol(rank) == 0 && !tsr_config_is_set("UCX_TLS") && !tsr_config_is_set("UCX_POSIX_DIR");
  if (!is_asked || statvfs("/dev/shm", &shm)) return;
  unsigned long long free_kib = (unsigned long long)shm.f_bavail * shm.f_frsize / 1024;
  long processes_n = atol(ranks);
  if (free_kib < (unsigned long long)processes_n * KIB_EACH)
    tsr_warn("TSR-0320 /dev/shm has room for %llu KiB; MPICH needs about %d KiB there for each of the %ld processes of this host, "
             "and fails if there is less; make /dev/shm larger (docker run --shm-size), or set UCX_TLS=^posix", free_kib,
             KIB_EACH, processes_n);
#endif
}

static tessera_status_t start_mpi(int *argc, char ***argv) {
  int running = 0, finalized = 0, level = 0;
  tsr_net_mpi_check_library();
  MPI_Finalized(&finalized);
  if (finalized) return tsr_fail(TESSERA_ERR_STATE, "TSR-0321 MPI was already finalised; initialise Tessera before "
                                 "MPI_Finalize");
  MPI_Initialized(&running);
  if (running) return TESSERA_OK;
  check_shm();
  launch.found_threads = tsr_process_status("Threads") > 1 + TSR_TSAN; /* that sanitizer has a thread of its own */
  if (MPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &level) != MPI_SUCCESS)
    return tsr_fail(TESSERA_ERR_NET, "TSR-0322 MPI_Init_thread failed; start the program with the mpiexec of the MPI it was "
                    "built with");
  tsr_net_mpi_is_ours = true;
  return TESSERA_OK;
}

static bool means_part(const struct tsr_launch *how) { return how->comm && !tsr_job_comm_is_like(*how->comm, MPI_COMM_WORLD); }

static bool is_in_job(const struct tsr_launch *how) {
  return !how->comm || (!launch.is_part && !means_part(how)) || tsr_job_comm_is_like(*how->comm, launch.units);
}

tessera_status_t tsr_launch_is_same(const struct tsr_launch *how) {
  tessera_status_t status = how->comm ? tsr_job_comm_check(how) : TESSERA_OK;
  if (status || is_in_job(how)) return status;
  return tsr_fail(TESSERA_ERR_STATE, "TSR-0326 %s: the job runs already, on other processes than those of comm, or in another "
                  "order; end it first, or pass what tessera_comm gives", how->call);
}

/* The key is kept: MPI_Finalize of net/mpi/interpose deletes the attribute by it. */
static tessera_status_t watch_finalize(void) {
  static int key = MPI_KEYVAL_INVALID;
  if (key != MPI_KEYVAL_INVALID) return TESSERA_OK;
  if (MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_finalize, &key, NULL) != MPI_SUCCESS ||
      MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL) != MPI_SUCCESS)
    return tsr_fail(TESSERA_ERR_NET, "TSR-0328 MPI_Comm_create_keyval, or MPI_Comm_set_attr on MPI_COMM_SELF, failed; free "
                    "memory, or check the installation of MPI");
  return TESSERA_OK;
}

static void load_configuration(void) {
  int rank = 0, world_n = 1;
  MPI_Comm_rank(launch.job, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_n);
  name_self(rank); /* the rank is the name until the unit number is known */
  tsr_config_load(rank == 0); /* one unit reports errors in the environment */
  tsr_log_level = (enum tsr_log_level)tsr_config.log_level;
  tsr_net_mpi_check_launcher(world_n);
}

/* A transfer may fail because a unit has died, so the monitors get a second to report that unit. */
static void net_fatal(const char *what) {
  for (int i = 0; i < 20; i++) {
    tsr_monitor_check();
    tsr_wait_sleep_ns(50000000);
  }
  tsr_abort(EXIT_FAILURE, "TSR-0329 the transport failed: %s", what);
}

/* For the transport's start of one-sided operations. Nodes form pairs, and the peer is on the other node of the pair. If the
 * number of nodes is odd, the peer of the last node is on the node before it. */
static struct tsr_net_heap describe_heap(void) {
  const int32_t node = tsr_place.node, last = tsr_place.nodes_n - 1;
  const int32_t partner = node % 2 == 0 && node < last ? node + 1 : node - 1;
  if (tsr_place_is_agent()) return (struct tsr_net_heap){.peer = -1};
  return (struct tsr_net_heap){.address = tsr_heap_at(tsr_heap.self, 0),
                               .bytes = tsr_heap_slice_bytes(),
                               .is_shared = tsr_heap.units_n > 1,
                               .peer = tsr_place_rank(tsr_place_first(partner)),
                               .peer_slot = 2 * tsr_place_index(TSR_UNIT(tsr_place.self)) + (node % 2 == 0 && node == last),
                               .round = node % 2};
}

/* A job on one node sends no messages, so it needs no duplicate of MPI_COMM_WORLD. The ranks of the transport are the
 * units, followed by the agents. */
static tessera_status_t start_net(void) {
  MPI_Comm all;
  launch.units = launch.job;
  if (tsr_place.agents_n > 0) MPI_Comm_split(launch.job, tsr_place_is_agent(), tsr_place.self, &launch.units);
  if (tsr_place.nodes_n == 1) return TESSERA_OK;
  if (tsr_place.agents_n == 0 && !launch.is_part) MPI_Comm_dup(launch.job, &launch.units);
  tsr_net_mpi_choose_finalize(launch.job, !launch.is_part, tsr_place.self == 0);
  if (tsr_place.agents_n > 0) MPI_Comm_split(launch.job, 0, tsr_place.self, &all);
  const struct tsr_net_node node = {(int)tsr_heap.self, (int)tsr_heap.units_n, tsr_heap_net_memory(),
                                    tsr_memory_net_bytes(tsr_heap.ranks_n)};
  tessera_status_t status = tsr_net_start(tsr_place.agents_n > 0 ? all : launch.units, &node);
  if (tsr_place.agents_n > 0) MPI_Comm_free(&all);
  if (tsr_heap.units_n > 1 && tsr_net_has_verbs()) tsr_heap_keep_pages();
  struct tsr_net_heap heap = describe_heap();
  if (!status) status = tsr_net_start_rma(launch.units, &heap);
  if (!status) return TESSERA_OK;
  tsr_net->finish();
  /* All units fail, and end MPI together: otherwise the launcher would take the first one that ends for dead, and kill
   * others before they have printed the error. */
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
  launch.owner = getpid();
  tsr_libc_on_exit(on_exit_hook, NULL);
  return status;
}

/* The life of a progress process, which never returns to the program. It ends with the units, without the exit handlers
 * of the program. If the program started MPI, the MPI_Finalize of the units waits for this one. */
_Noreturn static void live_as_agent(void) {
  tsr_agent_serve();
  tsr_launch_end_part();
  tsr_net_mpi_is_ours = true;
  end_mpi();
  fflush(NULL);
  _exit(EXIT_SUCCESS);
}

/* Tessera's MPI_Init requests the highest level, but a program that links MPI before Tessera does not call it. */
static void check_threads(void) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  tsr_threads_possible = tsr_place.nodes_n == 1 || level == MPI_THREAD_MULTIPLE || tsr_net_prefers_ucx();
  tsr_threads_expected = tsr_threads_possible && tsr_net_mpi_program_has_threads();
  if (tsr_threads_possible || tsr_place.self != 0 || tsr_config.mpi_threads == TSR_MPI_THREADS_KEEP) return;
  tsr_warn("TSR-0330 MPI was started below MPI_THREAD_MULTIPLE: only one thread of a unit may call, and requests of other "
           "nodes are served when the unit makes a call. Link Tessera before MPI, ask for that level in MPI_Init_thread, or set "
           "MPIR_CVAR_DEFAULT_THREAD_LEVEL=MPI_THREAD_MULTIPLE (MPICH) or OMPI_MPI_THREAD_LEVEL=3 (Open MPI)");
}

static tessera_status_t form_job(void) {
  tessera_status_t status = tsr_join(launch.job);
  if (!status) name_self(tsr_place_is_agent() ? -1 : tsr_place.self);
  if (!status) status = tsr_topology_start();
  if (!status) status = start_net();
  if (!status) status = watch_finalize();
  if (!status && tsr_place.self == 0 && tsr_place.agents_n > 0 && !tsr_net_mpi_is_ours)
    tsr_warn("TSR-0331 %s holds agents besides the units, which take part in no call of the program on it: use the "
             "communicator of tessera_comm(), or another TESSERA_PROGRESS",
             launch.is_part ? "the program's communicator" : "MPI_COMM_WORLD");
  if (status && tsr_place.agents_n > 0)
    tsr_abort(EXIT_FAILURE, "TSR-0332 the start failed, and the agents wait: see the line above");
  return status;
}

tessera_status_t tsr_launch(const struct tsr_launch *how) {
  static bool installed; /* the hooks of this process */
  tessera_status_t status = start_mpi(how->argc, how->argv);
  if (!status && how->comm) status = tsr_job_comm_check(how);
  if (!status && launch.done && is_in_job(how)) return TESSERA_OK;
  if (!status) status = tsr_job_comm_check_members(how);
  if (!status && launch.done) status = leave_all(how);
  if (status) return status;
  launch.is_part = means_part(how);
  launch.job = launch.is_part ? MPI_COMM_NULL : MPI_COMM_WORLD;
  if (launch.is_part) status = tsr_job_comm_await(how);
  if (status) return status;
  if (launch.is_part) MPI_Comm_dup(*how->comm, &launch.job);
  launch.first = launch.is_part ? find_first() : 0;
  load_configuration();
  tsr_net_fatal = net_fatal;
  status = form_job();
  if (status) goto fail_job;
  launch.done = true;
  launch.owner = getpid();
  check_threads();
  if (!installed) tsr_fault_install(tsr_net_mpi_has_code);
  if (!installed && !tsr_place_is_agent()) tsr_libc_on_exit(on_exit_hook, NULL);
  installed = true;
  if (tsr_place_is_agent()) live_as_agent();
  return TESSERA_OK;
fail_job:
  if (tsr_heap.memory) leave_nodes();
  free_comms();
  return status;
}
