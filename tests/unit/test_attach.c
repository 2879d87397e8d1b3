#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/config.h"
#include "core/place.h"
#include "node/attach.h"
#include "node/heap.h"
#include "vis/strided.h"
#include "vis/vector.h"

/* Two processes on one node: the test is unit 0, and a child that only sleeps is unit 1. The child has a copy of the
 * test's memory at the same addresses. */
enum { BYTES = 1 << 20, TESTER = 0, CHILD = 1 };
static unsigned char memory[BYTES];
static pid_t child;

/* Replaces the C library's functions: counts the calls, and lets each move at most `cut_bytes` (0: no limit), as the
 * kernel may. */
static int calls_n;
static size_t cut_bytes;

static ssize_t call(long number, pid_t pid, const struct iovec *ours, unsigned long ours_n, const struct iovec *theirs,
                    unsigned long theirs_n, unsigned long flags) {
  struct iovec first;
  calls_n++;
  if (cut_bytes && theirs_n) {
    first = (struct iovec){theirs->iov_base, theirs->iov_len < cut_bytes ? theirs->iov_len : cut_bytes};
    theirs = &first;
    theirs_n = 1;
  }
  return syscall(number, pid, ours, ours_n, theirs, theirs_n, flags);
}
ssize_t process_vm_readv(pid_t pid, const struct iovec *ours, unsigned long ours_n, const struct iovec *theirs,
                         unsigned long theirs_n, unsigned long flags) {
  return call(SYS_process_vm_readv, pid, ours, ours_n, theirs, theirs_n, flags);
}
ssize_t process_vm_writev(pid_t pid, const struct iovec *ours, unsigned long ours_n, const struct iovec *theirs,
                          unsigned long theirs_n, unsigned long flags) {
  return call(SYS_process_vm_writev, pid, ours, ours_n, theirs, theirs_n, flags);
}

/* An array as one side of a copy. */
struct array {
  struct tsr_attach_side side;
  const struct iovec *at;
  size_t left_n;
};

static bool next_of_array(struct tsr_attach_side *side) {
  struct array *array = (struct array *)side;
  if (array->left_n == 0) return false;
  side->entry = *array->at++;
  array->left_n--;
  return true;
}

static struct array array_of(const struct iovec *list, size_t n) {
  struct array array = {{{NULL, 0}, next_of_array}, list, n};
  if (n == 1) array.side = tsr_attach_one(list->iov_base, list->iov_len);
  return array;
}

static tessera_status_t copy(enum tsr_attach_way way, const struct iovec *ours, size_t ours_n,
                             const struct iovec *theirs, size_t theirs_n) {
  struct array here = array_of(ours, ours_n), there = array_of(theirs, theirs_n);
  return tsr_attach_copy(CHILD, way, &here.side, &there.side);
}

static unsigned char pattern(size_t i) { return (unsigned char)(i * 7 + (i >> 8) * 3 + 1); }

/* The child publishes itself, and then writes a byte. */
static void be_unit_1(int ready) {
  char byte = 1;
  tsr_heap.self = CHILD;
  bool started = tsr_attach_start() == TESSERA_OK;
  for (size_t i = 0; i < BYTES; i++) memory[i] = pattern(i);
  if (!started || write(ready, &byte, 1) != 1) _exit(1);
  for (;;) pause();
}

static int start_units(void **state) {
  (void)state;
  tsr_place = (struct tsr_place){.self = TESTER, .units_n = 2, .nodes_n = 1, .count = 2};
  int ready[2];
  char byte = 0;
  const struct tsr_heap_shape shape = {2, TSR_HEAP_SLICE_ORDER_MIN, 2};
  int fd = tsr_heap_make(&shape);
  if (fd < 0 || tsr_heap_map(fd, &shape, TESTER, NULL) || pipe(ready)) return -1;
  close(fd);
  tsr_memory_init(tsr_heap.memory, 2, TSR_HEAP_SLICE_ORDER_MIN, 1);
  tsr_heap_unit(CHILD)->unit = 1;
  child = fork();
  if (child == 0) be_unit_1(ready[1]);
  ssize_t got = read(ready[0], &byte, 1);
  close(ready[0]);
  close(ready[1]);
  return child > 0 && got == 1 && tsr_attach_start() == TESSERA_OK ? 0 : -1;
}

