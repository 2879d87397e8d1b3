/* Jobs on some of the processes: on every second one, on each half at once, on one alone, in the opposite order, and on
 * all again; the other processes use MPI meanwhile. Progress processes do not return, so with them there is one job. An odd number
 * of processes starts MPI for several threads.
 *
 * Units: 4 7
 * Hosts: no agents, as a part may have one process on a host */
#include "armci_check.h"

#include <mpi.h>
#include <pthread.h>
#include <tessera/mpi.h>

static int rank, size;

static MPI_Comm split(int color, int key) {
  MPI_Comm made;
  MPI_Comm_split(MPI_COMM_WORLD, color, key, &made);
  return made;
}

/* For processes outside the job. */
static void use_mpi(MPI_Comm comm) {
  int n, sum = 1;
  MPI_Comm_size(comm, &n);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, n);
}

static void put_and_add(const struct shared *memory) {
  double values[2] = {self, 1}, scale = 2;
  for (int i = 0; i < units_n; i++) OK(ARMCI_Acc(ARMCI_ACC_DBL, &scale, values, memory->of[i], sizeof values, i));
  OK(ARMCI_PutValueInt(100 + self, memory->of[right_of(self)] + 16, right_of(self)));
  ARMCI_Barrier();
  const double *sums = (const void *)memory->of[self];
  CHECK_EQ(sums[0], units_n * (units_n - 1));
  CHECK_EQ(sums[1], 2 * units_n);
  CHECK_EQ(ARMCI_GetValueInt(memory->of[right_of(self)] + 16, right_of(self)), 100 + self);
}

static void count(const struct shared *memory) {
  for (int i = 0, before; i < 10; i++) OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &before, memory->of[0] + 24, 1, 0));
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_GetValueInt(memory->of[0] + 24, 0), 10 * units_n);
}

static void use_collectives(void) {
  int sum = self + 1, list[UNITS_MAX], group_rank = -1;
  ARMCI_Group group;
  MPI_Comm units;
  armci_msg_igop(&sum, 1, "+");
  CHECK_EQ(sum, units_n * (units_n + 1) / 2);
  for (int i = 0; i < units_n; i++) list[i] = units_n - 1 - i;
  ARMCI_Group_create(units_n, list, &group);
  OK(ARMCI_Group_rank(&group, &group_rank));
  CHECK_EQ(group_rank, units_n - 1 - self);
  ARMCI_Group_free(&group);
  CHECK_EQ(tessera_comm(&units), TESSERA_OK);
  use_mpi(units);
}

/* In a job of n processes, in which the caller has this number; n < 0: some of them may be progress processes. */
static void use_job(int n, int number) {
  learn_units();
  if (n > 0) CHECK_EQ(units_n, n);
  if (n > 0) CHECK_EQ(self, number);
  CHECK_EQ(armci_msg_nproc(), units_n);
  CHECK_EQ(armci_msg_me(), self);
  struct shared memory = share(64);
  put_and_add(&memory);
  count(&memory);
  free_shared(&memory);
  use_collectives();
}

/* Both calls start the same; members may use either. */
static void start_in_turns(MPI_Comm comm) {
  static int n;
  if (n++ % 2) OK(ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, comm));
  else CHECK_EQ(ARMCI_Init_mpi_comm(comm), 1);
}

static void be_a_job(MPI_Comm comm) {
  int n, number;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &number);
  start_in_turns(comm);
  use_job(n, number);
  CHECK_EQ(tessera_init_comm(comm), TESSERA_OK); /* other interfaces use the same job */
  CHECK_EQ(tessera_units(), n);
  OK(ARMCI_Finalize());
  CHECK_EQ(tessera_units(), n);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  CHECK_EQ(tessera_units(), -1);
}

/* The job starts and ends while the other processes compute. */
static void be_a_job_alone(MPI_Comm comm, bool takes_part) {
  if (takes_part) be_a_job(comm);
  else use_mpi(comm);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void be_all(void) {
  OK(ARMCI_Init());
  use_job(size, rank);
  OK(ARMCI_Finalize());
}

enum { THREADS_N = 3, ADDS_N = 100 };

static void *add_ones(void *counter) {
  for (int i = 0, before; i < ADDS_N; i++) OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &before, counter, 1, 0));
  return NULL;
}

