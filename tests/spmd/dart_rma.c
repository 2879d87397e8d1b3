/* Put and get: every way of completing them, sizes around the steps, every pair of units, teams, origins of every kind.
 * The target checks puts by plain loads, and other units by gets.
 * Group: dart_demanding
 */
#include "dart_check.h"

#include <sched.h>

static const size_t sizes[] = {0, 1, 7, 8, 64, 4095, 4096, 4097, 65536, (1 << 20) + 3};
enum { SIZES_N = sizeof sizes / sizeof sizes[0], SMALL_N = 8, LARGEST = (1 << 20) + 3, OFF = 5 };

/* How an operation is started and how it is completed. */
enum way {
  BLOCKING, FLUSH, FLUSH_ALL, FLUSH_LOCAL, FLUSH_LOCAL_ALL, WAIT, WAITALL, WAIT_LOCAL, WAITALL_LOCAL, TEST, TESTALL,
  TEST_LOCAL, TESTALL_LOCAL, FREE, WAYS_N
};

static dart_gptr_t base;
static unsigned char *mine;

static dart_ret_t test(enum way way, dart_handle_t handles[], int32_t *done) {
  switch (way) {
  case TEST: return dart_test(&handles[0], done);
  case TEST_LOCAL: return dart_test_local(&handles[0], done);
  case TESTALL: return dart_testall(handles, 3, done);
  default: return dart_testall_local(handles, 3, done);
  }
}

/* Tests until it is complete. The first and the last handle of the array are null or complete. */
static void test_until_done(enum way way, dart_handle_t handles[]) {
  int32_t done = 0;
  while (!done) {
    done = 77;
    OK(test(way, handles, &done));
    CHECK(done == 0 || done == 1);
    if (!done) sched_yield();
  }
}

/* Completes at the origin by the way's own call; by a flush if that does not complete at the target. */
static void complete(enum way way, dart_gptr_t target, dart_handle_t handles[]) {
  switch (way) {
  case FLUSH: OK(dart_flush(target)); break;
  case FLUSH_ALL: OK(dart_flush_all(target)); break;
  case FLUSH_LOCAL: OK(dart_flush_local(target)); break;
  case FLUSH_LOCAL_ALL: OK(dart_flush_local_all(target)); break;
  case WAIT: OK(dart_wait(&handles[0])); break;
  case WAITALL: OK(dart_waitall(handles, 3)); break;
  case WAIT_LOCAL: OK(dart_wait_local(&handles[0])); break;
  case WAITALL_LOCAL: OK(dart_waitall_local(handles, 3)); break;
  case TEST: case TESTALL: case TEST_LOCAL: case TESTALL_LOCAL: test_until_done(way, handles); break;
  case FREE: OK(dart_handle_free(&handles[0])); break;
  default: break;
  }
  for (int i = 0; i < 3; i++) CHECK(handles[i] == DART_HANDLE_NULL);
}

