/* ARMCI: blocking calls of one process to one target take effect in the order of the calls; fences make all visible.
 * Group: armci_demanding
 */
#include <armcix.h>

#include "armci_check.h"

enum { ROUNDS = 300, BYTES = 30000, ROW_BYTES = 16384, ROWS_MAX = 8, LONGEST = ROWS_MAX * (ROW_BYTES + 8) };

static struct shared memory;
static char *mine, *back;

/* A get returns the last put, whatever the sizes and shapes. */
static void put_then_get(void) {
  int unit = right_of(self), stride = 16, count[2] = {16, 0};
  for (int round = 0; round < ROUNDS; round++) {
    int bytes = 16 * (1 + below(BYTES / 16));
    fill(mine, (unsigned)(self + round), (size_t)bytes);
    OK(ARMCI_Put(mine, memory.of[unit], bytes, unit));
    fill(mine, (unsigned)(self + round + 1), (size_t)bytes);
    count[1] = bytes / 16;
    OK(ARMCI_PutS(mine, &stride, memory.of[unit], &stride, count, 1, unit));
    OK(ARMCI_Get(memory.of[unit], back, bytes, unit));
    CHECK_EQ(wrong(back, (unsigned)(self + round + 1), (size_t)bytes), 0);
  }
  ARMCI_Barrier();
}

/* Accumulates, values, atomic additions and puts on the same number. */
static void mixed(void) {
  int unit = right_of(self);
  long *there = (long *)(void *)memory.of[unit], one = 1, old = 0;
  for (int round = 0; round < ROUNDS; round++) {
    OK(ARMCI_PutValueLong(round, there, unit));
    OK(ARMCI_Acc(ARMCI_ACC_LNG, &one, &one, there, sizeof one, unit));
    OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, there, 5, unit));
    CHECK_EQ(old, round + 1);
    CHECK_EQ(ARMCI_GetValueLong(there, unit), round + 6);
  }
  ARMCI_Barrier();
}

/* Starts a put of `rows` rows that lie apart, or an accumulate, which both need several messages between nodes. */
static void start_long(int round, char *there, int rows, int unit, armci_hdl_t *handle) {
  int stride = ROW_BYTES + 8, count[] = {ROW_BYTES, rows};
  long one = 1;
  if (round % 3 == 0) OK(ARMCI_NbAcc(ARMCI_ACC_LNG, &one, mine, there, rows * stride, unit, handle));
  else OK(ARMCI_NbPutS(mine, &stride, there, &stride, count, 1, unit, handle));
}

/* Later calls of any kind come after a non-blocking operation that the process has waited for. */
static void waited_for(void) {
  enum { AT = ROW_BYTES / 2 };
  static long got[ROW_BYTES / sizeof(long)];
  struct shared large = share(LONGEST);
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  for (int round = 0; round < 60; round++) {
    const int unit = right_of(self), rows = 2 << round % 3;
    char *there = large.of[unit];
    armci_hdl_t *how = round % 4 < 2 ? &handle : NULL;
    OK(ARMCI_PutValueLong(0, there + AT, unit));
    *(long *)(void *)(mine + AT) = round + 1;
    start_long(round, there, rows, unit, how);
    OK(how ? ARMCI_Wait(how) : round % 4 == 2 ? ARMCI_WaitAll() : ARMCI_WaitProc(unit));
    switch (round % 5) {
    case 0:
      CHECK_EQ(ARMCI_GetValueLong(there + AT, unit), round + 1);
      break;
    case 1:
      OK(ARMCI_NbGet(there, got, ROW_BYTES, unit, how));
      OK(how ? ARMCI_Wait(how) : ARMCI_WaitAll());
      CHECK_EQ(got[AT / sizeof(long)], round + 1);
      break;
    case 2: {
      long old = 100;
      OK(ARMCI_Rmw(ARMCI_SWAP_LONG, &old, there + AT, 0, unit));
      CHECK_EQ(old, round + 1);
      break;
    }
    case 3:
      OK(ARMCI_PutValueLong(-round, there + AT, unit));
      CHECK_EQ(ARMCI_GetValueLong(there + AT, unit), -round);
      ARMCI_Fence(unit);
      CHECK_EQ(ARMCI_GetValueLong(there + AT, unit), -round);
      break;
    default:
      OK(ARMCI_NbPut(&(long){-round}, there + AT, sizeof(long), unit, how));
      OK(how ? ARMCI_Wait(how) : ARMCI_WaitAll());
      ARMCI_Fence(unit);
      CHECK_EQ(ARMCI_GetValueLong(there + AT, unit), -round);
    }
  }
  ARMCI_Barrier();
  free_shared(&large);
}

