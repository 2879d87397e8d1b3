/* ARMCI: transfers of many pieces with several descriptors, compared with copies piece by piece.
 * Group: armci_calls
 */
#include "armci_check.h"

enum { SLOTS = 600, SLOT = 64, ROOM = SLOTS * SLOT, ROUNDS = 60, DESCRIPTORS_MAX = 5 };

static struct shared memory;
static char *mine, *expected, *back;

/* Each piece has its own slot on either side. */
struct pieces {
  int n;
  armci_giov_t giov[DESCRIPTORS_MAX];
  void *here[SLOTS], *there[SLOTS];
};
static int here_slot[SLOTS], there_slot[SLOTS];

static void shuffle(int list[]) {
  for (int i = 0; i < SLOTS; i++) list[i] = i;
  for (int i = SLOTS - 1; i > 0; i--) {
    int j = below(i + 1), other = list[j];
    list[j] = list[i];
    list[i] = other;
  }
}

static void choose(struct pieces *pieces, char *here, char *there, bool gets, int unit_bytes) {
  shuffle(here_slot);
  shuffle(there_slot);
  pieces->n = below(DESCRIPTORS_MAX + 1);
  int used = 0;
  for (int i = 0; i < pieces->n; i++) {
    int len = below(3) ? below(20) : below(SLOTS / DESCRIPTORS_MAX), bytes = unit_bytes * below(SLOT / unit_bytes);
    if (below(6) == 0) bytes = 0;
    int room = SLOT - bytes;
    for (int k = 0; k < len; k++) {
      pieces->here[used + k] = here + here_slot[used + k] * SLOT + unit_bytes * below(room / unit_bytes + 1);
      pieces->there[used + k] = there + there_slot[used + k] * SLOT + unit_bytes * below(room / unit_bytes + 1);
    }
    void **ours = pieces->here + used, **theirs = pieces->there + used;
    pieces->giov[i] = (armci_giov_t){.src_ptr_array = gets ? theirs : ours, .dst_ptr_array = gets ? ours : theirs,
                                     .bytes = bytes, .ptr_array_len = len};
    if (len == 0) pieces->giov[i].src_ptr_array = NULL;
    used += len;
  }
}

static void each(const struct pieces *pieces, ptrdiff_t to_shift, ptrdiff_t from_shift, bool adds) {
  for (int i = 0; i < pieces->n; i++) {
    for (int k = 0; k < pieces->giov[i].ptr_array_len; k++) {
      char *to = (char *)((intptr_t)pieces->giov[i].dst_ptr_array[k] + to_shift);
      const char *from = (char *)((intptr_t)pieces->giov[i].src_ptr_array[k] + from_shift);
      if (!adds) memcpy(to, from, (size_t)pieces->giov[i].bytes);
      for (int e = 0; adds && e < pieces->giov[i].bytes / 8; e++)
        ((long *)(void *)to)[e] += 3 * ((const long *)(const void *)from)[e];
    }
  }
}

static void compare_with_expected(int unit) {
  ARMCI_Fence(unit);
  OK(ARMCI_Get(memory.of[unit], back, ROOM, unit));
  CHECK(memcmp(back, expected, ROOM) == 0);
}

static void put(bool blocking) {
  struct pieces pieces;
  int unit = right_of(self);
  fill(mine, (unsigned)random_bits(), ROOM);
  choose(&pieces, mine, memory.of[unit], false, 1);
  each(&pieces, (intptr_t)expected - (intptr_t)memory.of[unit], 0, false);
  if (blocking) OK(ARMCI_PutV(pieces.giov, pieces.n, unit));
  else OK(ARMCI_NbPutV(pieces.giov, pieces.n, unit, NULL));
  OK(ARMCI_WaitAll());
  compare_with_expected(unit);
}

