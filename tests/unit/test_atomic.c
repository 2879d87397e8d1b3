#include <complex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "node/heap.h"
#include "rma/atomic.h"

enum {
  PAGE = 4096,
  HEAP_BYTES = 32 * PAGE,
  WORKERS = 4,
  ROUNDS = 3000,
  BURST = 20, /* updates of one word in a row */
};

/* The parts of a node's memory that atomics need: stripe locks, and a heap. They are shared, so that forked processes
 * can map them at other addresses. */
static int memory_fd;
static const size_t memory_bytes = sizeof(struct tsr_node_memory) + PAGE - sizeof(struct tsr_node_memory) % PAGE;

/* Maps it at `at`, inside a reservation, or anywhere. */
static void map_heap(void *at) {
  int flags = at ? MAP_SHARED | MAP_FIXED : MAP_SHARED;
  char *mapped = mmap(at, memory_bytes + HEAP_BYTES, PROT_READ | PROT_WRITE, flags, memory_fd, 0);
  if (mapped == MAP_FAILED) _exit(2);
  tsr_heap.memory = (struct tsr_node_memory *)mapped;
  tsr_heap.base = mapped + memory_bytes;
}

static int set_up(void **state) {
  (void)state;
  memory_fd = memfd_create("test_atomic", MFD_CLOEXEC);
  if (memory_fd < 0 || ftruncate(memory_fd, (off_t)(memory_bytes + HEAP_BYTES)) != 0) return -1;
  map_heap(NULL);
  return 0;
}

static int clear_heap(void **state) {
  (void)state;
  memset(tsr_heap.base, 0, HEAP_BYTES);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  munmap(tsr_heap.memory, memory_bytes + HEAP_BYTES);
  tsr_heap = (struct tsr_heap){0};
  return close(memory_fd);
}

/* The serial reference: each operation in the type's own C arithmetic. */

#define COMMON_OPS \
  case TSR_REPLACE: *x = y; break; \
  case TSR_SUM: *x = *x + y; break;
#define PRODUCT_OP \
  case TSR_PROD: *x = *x * y; break;
#define WRAPPING_PRODUCT_OP \
  case TSR_PROD: memcpy(x, &(uint64_t){(uint64_t)*x * (uint64_t)y}, sizeof y); break; /* little-endian */
#define ORDER_OPS \
  case TSR_MIN: *x = *x < y ? *x : y; break; \
  case TSR_MAX: *x = *x > y ? *x : y; break;
#define BIT_OPS \
  case TSR_BAND: *x = *x & y; break; \
  case TSR_BOR: *x = *x | y; break; \
  case TSR_BXOR: *x = *x ^ y; break; \
  case TSR_LAND: *x = *x && y; break; \
  case TSR_LOR: *x = *x || y; break; \
  case TSR_LXOR: *x = !*x != !y; break;
#define REFERENCE(type, name, OPS) \
  static void serial_##name(tsr_arith op, void *target, const void *operand) { \
    type *x = target, y; \
    memcpy(&y, operand, sizeof y); \
    switch (op) { \
      OPS \
      default: break; \
    } \
  }
#define INTEGER_OPS COMMON_OPS WRAPPING_PRODUCT_OP ORDER_OPS BIT_OPS
#define FLOAT_OPS COMMON_OPS PRODUCT_OP ORDER_OPS
#define COMPLEX_OPS COMMON_OPS PRODUCT_OP
REFERENCE(int8_t, i8, INTEGER_OPS)
REFERENCE(uint8_t, u8, INTEGER_OPS)
REFERENCE(int16_t, i16, INTEGER_OPS)
REFERENCE(uint16_t, u16, INTEGER_OPS)
REFERENCE(int32_t, i32, INTEGER_OPS)
REFERENCE(uint32_t, u32, INTEGER_OPS)
REFERENCE(int64_t, i64, INTEGER_OPS)
REFERENCE(uint64_t, u64, INTEGER_OPS)
REFERENCE(float, f32, FLOAT_OPS)
REFERENCE(double, f64, FLOAT_OPS)
REFERENCE(long double, f80, FLOAT_OPS)
REFERENCE(float complex, c64, COMPLEX_OPS)
REFERENCE(double complex, c128, COMPLEX_OPS)

