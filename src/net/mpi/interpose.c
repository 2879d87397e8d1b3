#include "net/mpi/interpose.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/config.h"
#include "base/log.h"
#include "net/mpi/eager.h"
#include "net/mpi/faults.h"
#include "net/mpi/library.h"
#include "net/mpi/mpi.h"
#include "net/mpi/own.h"

static bool wants_multiple(void) {
  return tsr_config.mpi_threads == TSR_MPI_THREADS_MULTIPLE && tsr_config.net != TSR_NET_UCX;
}

static void prepare_start(void) {
  tsr_net_mpi_check_library();
  tsr_config_load(false);
  tsr_mpi_eager_raise();
}

_Atomic bool tsr_net_mpi_is_ours;

static bool take_over(void) { return atomic_exchange(&tsr_net_mpi_is_ours, false); }

/* The level that the program has requested; negative: it has called MPI's own functions. */
static _Atomic int requested_level = -1;

bool tsr_net_mpi_program_has_threads(void) {
  int level = atomic_load(&requested_level);
  if (level < 0) MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

int tsr_mpi_init(int *argc, char ***argv) {
  int provided = 0;
  atomic_store(&requested_level, MPI_THREAD_SINGLE);
  if (take_over()) return MPI_SUCCESS;
  prepare_start();
  const int code = wants_multiple() ? tsr_mpi_own()->init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided)
                                    : tsr_mpi_own()->init(argc, argv);
  tsr_mpi_eager_restore();
  return code;
}

int tsr_mpi_init_thread(int *argc, char ***argv, int required, int *provided) {
  atomic_store(&requested_level, required);
  if (take_over()) return MPI_Query_thread(provided);
  prepare_start();
  const int code = tsr_mpi_own()->init_thread(argc, argv, wants_multiple() ? MPI_THREAD_MULTIPLE : required, provided);
  tsr_mpi_eager_restore();
  return code;
}

/* MPI_Get_library_version may be called at any time, also before MPI is started. The version is constant, so threads
 * that ask at the same time store the same answer. */
static bool finalize_may_hang(void) {
  static _Atomic enum { NOT_ASKED, MAY_HANG, RETURNS } answer;
  if (atomic_load(&answer) == NOT_ASKED) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    MPI_Get_library_version(version, &length);
    atomic_store(&answer, tsr_mpi_finalize_may_hang(version) ? MAY_HANG : RETURNS);
  }
  return atomic_load(&answer) == MAY_HANG;
}

/* The keys of the attributes of MPI_COMM_SELF. MPI_Finalize deletes these attributes before anything else, in reverse order, and
 * libraries tie their own ends to that. MPI cannot list the keys. */
enum { KEYS_MAX = 64 };
static int keys[KEYS_MAX];
static _Atomic int keys_n;

int tsr_mpi_comm_set_attr(MPI_Comm comm, int key, void *value) {
  if (comm == MPI_COMM_SELF) {
    int i = atomic_fetch_add(&keys_n, 1);
    if (i < KEYS_MAX) keys[i] = key;
  }
  return PMPI_Comm_set_attr(comm, key, value);
}

/* Some attributes may be deleted already, and their keys freed. */
static void drop_attributes(void) {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = atomic_load(&keys_n) < KEYS_MAX ? atomic_load(&keys_n) : KEYS_MAX; i-- > 0;) {
    int there = 0;
    void *value;
    if (MPI_Comm_get_attr(MPI_COMM_SELF, keys[i], &value, &there) == MPI_SUCCESS && there)
      MPI_Comm_delete_attr(MPI_COMM_SELF, keys[i]);
  }
}

static _Atomic bool replaces_finalize, has_left;

static void say_choice(const char *own_reason) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
  int length = 0;
  MPI_Get_library_version(version, &length);
  version[strcspn(version, ",\n")] = '\0';
  for (char *tab = version; (tab = strchr(tab, '\t'));) *tab = ' ';
  if (own_reason) tsr_info("%s: MPI_Finalize is MPI's own: %s", version, own_reason);
  else
    tsr_info("%s: Tessera replaces MPI_Finalize, which may hang at the end of a job over TCP in this version, or in that of "
             "another process: all processes wait in a barrier, and tell the launcher by PMI that they end", version);
}

/* The processes of a job may load different versions of MPI, so they agree: the fault of one is the job's, and so is what one
 * cannot do. */
struct finalize_choice {
  bool has_fault, can_replace;
};

static struct finalize_choice agree_on_finalize(MPI_Comm job) {
  int each[] = {!finalize_may_hang(), tsr_net_mpi_can_leave() && tsr_mpi_names};
  MPI_Allreduce(MPI_IN_PLACE, each, 2, MPI_INT, MPI_MIN, job);
  return (struct finalize_choice){.has_fault = !each[0], .can_replace = each[1]};
}

void tsr_net_mpi_choose_finalize(MPI_Comm job, bool has_all, bool logs) {
  const char *own_reason = NULL;
  const struct finalize_choice of_job = agree_on_finalize(job);
  if (!of_job.has_fault) own_reason = "no fault of it is known in this version";
  else if (!has_all) own_reason = "it may hang in this version, but the job does not have all processes; let it have them";
  else if (!of_job.can_replace)
    own_reason = "it may hang in this version, but the launcher speaks no known PMI; start the job with MPICH's mpiexec";
  if (!own_reason) atomic_store(&replaces_finalize, true);
  if (logs) say_choice(atomic_load(&replaces_finalize) ? NULL : own_reason);
}

int tsr_mpi_finalize(void) {
  if (!atomic_load(&replaces_finalize)) return tsr_mpi_own()->finalize();
  drop_attributes();
  if (!tsr_net_mpi_leave()) return tsr_mpi_own()->finalize();
  atomic_store(&has_left, true);
  return MPI_SUCCESS;
}

int tsr_mpi_finalized(int *flag) {
  if (!atomic_load(&has_left)) return tsr_mpi_own()->finalized(flag);
  *flag = true;
  return MPI_SUCCESS;
}