static void put(enum way way, dart_gptr_t target, void *data, size_t bytes) {
  dart_handle_t handles[3] = {DART_HANDLE_NULL, DART_HANDLE_NULL, DART_HANDLE_NULL};
  if (way == BLOCKING) {
    OK(dart_put_blocking(target, data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    return;
  }
  if (way <= FLUSH_LOCAL_ALL) OK(dart_put(target, data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  else OK(dart_put_handle(target, data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handles[0]));
  complete(way, target, handles);
  bool is_local = way == FLUSH_LOCAL || way == FLUSH_LOCAL_ALL || way == WAIT_LOCAL || way == WAITALL_LOCAL ||
                  way == TEST_LOCAL || way == TESTALL_LOCAL;
  if (is_local) memset(data, 0, bytes); /* the buffer may be reused */
  if (is_local || way == FREE) OK(dart_flush(target));
}

static void get(enum way way, void *data, dart_gptr_t target, size_t bytes) {
  dart_handle_t handles[3] = {DART_HANDLE_NULL, DART_HANDLE_NULL, DART_HANDLE_NULL};
  if (way == BLOCKING) {
    OK(dart_get_blocking(data, target, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    return;
  }
  if (way <= FLUSH_LOCAL_ALL) OK(dart_get(data, target, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
  else OK(dart_get_handle(data, target, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handles[1]));
  if (way > FLUSH_LOCAL_ALL && way != WAITALL && way != WAITALL_LOCAL && way != TESTALL && way != TESTALL_LOCAL) {
    handles[0] = handles[1];
    handles[1] = DART_HANDLE_NULL;
  }
  complete(way, target, handles);
  if (way == FREE) OK(dart_flush_local(target));
}

/* Each unit writes to the right and reads back; its right neighbour reads it too. */
static void ring(enum way way, size_t bytes, unsigned char *data) {
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n, second = (self + units_n - 2) % units_n;
  unsigned key = (unsigned)way * 31;
  memset(mine, GUARD, bytes + OFF + 1);
  barrier();
  fill(data, key + (unsigned)self, bytes);
  put(way, at(base, right, OFF), data, bytes);
  barrier();
  CHECK_EQ(wrong(mine + OFF, key + (unsigned)left, bytes), 0);
  CHECK_EQ(touched(mine, OFF) + touched(mine + OFF + bytes, 1), 0);
  memset(data, GUARD, bytes + 1);
  get(way, data, at(base, right, OFF), bytes);
  CHECK_EQ(wrong(data, key + (unsigned)self, bytes), 0);
  get(way, data, at(base, left, OFF), bytes);
  CHECK_EQ(wrong(data, key + (unsigned)second, bytes), 0);
  CHECK_EQ(touched(data + bytes, 1), 0);
  barrier();
}

/* Long ones by three of the ways. */
static void rings(void) {
  unsigned char *data = private_buffer(LARGEST);
  for (int way = 0; way < WAYS_N; way++) {
    int n = way == BLOCKING || way == FLUSH || way == WAITALL ? SIZES_N : SMALL_N;
    for (int i = 0; i < n; i++) ring((enum way)way, sizes[i], data);
  }
  free(data);
}

/* All units write to all at once, and then read from all. */
static void all_to_all(enum way way, size_t bytes) {
  unsigned char *out = private_buffer(bytes * (size_t)units_n), *in = private_buffer(bytes * (size_t)units_n);
  dart_handle_t handles[64] = {DART_HANDLE_NULL};
  for (int i = 0; i < units_n; i++) {
    int to = (self + i) % units_n;
    unsigned char *block = out + (size_t)to * bytes;
    fill(block, (unsigned)(self * 10 + to), bytes);
    dart_gptr_t there = at(base, to, self * (int64_t)bytes);
    if (way == FLUSH_ALL) OK(dart_put(there, block, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    else OK(dart_put_handle(there, block, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handles[i]));
  }
  OK(way == FLUSH_ALL ? dart_flush_all(base) : dart_waitall(handles, (size_t)units_n));
  barrier();
  for (int from = 0; from < units_n; from++) {
    CHECK(handles[from] == DART_HANDLE_NULL);
    CHECK_EQ(wrong(mine + (size_t)from * bytes, (unsigned)(from * 10 + self), bytes), 0);
    dart_gptr_t there = at(base, from, (units_n - 1 - self) * (int64_t)bytes);
    if (way == FLUSH_ALL) OK(dart_get(in + (size_t)from * bytes, there, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    else OK(dart_get_handle(in + (size_t)from * bytes, there, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE, &handles[from]));
  }
  OK(way == FLUSH_ALL ? dart_flush_local_all(base) : dart_waitall_local(handles, (size_t)units_n));
  for (int from = 0; from < units_n; from++) {
    CHECK_EQ(wrong(in + (size_t)from * bytes, (unsigned)((units_n - 1 - self) * 10 + from), bytes), 0);
  }
  barrier();
  free(out);
  free(in);
}

/* More at once than there are wire buffers; one flush for each target, in another order than they started. */
static void many_at_once(void) {
  enum { N = 300 };
  static int64_t out[N], in[N];
  static dart_handle_t handles[N];
  for (int i = 0; i < N; i++) {
    int to = (self + i) % units_n;
    out[i] = self * 100000 + i;
    OK(dart_put(at(base, to, (self * N + i) * 8), &out[i], 1, DART_TYPE_LONG, DART_TYPE_LONG));
  }
  for (int to = units_n - 1; to >= 0; to--) OK(dart_flush(at(base, to, 0)));
  barrier();
  for (int i = 0; i < N * units_n; i++) {
    if ((i / N + i % N) % units_n == self) CHECK_EQ(((int64_t *)mine)[i], i / N * 100000 + i % N);
  }
  for (int i = 0; i < N; i++) {
    int from = (self + i) % units_n;
    OK(dart_get_handle(&in[i], at(base, from, (self * N + i) * 8), 1, DART_TYPE_LONG, DART_TYPE_LONG, &handles[i]));
  }
  OK(dart_waitall(handles, N));
  for (int i = 0; i < N; i++) CHECK(in[i] == out[i] && handles[i] == DART_HANDLE_NULL);
  barrier();
}

/* All basic types; only the size of a type matters to a put. */
static void types(void) {
  unsigned char data[16 * 5], back[16 * 5];
  int right = (self + 1) % units_n;
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    size_t bytes = 5 * basic_types[i].bytes;
    fill(data, (unsigned)(self + i), bytes);
    memset(back, GUARD, sizeof back);
    OK(dart_put_blocking(at(base, right, 64), data, 5, basic_types[i].type, basic_types[i].type));
    OK(dart_get_blocking(back, at(base, right, 64), 5, basic_types[i].type, basic_types[i].type));
    CHECK_EQ(wrong(back, (unsigned)(self + i), bytes), 0);
    CHECK_EQ(touched(back + bytes, sizeof back - bytes), 0);
  }
  barrier();
}

/* Origins in read-only memory, on the stack, in a local block and in the segment itself; also targets there. */
static void origins(void) {
  static const int64_t constant[2] = {11, 12};
  int64_t on_stack[2] = {21 + self, 22};
  dart_gptr_t local = DART_GPTR_NULL;
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n;
  OK(dart_memalloc(2, DART_TYPE_LONG, &local));
  int64_t *block = own_part(local, self), *words = (int64_t *)mine;
  block[0] = 31 + self;
  block[1] = 32;
  words[100] = 41 + self;
  barrier();
  OK(dart_put(at(base, right, 0), constant, 2, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_put(at(base, right, 16), on_stack, 2, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_put(at(base, right, 32), block, 2, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_put(at(base, right, 48), words + 100, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_flush(at(base, right, 0)));
  barrier();
  CHECK(words[0] == 11 && words[1] == 12 && words[2] == 21 + left && words[3] == 22);
  CHECK(words[4] == 31 + left && words[5] == 32 && words[6] == 41 + left);
  OK(dart_get_blocking(block, at(base, right, 16), 2, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_get_blocking(words + 200, at(base, right, 800), 1, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK(block[0] == 21 + self && block[1] == 22 && words[200] == 41 + right);
  barrier();
  OK(dart_memfree(local));
}

/* Units are numbered as in the team: the odd units and the even ones, each in a team. */
static void on_teams(void) {
  unsigned all = (1u << units_n) - 1;
  dart_team_t even = team_of(EVEN_UNITS & all), odd = units_n > 1 ? team_of(ODD_UNITS & all) : DART_TEAM_NULL;
  dart_team_t team = self % 2 ? odd : even;
  int me = team_self(team), n = team_units_n(team);
  dart_gptr_t segment = team_alloc(team, (size_t)n, DART_TYPE_INT);
  int *here = own_part(segment, me);
  for (int to = 0; to < n; to++) {
    int value = self * 100 + to;
    OK(dart_put_blocking(at(segment, to, me * 4), &value, 1, DART_TYPE_INT, DART_TYPE_INT));
  }
  CHECK_EQ(dart_put_blocking(at(segment, n, 0), &n, 1, DART_TYPE_INT, DART_TYPE_INT), DART_ERR_INVAL);
  OK(dart_barrier(team));
  for (int from = 0; from < n; from++) {
    int value = -1;
    CHECK_EQ(here[from], (2 * from + self % 2) * 100 + me);
    OK(dart_get_blocking(&value, at(segment, from, me * 4), 1, DART_TYPE_INT, DART_TYPE_INT));
    CHECK_EQ(value, self * 100 + from);
  }
  OK(dart_barrier(team));
  OK(dart_team_memfree(segment));
  OK(dart_team_destroy(&team));
}

/* On the own node all transfers are complete at once, and no handle is needed. */
static void null_handles(void) {
  int32_t node = tessera_node(), nodes[64], done = 77;
  int64_t word = self;
  OK(dart_allgather(&node, nodes, 1, DART_TYPE_INT, DART_TEAM_ALL));
  for (int to = 0; to < units_n; to++) {
    dart_handle_t one = (dart_handle_t)&word, other = (dart_handle_t)&word;
    OK(dart_put_handle(at(base, to, self * 8), &word, 1, DART_TYPE_LONG, DART_TYPE_LONG, &one));
    if (nodes[to] == node) CHECK(one == DART_HANDLE_NULL);
    OK(dart_wait(&one));
    OK(dart_get_handle(&word, at(base, to, self * 8), 1, DART_TYPE_LONG, DART_TYPE_LONG, &other));
    if (nodes[to] == node) CHECK(other == DART_HANDLE_NULL);
    OK(dart_wait(&other));
    CHECK_EQ(word, self);
  }
  dart_handle_t none[3] = {DART_HANDLE_NULL, DART_HANDLE_NULL, DART_HANDLE_NULL};
  for (int way = WAIT; way < WAYS_N; way++) complete((enum way)way, base, none);
  OK(dart_waitall(NULL, 0));
  OK(dart_waitall_local(none, 0));
  OK(dart_testall(none, 0, &done));
  CHECK_EQ(done, 1);
  done = 77;
  OK(dart_testall_local(NULL, 0, &done));
  CHECK_EQ(done, 1);
  barrier();
}

/* A handle that was waited for is known as such, and so is an invalid one. A failure does not affect the others. */
static void stale_handles(void) {
  int64_t words[2] = {1, 2};
  int32_t done = 77;
  int far = (self + units_n / 2) % units_n;
  dart_handle_t live = DART_HANDLE_NULL, stale, garbage = (dart_handle_t)0x123456789;
  OK(dart_put_handle(at(base, far, self * 16), &words[0], 1, DART_TYPE_LONG, DART_TYPE_LONG, &stale));
  dart_handle_t copy = stale;
  OK(dart_wait(&copy));
  OK(dart_put_handle(at(base, far, self * 16 + 8), &words[1], 1, DART_TYPE_LONG, DART_TYPE_LONG, &live));
  for (int i = 0; i < 2; i++) {
    dart_handle_t bad = i ? garbage : stale, list[3] = {live, DART_HANDLE_NULL, bad};
    if (bad == DART_HANDLE_NULL) continue;
    CHECK_EQ(dart_wait(&bad), DART_ERR_INVAL);
    CHECK_EQ(dart_wait_local(&bad), DART_ERR_INVAL);
    CHECK_EQ(dart_handle_free(&bad), DART_ERR_INVAL);
    CHECK_EQ(dart_test(&bad, &done), DART_ERR_INVAL);
    CHECK_EQ(dart_test_local(&bad, &done), DART_ERR_INVAL);
    CHECK_EQ(dart_waitall(list, 3), DART_ERR_INVAL);
    CHECK_EQ(dart_waitall_local(list, 3), DART_ERR_INVAL);
    CHECK_EQ(dart_testall(list, 3, &done), DART_ERR_INVAL);
    CHECK_EQ(dart_testall_local(list, 3, &done), DART_ERR_INVAL);
    CHECK(list[0] == live && list[2] == bad && bad == (i ? garbage : stale) && done == 0);
  }
  CHECK_EQ(dart_test(&live, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_testall(&live, 1, NULL), DART_ERR_INVAL);
  OK(dart_wait(&live));
  barrier();
  int near = (self + units_n - units_n / 2) % units_n;
  CHECK(((int64_t *)mine)[near * 2] == 1 && ((int64_t *)mine)[near * 2 + 1] == 2);
  barrier();
}

/* Forty megabytes to the right and back. */
static void very_long(void) {
  enum { BYTES = 40 << 20 };
  if (units_n > 4) return;
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n;
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, BYTES / 8, DART_TYPE_LONG);
  uint64_t *data = private_buffer(BYTES), *here = own_part(segment, self), bad = 0;
  for (uint64_t i = 0; i < BYTES / 8; i++) data[i] = i * 2654435761u + (uint64_t)self;
  OK(dart_put_blocking(at(segment, right, 0), data, BYTES / 8, DART_TYPE_LONG, DART_TYPE_LONG));
  barrier();
  for (uint64_t i = 0; i < BYTES / 8; i++) bad += here[i] != i * 2654435761u + (uint64_t)left;
  memset(data, 0, BYTES);
  OK(dart_get(data, at(segment, right, 0), BYTES / 8, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_flush_local(at(segment, right, 0)));
  for (uint64_t i = 0; i < BYTES / 8; i++) bad += data[i] != i * 2654435761u + (uint64_t)self;
  CHECK_EQ(bad, 0);
  barrier();
  free(data);
  OK(dart_team_memfree(segment));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  base = team_alloc(DART_TEAM_ALL, 2 << 20, DART_TYPE_BYTE);
  mine = own_part(base, self);
  rings();
  for (int i = 0; i < SIZES_N - 1; i++) all_to_all(i % 2 ? FLUSH_ALL : WAITALL, sizes[i]);
  many_at_once();
  types();
  origins();
  on_teams();
  null_handles();
  stale_handles();
  OK(dart_team_memfree(base));
  very_long();
  return finish();
}
