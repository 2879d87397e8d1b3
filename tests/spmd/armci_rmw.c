/* ARMCI: all units add to and swap numbers of all units, and accumulate into one array.
 * Group: armci_calls
 */
#include "armci_check.h"

enum { ROUNDS = 200, N = 300, SPAN = 8 };

struct numbers {
  int tickets, token;
  long large, large_token;
};

static struct shared memory;

static void *number(int unit, size_t off) { return memory.of[unit] + off; }

/* Every ticket is drawn exactly once. */
static void tickets(void) {
  long mine_sum = 0;
  for (int round = 0; round < ROUNDS; round++) {
    for (int unit = 0; unit < units_n; unit++) {
      int old = -1;
      long large = -1;
      OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD, &old, number(unit, offsetof(struct numbers, tickets)), 1, unit));
      OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &large, number(unit, offsetof(struct numbers, large)), -3, unit));
      CHECK(old >= 0 && old < ROUNDS * units_n);
      CHECK(large % 3 == 0 && large <= 0);
      mine_sum += old;
    }
  }
  ARMCI_Barrier();
  const struct numbers *own = (void *)memory.of[self];
  CHECK_EQ(own->tickets, ROUNDS * units_n);
  CHECK_EQ(own->large, -3L * ROUNDS * units_n);
  long there = -1, all = (long)ROUNDS * units_n, sum = mine_sum;
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &there, number(0, 64), 0, 0));
  ARMCI_Barrier();
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &there, number(0, 64), (int)sum, 0));
  ARMCI_Barrier();
  CHECK_EQ(ARMCI_GetValueLong(number(0, 64), 0), units_n * (all * (all - 1) / 2));
  ARMCI_Barrier();
}

/* Every value that was swapped in comes out once. */
static void tokens(void) {
  long held = 1000 + self, sum;
  int small = 1000 + self;
  for (int round = 0; round < ROUNDS; round++) {
    OK(ARMCI_Rmw(ARMCI_SWAP_LONG, &held, number(0, offsetof(struct numbers, large_token)), 77, 0));
    OK(ARMCI_Rmw(ARMCI_SWAP, &small, number(0, offsetof(struct numbers, token)), 77, 0));
  }
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &sum, number(0, 72), (int)held, 0));
  OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &sum, number(0, 80), small, 0));
  ARMCI_Barrier();
  long expected = 1000L * units_n + (long)units_n * (units_n - 1) / 2;
  CHECK_EQ(ARMCI_GetValueLong(number(0, 72), 0) + ARMCI_GetValueLong(number(0, offsetof(struct numbers, large_token)), 0),
           expected);
  CHECK_EQ(ARMCI_GetValueLong(number(0, 80), 0) + ARMCI_GetValueInt(number(0, offsetof(struct numbers, token)), 0), expected);
  ARMCI_Barrier();
}

/* All processes add to one array, with all calls for that; sums are exact. */
#define ACCUMULATES(name, type, code, scale_value, expected_factor)                                                 \
  static void name(void) {                                                                                          \
    type values[N], scale = scale_value;                                                                            \
    type *there = (void *)memory.of[0];                                                                             \
    for (int i = 0; i < N; i++) values[i] = (type)(i + 1);                                                          \
    memset(memory.of[self], 0, N * sizeof(type));                                                                   \
    ARMCI_Barrier();                                                                                                \
    void *from[N], *to[N];                                                                                          \
    for (int i = 0; i < N; i++) from[i] = &values[i], to[i] = &there[i];                                            \
    int stride = 10 * sizeof(type), count[2] = {10 * sizeof(type), N / 10};                                         \
    armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = sizeof(type), .ptr_array_len = N};     \
    for (int round = 0; round < SPAN; round++) {                                                                    \
      OK(ARMCI_Acc(code, &scale, values, there, sizeof values, 0));                                                 \
      OK(ARMCI_AccS(code, &scale, values, &stride, there, &stride, count, 1, 0));                                   \
      OK(ARMCI_AccV(code, &scale, &giov, 1, 0));                                                                    \
      OK(ARMCI_NbAcc(code, &scale, values, there, sizeof values, 0, NULL));                                         \
    }                                                                                                               \
    ARMCI_Barrier();                                                                                                \
    if (self == 0) {                                                                                                \
      for (int i = 0; i < N; i++) CHECK(there[i] == (type)(4 * SPAN * units_n) * (type)(expected_factor) * (type)(i + 1)); \
    }                                                                                                               \
    ARMCI_Barrier();                                                                                                \
  }