static void (*const serial[TSR_TYPES_N])(tsr_arith op, void *target, const void *operand) = {
    [TSR_I8] = serial_i8,   [TSR_U8] = serial_u8,   [TSR_I16] = serial_i16, [TSR_U16] = serial_u16,
    [TSR_I32] = serial_i32, [TSR_U32] = serial_u32, [TSR_I64] = serial_i64, [TSR_U64] = serial_u64,
    [TSR_F32] = serial_f32, [TSR_F64] = serial_f64, [TSR_F80] = serial_f80, [TSR_C64] = serial_c64,
    [TSR_C128] = serial_c128,
};

/* Small numbers of both signs and zero; for unsigned types they include the ends of the range. */
static void sample(tsr_type type, int k, void *x) {
  static const int values[] = {0, 1, -1, 2, 5, -7, 11, 3};
  int v = values[k % 8];
  switch (type) {
    case TSR_F32: *(float *)x = (float)v / 2; break;
    case TSR_F64: *(double *)x = v / 4.0; break;
    case TSR_F80: memset(x, 0, 16), *(long double *)x = v / 4.0L; break;
    case TSR_C64: *(float complex *)x = (float)v + 2 * (float)k * I; break;
    case TSR_C128: *(double complex *)x = v - 3.0 * k * I; break;
    default: {
      int64_t wide = v;
      memcpy(x, &wide, tsr_type_bytes(type)); /* little-endian */
    }
  }
}

/* Only the value: the padding of a long double is undefined. */
static size_t value_bytes(tsr_type type) { return type == TSR_F80 ? 10 : tsr_type_bytes(type); }

static void check_equal(const void *got, const void *expected, tsr_type type, tsr_arith op, int k, const char *what) {
  if (memcmp(got, expected, value_bytes(type)) != 0)
    fail_msg("type %d, operation %d, sample %d: wrong %s", (int)type, (int)op, k, what);
}

/* One element between neighbours that must not change; operand and result at odd addresses. */
static void check_single(tsr_type type, tsr_arith op, int k) {
  size_t bytes = tsr_type_bytes(type);
  char *target = tsr_heap.base + 5 * bytes;
  char room[64], *operand = room + 1, *result = room + 33;
  _Alignas(16) char before[16], expected[16], aligned_operand[16];
  memset(tsr_heap.base, 0x77, 11 * bytes);
  sample(type, k, before);
  sample(type, k / 8 + 3 * k, aligned_operand);
  memcpy(target, before, bytes);
  memcpy(operand, aligned_operand, bytes);
  memcpy(expected, before, bytes);
  serial[type](op, expected, operand);
  memset(result, 0x33, 20);
  tsr_atomic_apply(type, op, target, op == TSR_NO_OP ? NULL : operand, k % 3 ? result : NULL);
  check_equal(target, expected, type, op, k, "target");
  if (k % 3) check_equal(result, before, type, op, k, "result");
  else assert_int_equal(result[0], 0x33);
  assert_int_equal(result[bytes], 0x33);
  assert_int_equal(target[-1], 0x77);
  assert_int_equal(target[bytes], 0x77);
}

static void test_every_type_and_operation(void **state) {
  (void)state;
  for (tsr_type type = 0; type < TSR_TYPES_N; type++)
    for (tsr_arith op = 0; op < TSR_ARITH_N; op++)
      for (int k = 0; k < 64 && tsr_arith_defined(type, op); k++) check_single(type, op, k);
}

