#include "net/mpi/interpose.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/config.h"
#include "net/mpi/library.h"
#include "net/mpi/mpi.h"
#include "net/mpi/own.h"

static bool wants_multiple(void) {
  tsr_config_load(false);
  return tsr_config.mpi_threads == TSR_MPI_THREADS_MULTIPLE;
}

int tsr_mpi_init(int *argc, char ***argv) {
  int provided = 0;
  tsr_net_mpi_check_library();
  if (!wants_multiple()) return tsr_mpi_own()->init(argc, argv);
  return tsr_mpi_own()->init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
}

int tsr_mpi_init_thread(int *argc, char ***argv, int required, int *provided) {
  tsr_net_mpi_check_library();
  return tsr_mpi_own()->init_thread(argc, argv, wants_multiple() ? MPI_THREAD_MULTIPLE : required, provided);
}

/* The keys of the attributes of MPI_COMM_SELF. An MPI_Finalize deletes these first of all, the last one first, and
 * libraries tie their own ends to that; MPI itself cannot list them. */
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

/* Some may be gone already, and their keys too. */
static void drop_attributes(void) {
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  for (int i = atomic_load(&keys_n) < KEYS_MAX ? atomic_load(&keys_n) : KEYS_MAX; i-- > 0;) {
    int there = 0;
    void *value;
    if (MPI_Comm_get_attr(MPI_COMM_SELF, keys[i], &value, &there) == MPI_SUCCESS && there)
      MPI_Comm_delete_attr(MPI_COMM_SELF, keys[i]);
  }
}

static _Atomic bool has_nodes, has_left;

void tsr_net_mpi_expect_leave(void) { atomic_store(&has_nodes, tsr_mpi_names); }

int tsr_mpi_finalize(void) {
  if (!atomic_load(&has_nodes) || !tsr_net_mpi_can_leave()) return tsr_mpi_own()->finalize();
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
