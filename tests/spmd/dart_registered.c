/* Registered memory: static, on the stack, from malloc, mapped, and DART's own; through the kernel and, with that
 * switched off, by requests to its unit, which waits in a barrier meanwhile.
 * Units: 1 2 3 5 */
#include "dart_reference.h"

#include <sys/mman.h>

#include "base/config.h"
#include "core/place.h"
#include "core/segment.h"

enum { BYTES = 40000 };
static _Alignas(16) unsigned char static_memory[BYTES];

/* The kinds of memory. */
enum place { STATIC, STACK, MALLOC, MAPPED, LOCAL };

static unsigned char *mine;
static dart_gptr_t base;
static int right, left;

static bool is_null(dart_gptr_t gptr) { return DART_GPTR_ISNULL(gptr); }

static void *address_of(dart_gptr_t gptr) {
  void *address = &base;
  OK(dart_gptr_getaddr(gptr, &address));
  return address;
}

static dart_gptr_t enrol(dart_team_t team, size_t nelem, dart_datatype_t type, void *memory) {
  dart_gptr_t gptr = DART_GPTR_NULL;
  OK(dart_team_memregister(team, nelem, type, memory, &gptr));
  CHECK(gptr.unitid == 0 && gptr.flags == 0 && gptr.segid < 0 && gptr.teamid == team);
  CHECK_EQ(gptr.addr_or_offs.offset, 0);
  return gptr;
}

/* The three ways to complete, in turns. */
static int turn;

