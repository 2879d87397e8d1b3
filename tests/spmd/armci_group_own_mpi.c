/* ARMCI in a program that starts MPI itself, uses the groups' communicators, and lets ARMCI end MPI. */
#include <armci.h>

#include "check.h"

int main(int argc, char **argv) {
  int self, size, sum, finalized = 0;
  MPI_Init(&argc, &argv);
  armci_msg_init(&argc, &argv); /* MPI is finalised already */
  CHECK_EQ(ARMCI_Init_mpi_comm(MPI_COMM_WORLD), 1);
  int me = armci_msg_me(), procs_n = armci_msg_nproc();
  for (int round = 0; round < 3; round++) {
    int list[64], n = 0;
    for (int i = procs_n - 1; i >= 0; i--) {
      if (i % 2 == me % 2) list[n++] = i;
    }
    ARMCI_Group group;
    ARMCI_Group_create(n, list, &group);
    MPI_Comm_rank(group.comm, &self);
    MPI_Comm_size(group.comm, &size);
    CHECK_EQ(size, n);
    CHECK_EQ(ARMCI_Absolute_id(&group, self), me);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, group.comm);
    int expected = 0;
    for (int i = 0; i < n; i++) expected += list[i];
    CHECK_EQ(sum, expected);
    armci_msg_group_igop(&sum, 1, "+", &group);
    CHECK_EQ(sum, n * expected);
    ARMCI_Group_free(&group);
  }
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  MPI_Comm_rank(world.comm, &self);
  CHECK_EQ(self, me);
  CHECK_EQ(ARMCI_Finalize(), 0);
  armci_msg_finalize();
  armci_msg_finalize(); /* once is enough */
  MPI_Finalized(&finalized);
  CHECK(finalized);
  return check_result();
}