/* Arrays that begin inside one stripe and end in the third. */
static void check_array(tsr_type type, tsr_arith op) {
  static char operand[3 * PAGE + 1], expected[3 * PAGE];
  size_t bytes = tsr_type_bytes(type), n = 2 * PAGE / bytes + 3;
  char *target = tsr_heap.base + PAGE - 2 * bytes;
  memset(target - 1, 0x77, n * bytes + 2);
  for (size_t i = 0; i < n; i++) {
    _Alignas(16) char x[16];
    sample(type, (int)i % 61, x);
    memcpy(target + i * bytes, x, bytes);
    sample(type, (int)i % 53 + 1, x);
    memcpy(operand + 1 + i * bytes, x, bytes);
  }
  memcpy(expected, target, n * bytes);
  for (size_t i = 0; i < n; i++) serial[type](op, expected + i * bytes, operand + 1 + i * bytes);
  tsr_atomic_accumulate(type, op, target, operand + 1, n);
  for (size_t i = 0; i < n; i++) check_equal(target + i * bytes, expected + i * bytes, type, op, (int)i, "element");
  assert_int_equal(target[-1], 0x77);
  assert_int_equal(target[n * bytes], 0x77);
}

static void test_arrays(void **state) {
  (void)state;
  for (tsr_type type = 0; type < TSR_TYPES_N; type++)
    for (tsr_arith op = 0; op < TSR_ARITH_N; op++)
      if (tsr_arith_defined(type, op)) check_array(type, op);
}

static void test_no_elements(void **state) {
  (void)state;
  tsr_atomic_accumulate(TSR_F64, TSR_SUM, tsr_heap.base, NULL, 0);
  tsr_atomic_accumulate(TSR_I32, TSR_SUM, tsr_heap.base, NULL, 0);
}

/* Without the lock the results are the same, bit by bit, also for NaNs and zeros of both signs. */
static void test_unlocked(void **state) {
  static const tsr_arith ops[] = {TSR_SUM, TSR_PROD, TSR_MIN, TSR_MAX};
  const double numbers[] = {0.0, -0.0, 1.5, -7, 1e300, __builtin_inf(), -__builtin_inf(), __builtin_nan("5")};
  (void)state;
  for (int k = 0; k < 64 * 4; k++) {
    const tsr_arith op = ops[k / 64];
    double a = numbers[k % 8], b = numbers[k / 8 % 8], old = 0, locked = a, *target = (double *)(void *)tsr_heap.base + 1;
    float a4 = (float)a, b4 = (float)b, old4 = 0, locked4 = a4, *target4 = (float *)(void *)tsr_heap.base + 7;
    tsr_arith_apply(TSR_F64, op, &locked, &b, 1);
    tsr_arith_apply(TSR_F32, op, &locked4, &b4, 1);
    memset(tsr_heap.base, 0x77, 64);
    *target = a, *target4 = a4;
    tsr_atomic_apply_unlocked(TSR_F64, op, target, &b, k % 2 ? &old : NULL);
    tsr_atomic_apply_unlocked(TSR_F32, op, target4, &b4, k % 2 ? &old4 : NULL);
    check_equal(target, &locked, TSR_F64, op, k, "target");
    check_equal(target4, &locked4, TSR_F32, op, k, "target");
    if (k % 2) check_equal(&old, &a, TSR_F64, op, k, "result");
    if (k % 2) check_equal(&old4, &a4, TSR_F32, op, k, "result");
    for (int i = 0; i < 64; i++)
      if ((i < 8 || i >= 16) && (i < 28 || i >= 32)) assert_int_equal(tsr_heap.base[i], 0x77);
  }
}

