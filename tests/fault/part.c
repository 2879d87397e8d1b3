/* A job on every second process, from the second one on. Its last unit dies while the others of the job wait for it,
 * and the processes outside the job wait in MPI. The first argument: "kill": by SIGKILL; "abort": by a call of the
 * library; "outside": no unit dies, the job ends normally, and then the first process exits with code 3; "agents": see
 * use_agents_again. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/mpi.h>

#include "core/bootstrap.h"
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
  tsr_bootstrap_barrier(tsr_team_world);
  if (is_last) await_sleepers();
  if (is_last && strcmp(how, "kill") == 0) raise(SIGKILL);
  if (is_last && strcmp(how, "abort") == 0) tsr_abort(5, "unit %d gives up", tsr_place.self);
  tsr_bootstrap_barrier(tsr_team_world);
  tessera_exit();
}

static MPI_Comm split(bool takes_part, int rank) {
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, rank, &made);
  return made;
}

/* Ranks 0 to 3 are a job, whose last process becomes a progress process and does not return. Ranks 2 to 5 then start
 * another job with it, although only rank 2 knows this. All of them get an error; a communicator without that process
 * works. */
static int use_agents_again(void) {
  int rank, bad = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm first = split(rank < 4, rank), second = split(rank >= 2, rank), third = split(rank != 3 && rank >= 1, rank);
  if (rank < 4) bad += tessera_init_comm(first) || tessera_exit();
  if (rank >= 2) bad += tessera_init_comm(second) != TESSERA_ERR_ARG;
  if (rank >= 2) bad += tessera_init_comm(second) != TESSERA_ERR_ARG;
  if (rank >= 1) bad += tessera_init_comm(third) || tessera_exit();
  MPI_Finalize();
  return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Comm comm;
  if (argc < 2) return EXIT_FAILURE;
  MPI_Init(&argc, &argv);
  if (strcmp(argv[1], "agents") == 0) return use_agents_again();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  if (rank % 2 == 1) be_a_unit(comm, argv[1]);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return rank == 0 ? 3 : EXIT_SUCCESS;
}