static void put_typed(dart_gptr_t to, const void *from, size_t n, dart_datatype_t src, dart_datatype_t dst) {
  dart_handle_t handle = DART_HANDLE_NULL;
  int way = turn++ % 4;
  if (way == 0) OK(dart_put_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_put(to, from, n, src, dst));
  if (way == 1) OK(dart_flush(to));
  if (way == 2) OK(dart_put_handle(to, from, n, src, dst, &handle));
  if (way == 2) OK(dart_wait(&handle));
  if (way == 3) OK(dart_put(to, from, n, src, dst));
  if (way == 3) OK(dart_flush_all(to));
}
static void get_typed(void *to, dart_gptr_t from, size_t n, dart_datatype_t src, dart_datatype_t dst) {
  dart_handle_t handle = DART_HANDLE_NULL;
  int32_t done = 0;
  int way = turn++ % 4;
  if (way == 0) OK(dart_get_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_get(to, from, n, src, dst));
  if (way == 1) OK(dart_flush_local(from));
  if (way == 2) OK(dart_get_handle(to, from, n, src, dst, &handle));
  while (way == 2 && !done) OK(dart_test(&handle, &done));
  if (way == 3) OK(dart_get(to, from, n, src, dst));
  if (way == 3) OK(dart_flush_local_all(from));
}
static void put(dart_gptr_t to, const void *from, size_t bytes) {
  put_typed(to, from, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}
static void get(void *to, dart_gptr_t from, size_t bytes) {
  get_typed(to, from, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}

/* Each unit fills the neighbour's memory in pieces of all sizes, reads it back, and finds its own memory filled. */
static void pieces(void) {
  static const size_t sizes[] = {1, 2, 3, 8, 13, 64, 100, 999, 1024, 1025, 4096, 5000, 9000, 0};
  static unsigned char data[BYTES], got[BYTES];
  memset(mine, GUARD, BYTES);
  barrier();
  fill(data, (unsigned)self, BYTES);
  size_t off = 0;
  for (int i = 0; off < BYTES; i++) {
    size_t bytes = sizes[i % (int)(sizeof sizes / sizeof *sizes)];
    if (bytes > BYTES - off) bytes = BYTES - off;
    put(at(base, right, (int64_t)off), data + off, bytes);
    memset(got, GUARD, BYTES);
    get(got, at(base, right, (int64_t)off), bytes);
    CHECK_EQ(memcmp(got, data + off, bytes), 0);
    CHECK_EQ(touched(got + bytes, BYTES - bytes), 0);
    off += bytes;
  }
  barrier();
  CHECK_EQ(wrong(mine, (unsigned)left, BYTES), 0);
  barrier();
}

/* Transfers of `n` ints; int i lies at far[i] if its side has the type, in one of three combinations. */
static void typed(dart_datatype_t type, const size_t far[], size_t n) {
  static int data[BYTES / 4], expected[BYTES / 4], got[BYTES / 4];
  for (int way = 0; way < 3; way++) {
    bool here = way != 0, there = way != 1;
    memset(expected, GUARD, BYTES);
    memset(got, GUARD, BYTES);
    for (size_t i = 0; i < BYTES / 4; i++) data[i] = (int)i * 7 + self + way;
    for (size_t i = 0; i < n; i++) expected[there ? far[i] : i] = data[here ? far[i] : i];
    put(at(base, right, 0), got, BYTES);
    put_typed(at(base, right, 0), data, n, here ? type : DART_TYPE_INT, there ? type : DART_TYPE_INT);
    get(got, at(base, right, 0), BYTES);
    CHECK_EQ(memcmp(got, expected, BYTES), 0);
    memset(got, GUARD, BYTES);
    get_typed(got, at(base, right, 0), n, there ? type : DART_TYPE_INT, here ? type : DART_TYPE_INT);
    for (size_t i = 0; i < n; i++) CHECK_EQ(got[here ? far[i] : i], data[here ? far[i] : i]);
  }
  barrier();
}

/* Blocks of `blocklen` ints, their starts `stride` apart. */
static void strided(size_t stride, size_t blocklen, size_t n) {
  static size_t far[BYTES / 4];
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_strided(DART_TYPE_INT, stride, blocklen, &type));
  for (size_t i = 0; i < n; i++) far[i] = i / blocklen * stride + i % blocklen;
  typed(type, far, n);
  OK(dart_type_destroy(&type));
}

/* Blocks of 0 to 4 ints, in another order than their places. */
static void indexed(void) {
  enum { BLOCKS_N = 900 };
  static size_t lengths[BLOCKS_N], offs[BLOCKS_N], far[BYTES / 4];
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  size_t n = 0;
  for (size_t i = 0; i < BLOCKS_N; i++) {
    lengths[i] = i % 5;
    offs[i] = i * 7 % BLOCKS_N * 5;
    for (size_t k = 0; k < lengths[i]; k++) far[n++] = offs[i] + k;
  }
  OK(dart_type_create_indexed(DART_TYPE_INT, BLOCKS_N, lengths, offs, &type));
  typed(type, far, n);
  OK(dart_type_destroy(&type));
}

/* All units add to all: the sums are right, and a fetch returns each number once. */
static void sums(void) {
  enum { N = 500, ROUNDS_N = 20 };
  static long ones[N];
  static double halves[N];
  long *longs = (long *)mine;
  double *doubles = (double *)(mine + N * sizeof(long));
  for (int i = 0; i < N; i++) {
    ones[i] = i;
    halves[i] = 0.5;
    longs[i] = 0;
    doubles[i] = 0;
  }
  barrier();
  for (int round = 0; round < ROUNDS_N; round++) {
    for (int unit = 0; unit < units_n; unit++) {
      OK(dart_accumulate(at(base, unit, 0), ones, N, DART_TYPE_LONG, DART_OP_SUM));
      OK(dart_accumulate_blocking_local(at(base, unit, N * sizeof(long)), halves, N, DART_TYPE_DOUBLE, DART_OP_SUM));
    }
  }
  OK(dart_flush_all(base));
  barrier();
  for (int i = 0; i < N; i++) {
    CHECK_EQ(longs[i], (long)i * ROUNDS_N * units_n);
    CHECK(doubles[i] == 0.5 * ROUNDS_N * units_n);
  }
  barrier();
}

static void one_by_one(void) {
  enum { ROUNDS_N = 20 };
  uint64_t *words = (uint64_t *)mine, one = 1, old = 0, last = 0;
  words[0] = words[1] = 0;
  barrier();
  for (int round = 0; round < ROUNDS_N; round++) {
    OK(dart_fetch_and_op(at(base, 0, 0), &one, &old, DART_TYPE_ULONG, DART_OP_SUM));
    OK(dart_flush_local(at(base, 0, 0)));
    CHECK(round == 0 || old > last);
    last = old;
    uint64_t seen = 0, wanted, next;
    do {
      wanted = seen;
      next = wanted + 1;
      OK(dart_compare_and_swap(at(base, units_n - 1, 8), &next, &wanted, &seen, DART_TYPE_ULONG));
      OK(dart_flush(at(base, units_n - 1, 8)));
    } while (seen != wanted);
  }
  barrier();
  if (self == 0) CHECK_EQ(words[0], ROUNDS_N * units_n);
  if (self == units_n - 1) CHECK_EQ(words[1], ROUNDS_N * units_n);
  barrier();
}

/* Every operation on every type, compared with the reference. */
static void operations(void) {
  enum { N = 7 };
  for (int t = 0; t < BASIC_TYPES_N; t++) {
    const struct basic_type *basic = &basic_types[t];
    for (dart_operation_t op = DART_OP_UNDEFINED; op < DART_OP_LAST; op++) {
      if (!is_atomic_op(basic, op)) continue;
      _Alignas(16) unsigned char before[128] = {0}, with[128] = {0}, got[128] = {0};
      for (size_t i = 0; i < N; i++) {
        reference_set(basic->type, before, i, (int)i * 3 + 1);
        reference_set(basic->type, with, i, (int)(N - i) * 2);
      }
      put(at(base, right, 0), before, N * basic->bytes);
      OK(dart_fetch_and_op(at(base, right, 0), with, got, basic->type, op));
      OK(dart_flush(at(base, right, 0)));
      CHECK_EQ(reference_differ(basic->type, got, before, 1), 0);
      put(at(base, right, 0), before, basic->bytes);
      OK(dart_accumulate(at(base, right, 0), with, N, basic->type, op));
      OK(dart_flush(at(base, right, 0)));
      reference_combine(basic->type, op, before, with, N);
      get(got, at(base, right, 0), N * basic->bytes);
      CHECK_EQ(reference_differ(basic->type, got, before, N), 0);
    }
  }
  barrier();
}

/* A unit that only reads its own memory, or only flushes, serves the others all the same. */
static void busy_owner(void) {
  uint64_t *words = (uint64_t *)mine, one = 1, seen = 0;
  words[0] = words[1] = 0;
  barrier();
  OK(dart_accumulate(at(base, right, 0), &one, 1, DART_TYPE_ULONG, DART_OP_SUM));
  while (!seen) OK(dart_fetch_and_op(at(base, self, 0), NULL, &seen, DART_TYPE_ULONG, DART_OP_NO_OP));
  OK(dart_flush(at(base, right, 0)));
  OK(dart_accumulate(at(base, right, 8), &one, 1, DART_TYPE_ULONG, DART_OP_SUM));
  while (!__atomic_load_n(&words[1], __ATOMIC_ACQUIRE)) OK(dart_flush(at(base, right, 8)));
  barrier();
}

static void pointers(void) {
  int me = self, off = 24;
  for (int unit = 0; unit < units_n; unit++) {
    void *expected = unit == me ? mine + off : NULL;
    CHECK(address_of(at(base, unit, off)) == expected);
  }
  dart_gptr_t gptr = base;
  OK(dart_gptr_setaddr(&gptr, mine + BYTES));
  CHECK_EQ(gptr.addr_or_offs.offset, BYTES);
  CHECK_EQ(dart_gptr_setaddr(&gptr, mine + BYTES + 1), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setaddr(&gptr, NULL), DART_ERR_INVAL);
  uint16_t flags = 77;
  OK(dart_gptr_getflags(base, &flags));
  CHECK_EQ(flags, 0);
  gptr = base;
  OK(dart_gptr_setflags(&gptr, 0x1234));
  OK(dart_gptr_getflags(base, &flags));
  CHECK_EQ(flags, 0x1234);
  unsigned char byte = 0;
  CHECK_EQ(dart_put_blocking(at(base, right, BYTES), &byte, 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(&byte, at(base, right, -1), 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  CHECK_EQ(dart_fetch_and_op(at(base, right, 1), &byte, &flags, DART_TYPE_SHORT, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(at(base, units_n, 0), &byte, 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
}

/* Every access to memory that its unit has deregistered fails; the library checks this for units of the own node only. */
static void refused(dart_gptr_t gptr, int unit) {
  unsigned char byte = 0;
  uint64_t value = 1, old = 0;
  CHECK_EQ(dart_put_blocking(at(gptr, unit, 0), &byte, 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(&byte, at(gptr, unit, 0), 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate(at(gptr, unit, 0), &value, 1, DART_TYPE_ULONG, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_fetch_and_op(at(gptr, unit, 0), &value, &old, DART_TYPE_ULONG, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_flush(at(gptr, unit, 0)), DART_ERR_INVAL);
}

static void ended(void) {
  void *address = NULL;
  CHECK_EQ(dart_team_memfree(base), DART_ERR_INVAL);
  OK(dart_team_memderegister(at(base, units_n - 1, 100)));
  CHECK_EQ(dart_team_memderegister(base), DART_ERR_INVAL);
  refused(base, self);
  CHECK_EQ(dart_gptr_getaddr(at(base, self, 0), &address), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setaddr(&base, mine), DART_ERR_INVAL);
  barrier();
  if (tsr_place_is_local(TSR_UNIT(right))) refused(base, right);
  barrier();
}

static void every_use(unsigned char *memory, bool is_heap) {
  mine = memory;
  base = enrol(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE, memory);
  pieces();
  strided(3, 2, 2000);
  strided(40, 1, 200);
  strided(2, 1, 4000);
  strided(700, 300, 3000);
  indexed();
  sums();
  one_by_one();
  if (memory == static_memory) operations(); /* with many units the turns take long */
  if (!is_heap) busy_owner();
  pointers();
  barrier();
  ended();
}

static void on_stack(void) {
  _Alignas(16) unsigned char memory[BYTES];
  every_use(memory, false);
}

/* Different kinds of memory on different units. */
static void use(enum place place) {
  dart_gptr_t local = DART_GPTR_NULL;
  unsigned char *memory = NULL;
  switch (place) {
    case STATIC: every_use(static_memory, false); break;
    case STACK: on_stack(); break;
    case MALLOC:
      every_use(memory = malloc(BYTES), false);
      free(memory);
      break;
    case MAPPED:
      memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      every_use(memory, false);
      munmap(memory, BYTES);
      break;
    case LOCAL:
      OK(dart_memalloc(BYTES, DART_TYPE_BYTE, &local));
      every_use(address_of(local), true);
      OK(dart_memfree(local));
      break;
  }
}

/* Segments are collective, so the mixed round does not have them. */
static void in_segment(void) {
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, BYTES + 64, DART_TYPE_BYTE);
  every_use((unsigned char *)own_part(segment, self) + 16, true);
  OK(dart_team_memfree(segment));
}

/* Unit i registers 100 i bytes, the first unit none; on teams in which units have other numbers, too. */
static void uneven(dart_team_t team) {
  int me = team_self(team), n = team_units_n(team), next = (me + 1) % n, previous = (me + n - 1) % n;
  size_t bytes = (size_t)me * 100;
  unsigned char *memory = bytes ? malloc(bytes) : NULL, *data = malloc((size_t)n * 100), byte = GUARD;
  if (bytes) memset(memory, GUARD, bytes);
  dart_gptr_t gptr = enrol(team, bytes, DART_TYPE_BYTE, memory);
  CHECK(address_of(at(gptr, me, 0)) == memory);
  fill(data, (unsigned)me, (size_t)next * 100);
  put(at(gptr, next, 0), data, (size_t)next * 100);
  CHECK_EQ(dart_put_blocking(at(gptr, next, next * 100), &byte, 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(&byte, at(gptr, 0, 0), 1, DART_TYPE_BYTE, DART_TYPE_BYTE), DART_ERR_INVAL);
  put(at(gptr, 0, 0), data, 0);
  OK(dart_barrier(team));
  CHECK_EQ(wrong(memory, (unsigned)previous, bytes), 0);
  OK(dart_barrier(team));
  OK(dart_team_memderegister(gptr));
  free(memory);
  free(data);
}

/* Longer than one piece, many at once, and completed late. */
static void large(void) {
  enum { LARGE = 3 << 20, MANY = 300 };
  unsigned char *memory = malloc(LARGE), *data = malloc(LARGE), *got = malloc(LARGE);
  dart_gptr_t gptr = enrol(DART_TEAM_ALL, LARGE, DART_TYPE_BYTE, memory);
  static dart_handle_t handles[MANY];
  size_t each = LARGE / MANY;
  fill(data, (unsigned)self, LARGE);
  put(at(gptr, right, 0), data, LARGE);
  get(got, at(gptr, right, 0), LARGE);
  CHECK_EQ(memcmp(got, data, LARGE), 0);
  barrier();
  CHECK_EQ(wrong(memory, (unsigned)left, LARGE), 0);
  barrier();
  fill(data, (unsigned)self + 50, LARGE);
  for (int i = 0; i < MANY; i++)
    OK(dart_put_handle(at(gptr, right, (int64_t)(i * each)), data + i * each, each, DART_TYPE_BYTE, DART_TYPE_BYTE,
                       &handles[i]));
  for (int i = 0; i < MANY; i += 2) OK(dart_handle_free(&handles[i]));
  OK(dart_waitall(handles, MANY));
  OK(dart_flush(at(gptr, right, 0)));
  barrier();
  CHECK_EQ(wrong(memory, (unsigned)left + 50, each * MANY), 0);
  barrier();
  OK(dart_team_memderegister(gptr));
  free(memory);
  free(data);
  free(got);
}

/* Numbers run from -1 down to -32767 and are reused; the number that was freed first is the first. */
static void numbers(void) {
  enum { CYCLES_N = 33000, KEPT_N = 5 };
  dart_team_t team = team_of((1u << units_n) - 1);
  dart_gptr_t kept[KEPT_N];
  int expected = -1;
  for (int i = 0; i < KEPT_N; i++) {
    kept[i] = enrol(team, 4, DART_TYPE_INT, static_memory);
    CHECK_EQ(kept[i].segid, expected--);
  }
  int cycles_n = units_n == 1 ? CYCLES_N : 300; /* with many turns this takes long */
  for (int i = 0; i < cycles_n; i++) {
    dart_gptr_t gptr = DART_GPTR_NULL;
    OK(dart_team_memregister_aligned(team, 4, DART_TYPE_INT, static_memory + 16, &gptr));
    if (gptr.segid != expected) CHECK_EQ(gptr.segid, expected);
    expected = gptr.segid == -32767 ? -1 - KEPT_N : gptr.segid - 1;
    OK(dart_team_memderegister(gptr));
  }
  OK(dart_team_memderegister(kept[2]));
  int value = self;
  put(at(kept[1], right, 0), &value, sizeof value);
  OK(dart_team_destroy(&team)); /* with the rest registered */
}

/* Whether the team still has the number of a registration. */
static bool is_taken(dart_gptr_t gptr) { return tsr_segment_registered(tsr_team_find(gptr.teamid), gptr.segid) != NULL; }

/* Some units end a part, the others use the remaining parts, as if no unit had ended any. */
static void some_end(dart_team_t team) {
  enum { N = 3 };
  int me = team_self(team), n = team_units_n(team), next = (me + 1) % n, last = n - 1;
  static long memory[N][8];
  dart_gptr_t gptr[N], more;
  for (int i = 0; i < N; i++) gptr[i] = enrol(team, 8, DART_TYPE_LONG, memory[i]);
  OK(dart_barrier(team));
  if (me == 0) OK(dart_team_memderegister(gptr[0])); /* before the others continue, in the middle, */
  long value = 100 + me, sum = 0, got = 0, numbers_n = n;
  OK(dart_allreduce(&value, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, team));
  CHECK_EQ(sum, 100 * numbers_n + numbers_n * (numbers_n - 1) / 2);
  if (next) put(at(gptr[0], next, 8), &value, sizeof value); /* also of unit 0, to parts that exist */
  put(at(gptr[1], next, 8), &value, sizeof value);
  OK(dart_barrier(team));
  if (me == last) OK(dart_team_memderegister(gptr[1])); /* and at the end; units call one to three times */
  if (me) CHECK_EQ(memory[0][1], 100 + me - 1);
  CHECK_EQ(memory[1][1], 100 + (me + n - 1) % n);
  more = enrol(team, 8, DART_TYPE_LONG, memory[2]);
  for (int i = 0; i < N; i++) CHECK(more.segid != gptr[i].segid && (n == 1 || is_taken(gptr[i])));
  if (n == 1) CHECK(!is_taken(gptr[0]) && !is_taken(gptr[1]));
  value = 200 + me;
  put(at(more, next, 16), &value, sizeof value);
  get(&got, at(gptr[2], next, 16), sizeof got);
  CHECK_EQ(got, 200 + me);
  OK(dart_barrier(team));
  CHECK_EQ(memory[2][2], 200 + (me + n - 1) % n);
  if (me) OK(dart_team_memderegister(gptr[0]));
  if (me != last) OK(dart_team_memderegister(gptr[1]));
  OK(dart_team_memderegister(gptr[2]));
  CHECK(n == 1 || (is_taken(gptr[0]) && is_taken(gptr[1]) && is_taken(more)));
  CHECK(is_taken(gptr[2]));
  dart_gptr_t after = enrol(team, 8, DART_TYPE_LONG, memory[0]);
  for (int i = 0; i < N; i++) CHECK(!is_taken(gptr[i]));
  CHECK(is_taken(more));
  if (me % 2) OK(dart_team_memderegister(after));
  if (me % 3 == 0) OK(dart_team_memderegister(more)); /* the rest ends with the team */
  OK(dart_barrier(team));
}

/* Each unit ends other parts, many, at other times: in the end all numbers that all units have ended are free. */
static void ends_in_any_order(void) {
  enum { N = 41, KEPT = 7 }; /* a prime */
  dart_team_t team = team_of((1u << units_n) - 1);
  static int memory[N];
  dart_gptr_t gptr[N], later[N];
  for (int i = 0; i < N; i++) gptr[i] = enrol(team, 1, DART_TYPE_INT, &memory[i]);
  OK(dart_barrier(team));
  for (int i = 0; i < N; i++) { /* unit u: every u + 1st from unit u on, except one that another unit keeps */
    int at_ = (i * (2 * self + 1) + self) % N;
    if (at_ % 2 == 0 && (at_ != KEPT - 1 || self)) OK(dart_team_memderegister(gptr[at_]));
    if (i % 9 == 0) OK(dart_barrier(team));
  }
  if (self == 0) OK(dart_team_memderegister(gptr[KEPT]));
  for (int i = 0; i < 3; i++) later[i] = enrol(team, 1, DART_TYPE_INT, &memory[i]);
  for (int i = 0; i < N; i++) {
    bool is_free = i % 2 == 0 && i != KEPT - 1;
    CHECK_EQ(is_taken(gptr[i]), !is_free && (i != KEPT || units_n > 1));
  }
  int value = self + 5;
  put(at(gptr[KEPT + 2], right, 0), &value, sizeof value);
  OK(dart_barrier(team));
  CHECK_EQ(memory[KEPT + 2], left + 5);
  for (int i = 0; i < 3; i++) OK(dart_team_memderegister(later[i]));
  OK(dart_team_destroy(&team));
}

/* One unit's mistake is an error on all; allocated memory cannot be deregistered. */
static void mistakes(void) {
  dart_ret_t mine_wrong = self == 0 ? DART_ERR_INVAL : DART_ERR_OTHER;
  dart_gptr_t gptr = DART_GPTR_NULL;
  void *none = self == 0 ? NULL : static_memory;
  CHECK_EQ(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_INT, none, &gptr), mine_wrong);
  dart_datatype_t type = self == 0 ? DART_TYPE_UNDEFINED : DART_TYPE_INT;
  size_t n = self == 0 ? SIZE_MAX / 8 : 1;
  CHECK_EQ(dart_team_memregister(DART_TEAM_ALL, 1, type, static_memory, &gptr), mine_wrong);
  CHECK_EQ(dart_team_memregister_aligned(DART_TEAM_ALL, n, DART_TYPE_INT, static_memory, &gptr), mine_wrong);
  CHECK_EQ(dart_team_memregister(DART_TEAM_ALL, 1, DART_TYPE_INT, static_memory, self == 0 ? NULL : &gptr), mine_wrong);
  CHECK_EQ(dart_team_memregister(DART_TEAM_NULL, 1, DART_TYPE_INT, static_memory, &gptr), DART_ERR_INVAL);
  CHECK(is_null(gptr));
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_INT), local = DART_GPTR_NULL;
  OK(dart_memalloc(1, DART_TYPE_INT, &local));
  CHECK_EQ(dart_team_memderegister(segment), DART_ERR_INVAL);
  CHECK_EQ(dart_team_memderegister(local), DART_ERR_INVAL);
  OK(dart_team_memderegister(DART_GPTR_NULL));
  gptr = enrol(DART_TEAM_ALL, 1, DART_TYPE_INT, static_memory);
  CHECK_EQ(dart_memfree(gptr), DART_ERR_INVAL);
  OK(dart_team_memderegister(gptr));
  OK(dart_memfree(local));
  OK(dart_team_memfree(segment));
}

static void all(dart_team_t half, bool brief) {
  for (enum place kind = STATIC; kind <= LOCAL && !brief; kind++) use(kind);
  in_segment();
  static const enum place mixed[] = {MAPPED, STACK, MALLOC};
  use(mixed[self % 3]);
  uneven(DART_TEAM_ALL);
  uneven(half);
  some_end(half);
  some_end(DART_TEAM_ALL);
  large();
  mistakes();
}

static void round_of(int *argc, char ***argv, int attach) {
  tsr_config.attach = attach;
  start(argc, argv);
  right = (self + 1) % units_n;
  left = (self + units_n - 1) % units_n;
  dart_team_t even = team_of(EVEN_UNITS & ((1u << units_n) - 1)), odd = DART_TEAM_NULL;
  if (units_n > 1) odd = team_of(ODD_UNITS & ((1u << units_n) - 1));
  dart_team_t half = self % 2 ? odd : even;
  all(half, attach == TSR_ATTACH_OFF && check_is_brief());
  if (attach == TSR_ATTACH_AUTO) numbers();
  ends_in_any_order();
  OK(dart_team_destroy(&half));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  OK(dart_exit());
  round_of(&argc, &argv, TSR_ATTACH_AUTO);
  OK(dart_exit());
  round_of(&argc, &argv, TSR_ATTACH_OFF);
  return finish();
}