static void get(bool blocking) {
  struct pieces pieces;
  int unit = right_of(self);
  char *wanted = take(ROOM);
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  memset(mine, 0, ROOM);
  memset(wanted, 0, ROOM);
  choose(&pieces, mine, memory.of[unit], true, 1);
  each(&pieces, wanted - mine, (intptr_t)expected - (intptr_t)memory.of[unit], false);
  if (blocking) OK(ARMCI_GetV(pieces.giov, pieces.n, unit));
  else OK(ARMCI_NbGetV(pieces.giov, pieces.n, unit, &handle));
  OK(ARMCI_Wait(&handle));
  CHECK(memcmp(mine, wanted, ROOM) == 0);
  free(wanted);
}

static void accumulate(bool blocking) {
  struct pieces pieces;
  int unit = right_of(self);
  long scale = 3;
  for (size_t i = 0; i < ROOM / sizeof(long); i++) ((long *)(void *)mine)[i] = below(1000000);
  choose(&pieces, mine, memory.of[unit], false, sizeof(long));
  each(&pieces, (intptr_t)expected - (intptr_t)memory.of[unit], 0, true);
  if (blocking) OK(ARMCI_AccV(ARMCI_ACC_LNG, &scale, pieces.giov, pieces.n, unit));
  else OK(ARMCI_NbAccV(ARMCI_ACC_LNG, &scale, pieces.giov, pieces.n, unit, NULL));
  OK(ARMCI_WaitProc(unit));
  compare_with_expected(unit);
}

/* Pieces of a process's own memory may be shared or private. */
static void to_oneself(void) {
  int values[2] = {self + 3, self + 4}, results[1] = {0};
  void *from[2] = {&values[0], &values[1]}, *to[2] = {&results[0], memory.of[self]};
  ARMCI_Barrier();
  OK(ARMCI_PutV(&(armci_giov_t){.src_ptr_array = from, .dst_ptr_array = to, .bytes = sizeof(int), .ptr_array_len = 2}, 1, self));
  CHECK_EQ(results[0], self + 3);
  CHECK_EQ(ARMCI_GetValueInt(memory.of[self], self), self + 4);
}

/* One piece, few and many; the last one ends where the memory does. */
static void at_the_end(void) {
  static const int numbers[] = {1, 2, 8, 9, 300};
  int unit = right_of(self);
  void *ours[300], *theirs[300];
  for (int k = 0; k < 5; k++)
    for (int bytes = 1; bytes <= 65; bytes += bytes < 9 ? 1 : 14) {
      const int n = numbers[k];
      fill(mine, (unsigned)(k * 100 + bytes), ROOM);
      for (int i = 0; i < n; i++) {
        ours[i] = mine + i * (bytes + 1);
        theirs[i] = memory.of[unit] + ROOM - (i + 1) * bytes;
        memcpy(expected + ROOM - (i + 1) * bytes, ours[i], (size_t)bytes);
      }
      OK(ARMCI_PutV(&(armci_giov_t){.src_ptr_array = ours, .dst_ptr_array = theirs, .bytes = bytes, .ptr_array_len = n}, 1, unit));
      compare_with_expected(unit);
      memset(mine, 0, ROOM);
      OK(ARMCI_GetV(&(armci_giov_t){.src_ptr_array = theirs, .dst_ptr_array = ours, .bytes = bytes, .ptr_array_len = n}, 1, unit));
      for (int i = 0; i < n; i++) CHECK(memcmp(ours[i], expected + ROOM - (i + 1) * bytes, (size_t)bytes) == 0);
    }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(ROOM);
  mine = take(ROOM);
  back = take(ROOM);
  expected = take(ROOM);
  memset(expected, 0, ROOM);
  random_state += (uint64_t)self * 104729;
  for (int round = 0; round < ROUNDS; round++) {
    put(round % 2);
    get(round % 2);
    accumulate(round % 2);
  }
  at_the_end();
  to_oneself();
  free_shared(&memory);
  free(mine);
  free(back);
  free(expected);
  return finish();
}