/* Complex numbers need only the alignment of their parts: one may lie across a stripe's end. */
static void test_element_across_stripes(void **state) {
  (void)state;
  double complex *target = (double complex *)(tsr_heap.base + PAGE - 8);
  double complex one[3] = {1 + 2 * I, 3 + 4 * I, 5 + 6 * I}, old;
  for (int i = 0; i < 3; i++) tsr_atomic_apply(TSR_C128, TSR_REPLACE, target + i, &one[i], &old);
  tsr_atomic_accumulate(TSR_C128, TSR_SUM, target, one, 3);
  for (int i = 0; i < 3; i++) {
    tsr_atomic_apply(TSR_C128, TSR_NO_OP, target + i, NULL, &old);
    assert_true(creal(old) == 2 * creal(one[i]) && cimag(old) == 2 * cimag(one[i]));
  }
}

static void test_swap_if(void **state) {
  (void)state;
  for (tsr_type type = TSR_I8; type <= TSR_U64; type++) {
    size_t bytes = tsr_type_bytes(type);
    char *target = tsr_heap.base + 3 * bytes, room[32];
    int64_t first = -77, other = 55, next = 23;
    memset(tsr_heap.base, 0x77, 8 * bytes);
    memcpy(target, &first, bytes);
    tsr_atomic_swap_if(type, target, &other, &next, room + 1);
    assert_memory_equal(room + 1, &first, bytes);
    assert_memory_equal(target, &first, bytes);
    tsr_atomic_swap_if(type, target, &first, &next, room + 3);
    assert_memory_equal(room + 3, &first, bytes);
    assert_memory_equal(target, &next, bytes);
    assert_int_equal(target[-1], 0x77);
    assert_int_equal(target[bytes], 0x77);
  }
}

/* A swap without a result buffer works, and swaps floating-point numbers bitwise. */
static void test_swap_if_of_floats(void **state) {
  (void)state;
  double *target = (double *)(void *)(tsr_heap.base + 16), old = 5, plus = 0.0, minus = -0.0, nan = __builtin_nan("7");
  float complex *pair = (float complex *)(void *)(tsr_heap.base + 40), one = 1 + 2 * I, two = 3 + 4 * I, was = 0;
  *target = minus;
  tsr_atomic_swap_if(TSR_F64, target, &plus, &nan, &old);
  assert_memory_equal(&old, &minus, sizeof old);
  assert_memory_equal(target, &minus, sizeof minus);
  tsr_atomic_swap_if(TSR_F64, target, &minus, &nan, NULL);
  assert_memory_equal(target, &nan, sizeof nan);
  tsr_atomic_swap_if(TSR_F64, target, &nan, &plus, &old);
  assert_memory_equal(&old, &nan, sizeof nan);
  assert_memory_equal(target, &plus, sizeof plus);
  *pair = one;
  tsr_atomic_swap_if(TSR_C64, pair, &one, &two, &was);
  assert_memory_equal(&was, &one, sizeof one);
  assert_memory_equal(pair, &two, sizeof two);
}

/* Many at once. */

/* The words that all workers update, in the heap. The arrays lie across stripes. */
enum { ARRAY_N = 700 };
struct shared {
  uint64_t begun, fetched, swapped, multiplied, flags, smallest, largest;
  uint32_t fetched_32;
  uint16_t swapped_16;
  int8_t fetched_8;
  double single, token, swapped_f64, unlocked, unlocked_product, unlocked_most;
  float swapped_f32, unlocked_f32;
  _Alignas(PAGE) char gap[PAGE - 8];
  double edge[2]; /* the last of one stripe, the first of the next */
  int64_t integers[ARRAY_N];
  double doubles[ARRAY_N];
  long double extended[ARRAY_N];
  double complex complexes[ARRAY_N];
};
_Static_assert(sizeof(struct shared) <= HEAP_BYTES, "fits in the heap");

static struct shared *shared(void) { return (struct shared *)tsr_heap.base; }

static uint64_t fetch_u64(tsr_arith op, uint64_t *target, uint64_t operand) {
  uint64_t old;
  tsr_atomic_apply(TSR_U64, op, target, &operand, &old);
  return old;
}