static int end_units(void **state) {
  (void)state;
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  tsr_attach_stop();
  tsr_heap_unmap();
  tsr_config.attach = TSR_ATTACH_AUTO;
  return 0;
}

static void skip_where_refused(void) {
  if (!tsr_attach_works(CHILD)) skip();
}

static void reads_and_writes(void **state) {
  (void)state;
  skip_where_refused();
  static unsigned char got[BYTES];
  struct iovec ours = {got, BYTES}, theirs = {memory, BYTES};
  assert_int_equal(copy(TSR_ATTACH_GET, &ours, 1, &theirs, 1), TESSERA_OK);
  for (size_t i = 0; i < BYTES; i++) assert_int_equal(got[i], pattern(i));
  static unsigned char data[1000];
  memset(data, 0x5a, sizeof data);
  ours = (struct iovec){data, 1000};
  theirs = (struct iovec){memory + 77, 1000};
  assert_int_equal(copy(TSR_ATTACH_PUT, &ours, 1, &theirs, 1), TESSERA_OK);
  ours = (struct iovec){got, BYTES};
  theirs = (struct iovec){memory, BYTES};
  assert_int_equal(copy(TSR_ATTACH_GET, &ours, 1, &theirs, 1), TESSERA_OK);
  for (size_t i = 0; i < BYTES; i++) assert_int_equal(got[i], i >= 77 && i < 1077 ? 0x5a : pattern(i));
  assert_int_equal(memory[77], 0); /* the test's own memory is another copy */
  for (size_t i = 0; i < sizeof data; i++) data[i] = pattern(77 + i);
  ours = (struct iovec){data, 1000};
  theirs = (struct iovec){memory + 77, 1000};
  assert_int_equal(copy(TSR_ATTACH_PUT, &ours, 1, &theirs, 1), TESSERA_OK);
}

/* More entries than the kernel takes in one call, with different lengths on both sides, some of them empty. */
static void long_lists(void **state) {
  (void)state;
  skip_where_refused();
  enum { OURS_N = 5000, THEIRS_N = 3001 };
  static struct iovec ours[OURS_N + 1], theirs[THEIRS_N + 1];
  static unsigned char got[BYTES];
  size_t total = 0, sum = 0;
  for (size_t i = 0; i < OURS_N; i++) {
    size_t length = i % 11 * 3;
    ours[i] = (struct iovec){got + total, length};
    total += length;
  }
  for (size_t i = 0; i < THEIRS_N; i++) { /* backwards through the child's memory */
    size_t length = i % 7 ? i % 5 * 8 : 0;
    if (length > total - sum) length = total - sum;
    sum += length;
    theirs[i] = (struct iovec){memory + BYTES - 2 * sum, length};
  }
  theirs[THEIRS_N] = (struct iovec){memory, total - sum};
  calls_n = 0;
  assert_int_equal(copy(TSR_ATTACH_GET, ours, OURS_N, theirs, THEIRS_N + 1), TESSERA_OK);
  assert_in_range(calls_n, 1, (OURS_N + THEIRS_N) / 256);
  const unsigned char *at = got;
  for (size_t i = 0; i <= THEIRS_N; i++) {
    size_t from = (size_t)((unsigned char *)theirs[i].iov_base - memory);
    for (size_t k = 0; k < theirs[i].iov_len; k++) assert_int_equal(*at++, pattern(from + k));
  }
}

