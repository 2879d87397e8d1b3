/* ARMCI: a tool may define any function and call the library's by its second name. All calls of the program reach the
 * tool, and no calls of the library do. */
#include <parmci.h>

#include "armci_check.h"

static int puts_n, gets_n, waits_n, barriers_n, rmws_n, mallocs_n;

int ARMCI_PutS(void *src, int src_stride[], void *dst, int dst_stride[], int count[], int levels, int proc) {
  puts_n++;
  return PARMCI_PutS(src, src_stride, dst, dst_stride, count, levels, proc);
}
int ARMCI_Get(void *src, void *dst, int bytes, int proc) {
  gets_n++;
  return PARMCI_Get(src, dst, bytes, proc);
}
int ARMCI_Wait(armci_hdl_t *handle) {
  waits_n++;
  return PARMCI_Wait(handle);
}
int ARMCI_Rmw(int op, void *ploc, void *prem, int value, int proc) {
  rmws_n++;
  return PARMCI_Rmw(op, ploc, prem, value, proc);
}
int ARMCI_Malloc(void **ptrs, armci_size_t bytes) {
  mallocs_n++;
  return PARMCI_Malloc(ptrs, bytes);
}
void ARMCI_Barrier(void) {
  barriers_n++;
  PARMCI_Barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  struct shared memory = share(64);
  int to = right_of(self), data[4] = {self, self + 1, self + 2, self + 3}, back[4], old, stride = 8, count[2] = {4, 2};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  OK(ARMCI_PutS(data, &stride, memory.of[to], &stride, count, 1, to));
  OK(ARMCI_Get(memory.of[to], back, sizeof back, to));
  CHECK(back[0] == self && back[1] == 0 && back[2] == self + 2 && back[3] == 0);
  OK(ARMCI_NbPut(data, memory.of[to], sizeof data, to, &handle)); /* not through the tool */
  OK(ARMCI_Wait(&handle));
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, memory.of[to], 1, to));
  CHECK_EQ(old, self);
  CHECK(puts_n == 1 && gets_n == 1 && waits_n == 1 && rmws_n == 1 && mallocs_n == 1 && barriers_n == 1);
  free_shared(&memory);
  return finish();
}
