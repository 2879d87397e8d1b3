/* ARMCI: handles with operations on several processes, without operations, with operations that a wait for all has
 * completed, and with small operations that are sent together.
 * Group: armci_demanding
 */
#include <malloc.h>

#include "armci_check.h"

enum { N = 4000, EACH = 64, ROUNDS = 30 };

static struct shared memory;
static long *mine, *back;

static long *there(int unit, int i) { return (long *)(void *)memory.of[unit] + i; }

/* Every process has a part for each origin. */
static int at(int origin) { return origin * EACH; }

static void check_all(long round) {
  ARMCI_Barrier();
  for (int unit = 0; unit < units_n; unit++) {
    OK(ARMCI_Get(there(unit, at(self)), back, EACH * sizeof(long), unit));
    for (int i = 0; i < EACH; i++) CHECK_EQ(back[i], self * 1000 + unit * 100000 + i + round);
  }
  ARMCI_Barrier();
}

static void write_mine(int unit, long round) {
  for (int i = 0; i < EACH; i++) mine[unit * EACH + i] = self * 1000 + unit * 100000 + i + round;
}

/* One handle for all processes, in pieces. */
static void put_everywhere(long round, armci_hdl_t *handle) {
  for (int unit = 0; unit < units_n; unit++) {
    write_mine(unit, round);
    for (int i = 0; i < EACH; i += 16)
      OK(ARMCI_NbPut(&mine[unit * EACH + i], there(unit, at(self) + i), 16 * sizeof(long), unit, handle));
  }
}

static void one_for_many(void) {
  armci_hdl_t handle, unused;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_INIT_HANDLE(&unused);
  OK(ARMCI_Wait(&unused));
  OK(ARMCI_Test(&unused));
  OK(ARMCI_Wait(NULL));
  for (long round = 0; round < ROUNDS; round++) {
    put_everywhere(round, round % 3 ? &handle : NULL);
    if (round % 3 == 0) OK(ARMCI_WaitAll());
    else if (round % 3 == 1) OK(ARMCI_Wait(&handle));
    else while (ARMCI_Test(&handle)) continue;
    OK(ARMCI_Wait(&handle));
    OK(ARMCI_Test(&handle));
    check_all(round);
  }
}

/* A wait for all, or for one process, completes handles too; they and their copies can be waited for again, and reused. */
static void forgotten(void) {
  for (long round = 0; round < ROUNDS; round++) {
    armci_hdl_t handle, copy;
    ARMCI_INIT_HANDLE(&handle);
    put_everywhere(round, &handle);
    copy = handle;
    if (round % 2) {
      for (int unit = 0; unit < units_n; unit++) OK(ARMCI_WaitProc(unit));
    } else {
      OK(ARMCI_WaitAll());
    }
    OK(ARMCI_Wait(&handle));
    OK(ARMCI_Wait(&copy));
    put_everywhere(round + 1, &copy);
    OK(ARMCI_Wait(&copy));
    check_all(round + 1);
  }
}

enum way { WAIT, TEST, WAIT_PROC, WAIT_ALL, FENCE, ALL_FENCE, BARRIER, WAYS_N };

static void complete(enum way way, int unit, armci_hdl_t *handle) {
  switch (way) {
  case WAIT: OK(ARMCI_Wait(handle)); break;
  case TEST: while (ARMCI_Test(handle)) continue; break;
  case WAIT_PROC: OK(ARMCI_WaitProc(unit)); break;
  case WAIT_ALL: OK(ARMCI_WaitAll()); break;
  case FENCE: ARMCI_Fence(unit); break;
  case ALL_FENCE: ARMCI_AllFence(); break;
  default: ARMCI_Barrier();
  }
}

