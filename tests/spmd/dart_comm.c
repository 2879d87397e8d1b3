/* The MPI communicators of teams: the right units in the right order, one per team, freed with it or with dart_exit. */
#include "dart_check.h"

#include <dash/dart/if/dart_mpi.h>

enum { LIVES = 3 };

/* The communicator numbers the units as the team does, and carries messages. */
static void check_comm(MPI_Comm comm, dart_team_t team) {
  int rank = -1, size = -1, sum = -1, root;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK_EQ(rank, team_self(team));
  CHECK_EQ(size, team_units_n(team));
  root = self;
  MPI_Bcast(&root, 1, MPI_INT, 0, comm);
  dart_global_unit_t first = {-1};
  OK(dart_team_unit_l2g(team, DART_TEAM_UNIT_ID(0), &first));
  CHECK_EQ(root, first.id);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, size * (size - 1) / 2);
}

static void check_team(dart_team_t team) {
  MPI_Comm comm = MPI_COMM_NULL, again = MPI_COMM_NULL;
  OK(dart_team_comm(team, &comm));
  check_comm(comm, team);
  OK(dart_barrier(team));
  OK(dart_team_comm(team, &again));
  CHECK(comm == again);
}

/* Destroys half of the teams, and leaves the others to dart_exit. */
static void overlapping_teams(void) {
  dart_team_t even = team_of(EVEN_UNITS), odd = team_of(ODD_UNITS), some = team_of(0x36), all = DART_TEAM_NULL;
  OK(dart_team_clone(DART_TEAM_ALL, &all));
  if (some != DART_TEAM_NULL) check_team(some);
  if (odd != DART_TEAM_NULL) check_team(odd);
  if (even != DART_TEAM_NULL) check_team(even);
  check_team(all);
  OK(dart_team_destroy(&even));
  OK(dart_team_destroy(&all));
}

static void job(void) {
  MPI_Comm comm = MPI_COMM_NULL;
  OK(dart_team_comm(DART_TEAM_ALL, &comm));
  CHECK(comm == dart_get_user_commworld());
  check_comm(comm, DART_TEAM_ALL);
  CHECK_EQ(dart_team_comm(DART_TEAM_NULL, &comm), DART_ERR_INVAL);
  CHECK_EQ(dart_team_comm(DART_TEAM_ALL, NULL), DART_ERR_INVAL);
}

int main(int argc, char **argv) {
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK(dart_get_user_commworld() == MPI_COMM_NULL);
  CHECK_EQ(dart_team_comm(DART_TEAM_ALL, &comm), DART_ERR_NOTINIT);
  for (int life = 0; life < LIVES; life++) {
    start(&argc, &argv);
    job();
    overlapping_teams();
    OK(dart_exit());
  }
  return check_result();
}
