/* A job on every second process, from the second one on, whose last unit dies while the others of it wait for it, and the
 * processes that take no part wait in MPI. The first argument: "kill", by SIGKILL; "abort", by a call of the library; "outside":
 * not it, but the job ends in order, and then the first process leaves with exit code 3. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/mpi.h>

#include "core/agree.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/team.h"

static void await_sleepers(void) {
  for (uint32_t local = 0; local + 1 < tsr_place_local_units(); local++) {
    const volatile struct tsr_wait_why *why = &tsr_heap_unit(local)->why;
    while (why->kind == TSR_WAIT_NONE) tsr_progress();
  }
}

static void be_a_unit(MPI_Comm comm, const char *how) {
  if (tessera_init_comm(comm)) exit(EXIT_FAILURE);
  bool is_last = tsr_place.self == tsr_place.units_n - 1;
  tsr_agree_barrier(tsr_team_world);
  if (is_last) await_sleepers();
  if (is_last && strcmp(how, "kill") == 0) raise(SIGKILL);
  if (is_last && strcmp(how, "abort") == 0) tsr_abort(5, "unit %d gives up", tsr_place.self);
  tsr_agree_barrier(tsr_team_world);
  tessera_exit();
}

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm;
  if (argc < 2) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  if (rank % 2 == 1) be_a_unit(comm, argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return rank == 0 ? 3 : EXIT_SUCCESS;
}