/* The kernel may end a call anywhere, also inside an entry. */
static void short_calls(void **state) {
  (void)state;
  skip_where_refused();
  enum { N = 700, MOST = 24 };
  static struct iovec ours[N], theirs[N];
  static unsigned char got[N * MOST], expected[N * MOST];
  size_t total = 0;
  for (size_t i = 0; i < N; i++) {
    size_t length = i % MOST, from = i * 97 + 13;
    theirs[i] = (struct iovec){memory + from, length};
    for (size_t k = 0; k < length; k++) expected[total++] = pattern(from + k);
  }
  for (size_t i = 0, at = 0, left = total; i < N; i++, at += ours[i - 1].iov_len, left = total - at)
    ours[i] = (struct iovec){got + at, i == N - 1 || left < 40 ? left : i % 3 * 12};
  struct iovec line = {got, total}, far = {memory + 5, total};
  for (cut_bytes = 1; cut_bytes <= MOST; cut_bytes += 5) {
    memset(got, 0, sizeof got);
    assert_int_equal(copy(TSR_ATTACH_GET, ours, N, theirs, N), TESSERA_OK);
    assert_memory_equal(got, expected, total);
    memset(got, 0, sizeof got);
    assert_int_equal(copy(TSR_ATTACH_GET, &line, 1, theirs, N), TESSERA_OK);
    assert_memory_equal(got, expected, total);
    assert_int_equal(copy(TSR_ATTACH_GET, &line, 1, &far, 1), TESSERA_OK);
    for (size_t i = 0; i < total; i++) assert_int_equal(got[i], pattern(5 + i));
  }
  cut_bytes = 0;
}

/* Lists of runs and layouts, on one side or on both, need one call for hundreds of pieces. */
static void pieces_share_calls(void **state) {
  (void)state;
  skip_where_refused();
  enum { N = 3000, EACH = 8, FEW = 3 * (N / 500 + 2) };
  static ptrdiff_t offs[N];
  static unsigned char got[N * EACH], spread[N * 24];
  for (size_t i = 0; i < N; i++) offs[i] = (ptrdiff_t)((i * 7) % N * 24);
  tsr_iov iov = {offs, NULL, EACH, N, 1, 0}, line = tsr_iov_contiguous(sizeof got);
  tsr_layout grid = tsr_layout_strided(EACH, N, 24), row = tsr_layout_contiguous(sizeof got);
  tsr_addr there = tsr_addr_outside(TSR_UNIT(CHILD), memory);
  tsr_op op = {0};
  calls_n = 0;
  assert_int_equal(tsr_get_iov(got, &line, there, &iov, &op), TESSERA_OK);
  for (size_t i = 0; i < sizeof got; i++) assert_int_equal(got[i], pattern((size_t)offs[i / EACH] + i % EACH));
  assert_int_equal(tsr_get_iov(spread, &iov, there, &iov, &op), TESSERA_OK);
  for (size_t i = 0; i < sizeof spread; i++) assert_int_equal(spread[i], i % 24 < EACH ? pattern(i) : 0);
  assert_int_equal(tsr_put_iov(there, &iov, got, &line, &op), TESSERA_OK); /* the old content */
  assert_in_range(calls_n, 3, FEW);
  calls_n = 0;
  assert_int_equal(tsr_get_layout(got, &row, there, &grid, &op), TESSERA_OK);
  for (size_t i = 0; i < sizeof got; i++) assert_int_equal(got[i], pattern(i / EACH * 24 + i % EACH));
  memset(spread, 0, sizeof spread);
  assert_int_equal(tsr_get_layout(spread, &grid, there, &grid, &op), TESSERA_OK);
  for (size_t i = 0; i < sizeof spread; i++) assert_int_equal(spread[i], i % 24 < EACH ? pattern(i) : 0);
  assert_int_equal(tsr_put_layout(there, &grid, got, &row, &op), TESSERA_OK);
  assert_in_range(calls_n, 3, FEW);
}