static void increment_by_swaps(void *target, tsr_type type, size_t bytes) {
  uint64_t seen = 0, next = 0, old = 0;
  tsr_atomic_apply(type, TSR_NO_OP, target, NULL, &seen);
  for (;;) {
    next = seen + 1;
    tsr_atomic_swap_if(type, target, &seen, &next, &old);
    if (memcmp(&old, &seen, bytes) == 0) return;
    memcpy(&seen, &old, bytes);
  }
}

/* Compare-and-swaps against additions to the same number, which take the same lock. */
static void add_by_swaps(void) {
  struct shared *s = shared();
  double seen = 0, next, old;
  tsr_atomic_apply(TSR_F64, TSR_NO_OP, &s->swapped_f64, NULL, &seen);
  for (;; seen = old) {
    next = seen + 1;
    tsr_atomic_swap_if(TSR_F64, &s->swapped_f64, &seen, &next, &old);
    if (old == seen) break;
  }
  float one = 1, wide, more, was;
  tsr_atomic_apply(TSR_F32, TSR_SUM, &s->swapped_f32, &one, NULL);
  tsr_atomic_apply(TSR_F32, TSR_NO_OP, &s->swapped_f32, NULL, &wide);
  more = wide + 1;
  tsr_atomic_swap_if(TSR_F32, &s->swapped_f32, &wide, &more, &was);
  if (was == wide) more = -1, tsr_atomic_apply(TSR_F32, TSR_SUM, &s->swapped_f32, &more, NULL);
}

/* Operations that take no lock, and compare-and-swaps of the same bits. */
static void unlocked(int worker, int round) {
  struct shared *s = shared();
  double seen, next, old = 0, largest = round * WORKERS + worker;
  float one = 1;
  for (int i = 0; i < BURST; i++) tsr_atomic_apply_unlocked(TSR_F64, TSR_SUM, &s->unlocked, (double[]){0.5}, &old);
  tsr_atomic_apply(TSR_U64, TSR_NO_OP, &s->unlocked, NULL, &old);
  do {
    seen = old;
    next = seen + 1;
    tsr_atomic_swap_if(TSR_U64, &s->unlocked, &seen, &next, &old);
  } while (memcmp(&old, &seen, sizeof old) != 0);
  tsr_atomic_apply_unlocked(TSR_F64, TSR_PROD, &s->unlocked_product, (double[]){2}, NULL);
  tsr_atomic_apply_unlocked(TSR_F64, TSR_PROD, &s->unlocked_product, (double[]){0.5}, NULL);
  tsr_atomic_apply_unlocked(TSR_F64, TSR_MAX, &s->unlocked_most, &largest, NULL);
  tsr_atomic_apply_unlocked(TSR_F32, TSR_SUM, &s->unlocked_f32, &one, &one);
}

/* Returns the values that the worker took away from the token. */
static double singles(int worker, int round) {
  struct shared *s = shared();
  double one = 1, half = 0.5, old, taken;
  uint64_t minus_one = UINT64_MAX, bit = (uint64_t)1 << worker;
  fetch_u64(TSR_SUM, &s->fetched, 3);
  fetch_u64(TSR_SUM, &s->fetched, minus_one);
  tsr_atomic_apply(TSR_U32, TSR_SUM, &s->fetched_32, (uint32_t[]){5}, NULL);
  tsr_atomic_apply(TSR_I8, TSR_SUM, &s->fetched_8, (int8_t[]){round % 2 ? 1 : -1}, &(int8_t){0});
  increment_by_swaps(&s->swapped, TSR_U64, 8);
  increment_by_swaps(&s->swapped_16, TSR_U16, 2);
  add_by_swaps();
  tsr_atomic_apply(TSR_F64, TSR_SUM, &s->swapped_f64, &one, NULL);
  fetch_u64(TSR_PROD, &s->multiplied, 3);
  fetch_u64(round % 2 ? TSR_BXOR : TSR_BOR, &s->flags, bit); /* set, then cleared: only this worker changes the bit */
  fetch_u64(TSR_MIN, &s->smallest, 1000000 - (uint64_t)(round * WORKERS + worker));
  fetch_u64(TSR_MAX, &s->largest, (uint64_t)(round * WORKERS + worker));
  for (int i = 0; i < BURST; i++) tsr_atomic_apply(TSR_F64, TSR_SUM, &s->single, &one, &old);
  unlocked(worker, round);
  if (worker % 2) tsr_atomic_accumulate(TSR_F64, TSR_SUM, s->edge, (double[]){1, 1}, 2);
  else tsr_atomic_apply(TSR_F64, TSR_SUM, &s->edge[1], &one, NULL);
  tsr_atomic_apply(TSR_F64, TSR_SUM, &s->token, &half, NULL);
  tsr_atomic_apply(TSR_F64, TSR_REPLACE, &s->token, (double[]){0}, &taken);
  return taken;
}

