/* ARMCI: a wrong call returns a code, prints one line that names the call, and has no effect.
 * Group: armci_calls
 */
#include "armci_check.h"
#include "says.h"

static struct shared memory;
static char here[64];

static void before_and_after(void) {
  int old;
  BAD(FAIL, ARMCI_Put(here, here, 8, 0));
  BAD(FAIL, ARMCI_Malloc((void **)memory.of, 8));
  BAD(FAIL, ARMCI_Rmw(ARMCI_SWAP, &old, here, 0, 0));
  BAD(FAIL, ARMCI_WaitAll());
  BAD(FAIL, ARMCI_Free_local(here));
  BAD(FAIL, ARMCI_Finalize());
  SAYS("ARMCI_Malloc_local", 1, ARMCI_Malloc_local(8) == NULL);
}

static void contiguous(int unit) {
  BAD(FAIL5, ARMCI_Put(here, memory.of[unit], 8, units_n));
  BAD(FAIL5, ARMCI_Get(memory.of[unit], here, 8, -1));
  BAD(FAIL5, ARMCI_WaitProc(units_n));
  BAD(FAIL3, ARMCI_Put(here, memory.of[unit], -8, unit));
  BAD(FAIL2, ARMCI_Put(NULL, memory.of[unit], 8, unit));
  BAD(FAIL2, ARMCI_NbGet(memory.of[unit], NULL, 8, unit, NULL));
  double scale = 1;
  BAD(FAIL, ARMCI_Acc(17, &scale, here, memory.of[unit], 8, unit));
  BAD(FAIL2, ARMCI_Acc(ARMCI_ACC_DBL, NULL, here, memory.of[unit], 8, unit));
  BAD(FAIL, ARMCI_Acc(ARMCI_ACC_DBL, &scale, here, memory.of[unit], 12, unit));
}

/* Addresses that are invalid for other processes; a process alone has none. */
static void addresses(int unit) {
  if (unit == self) return;
  BAD(FAIL6, ARMCI_Put(here, here, 8, unit));
  BAD(FAIL6, ARMCI_NbPut(here, NULL, 8, unit, NULL));
  BAD(FAIL6, ARMCI_Get(here, here, 8, unit));
  BAD(FAIL6, ARMCI_PutValueInt(1, here, unit));
  int old = 0, stride = 1 << 30, count[2] = {8, 1 << 30};
  BAD(FAIL6, ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, here, 1, unit));
  BAD(FAIL6, ARMCI_PutS(here, &stride, memory.of[unit], &stride, count, 1, unit));
  void *from[1] = {here}, *to[1] = {here};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = 1};
  BAD(FAIL6, ARMCI_PutV(&giov, 1, unit));
}

static void strided(int unit) {
  int stride[10] = {8}, count[10] = {8, 2};
  BAD(FAIL4, ARMCI_PutS(here, stride, memory.of[unit], stride, count, 9, unit));
  BAD(FAIL4, ARMCI_GetS(memory.of[unit], stride, here, stride, count, -1, unit));
  BAD(FAIL2, ARMCI_PutS(here, NULL, memory.of[unit], stride, count, 1, unit));
  BAD(FAIL2, ARMCI_PutS(here, stride, memory.of[unit], stride, NULL, 1, unit));
  BAD(FAIL2, ARMCI_NbPutS(NULL, stride, memory.of[unit], stride, count, 1, unit, NULL));
  count[1] = -2;
  BAD(FAIL3, ARMCI_PutS(here, stride, memory.of[unit], stride, count, 1, unit));
  count[1] = 2;
  double scale = 1;
  stride[0] = 16;
  count[0] = 12;
  BAD(FAIL, ARMCI_AccS(ARMCI_ACC_DBL, &scale, here, stride, memory.of[unit], stride, count, 1, unit));
}

static void vectors(int unit) {
  void *from[1] = {here}, *to[1] = {memory.of[unit]};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = -1};
  BAD(FAIL3, ARMCI_PutV(&giov, 1, unit));
  BAD(FAIL3, ARMCI_PutV(&giov, -1, unit));
  BAD(FAIL2, ARMCI_PutV(NULL, 1, unit));
  double scale = 1;
  giov.ptr_array_len = 1;
  giov.bytes = 12;
  BAD(FAIL, ARMCI_AccV(ARMCI_ACC_DBL, &scale, &giov, 1, unit));
  giov.src_ptr_array = NULL;
  BAD(FAIL2, ARMCI_PutV(&giov, 1, unit));
}

