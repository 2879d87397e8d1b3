/* A program that includes ARMCI's message.h only, which brings all of ARMCI. It ends by armci_msg_finalize alone while
 * ARMCI is started twice and has memory, mutexes and a group. */
#include <message.h>

#include "check.h"

int main(int argc, char **argv) {
  armci_msg_init(&argc, &argv);
  int me = armci_msg_me(), procs_n = armci_msg_nproc(), last = procs_n - 1, all[64];
  CHECK_EQ(ARMCI_Init(), 0);
  CHECK_EQ(ARMCI_Init(), 0);
  void *counters[64];
  CHECK_EQ(ARMCI_Malloc(counters, sizeof(int)), 0);
  CHECK_EQ(ARMCI_Create_mutexes(1), 0);
  *(int *)counters[me] = 0;
  ARMCI_Barrier();
  ARMCI_Lock(0, last);
  CHECK_EQ(ARMCI_PutValueInt(ARMCI_GetValueInt(counters[last], last) + 1, counters[last], last), 0);
  ARMCI_Unlock(0, last);
  ARMCI_Barrier();
  if (me == last) CHECK_EQ(*(int *)counters[me], procs_n);
  ARMCI_Group group;
  for (int i = 0; i < procs_n; i++) all[i] = last - i;
  ARMCI_Group_create(procs_n, all, &group);
  int result = check_result();
  armci_msg_finalize();
  int finalized = 0;
  MPI_Finalized(&finalized);
  return result || !finalized || ARMCI_Initialized();
}