static void arrays(int round) {
  static const int64_t ones[ARRAY_N] = {[0 ... ARRAY_N - 1] = 1};
  static const double doubles[ARRAY_N] = {[0 ... ARRAY_N - 1] = 0.25};
  static const long double extended[ARRAY_N] = {[0 ... ARRAY_N - 1] = 2.0L};
  static const double complex complexes[ARRAY_N] = {[0 ... ARRAY_N - 1] = 1.0 - 2.0 * I};
  struct shared *s = shared();
  int part = round % 8; /* different stretches, so that workers meet at different places */
  size_t from = (size_t)part * 17, n = ARRAY_N - 2 * from;
  tsr_atomic_accumulate(TSR_I64, TSR_SUM, s->integers + from, ones, n);
  tsr_atomic_accumulate(TSR_F64, TSR_SUM, s->doubles + from, doubles, n);
  tsr_atomic_accumulate(TSR_F80, TSR_SUM, s->extended + from, extended, n);
  tsr_atomic_accumulate(TSR_C128, TSR_SUM, s->complexes + from, complexes, n);
  for (size_t i = from; i < ARRAY_N - from; i += 97) { /* single operations on the same elements */
    tsr_atomic_apply(TSR_I64, TSR_SUM, &s->integers[i], (int64_t[]){1000}, NULL);
    tsr_atomic_apply(TSR_F64, TSR_SUM, &s->doubles[i], (double[]){1000}, NULL);
  }
}

/* Returns when all workers have started, so that they run at the same time. */
static void begin_together(void) {
  uint64_t there = fetch_u64(TSR_SUM, &shared()->begun, 1);
  while (there < WORKERS) {
    sched_yield();
    there = fetch_u64(TSR_NO_OP, &shared()->begun, 0);
  }
}

static double work(int worker) {
  double taken = 0;
  begin_together();
  for (int round = 0; round < ROUNDS; round++) {
    taken += singles(worker, round);
    if (round % 8 == worker % 8) arrays(round / 8);
  }
  return taken;
}

static void prepare(void) {
  struct shared *s = shared();
  s->multiplied = 1;
  s->smallest = UINT64_MAX;
  s->unlocked_product = 1;
}

static void check_singles(double taken) {
  const struct shared *s = shared();
  uint64_t all = WORKERS * ROUNDS, product = 1;
  for (uint64_t i = 0; i < all; i++) product *= 3;
  assert_int_equal(s->fetched, 2 * all);
  assert_int_equal(s->fetched_32, 5 * all);
  assert_int_equal(s->fetched_8, 0);
  assert_int_equal(s->swapped, all);
  assert_int_equal(s->swapped_16, all & 0xffff);
  assert_true(s->swapped_f64 == 2 * (double)all);
  assert_true(s->swapped_f32 == (float)all);
  assert_true(s->multiplied == product);
  assert_int_equal(s->flags, 0);
  assert_int_equal(s->smallest, 1000000 - (all - 1));
  assert_int_equal(s->largest, all - 1);
  assert_true(s->single == (double)(all * BURST));
  assert_true(s->unlocked == (BURST / 2 + 1) * (double)all);
  assert_true(s->unlocked_product == 1);
  assert_true(s->unlocked_most == (double)(all - 1));
  assert_true(s->unlocked_f32 == (float)all);
  assert_true(s->edge[0] == (double)all / 2);
  assert_true(s->edge[1] == (double)all);
  assert_true(taken + s->token == 0.5 * (double)all);
}