static void others(int unit) {
  int old = 0;
  BAD(FAIL, ARMCI_Rmw(4, &old, memory.of[unit], 1, unit));
  BAD(FAIL2, ARMCI_Rmw(ARMCI_SWAP, NULL, memory.of[unit], 1, unit));
  BAD(FAIL6, ARMCI_Free_local(here));
  SAYS("ARMCI_Malloc_local", 1, ARMCI_Malloc_local(-8) == NULL);
}

/* Every kind of operation that an aggregate handle collects is rejected for another process than that of the handle. */
static void refused(int unit, armci_hdl_t *handle) {
  int stride = 16, count[2] = {8, 2};
  void *from[1] = {here}, *to[1] = {memory.of[unit]};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = 1};
  BAD(FAIL7, ARMCI_NbPut(here, memory.of[unit], 8, unit, handle));
  BAD(FAIL7, ARMCI_NbGet(memory.of[unit], here, 8, unit, handle));
  BAD(FAIL7, ARMCI_NbPutS(here, &stride, memory.of[unit], &stride, count, 1, unit, handle));
  BAD(FAIL7, ARMCI_NbPutV(&giov, 1, unit, handle));
  BAD(FAIL7, ARMCI_NbPutValueInt(0, memory.of[unit], unit, handle));
}

static void wait_in_some_way(int way, int unit, armci_hdl_t *handle) {
  if (way == 0) OK(ARMCI_Wait(handle));
  if (way == 1) while (ARMCI_Test(handle)) continue;
  if (way == 2) OK(ARMCI_WaitAll());
  if (way == 3) OK(ARMCI_WaitProc(unit));
}

/* An aggregate handle is for one process until a wait, whatever else happens on it. Accumulates for another process are
 * sent at once. */
static void two_targets(void) {
  if (units_n == 1) return;
  armci_hdl_t handle;
  long nothing = 0, one = 1, own = 64 + 16 * self;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  for (int way = 0; way < 4; way++) {
    int unit = way % 2, other = !unit;
    OK(ARMCI_NbPut(here, memory.of[unit] + own, 8, unit, &handle));
    refused(other, &handle);
    OK(ARMCI_NbPut(here, memory.of[unit] + own + 8, 8, unit, &handle));
    OK(ARMCI_NbAcc(ARMCI_ACC_LNG, &one, &nothing, memory.of[other], 8, other, &handle));
    ARMCI_Fence(unit);
    refused(other, &handle);
    wait_in_some_way(way, unit, &handle);
    OK(ARMCI_NbPut(here, memory.of[other] + own, 8, other, &handle));
    refused(unit, &handle);
    wait_in_some_way(way, other, &handle);
  }
}

/* A process cannot allocate over a group that it does not belong to. */
static void outsiders(void) {
  ARMCI_Group group;
  void *pointers[UNITS_MAX];
  int rank;
  if (units_n == 1) return;
  ARMCI_Group_create(1, (int[]){right_of(self) == 0 ? 0 : self}, &group);
  if (ARMCI_Group_rank(&group, &rank) == 0) {
    ARMCI_Group_free(&group);
    return;
  }
  CHECK_EQ(rank, -1);
  BAD(FAIL, ARMCI_Malloc_group(pointers, 8, &group));
  BAD(FAIL, ARMCI_Free_group(memory.of[self], &group));
}

/* Collective: one process's mistake makes the call fail on all, and each process that knows the reason prints it. */
static void allocations(void) {
  struct shared made;
  ARMCI_Barrier();
  if (self == 0) BAD(FAIL3, ARMCI_Malloc((void **)made.of, -1));
  else CHECK(ARMCI_Malloc((void **)made.of, 8) != 0);
  ARMCI_Barrier();
  if (self == 0) BAD(FAIL6, ARMCI_Free(here));
  else CHECK_EQ(ARMCI_Free(memory.of[self]), FAIL6);
  ARMCI_Barrier();
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  before_and_after();
  start(&argc, &argv);
  memory = share(64 + 16 * UNITS_MAX);
  contiguous(right_of(self));
  addresses(right_of(self));
  strided(right_of(self));
  vectors(right_of(self));
  others(right_of(self));
  two_targets();
  outsiders();
  allocations();
  for (int i = 0; i < 32; i++) CHECK_EQ(memory.of[self][i], 0);
  free_shared(&memory);
  int result = finish();
  before_and_after();
  return result ? result : check_result();
}