/* Many small puts, by one aggregate handle each time; then their gets. */
static void together(enum way way) {
  int unit = right_of(self), stride = 2 * sizeof(long), count[2] = {sizeof(long), 3};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  for (int i = 0; i < N; i++) mine[i] = self * 10000L + i + way;
  for (int i = 0; i < N - 20; i += 10) {
    void *from[2] = {&mine[i + 6], &mine[i + 7]}, *to[2] = {there(unit, i + 6), there(unit, i + 7)};
    armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = sizeof(long), .ptr_array_len = 2};
    OK(ARMCI_NbPutS(&mine[i], &stride, there(unit, i), &stride, count, 1, unit, &handle));
    OK(ARMCI_NbPutS(&mine[i + 1], &stride, there(unit, i + 1), &stride, count, 1, unit, &handle));
    OK(ARMCI_NbPutV(&giov, 1, unit, &handle));
    OK(ARMCI_NbPutValueLong(mine[i + 8], there(unit, i + 8), unit, &handle));
    OK(ARMCI_NbPut(&mine[i + 9], there(unit, i + 9), sizeof(long), unit, &handle));
  }
  complete(way, unit, &handle);
  if (way < FENCE) ARMCI_Fence(unit);
  OK(ARMCI_Get(there(unit, 0), back, (N - 20) * sizeof(long), unit));
  CHECK(memcmp(mine, back, (N - 20) * sizeof(long)) == 0);
  OK(ARMCI_Wait(&handle));
  memset(back, 0, N * sizeof(long));
  for (int i = 0; i < N - 20; i++) OK(ARMCI_NbGet(there(unit, i), &back[i], sizeof(long), unit, &handle));
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  OK(ARMCI_Wait(&handle));
  CHECK(memcmp(mine, back, (N - 20) * sizeof(long)) == 0);
  ARMCI_Barrier();
}

/* After a wait an aggregate handle may be used for another process. */
static void one_after_another(void) {
  armci_hdl_t handle;
  long one = 1, sum = 0;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  for (int unit = 0; unit < units_n; unit++) {
    OK(ARMCI_NbPutValueLong(self + unit, there(unit, self), unit, &handle));
    OK(ARMCI_NbAcc(ARMCI_ACC_LNG, &one, &one, there(unit, N - 1), sizeof one, unit, &handle));
    OK(ARMCI_Wait(&handle));
  }
  ARMCI_Barrier();
  for (int unit = 0; unit < units_n; unit++) CHECK_EQ(*there(self, unit), self + unit);
  OK(ARMCI_Get(there(self, N - 1), &sum, sizeof sum, self));
  CHECK_EQ(sum, units_n);
  ARMCI_Barrier();
}

static size_t memory_in_use(void) {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/* Handles that are never waited for, but initialised again after a fence, take no more memory. */
static void fenced_only(void) {
  enum { PUTS_N = 20000, GROWTH_BYTES = 2 << 20 };
  const int unit = right_of(self);
  size_t before = 0;
  for (int i = 0; i < PUTS_N; i++) {
    armci_hdl_t handle;
    ARMCI_INIT_HANDLE(&handle);
    mine[i % N] = i;
    OK(ARMCI_NbPut(&mine[i % N], there(unit, i % N), sizeof(long), unit, &handle));
    if (i % 100 == 99) ARMCI_Fence(unit);
    if (i == PUTS_N / 2) before = memory_in_use();
  }
  ARMCI_AllFence();
  CHECK(memory_in_use() < before + GROWTH_BYTES);
  OK(ARMCI_Get(there(unit, 0), back, N * sizeof(long), unit));
  CHECK(memcmp(mine, back, N * sizeof(long)) == 0);
  ARMCI_Barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(N * sizeof(long));
  mine = take(N * sizeof(long));
  back = take(N * sizeof(long));
  memset(mine, 0, N * sizeof(long));
  one_for_many();
  forgotten();
  for (int way = WAIT; way < WAYS_N; way++) together((enum way)way);
  one_after_another();
  fenced_only();
  free_shared(&memory);
  free(mine);
  free(back);
  return finish();
}