/* The results of the same work done by one worker. */
static void check_arrays(void) {
  static double elements[ARRAY_N], extra[ARRAY_N];
  const struct shared *s = shared();
  memset(elements, 0, sizeof elements);
  memset(extra, 0, sizeof extra);
  for (int worker = 0; worker < WORKERS; worker++) {
    for (int round = worker % 8; round < ROUNDS; round += 8) {
      size_t from = (size_t)(round / 8 % 8) * 17;
      for (size_t i = from; i < ARRAY_N - from; i++) elements[i]++;
      for (size_t i = from; i < ARRAY_N - from; i += 97) extra[i] += 1000;
    }
  }
  for (int i = 0; i < ARRAY_N; i++) {
    assert_int_equal(s->integers[i], (int64_t)(elements[i] + extra[i]));
    assert_true(s->doubles[i] == 0.25 * elements[i] + extra[i]);
    assert_true(s->extended[i] == 2 * elements[i]);
    assert_true(creal(s->complexes[i]) == elements[i] && cimag(s->complexes[i]) == -2 * elements[i]);
  }
}

struct job {
  pthread_t thread;
  int worker;
  double taken;
};

static void *run(void *arg) {
  struct job *job = arg;
  job->taken = work(job->worker);
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  struct job jobs[WORKERS];
  double taken = 0;
  prepare();
  for (int i = 0; i < WORKERS; i++) {
    jobs[i].worker = i;
    assert_int_equal(pthread_create(&jobs[i].thread, NULL, run, &jobs[i]), 0);
  }
  for (int i = 0; i < WORKERS; i++) {
    pthread_join(jobs[i].thread, NULL);
    taken += jobs[i].taken;
  }
  check_singles(taken);
  check_arrays();
}

/* Maps the memory again, at an address that no other worker uses: all would reserve the same range, most likely at the
 * same address. */
static void map_heap_apart(int worker) {
  size_t room_bytes = memory_bytes + HEAP_BYTES + WORKERS * PAGE;
  char *room = mmap(NULL, room_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) _exit(2);
  map_heap(room + worker * PAGE);
}

/* A pipe returns the values that a process took away. */
static void test_processes(void **state) {
  (void)state;
  int pipes[2];
  double taken = 0;
  prepare();
  assert_int_equal(pipe(pipes), 0);
  for (int i = 0; i < WORKERS; i++) {
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid > 0) continue;
    map_heap_apart(i);
    double mine = work(i);
    _exit(write(pipes[1], &mine, sizeof mine) != sizeof mine);
  }
  for (int i = 0; i < WORKERS; i++) {
    double theirs = 0;
    int status = -1;
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
    assert_int_equal(read(pipes[0], &theirs, sizeof theirs), sizeof theirs);
    taken += theirs;
  }
  close(pipes[0]);
  close(pipes[1]);
  check_singles(taken);
  check_arrays();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_every_type_and_operation, clear_heap),
      cmocka_unit_test_setup(test_unlocked, clear_heap),
      cmocka_unit_test_setup(test_arrays, clear_heap),
      cmocka_unit_test_setup(test_no_elements, clear_heap),
      cmocka_unit_test_setup(test_element_across_stripes, clear_heap),
      cmocka_unit_test_setup(test_swap_if, clear_heap),
      cmocka_unit_test_setup(test_swap_if_of_floats, clear_heap),
      cmocka_unit_test_setup(test_threads, clear_heap),
      cmocka_unit_test_setup(test_processes, clear_heap),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
