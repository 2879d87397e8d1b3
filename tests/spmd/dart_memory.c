/* Global memory: local allocations, segments of equal, different and zero size, and queries of pointers into them. */
#include "dart_check.h"

static bool is_null(dart_gptr_t gptr) { return DART_GPTR_ISNULL(gptr); }

/* A new block of the caller. */
static dart_gptr_t local_alloc(size_t nelem, dart_datatype_t type) {
  dart_gptr_t gptr = DART_GPTR_NULL;
  OK(dart_memalloc(nelem, type, &gptr));
  CHECK(!is_null(gptr));
  CHECK_EQ(gptr.unitid, self);
  CHECK_EQ(gptr.segid, DART_SEGMENT_LOCAL);
  CHECK_EQ(gptr.teamid, DART_TEAM_ALL);
  return gptr;
}

static void *address_of(dart_gptr_t gptr) {
  void *address = NULL;
  OK(dart_gptr_getaddr(gptr, &address));
  return address;
}

static void local_blocks(void) {
  static const size_t counts[] = {0, 1, 3, 1000, 70000};
  enum { COUNTS_N = sizeof counts / sizeof counts[0], N = BASIC_TYPES_N * COUNTS_N };
  dart_gptr_t blocks[N];
  for (int i = 0; i < N; i++) {
    const struct basic_type *basic = &basic_types[i / COUNTS_N];
    blocks[i] = local_alloc(counts[i % COUNTS_N], basic->type);
    void *address = address_of(blocks[i]);
    CHECK(address != NULL && (uintptr_t)address % basic->bytes == 0);
    fill(address, (unsigned)i, counts[i % COUNTS_N] * basic->bytes);
  }
  for (int i = 0; i < N; i++) {
    size_t bytes = counts[i % COUNTS_N] * basic_types[i / COUNTS_N].bytes;
    CHECK_EQ(wrong(address_of(blocks[i]), (unsigned)i, bytes), 0);
    for (int k = 0; k < i; k++) CHECK(!DART_GPTR_EQUAL(blocks[i], blocks[k]));
    dart_gptr_t same = at(blocks[i], self, 12345);
    OK(dart_gptr_setaddr(&same, address_of(blocks[i])));
    CHECK(DART_GPTR_EQUAL(same, blocks[i]));
  }
  for (int i = 0; i < N; i++) OK(dart_memfree(blocks[i * 7 % N]));
  for (int i = 0; i < N; i++) CHECK_EQ(dart_memfree(blocks[i]), DART_ERR_INVAL);
}

/* Others reach a local block by the pointer that they received; only the owner may free it. */
static void local_blocks_of_others(void) {
  dart_gptr_t mine = local_alloc(64, DART_TYPE_BYTE), all[32];
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n;
  unsigned char data[64];
  OK(dart_allgather(&mine, all, sizeof mine, DART_TYPE_BYTE, DART_TEAM_ALL));
  for (int unit = 0; unit < units_n; unit++) {
    CHECK_EQ(address_of(all[unit]) != NULL, unit == self);
    if (unit != self) CHECK_EQ(dart_memfree(all[unit]), DART_ERR_INVAL);
  }
  fill(data, (unsigned)self, sizeof data);
  OK(dart_put_blocking(all[right], data, sizeof data, DART_TYPE_BYTE, DART_TYPE_BYTE));
  barrier();
  CHECK_EQ(wrong(address_of(mine), (unsigned)left, sizeof data), 0);
  barrier();
  CHECK_EQ(dart_memfree(at(mine, self, 8)), DART_ERR_INVAL);
  OK(dart_memfree(mine));
  CHECK_EQ(dart_memfree(mine), DART_ERR_INVAL);
  CHECK_EQ(dart_memfree(DART_GPTR_NULL), DART_ERR_INVAL);
}