/* The same for a handle with operations on two targets, for one that collects, and for a flag without data. */
static void waited_for_by_others(void) {
  static long first[LONGEST / sizeof(long)];
  struct shared large = share(LONGEST + 8);
  armci_hdl_t handle, collecting;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_INIT_HANDLE(&collecting);
  ARMCI_SET_AGGREGATE_HANDLE(&collecting);
  for (int round = 1; round <= 40; round++) {
    const int unit = right_of(self), other = right_of(unit);
    int stride = ROW_BYTES + 8, count[] = {ROW_BYTES, ROWS_MAX};
    armci_hdl_t *how = round % 2 ? &collecting : &handle;
    first[0] = round;
    OK(ARMCI_NbPutS(first, &stride, large.of[unit], &stride, count, 1, unit, how));
    if (how == &handle) OK(ARMCI_NbPutS(first, &stride, large.of[other], &stride, count, 1, other, how));
    if (round % 4 < 2) OK(ARMCI_WaitProc(unit));
    else if (round % 8 < 4) OK(ARMCI_Wait(how));
    else while (ARMCI_Test(how)) continue;
    OK(ARMCI_Put_flag(first, large.of[unit], 0, (int *)(void *)(large.of[unit] + LONGEST), round, unit));
    while (__atomic_load_n((int *)(void *)(large.of[self] + LONGEST), __ATOMIC_ACQUIRE) != round) ARMCIX_Progress();
    CHECK_EQ(*(long *)(void *)large.of[self], round);
    OK(ARMCI_Wait(how));
    ARMCI_Barrier();
  }
  free_shared(&large);
}

/* After a fence all processes see the data, if they are told by other means. */
static void fenced(void) {
  enum { TOLD = BYTES };
  int unit = right_of(self);
  ARMCI_Group world;
  ARMCI_Group_get_world(&world);
  for (int round = 1; round <= 50; round++) {
    fill(mine, (unsigned)(self + round), BYTES);
    for (int i = 0; i < BYTES; i += 1000) OK(ARMCI_NbPut(mine + i, memory.of[unit] + i, 1000, unit, NULL));
    if (round % 3 == 0) ARMCI_Fence(unit);
    if (round % 3 == 1) ARMCI_AllFence();
    if (round % 3 == 2) ARMCI_GroupFence(&world);
    OK(ARMCI_PutValueInt(round, memory.of[unit] + TOLD, unit));
    while (__atomic_load_n((int *)(void *)(memory.of[self] + TOLD), __ATOMIC_ACQUIRE) != round) OK(ARMCI_WaitAll());
    CHECK_EQ(wrong(memory.of[self], (unsigned)(left_of(self) + round), BYTES), 0);
    ARMCI_Barrier();
  }
}

/* The same for the members of a group. */
static void fenced_by_group(void) {
  ARMCI_Group pair;
  int first = self / 2 * 2, n = first + 1 < units_n ? 2 : 1, unit = n == 1 ? self : 2 * first + 1 - self;
  ARMCI_Group_create(n, (int[]){first, first + 1}, &pair);
  for (int round = 1; round <= 20; round++) {
    fill(mine, (unsigned)(self * 5 + round), BYTES);
    for (int i = 0; i < BYTES; i += 1000) OK(ARMCI_NbPut(mine + i, memory.of[unit] + i, 1000, unit, NULL));
    ARMCI_GroupFence(&pair);
    armci_msg_group_barrier(&pair);
    CHECK_EQ(wrong(memory.of[self], (unsigned)(unit * 5 + round), BYTES), 0);
    armci_msg_group_barrier(&pair);
  }
  ARMCI_Group_free(&pair);
  ARMCI_Barrier();
}

/* A barrier does the same for all. */
static void barriers(void) {
  for (int round = 0; round < 50; round++) {
    for (int unit = 0; unit < units_n; unit++)
      OK(ARMCI_NbPut(memcpy(mine + 8 * unit, &(long){round * 100 + unit}, 8), memory.of[unit] + 8 * self, 8, unit, NULL));
    ARMCI_Barrier();
    for (int unit = 0; unit < units_n; unit++) CHECK_EQ(((long *)(void *)memory.of[self])[unit], round * 100 + self);
    ARMCI_Barrier();
  }
}

/* The only call that a process makes while it waits for its turn. */
static int progress_for_turn(int *own) {
  ARMCIX_Progress();
  return __atomic_load_n(own, __ATOMIC_ACQUIRE);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(BYTES + 8);
  mine = take(LONGEST);
  back = take(BYTES);
  put_then_get();
  mixed();
  waited_for();
  waited_for_by_others();
  memset(memory.of[self], 0, BYTES + 8);
  ARMCI_Barrier();
  fenced();
  fenced_by_group();
  barriers();
  turns(&memory);
  take_turns(&memory, progress_for_turn);
  free_shared(&memory);
  free(mine);
  free(back);
  return finish();
}