static void nothing(void **state) {
  (void)state;
  skip_where_refused();
  struct iovec none[3] = {{NULL, 0}, {memory, 0}, {NULL, 0}};
  assert_int_equal(copy(TSR_ATTACH_PUT, NULL, 0, NULL, 0), TESSERA_OK);
  assert_int_equal(copy(TSR_ATTACH_GET, none, 3, none, 2), TESSERA_OK);
}

/* More than the kernel moves in one call: the same MiB of the child's memory many times. */
static void more_than_two_gib(void **state) {
  (void)state;
  skip_where_refused();
  enum { TIMES_N = 2100 };
  static struct iovec ours[TIMES_N], theirs[TIMES_N];
  static unsigned char got[BYTES];
  for (size_t i = 0; i < TIMES_N; i++) {
    ours[i] = (struct iovec){got, BYTES};
    theirs[i] = (struct iovec){memory, BYTES};
  }
  assert_int_equal(copy(TSR_ATTACH_GET, ours, TIMES_N, theirs, TIMES_N), TESSERA_OK);
  for (size_t i = 2000; i < BYTES; i++) assert_int_equal(got[i], pattern(i));
}

/* Memory that is not mapped, or is read-only, is an error; the entries before it have been copied. */
static void bad_memory(void **state) {
  (void)state;
  skip_where_refused();
  static unsigned char got[64];
  struct iovec ours = {got, 64}, theirs[2] = {{memory, 32}, {(void *)4096, 32}};
  assert_int_equal(copy(TSR_ATTACH_GET, &ours, 1, theirs, 2), TESSERA_ERR_SYSTEM);
  for (size_t i = 0; i < 64; i++) assert_int_equal(got[i], i < 32 ? pattern(i) : 0);
  struct iovec hole[2] = {{NULL, 8}, {got + 40, 24}};
  assert_int_equal(copy(TSR_ATTACH_GET, hole, 2, theirs, 1), TESSERA_ERR_SYSTEM);
  struct iovec text = {(void *)(uintptr_t)tsr_attach_copy, 64};
  assert_int_equal(copy(TSR_ATTACH_PUT, &ours, 1, &text, 1), TESSERA_ERR_SYSTEM);
}

/* Forgets what was found out, as a new start does. */
static void start_again(void) {
  tsr_attach_stop();
  assert_int_equal(tsr_attach_start(), TESSERA_OK);
}

static void refused(void) {
  unsigned char byte = 9;
  struct iovec one = {&byte, 1};
  assert_false(tsr_attach_works(CHILD));
  assert_int_equal(copy(TSR_ATTACH_GET, &one, 1, &one, 1), TESSERA_ERR_UNSUPPORTED);
  assert_int_equal(byte, 9);
}

/* A pid that is another process here, as in another pid namespace; no process at all; an owner that forbids it. */
static void wrong_process(void **state) {
  (void)state;
  skip_where_refused();
  struct tsr_node_unit *unit = tsr_heap_unit(CHILD);
  const pid_t pids[] = {getpid(), 0, 1 << 28};
  for (size_t i = 0; i < sizeof pids / sizeof *pids; i++) {
    unit->attach_pid = pids[i];
    unit->attach_token ^= 1; /* the test has its own token at the same address, as the child does */
    start_again();
    refused();
    unit->attach_token ^= 1;
  }
  unit->attach_pid = child;
  start_again();
  assert_true(tsr_attach_works(CHILD));
}

static void switched_off(void **state) {
  (void)state;
  tsr_config.attach = TSR_ATTACH_OFF;
  start_again();
  refused();
  tsr_config.attach = TSR_ATTACH_AUTO;
  start_again();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_and_writes), cmocka_unit_test(long_lists),    cmocka_unit_test(short_calls),
      cmocka_unit_test(pieces_share_calls), cmocka_unit_test(nothing),
      cmocka_unit_test(more_than_two_gib), cmocka_unit_test(bad_memory),   cmocka_unit_test(wrong_process),
      cmocka_unit_test(switched_off),
  };
  return cmocka_run_group_tests(tests, start_units, end_units);
}