/* The pointer that a team's allocation returns, and its meaning on each unit. */
static void segment_pointer(dart_team_t team, size_t nelem, const struct basic_type *basic) {
  dart_gptr_t base = DART_GPTR_NULL, all[32];
  int me = team_self(team), n = team_units_n(team);
  OK(dart_team_memalloc_aligned(team, nelem, basic->type, &base));
  CHECK(base.unitid == 0 && base.flags == 0 && base.segid > 0 && base.teamid == team);
  CHECK_EQ(base.addr_or_offs.offset, 0);
  OK(dart_allgather(&base, all, sizeof base, DART_TYPE_BYTE, team));
  for (int unit = 0; unit < n; unit++) {
    CHECK(DART_GPTR_EQUAL(all[unit], base));
    if (unit != me) CHECK(address_of(at(base, unit, 0)) == NULL);
    if (unit != me) CHECK(address_of(at(base, unit, 8)) == NULL);
  }
  if (nelem) {
    char *mine = own_part(base, me);
    CHECK_EQ((uintptr_t)mine % basic->bytes, 0);
    CHECK(address_of(at(base, me, 5)) == mine + 5);
    memset(mine, 1, nelem * basic->bytes);
  }
  OK(dart_barrier(team));
  OK(dart_team_memfree(base));
}

static void segments_of(dart_team_t team) {
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    segment_pointer(team, 1, &basic_types[i]);
    segment_pointer(team, 1000, &basic_types[i]);
  }
  segment_pointer(team, 0, &basic_types[0]);
  segment_pointer(team, 0, &basic_types[BASIC_TYPES_N - 1]);
  segment_pointer(team, (size_t)team_self(team) * 1000, &basic_types[2]);
  segment_pointer(team, team_self(team) == 0 ? 0 : 77, &basic_types[9]);
  segment_pointer(team, team_self(team) == 0 ? 100000 : 0, &basic_types[10]);
}

/* Unit i has 100 i + 1 bytes: all of them can be reached, and no more. */
static void different_sizes(void) {
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, (size_t)self * 100 + 1, DART_TYPE_BYTE);
  const dart_datatype_t type = DART_TYPE_BYTE;
  unsigned char byte = (unsigned char)(self + 1), got = GUARD;
  unsigned char *mine = own_part(base, self);
  memset(mine, GUARD, (size_t)self * 100 + 1);
  barrier();
  int right = (self + 1) % units_n, left = (self + units_n - 1) % units_n;
  OK(dart_put_blocking(at(base, right, right * 100), &byte, 1, type, type));
  CHECK_EQ(dart_put_blocking(at(base, right, right * 100 + 1), &byte, 1, type, type), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(&got, at(base, right, right * 100 + 1), 1, type, type), DART_ERR_INVAL);
  CHECK_EQ(got, GUARD);
  OK(dart_put_blocking(at(base, right, right * 100 + 1), &byte, 0, type, type));
  barrier();
  CHECK_EQ(mine[self * 100], left + 1);
  CHECK_EQ(touched(mine, (size_t)self * 100), 0);
  barrier();
  OK(dart_team_memfree(base));
}

static void set_address(void) {
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, 100, DART_TYPE_INT), gptr = at(base, 0, 64);
  char *mine = own_part(base, self), outside;
  for (int off = 0; off <= 400; off += 40) { /* including the end */
    OK(dart_gptr_setaddr(&gptr, mine + off));
    CHECK_EQ(gptr.addr_or_offs.offset, off);
    CHECK_EQ(gptr.unitid, 0);
  }
  dart_gptr_t before = gptr;
  CHECK_EQ(dart_gptr_setaddr(&gptr, &outside), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setaddr(&gptr, mine + 401), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setaddr(&gptr, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setaddr(NULL, mine), DART_ERR_INVAL);
  CHECK(DART_GPTR_EQUAL(gptr, before));
  barrier();
  OK(dart_team_memfree(base));
}

static void flags(void) {
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_INT), other = team_alloc(DART_TEAM_ALL, 1, DART_TYPE_INT);
  dart_gptr_t gptr = base;
  uint16_t bits = 77;
  OK(dart_gptr_getflags(base, &bits));
  CHECK_EQ(bits, 0);
  barrier();
  if (self == 0) OK(dart_gptr_setflags(&gptr, 0xabcd));
  barrier();
  CHECK_EQ(gptr.flags, self == 0 ? 0xcd : 0);
  CHECK(DART_GPTR_EQUAL(gptr, base));
  OK(dart_gptr_getflags(at(base, units_n - 1, 4), &bits));
  CHECK_EQ(bits, self == 0 ? 0xabcd : 0); /* data of this unit for the segment */
  OK(dart_gptr_getflags(other, &bits));
  CHECK_EQ(bits, 0);
  CHECK_EQ(dart_gptr_getflags(base, NULL), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_setflags(NULL, 1), DART_ERR_INVAL);
  OK(dart_put_blocking(gptr, &self, 0, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_team_memfree(gptr));
  OK(dart_team_memfree(other));
}

