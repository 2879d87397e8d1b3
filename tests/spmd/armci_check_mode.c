/* ARMCI with TESSERA_CHECK=1: puts and gets whose destination contains a byte twice, and operations on freed memory or
 * beyond an allocation, fail. Unusual but correct operations pass. */
#include "armci_check.h"
#include "says.h"

enum { BYTES = 1 << 16, KEPT = 16 };

static struct shared memory;
static char here[BYTES];

/* One of many pieces is listed twice, or two share some bytes; the pieces of a list are in no order. */
static void lists(int unit) {
  enum { N = 40 };
  void *from[N], *to[N];
  armci_giov_t put = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = N};
  armci_giov_t get = {.src_ptr_array = to, .dst_ptr_array = from, .bytes = 8, .ptr_array_len = N};
  double one = 1;
  for (int i = 0; i < N; i++) from[i] = here + 8 * i, to[i] = memory.of[unit] + i * 3 % 41 * 8;
  OK(ARMCI_PutV(&put, 1, unit));
  OK(ARMCI_GetV(&get, 1, unit));
  to[N - 1] = to[3];
  BAD(FAIL, ARMCI_PutV(&put, 1, unit));
  BAD(FAIL, ARMCI_NbPutV(&put, 1, unit, NULL));
  OK(ARMCI_GetV(&get, 1, unit));
  OK(ARMCI_AccV(ARMCI_ACC_DBL, &one, &put, 1, unit));
  from[5] = here + 20;
  BAD(FAIL, ARMCI_GetV(&get, 1, unit));
}

static void strides(int unit) {
  int dense[2] = {8, 24}, same[2] = {0, 64}, close[2] = {4, 64}, woven[2] = {16, 8}, count[3] = {8, 3, 4};
  double one = 1;
  OK(ARMCI_PutS(here, same, memory.of[unit], dense, count, 2, unit));
  BAD(FAIL, ARMCI_PutS(here, dense, memory.of[unit], same, count, 2, unit));
  BAD(FAIL, ARMCI_PutS(here, dense, memory.of[unit], close, count, 2, unit));
  BAD(FAIL, ARMCI_GetS(memory.of[unit], dense, here, close, count, 2, unit));
  OK(ARMCI_AccS(ARMCI_ACC_DBL, &one, here, dense, memory.of[unit], same, count, 2, unit));
  BAD(FAIL, ARMCI_NbPutS(here, dense, memory.of[unit], woven, count, 2, unit, NULL));
  count[2] = 2; /* 0, 16, 32 and 8, 24, 40 */
  OK(ARMCI_PutS(here, dense, memory.of[unit], woven, count, 2, unit));
}

/* Operations of all kinds on freed memory. It is kept until the group has freed as much again, and then released. */
static void freed(int unit) {
  struct shared gone = share(BYTES);
  char *there = gone.of[unit];
  int old = 0, stride = 64, count[2] = {8, 4};
  void *from[1] = {here}, *to[1] = {there + 8};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = 1};
  OK(ARMCI_Put(here, there, 8, unit));
  free_shared(&gone);
  BAD(FAIL6, ARMCI_Put(here, there, 8, unit));
  BAD(FAIL6, ARMCI_NbGet(there + BYTES - 8, here, 8, unit, NULL));
  BAD(FAIL6, ARMCI_PutS(here, &stride, there, &stride, count, 1, unit));
  BAD(FAIL6, ARMCI_PutV(&giov, 1, unit));
  BAD(FAIL6, ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, there, 1, unit));
  BAD(FAIL6, ARMCI_PutValueInt(1, there, unit));
  SAYS("ARMCI_Free", FAIL6, ARMCI_Free(gone.of[self]));
  ARMCI_Barrier();
  for (int i = 0; i < 3 * KEPT; i++) {
    struct shared one = share(BYTES);
    OK(ARMCI_Put(here, one.of[unit], BYTES, unit));
    free_shared(&one);
  }
}

/* Pieces that lie partly in an allocation, or right behind it, with one unit's own size. */
static void beyond(int unit) {
  struct shared one;
  OK(ARMCI_Malloc((void **)one.of, 1000 - self % 8 * 8));
  char *there = one.of[unit], *end = there + 1000 - unit % 8 * 8;
  int old = 0, stride = 100, count[2] = {8, 10};
  double scale = 1;
  void *from[2] = {here, here + 8}, *to[2] = {there, end - 4};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = 8, .ptr_array_len = 2};
  BAD(FAIL6, ARMCI_Put(here, end - 4, 8, unit));
  BAD(FAIL6, ARMCI_NbGet(end, here, 8, unit, NULL));
  BAD(FAIL6, ARMCI_Acc(ARMCI_ACC_DBL, &scale, here, end, 8, unit));
  BAD(FAIL6, ARMCI_PutV(&giov, 1, unit));
  BAD(FAIL6, ARMCI_Rmw(ARMCI_SWAP, &old, end, 1, unit));
  BAD(FAIL6, ARMCI_PutValueLong(1, end, unit));
  OK(ARMCI_PutS(here, &stride, there, &stride, count, 1, unit));
  count[1] = 12;
  BAD(FAIL6, ARMCI_PutS(here, &stride, there, &stride, count, 1, unit));
  OK(ARMCI_Put(here, there, (int)(end - there), unit));
  free_shared(&one);
}

/* Allocations of any size, one behind the other, and behind kept memory. */
static void neighbours(int unit) {
  static const long sizes[] = {300000, 300000, 5000000, 5000000, 70000};
  enum { N = sizeof sizes / sizeof sizes[0] };
  for (int round = 0; round < 2; round++) {
    struct shared blocks[N];
    for (int i = 0; i < N; i++) OK(ARMCI_Malloc((void **)blocks[i].of, sizes[i]));
    for (int i = 0; i < N; i++) {
      for (long at = 0; at < sizes[i]; at += 4096 - 8) OK(ARMCI_PutValueInt(i, blocks[i].of[unit] + at, unit));
      BAD(FAIL6, ARMCI_PutValueLong(i, blocks[i].of[unit] + sizes[i] - 4, unit));
    }
    for (int i = 0; i < N; i++) free_shared(&blocks[i]);
  }
}

/* Kept memory does not make an allocation fail. */
static void much(void) {
  for (int i = 0; i < 2 * KEPT; i++) {
    struct shared one;
    OK(ARMCI_Malloc((void **)one.of, 8L << 20));
    OK(ARMCI_PutValueInt(i, one.of[right_of(self)], right_of(self)));
    free_shared(&one);
  }
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  setenv("TESSERA_CHECK", "1", 1);
  start(&argc, &argv);
  memory = share(BYTES);
  lists(right_of(self));
  ARMCI_Barrier();
  strides(right_of(self));
  ARMCI_Barrier();
  beyond(right_of(self));
  freed(right_of(self));
  neighbours(right_of(self));
  much();
  turns(&memory);
  free_shared(&memory);
  return finish();
}