/* Several threads of each member use the job, if MPI allows it or if the job needs no MPI. */
static void be_a_job_of_threads(MPI_Comm comm) {
  int level;
  pthread_t threads[THREADS_N];
  MPI_Query_thread(&level);
  int answer = ARMCI_Init_thread_comm(MPI_THREAD_MULTIPLE, comm);
  if (answer) {
    CHECK(level < MPI_THREAD_MULTIPLE);
    CHECK_EQ(ARMCI_Initialized(), 0);
    return;
  }
  learn_units();
  struct shared memory = share(64);
  for (int i = 0; i < THREADS_N; i++) pthread_create(&threads[i], NULL, add_ones, memory.of[0]);
  for (int i = 0; i < THREADS_N; i++) pthread_join(threads[i], NULL);
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_GetValueInt(memory.of[0], 0), units_n * THREADS_N * ADDS_N);
  free_shared(&memory);
  OK(ARMCI_Finalize());
}

/* Runs while `comm` is the communicator of the job. */
static void refuse_others(MPI_Comm comm, MPI_Comm other) {
  OK(ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, comm));
  CHECK_EQ(ARMCI_Init_mpi_comm(other), 0);
  CHECK_EQ(ARMCI_Init_mpi_comm(MPI_COMM_NULL), 0);
  CHECK_EQ(tessera_init_comm(other), TESSERA_ERR_STATE);
  CHECK_EQ(ARMCI_Init_mpi_comm(comm), 1); /* counted, as ARMCI_Init is */
  OK(ARMCI_Init());
  OK(ARMCI_Finalize());
  OK(ARMCI_Finalize());
  CHECK_EQ(ARMCI_Initialized(), 1);
  OK(ARMCI_Finalize());
  CHECK_EQ(ARMCI_Initialized(), 0);
}

static void refuse_no_comms(MPI_Comm half) {
  MPI_Comm inter;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < size / 2 ? size / 2 : 0, 0, &inter);
  CHECK_EQ(ARMCI_Init_mpi_comm(inter), 0);
  CHECK_EQ(ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, MPI_COMM_NULL), FAIL);
  CHECK_EQ(tessera_init_comm(inter), TESSERA_ERR_ARG);
#ifdef MPICH_VERSION /* a handle of Open MPI's is a pointer */
  MPI_Comm copy, freed;
  MPI_Comm_dup(half, &copy);
  freed = copy;
  MPI_Comm_free(&copy);
  CHECK_EQ(ARMCI_Init_mpi_comm(freed), 0);
#endif
  CHECK_EQ(ARMCI_Initialized(), 0);
  MPI_Comm_free(&inter);
}

/* A job leaves nothing behind. */
static void repeat(MPI_Comm comm, MPI_Comm other) {
  be_a_job(comm);
  int files = entries("/proc/self/fd");
  for (int i = 0; i < 5; i++) be_a_job(i % 2 ? comm : other);
  be_a_job(comm);
  CHECK_EQ(entries("/proc/self/fd"), files);
}

/* With progress processes: of every second process, one on each node; if those are too few, of all processes in the
 * opposite order. */
static int one_job(int nodes_n) {
  bool all = size < 4 * nodes_n - 1, takes_part = all || rank % 2 == 0;
  MPI_Comm comm = all ? split(0, -rank) : split(rank % 2, rank);
  if (takes_part) {
    CHECK_EQ(ARMCI_Init_mpi_comm(comm), 1);
    use_job(-1, -1);
    OK(ARMCI_Finalize());
  } else {
    use_mpi(comm);
  }
  MPI_Finalize();
  return check_result();
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS"), *nodes = getenv("TESSERA_VIRTUAL_NODES");
  int level;
  const char *launched_n = getenv("PMI_SIZE") ? getenv("PMI_SIZE") : getenv("OMPI_COMM_WORLD_SIZE");
  MPI_Init_thread(&argc, &argv, launched_n && atoi(launched_n) % 2 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (progress && strncmp(progress, "process", 7) == 0) return one_job(nodes ? atoi(nodes) : 1);
  MPI_Comm every_second = split(rank % 2, rank), half = split(rank < size / 2, rank), backwards = split(0, -rank);
  MPI_Comm last = split(rank == size - 1, rank);
  be_a_job_alone(every_second, rank % 2 == 0);
  be_a_job_alone(half, rank < size / 2);
  be_a_job_alone(last, rank == size - 1);
  be_a_job(half);
  be_a_job_of_threads(half);
  be_a_job(backwards);
  be_all();
  be_a_job_alone(every_second, rank % 2 == 1);
  refuse_others(half, last);
  be_all();
  be_all();
  refuse_no_comms(half);
  repeat(every_second, half);
  MPI_Comm_free(&half);
  MPI_Comm_free(&every_second);
  be_all();
  MPI_Finalize();
  return check_result();
}
