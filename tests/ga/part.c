/* Global Arrays on a part of the processes: first on every second one, while the others go on with MPI, then on each half, at the
 * same time. As GA_Initialize_comm of later versions does it: ARMCI starts on the communicator, and Global Arrays finds it up. */
#include <armci.h>

#include "ga_check.h"

static int rank, size;

static struct array made(void) {
  const int dims[2] = {6 * units_n, 5};
  struct array a = make(type_double, 2, dims);
  set_values(&a, 3);
  return a;
}

static void use_arrays(void) {
  struct array a = made(), counter = make(type_int, 1, (const int[]){1});
  CHECK_EQ(wrong_elements(&a), 0);
  for (int i = 0, at = 0; i < 7; i++) NGA_Read_inc(counter.ga, &at, 1);
  GA_Sync();
  counter.expected[0] = 7 * units_n;
  CHECK_EQ(wrong_elements(&counter), 0);
  double two = 2;
  GA_Scale(a.ga, &two);
  for (size_t i = 0; i < a.elements_n; i++) a.expected[i] *= 2;
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  drop(&counter);
  drop(&a);
}

static void run(MPI_Comm comm) {
  int number, n, sum = 1;
  MPI_Comm_rank(comm, &number);
  MPI_Comm_size(comm, &n);
  CHECK_EQ(ARMCI_Init_mpi_comm(comm), 1);
  GA_Initialize();
  self = GA_Nodeid();
  units_n = GA_Nnodes();
  CHECK_EQ(self, number);
  CHECK_EQ(units_n, n);
  if (!MA_initialized() && !MA_init(C_DBL, MA_DOUBLES / 4, MA_DOUBLES / 4)) GA_Error("no memory for MA", 1);
  GA_Igop(&sum, 1, "+");
  CHECK_EQ(sum, n);
  use_arrays();
  GA_Terminate();
  if (ARMCI_Initialized()) ARMCI_Finalize(); /* Global Arrays ends it once, and has started it, too */
  CHECK_EQ(ARMCI_Initialized(), 0);
}

static void wait_outside(MPI_Comm comm) {
  int sum = 1, n;
  MPI_Comm_size(comm, &n);
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
  CHECK_EQ(sum, n);
}

int main(int argc, char **argv) {
  MPI_Comm every_second, half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &every_second);
  MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
  if (rank % 2 == 0) run(every_second);
  else wait_outside(every_second);
  MPI_Barrier(MPI_COMM_WORLD);
  run(half);
  MPI_Finalize();
  return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
