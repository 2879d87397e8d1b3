/* ARMCI: blocking transfers of bytes and of values, of all sizes, between all units.
 * Group: armci_calls
 */
#include "armci_check.h"

enum { ROOM = 2 << 20 };
static const int sizes[] = {1, 3, 4, 8, 24, 100, 512, 4096, 8192, 65536, 100001, ROOM - 8};

static struct shared memory;
static char *mine, *back;

static void puts_and_gets(int bytes, int off) {
  fill(mine, (unsigned)(self + bytes), (size_t)bytes);
  OK(ARMCI_Put(mine, memory.of[right_of(self)] + off, bytes, right_of(self)));
  memset(back, 0, (size_t)bytes);
  OK(ARMCI_Get(memory.of[right_of(self)] + off, back, bytes, right_of(self)));
  CHECK_EQ(wrong(back, (unsigned)(self + bytes), (size_t)bytes), 0);
  ARMCI_Barrier();
  CHECK_EQ(wrong(memory.of[self] + off, (unsigned)(left_of(self) + bytes), (size_t)bytes), 0);
  for (int unit = 0; unit < units_n; unit++) {
    OK(ARMCI_Get(memory.of[unit] + off, back, bytes, unit));
    CHECK_EQ(wrong(back, (unsigned)(left_of(unit) + bytes), (size_t)bytes), 0);
  }
  ARMCI_Barrier();
}

static void values(void) {
  int to = right_of(self);
  char *there = memory.of[to];
  OK(ARMCI_PutValueInt(self - 5, there, to));
  OK(ARMCI_PutValueLong(self * 1000000000000L, there + 9, to));
  OK(ARMCI_PutValueFloat((float)self + 0.5f, there + 20, to));
  OK(ARMCI_PutValueDouble(self + 0.25, there + 32, to));
  CHECK_EQ(ARMCI_GetValueInt(there, to), self - 5);
  CHECK_EQ(ARMCI_GetValueLong(there + 9, to), self * 1000000000000L);
  CHECK(ARMCI_GetValueFloat(there + 20, to) == (float)self + 0.5f);
  CHECK(ARMCI_GetValueDouble(there + 32, to) == self + 0.25);
  OK(ARMCI_NbPutValueFloat((float)self - 0.5f, there + 44, to, NULL));
  OK(ARMCI_NbPutValueDouble(self - 0.25, there + 48, to, NULL));
  OK(ARMCI_WaitAll());
  ARMCI_Barrier();
  float single;
  double real;
  memcpy(&single, memory.of[self] + 44, sizeof single);
  memcpy(&real, memory.of[self] + 48, sizeof real);
  CHECK(single == (float)left_of(self) - 0.5f && real == left_of(self) - 0.25);
  ARMCI_Barrier();
}

/* Each process waits for the flag of its left neighbour, and then sees the data. */
static void flags(void) {
  enum { ROUNDS = 50, BYTES = 10000, FLAG = BYTES + 8 };
  volatile int *flag = (volatile int *)(void *)(memory.of[self] + FLAG);
  *flag = 0;
  ARMCI_Barrier();
  for (int round = 1; round <= ROUNDS; round++) {
    int to = right_of(self);
    fill(mine, (unsigned)(self * 3 + round), BYTES);
    OK(ARMCI_Put_flag(mine, memory.of[to], BYTES, (int *)(void *)(memory.of[to] + FLAG), round, to));
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) != round) OK(ARMCI_WaitAll());
    CHECK_EQ(wrong(memory.of[self], (unsigned)(left_of(self) * 3 + round), BYTES), 0);
    ARMCI_Barrier();
  }
}

/* A process may use any of its own memory. */
static void to_oneself(void) {
  int from = 17, to = 0;
  OK(ARMCI_Put(&from, &to, sizeof to, self));
  CHECK_EQ(to, 17);
  from = 0;
  OK(ARMCI_Get(&to, &from, sizeof to, self));
  CHECK_EQ(from, 17);
  ARMCI_Copy(&self, &from, sizeof from);
  CHECK_EQ(from, self);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(ROOM);
  mine = take(ROOM);
  back = take(ROOM);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) puts_and_gets(sizes[i], (int)i % 8);
  OK(ARMCI_Put(NULL, NULL, 0, self));
  values();
  flags();
  to_oneself();
  free_shared(&memory);
  free(mine);
  free(back);
  return finish();
}
