/* DART in a program that started MPI itself and uses it meanwhile, on MPI_COMM_WORLD and on the communicator of the units. */
#include "dart_check.h"

#include <tessera/mpi.h>

enum { LIVES = 5, ROUNDS = 10, TAG = 3 };

/* Sends a value to the right and receives the left one's, by a receive that would also match any stray message. */
static void ring(MPI_Comm comm, int value, void (*meanwhile)(int value)) {
  int rank, size, got = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int left = (rank + size - 1) % size;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
  meanwhile(value);
  MPI_Send(&(int){value + rank}, 1, MPI_INT, (rank + 1) % size, TAG, comm);
  MPI_Wait(&request, &status);
  CHECK_EQ(got, value + left);
  CHECK_EQ(status.MPI_SOURCE, left);
  CHECK_EQ(status.MPI_TAG, TAG);
}

static dart_gptr_t base;

/* Global memory is written, read and added to while receives of the program are open. */
static void use_dart(int value) {
  int right = (self + 1) % units_n, mine = value * 10 + self, back = -1, sum = -1;
  OK(dart_put_blocking(at(base, right, 0), &mine, 1, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_get_blocking(&back, at(base, right, 0), 1, DART_TYPE_INT, DART_TYPE_INT));
  CHECK_EQ(back, mine);
  OK(dart_allreduce(&mine, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL));
  CHECK_EQ(sum, units_n * value * 10 + units_n * (units_n - 1) / 2);
  barrier();
  CHECK_EQ(*(int *)own_part(base, self), value * 10 + (self + units_n - 1) % units_n);
  barrier();
}
static void use_nothing(int value) { (void)value; }

static void the_units_communicator(MPI_Comm comm) {
  int rank = -1, size = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  CHECK_EQ(rank, self);
  CHECK_EQ(size, units_n);
  CHECK_EQ(tessera_comm(NULL), TESSERA_ERR_ARG);
}

static void live(int life) {
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(tessera_comm(&comm), TESSERA_ERR_STATE);
  CHECK(comm == MPI_COMM_NULL);
  ring(MPI_COMM_WORLD, life, use_nothing);
  start(NULL, NULL);
  CHECK_EQ(tessera_comm(&comm), TESSERA_OK);
  the_units_communicator(comm);
  base = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_INT);
  for (int i = 0; i < ROUNDS; i++) ring(i % 2 ? comm : MPI_COMM_WORLD, 1000 * life + i, use_dart);
  OK(dart_team_memfree(base));
  OK(dart_exit());
}

/* Collective calls of MPI between those of DART, in different orders on purpose: no unit waits for the wrong one. */
static void collectives(void) {
  start(NULL, NULL);
  MPI_Comm comm = MPI_COMM_NULL;
  CHECK_EQ(tessera_comm(&comm), TESSERA_OK);
  for (int i = 0; i < ROUNDS; i++) {
    int mine = self + i, highest = -1, lowest = -1;
    MPI_Request request;
    MPI_Iallreduce(&mine, &highest, 1, MPI_INT, MPI_MAX, comm, &request);
    OK(dart_allreduce(&mine, &lowest, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_ALL));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_EQ(lowest, i);
    CHECK_EQ(highest, units_n - 1 + i);
  }
  OK(dart_exit());
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  if (progress && strncmp(progress, "process", 7) == 0) return check_skip(); /* MPI_COMM_WORLD also holds agents */
  MPI_Init(&argc, &argv);
  for (int life = 0; life < LIVES; life++) live(life);
  collectives();
  int is_final = 1;
  MPI_Finalized(&is_final);
  CHECK(!is_final);
  ring(MPI_COMM_WORLD, 7, use_nothing);
  MPI_Finalize();
  CHECK_EQ(dart_init(NULL, NULL), DART_ERR_OTHER);
  CHECK(!dart_initialized());
  return check_result();
}