ACCUMULATES(add_ints, int, ARMCI_ACC_INT, -2, -2)
ACCUMULATES(add_longs, long, ARMCI_ACC_LNG, 3, 3)
ACCUMULATES(add_floats, float, ARMCI_ACC_FLT, 2, 2)
ACCUMULATES(add_doubles, double, ARMCI_ACC_DBL, 0.5, 0.5)

/* (1 + 2i) times (k + ki). */
static void add_complexes(void) {
  double values[N][2], scale[2] = {1, 2};
  float small[N][2], small_scale[2] = {1, 2};
  double (*there)[2] = (void *)memory.of[0];
  float (*small_there)[2] = (void *)(memory.of[0] + sizeof values);
  for (int i = 0; i < N; i++) values[i][0] = values[i][1] = small[i][0] = small[i][1] = (float)i;
  memset(memory.of[self], 0, sizeof values + sizeof small);
  ARMCI_Barrier();
  OK(ARMCI_Acc(ARMCI_ACC_DCP, scale, values, there, sizeof values, 0));
  OK(ARMCI_Acc(ARMCI_ACC_CPL, small_scale, small, small_there, sizeof small, 0));
  ARMCI_Barrier();
  for (int i = 0; self == 0 && i < N; i++) {
    CHECK(there[i][0] == -i * units_n && there[i][1] == 3 * i * units_n);
    CHECK(small_there[i][0] == (float)(-i * units_n) && small_there[i][1] == (float)(3 * i * units_n));
  }
  ARMCI_Barrier();
}

/* ARMCI_ACC_RA flips bits: an odd number of times by each process, with all calls for that. */
static void flip_bits(void) {
  enum { TIMES = 3 };
  long values[N], *there = (void *)memory.of[0];
  for (int i = 0; i < N; i++) values[i] = (long)(i + 1) << self;
  if (self == 0) memset(there, 0, sizeof values);
  ARMCI_Barrier();
  void *from[N], *to[N];
  for (int i = 0; i < N; i++) from[i] = &values[i], to[i] = &there[i];
  int stride = 10 * sizeof(long), count[2] = {10 * sizeof(long), N / 10};
  armci_giov_t giov = {.src_ptr_array = from, .dst_ptr_array = to, .bytes = sizeof(long), .ptr_array_len = N};
  armci_hdl_t handle;
  ARMCI_INIT_HANDLE(&handle);
  ARMCI_SET_AGGREGATE_HANDLE(&handle);
  for (int round = 0; round < TIMES; round++) {
    OK(ARMCI_Acc(ARMCI_ACC_RA, NULL, values, there, sizeof values, 0));
    OK(ARMCI_AccS(ARMCI_ACC_RA, NULL, values, &stride, there, &stride, count, 1, 0));
    OK(ARMCI_AccV(ARMCI_ACC_RA, NULL, &giov, 1, 0));
    OK(ARMCI_NbAccV(ARMCI_ACC_RA, NULL, &giov, 1, 0, NULL));
    OK(ARMCI_NbAcc(ARMCI_ACC_RA, NULL, values, there, sizeof values, 0, &handle));
  }
  OK(ARMCI_Wait(&handle));
  ARMCI_UNSET_AGGREGATE_HANDLE(&handle);
  ARMCI_Barrier();
  for (int i = 0; self == 0 && i < N; i++) {
    long expected = 0;
    for (int unit = 0; unit < units_n; unit++) expected ^= (long)(i + 1) << unit;
    CHECK_EQ(there[i], expected);
  }
  ARMCI_Barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  memory = share(65536);
  tickets();
  tokens();
  add_ints();
  add_longs();
  add_floats();
  add_doubles();
  add_complexes();
  flip_bits();
  free_shared(&memory);
  return finish();
}
