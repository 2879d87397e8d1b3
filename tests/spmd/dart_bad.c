/* Wrong calls: each returns the code of the header, prints one line that names the call, and has no effect. */
#include "dart_says.h"

enum { BYTES = 4096 };

/* The wrong calls must not change these. */
static dart_gptr_t canary;
static unsigned char private_canary[BYTES + 256];
static int64_t numbers[4] = {1, 2, 3, 4};

static void hatch(void) {
  canary = team_alloc(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE);
  memset(own_part(canary, self), GUARD, BYTES);
  memset(private_canary, GUARD, sizeof private_canary);
  barrier();
}

static void still_sings(void) {
  barrier();
  CHECK_EQ(touched(own_part(canary, self), BYTES), 0);
  CHECK_EQ(touched(private_canary, sizeof private_canary), 0);
  CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3 && numbers[3] == 4);
}

/* Every call that takes a pointer rejects this one. */
static void refused(dart_gptr_t bad) {
  void *out = private_canary;
  dart_handle_t handle = DART_HANDLE_NULL;
  INVAL(dart_put_blocking(bad, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_put(bad, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_put_handle(bad, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  INVAL(dart_get_blocking(out, bad, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_get(out, bad, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_get_handle(out, bad, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  INVAL(dart_accumulate(bad, numbers, 1, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_accumulate_blocking_local(bad, numbers, 1, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_fetch_and_op(bad, numbers, out, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_compare_and_swap(bad, numbers, numbers, out, DART_TYPE_LONG));
  CHECK(handle == DART_HANDLE_NULL);
}

/* So does every call that only names its segment. */
static void no_segment(dart_gptr_t bad) {
  void *address = private_canary;
  uint16_t flags = 77;
  dart_gptr_t same = bad;
  refused(bad);
  INVAL(dart_flush(bad));
  INVAL(dart_flush_all(bad));
  INVAL(dart_flush_local(bad));
  INVAL(dart_flush_local_all(bad));
  INVAL(dart_gptr_getaddr(bad, &address));
  INVAL(dart_gptr_setaddr(&same, address));
  INVAL(dart_gptr_getflags(bad, &flags));
  INVAL(dart_gptr_setflags(&same, 3));
  CHECK(address == private_canary && flags == 77 && DART_GPTR_EQUAL(same, bad) && same.flags == bad.flags);
}

static void dangling_pointers(void) {
  dart_gptr_t freed = team_alloc(DART_TEAM_ALL, 64, DART_TYPE_LONG), bad = canary, local = DART_GPTR_NULL;
  OK(dart_team_memfree(freed));
  no_segment(freed);
  INVAL(dart_team_memfree(freed));
  no_segment(DART_GPTR_NULL);
  bad.segid = 32767;
  no_segment(bad);
  INVAL(dart_team_memfree(bad));
  bad.segid = -1;
  no_segment(bad);
  INVAL(dart_team_memfree(bad));
  bad = canary;
  bad.teamid = 32767;
  no_segment(bad);
  INVAL(dart_team_memfree(bad));
  OK(dart_memalloc(1, DART_TYPE_LONG, &local));
  INVAL(dart_team_memfree(local));
  OK(dart_memfree(local));
  INVAL(dart_memfree(local));
  INVAL(dart_memfree(canary));
  INVAL(dart_memfree(DART_GPTR_NULL));
  bad = at(local, self, (int64_t)1 << 62);
  refused(bad);
  INVAL(dart_memfree(bad));
}

static void out_of_range(void) {
  static const int64_t offs[] = {BYTES, BYTES + 8, 1 << 30, -8, -BYTES, INT64_MIN, INT64_MAX & ~7};
  for (size_t i = 0; i < sizeof offs / sizeof offs[0]; i++) refused(at(canary, units_n - 1, offs[i]));
  refused(at(canary, units_n - 1, BYTES - 4));
  static const int numbers_of_units[] = {-1, -2, -8388608, 8388607};
  for (int i = 0; i < 4; i++) refused(at(canary, numbers_of_units[i], 0));
  dart_gptr_t beyond = at(canary, units_n, 0);
  refused(beyond);
  INVAL(dart_flush(beyond));
  INVAL(dart_flush_local(beyond));
}

static void too_many(void) {
  static const size_t counts[] = {BYTES / 8 + 1,   SIZE_MAX,        SIZE_MAX / 8 + 2,
                                  SIZE_MAX / 8, (size_t)1 << 61, (size_t)1 << 60};
  dart_gptr_t there = at(canary, units_n - 1, 0);
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    INVAL(dart_put_blocking(there, numbers, counts[i], DART_TYPE_LONG, DART_TYPE_LONG));
    INVAL(dart_get_blocking(private_canary, there, counts[i], DART_TYPE_LONG, DART_TYPE_LONG));
    INVAL(dart_accumulate(there, numbers, counts[i], DART_TYPE_LONG, DART_OP_SUM));
  }
  dart_datatype_t wide = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_LONG, (size_t)1 << 40, 1, &wide));
  INVAL(dart_put_blocking(there, numbers, 2, DART_TYPE_LONG, wide));
  INVAL(dart_get_blocking(private_canary, there, (size_t)1 << 30, wide, DART_TYPE_LONG));
  OK(dart_type_destroy(&wide));
}

static void null_buffers(void) {
  dart_gptr_t there = at(canary, units_n - 1, 0);
  INVAL(dart_put_blocking(there, NULL, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_put(there, NULL, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_get_blocking(NULL, there, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_get(NULL, there, 1, DART_TYPE_LONG, DART_TYPE_LONG));
  INVAL(dart_put_handle(there, numbers, 1, DART_TYPE_LONG, DART_TYPE_LONG, NULL));
  INVAL(dart_get_handle(private_canary, there, 1, DART_TYPE_LONG, DART_TYPE_LONG, NULL));
  INVAL(dart_accumulate(there, NULL, 1, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_fetch_and_op(there, NULL, private_canary, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_fetch_and_op(there, numbers, NULL, DART_TYPE_LONG, DART_OP_SUM));
  INVAL(dart_compare_and_swap(there, NULL, numbers, private_canary, DART_TYPE_LONG));
  INVAL(dart_compare_and_swap(there, numbers, NULL, private_canary, DART_TYPE_LONG));
  INVAL(dart_compare_and_swap(there, numbers, numbers, NULL, DART_TYPE_LONG));
  INVAL(dart_gptr_getaddr(canary, NULL));
  INVAL(dart_gptr_getflags(canary, NULL));
  INVAL(dart_gptr_setflags(NULL, 1));
  INVAL(dart_gptr_setaddr(NULL, numbers));
  INVAL(dart_memalloc(1, DART_TYPE_LONG, NULL));
}

static void wrong_types(void) {
  static const dart_datatype_t types[] = {DART_TYPE_UNDEFINED, DART_TYPE_LAST, -1, 0x7777, INTPTR_MAX, INTPTR_MIN};
  dart_gptr_t there = at(canary, units_n - 1, 0), out = canary;
  for (int i = 0; i < 6; i++) {
    dart_datatype_t type = types[i];
    INVAL(dart_put_blocking(there, numbers, 1, type, DART_TYPE_LONG));
    INVAL(dart_put_blocking(there, numbers, 1, DART_TYPE_LONG, type));
    INVAL(dart_get_blocking(private_canary, there, 1, type, type));
    INVAL(dart_accumulate(there, numbers, 1, type, DART_OP_SUM));
    INVAL(dart_fetch_and_op(there, numbers, private_canary, type, DART_OP_SUM));
    INVAL(dart_compare_and_swap(there, numbers, numbers, private_canary, type));
    INVAL(dart_memalloc(1, type, &out));
    CHECK(DART_GPTR_ISNULL(out));
    INVAL(dart_bcast(private_canary, 1, type, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
    INVAL(dart_allreduce(numbers, private_canary, 1, type, DART_OP_SUM, DART_TEAM_ALL));
    INVAL(dart_type_destroy(&type));
    CHECK_EQ(type, types[i]);
    INVAL(dart_type_create_strided(type, 2, 1, &type));
    CHECK_EQ(type, DART_TYPE_UNDEFINED);
  }
}

static void wrong_operations(void) {
  static const dart_operation_t ops[] = {DART_OP_UNDEFINED, DART_OP_MINMAX, DART_OP_LAST,
                                         99,                UINTPTR_MAX,    (dart_operation_t)&canary};
  dart_gptr_t there = at(canary, units_n - 1, 0);
  for (int i = 0; i < 6; i++) {
    INVAL(dart_accumulate(there, numbers, 1, DART_TYPE_LONG, ops[i]));
    INVAL(dart_fetch_and_op(there, numbers, private_canary, DART_TYPE_LONG, ops[i]));
    if (ops[i] == DART_OP_MINMAX) continue;
    INVAL(dart_allreduce(numbers, private_canary, 1, DART_TYPE_LONG, ops[i], DART_TEAM_ALL));
    INVAL(dart_reduce(numbers, private_canary, 1, DART_TYPE_LONG, ops[i], DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  }
  INVAL(dart_accumulate(there, numbers, 1, DART_TYPE_DOUBLE, DART_OP_BXOR));
  INVAL(dart_compare_and_swap(there, numbers, numbers, private_canary, DART_TYPE_DOUBLE));
  INVAL(dart_allreduce(numbers, private_canary, 1, DART_TYPE_FLOAT, DART_OP_LAND, DART_TEAM_ALL));
  INVAL(dart_allreduce(numbers, private_canary, 1, DART_TYPE_LONG, DART_OP_REPLACE, DART_TEAM_ALL));
  INVAL(dart_accumulate(at(there, units_n - 1, 4), numbers, 1, DART_TYPE_LONG, DART_OP_SUM)); /* incomplete */
}

/* Every call that takes a team rejects this one. */
static void no_team(dart_team_t team) {
  dart_gptr_t out = canary;
  size_t n = 77;
  dart_team_unit_t me = {77}, zero = {0};
  dart_global_unit_t global = {0};
  dart_team_t made = 77;
  dart_group_t group = (dart_group_t)(void *)numbers;
  INVAL(dart_barrier(team));
  INVAL(dart_bcast(private_canary, 1, DART_TYPE_BYTE, zero, team));
  INVAL(dart_scatter(numbers, private_canary, 1, DART_TYPE_BYTE, zero, team));
  INVAL(dart_gather(numbers, private_canary, 1, DART_TYPE_BYTE, zero, team));
  INVAL(dart_allgather(numbers, private_canary, 1, DART_TYPE_BYTE, team));
  INVAL(dart_allgatherv(numbers, 1, DART_TYPE_BYTE, private_canary, &n, &n, team));
  INVAL(dart_allreduce(numbers, private_canary, 1, DART_TYPE_BYTE, DART_OP_SUM, team));
  INVAL(dart_reduce(numbers, private_canary, 1, DART_TYPE_BYTE, DART_OP_SUM, zero, team));
  INVAL(dart_alltoall(numbers, private_canary, 1, DART_TYPE_BYTE, team));
  INVAL(dart_team_memalloc_aligned(team, 1, DART_TYPE_BYTE, &out));
  INVAL(dart_team_clone(team, &made));
  INVAL(dart_team_get_group(team, &group));
  INVAL(dart_team_size(team, &n));
  INVAL(dart_team_unit_g2l(team, global, &me));
  INVAL(dart_team_unit_l2g(team, zero, &global));
  CHECK(DART_GPTR_ISNULL(out) && n == 77 && made == DART_TEAM_NULL && !group && me.id == -1 && global.id == -1);
  me.id = 77;
  INVAL(dart_team_myid(team, &me));
  CHECK_EQ(me.id, -1);
}

/* A team of the even units: the others learn its number and cannot use it; after its end no unit can. */
static void teams(void) {
  dart_team_t team = team_of(EVEN_UNITS & ((1u << units_n) - 1)), number = team, gone;
  dart_gptr_t segment = DART_GPTR_NULL;
  if (team != DART_TEAM_NULL) segment = team_alloc(team, 8, DART_TYPE_LONG);
  OK(dart_bcast(&number, 1, DART_TYPE_SHORT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  OK(dart_bcast(&segment, sizeof segment, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  if (team == DART_TEAM_NULL) {
    no_team(number);
    no_segment(segment);
  } else {
    gone = team;
    OK(dart_team_destroy(&team));
    no_team(gone);
    INVAL(dart_team_destroy(&gone));
    no_segment(segment);
    INVAL(dart_team_memfree(segment));
  }
  no_team(DART_TEAM_NULL);
  no_team(32767);
  no_team(INT16_MIN);
  INVAL(dart_team_destroy(&(dart_team_t){DART_TEAM_ALL}));
  barrier();
}

#define TOO_MUCH 1073741824 /* bytes; main sets the limit of the node far below */
#define RUNS_OUT(code, call) SAYS("TSR-010 1073741824", code, call)

/* A size beyond all memory is an invalid argument; one that this node lacks is out of memory; the next allocation works. */
static void out_of_memory(void) {
  dart_gptr_t out = canary;
  RUNS_OUT(DART_ERR_OTHER, dart_memalloc(TOO_MUCH, DART_TYPE_BYTE, &out));
  CHECK(DART_GPTR_ISNULL(out));
  out = canary;
  INVAL(dart_memalloc(SIZE_MAX / 8 + 2, DART_TYPE_LONG, &out));
  CHECK(DART_GPTR_ISNULL(out));
  out = canary;
  RUNS_OUT(DART_ERR_NOMEM, dart_team_memalloc_aligned(DART_TEAM_ALL, TOO_MUCH, DART_TYPE_BYTE, &out));
  INVAL(dart_team_memalloc_aligned(DART_TEAM_ALL, SIZE_MAX / 8 + 2, DART_TYPE_LONG, &out));
  INVAL(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_UNDEFINED, &out));
  INVAL(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, NULL));
  if (self == units_n - 1) {
    RUNS_OUT(DART_ERR_NOMEM, dart_team_memalloc_aligned(DART_TEAM_ALL, TOO_MUCH, DART_TYPE_BYTE, &out));
  } else { /* the unit that knows the reason has printed it */
    CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 64, DART_TYPE_BYTE, &out), DART_ERR_OTHER);
  }
  CHECK(DART_GPTR_ISNULL(out));
  OK(dart_team_memfree(team_alloc(DART_TEAM_ALL, 64, DART_TYPE_BYTE)));
}

/* Allocates segments until there is no memory; then frees all. */
static int until_full(dart_gptr_t segments[], int room) {
  enum { MEGABYTE = 1 << 20 };
  char text[4096];
  int n = 0;
  dart_ret_t answer = DART_OK;
  while (n < room) {
    listen();
    answer = dart_team_memalloc_aligned(DART_TEAM_ALL, MEGABYTE, DART_TYPE_BYTE, &segments[n]);
    bool heard = heard_one_line("TSR-010 1048576", text, sizeof text);
    CHECK_EQ(heard, answer == DART_ERR_NOMEM);
    if (answer != DART_OK) break;
    n++;
  }
  CHECK(answer == DART_ERR_NOMEM || answer == DART_ERR_OTHER);
  for (int i = 0; i < n; i++) OK(dart_team_memfree(segments[i]));
  return n;
}

/* All units run out of memory together, and afterwards there is as much as before. */
static void exhaustion(void) {
  enum { ROOM = 1000 };
  static dart_gptr_t segments[ROOM];
  int first = until_full(segments, ROOM), second = until_full(segments, ROOM);
  CHECK(first > 0 && first < ROOM);
  CHECK_EQ(first, second);
  int lowest = 0, highest = 0;
  OK(dart_allreduce(&first, &lowest, 1, DART_TYPE_INT, DART_OP_MIN, DART_TEAM_ALL));
  OK(dart_allreduce(&first, &highest, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL));
  CHECK_EQ(lowest, highest);
}

static void handles(void) {
  dart_handle_t garbage[2] = {DART_HANDLE_NULL, (dart_handle_t)0x1234567};
  int32_t done = 77;
  INVAL(dart_wait(&garbage[1]));
  INVAL(dart_wait_local(&garbage[1]));
  INVAL(dart_waitall(garbage, 2));
  INVAL(dart_waitall_local(garbage, 2));
  INVAL(dart_test(&garbage[1], &done));
  INVAL(dart_testall(garbage, 2, &done));
  INVAL(dart_test_local(&garbage[1], &done));
  INVAL(dart_testall_local(garbage, 2, &done));
  INVAL(dart_handle_free(&garbage[1]));
  INVAL(dart_test(&garbage[0], NULL));
  CHECK(done == 0 && garbage[1] == (dart_handle_t)0x1234567);
}

/* A blocking get over the parts of two units fails, and gets the first one. */
static void get_beyond(void) {
  enum { N = 8 };
  dart_gptr_t part = team_alloc(DART_TEAM_ALL, N, DART_TYPE_LONG);
  int64_t *mine = own_part(part, self), got[2 * N];
  for (int i = 0; i < N; i++) mine[i] = 100 * self + i;
  barrier();
  for (int unit = 0; unit < units_n; unit++) {
    for (int i = 0; i < 2 * N; i++) got[i] = -1;
    INVAL(dart_get_blocking(got, at(part, unit, 0), 2 * N, DART_TYPE_LONG, DART_TYPE_LONG));
    for (int i = 0; i < 2 * N; i++) CHECK_EQ(got[i], i < N && unit + 1 < units_n ? 100 * unit + i : -1);
  }
  barrier();
  OK(dart_team_memfree(part));
}

static void locks(void) {
  dart_lock_t lock = DART_LOCK_NULL, stale;
  int32_t got = 77;
  INVAL(dart_team_lock_init(DART_TEAM_NULL, &lock));
  INVAL(dart_team_lock_init(DART_TEAM_ALL, NULL));
  INVAL(dart_lock_acquire(DART_LOCK_NULL));
  OK(dart_team_lock_init(DART_TEAM_ALL, &lock));
  stale = lock;
  INVAL(dart_lock_release(lock));
  SAYS("DART_LOCK_NULL", DART_ERR_INVAL, dart_lock_release(DART_LOCK_NULL));
  INVAL(dart_lock_try_acquire(lock, NULL));
  barrier();
  if (self == 0) {
    OK(dart_lock_acquire(lock));
    INVAL(dart_lock_acquire(lock));
    SAYS("TSR-2086 dart_team_lock_destroy", DART_ERR_INVAL, dart_team_lock_destroy(&lock));
    OK(dart_lock_release(lock));
  }
  OK(dart_team_lock_destroy(&lock));
  INVAL(dart_team_lock_destroy(NULL));
  INVAL(dart_team_lock_destroy(&stale));
  INVAL(dart_lock_acquire(stale));
  INVAL(dart_lock_try_acquire(stale, &got));
  SAYS("TSR-2083 dart_lock_release", DART_ERR_INVAL, dart_lock_release(stale));
  CHECK(got == 77 && stale != DART_LOCK_NULL);
}

int main(int argc, char **argv) {
  if (!open_ears()) return 77;
  setenv("TESSERA_HEAP_LIMIT", "64M", 1);
  memset(private_canary, GUARD, sizeof private_canary);
  start(&argc, &argv);
  hatch();
  dangling_pointers();
  still_sings();
  out_of_range();
  still_sings();
  too_many();
  null_buffers();
  still_sings();
  wrong_types();
  wrong_operations();
  still_sings();
  teams();
  handles();
  get_beyond();
  locks();
  out_of_memory();
  exhaustion();
  still_sings();
  BAD(DART_ERR_OTHER, dart_init(NULL, NULL));
  return finish();
}