/* Any pointer into it frees it, once. */
static void freed(void) {
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, 100, DART_TYPE_INT);
  void *address = base.addr_or_offs.addr;
  uint16_t bits = 77;
  int value = 5;
  OK(dart_team_memfree(at(base, units_n - 1, 44)));
  CHECK_EQ(dart_team_memfree(base), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getaddr(base, &address), DART_ERR_INVAL);
  CHECK(address == base.addr_or_offs.addr);
  CHECK_EQ(dart_gptr_setaddr(&base, &value), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getflags(base, &bits), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(base, &value, 1, DART_TYPE_INT, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(&value, base, 1, DART_TYPE_INT, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_flush(base), DART_ERR_INVAL);
  CHECK(value == 5 && bits == 77);
  OK(dart_team_memfree(DART_GPTR_NULL));
  dart_gptr_t local = local_alloc(1, DART_TYPE_INT);
  CHECK_EQ(dart_team_memfree(local), DART_ERR_INVAL);
  OK(dart_memfree(local));
}

enum { LIVE = 200 };

static size_t live_bytes(int i) { return (size_t)(i % 7) * 333 + (size_t)i; }

static void make(dart_gptr_t *segment, dart_team_t team, int i) {
  *segment = team_alloc(team, live_bytes(i), DART_TYPE_BYTE);
  if (live_bytes(i)) fill(own_part(*segment, team_self(team)), (unsigned)(i + 50 * self), live_bytes(i));
}

/* Two hundred segments of two teams, with local blocks between them; some are freed and allocated again; none overlaps
 * another. */
static void live_segments(dart_team_t half) {
  static dart_gptr_t segments[LIVE], blocks[LIVE];
  static bool ids[2][32768];
  for (int i = 0; i < LIVE; i++) {
    bool small = i % 2;
    make(&segments[i], small ? half : DART_TEAM_ALL, i);
    CHECK(!ids[small][segments[i].segid]);
    ids[small][segments[i].segid] = true;
    blocks[i] = local_alloc((size_t)(i + self) * 10, DART_TYPE_BYTE);
    fill(address_of(blocks[i]), (unsigned)i + 7, (size_t)(i + self) * 10);
  }
  for (int i = 0; i < LIVE; i += 3) {
    OK(dart_team_memfree(segments[i]));
    if (i + self < LIVE) OK(dart_memfree(blocks[i + self]));
    make(&segments[i], i % 2 ? half : DART_TEAM_ALL, i);
  }
  for (int i = 0; i < LIVE; i++) {
    dart_team_t team = i % 2 ? half : DART_TEAM_ALL;
    const void *part = live_bytes(i) ? own_part(segments[i], team_self(team)) : NULL;
    CHECK_EQ(wrong(part, (unsigned)(i + 50 * self), live_bytes(i)), 0);
    bool gone = i >= self && (i - self) % 3 == 0;
    if (!gone) CHECK_EQ(wrong(address_of(blocks[i]), (unsigned)i + 7, (size_t)(i + self) * 10), 0);
    if (!gone) OK(dart_memfree(blocks[i]));
  }
  for (int i = LIVE; i-- > 0;) OK(dart_team_memfree(segments[i]));
}

/* Allocates more in the course of time than there is at once. */
static void over_and_over(void) {
  for (int i = 0; i < 100; i++) {
    dart_gptr_t base = team_alloc(DART_TEAM_ALL, 64 << 20, DART_TYPE_BYTE);
    ((char *)own_part(base, self))[(i * 1000003) % (64 << 20)] = 1;
    OK(dart_team_memfree(base));
  }
}

int main(int argc, char **argv) {
  setenv("TESSERA_HEAP_LIMIT", "1G", 1); /* of a node; over_and_over allocates several times as much */
  start(&argc, &argv);
  local_blocks();
  local_blocks_of_others();
  segments_of(DART_TEAM_ALL);
  dart_team_t even = team_of(EVEN_UNITS & ((1u << units_n) - 1)), odd = DART_TEAM_NULL;
  if (units_n > 1) odd = team_of(ODD_UNITS & ((1u << units_n) - 1));
  dart_team_t half = self % 2 ? odd : even;
  segments_of(half);
  different_sizes();
  set_address();
  flags();
  freed();
  live_segments(half);
  over_and_over();
  segments_of(DART_TEAM_ALL);
  OK(dart_team_destroy(&half));
  return finish();
}
