/* More than 2 GiB, more elements than an int counts, and displacements that no int holds, in every kind of call. Large
 * data moves between unit 0 and the last one, which with two virtual nodes are on different nodes; the others only take
 * part in collective calls. Takes about 14 GiB of memory.
 */
#include "../spmd/dart_check.h"

#include <limits.h>
#include <sys/mman.h>
#include <tessera/coll.h>
#include <unistd.h>

#include <dash/dart/if/dart_ext.h>

#define WORDS_N (((size_t)5 << 26) + 512) /* of 8 bytes: 2.5 GiB and a bit */
#define BYTES (WORDS_N * 8)

static uint64_t *buffer(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) abort();
  return memory;
}

static void give_back(void *memory, size_t bytes) {
  if (munmap(memory, bytes)) abort();
}

static uint64_t word(uint64_t key, size_t i) { return (i + key) * UINT64_C(0x9e3779b97f4a7c15); }
static void fill_words(uint64_t *words, size_t n, uint64_t key) {
  for (size_t i = 0; i < n; i++) words[i] = word(key, i);
}
static size_t wrong_words(const uint64_t *words, size_t n, uint64_t key) {
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) bad += words[i] != word(key, i);
  return bad;
}

/* Unit 0 on the memory of the last unit, which holds all data. */
static void one_sided(uint64_t *data) {
  dart_unit_t last = units_n - 1;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, self == last ? WORDS_N : 0, DART_TYPE_ULONG);
  dart_gptr_t there = at(base, last, 0);
  if (self == 0) {
    fill_words(data, WORDS_N, 1);
    OK(dart_put_blocking(there, data, BYTES, DART_TYPE_BYTE, DART_TYPE_BYTE));
  }
  barrier();
  if (self == last) CHECK_EQ(wrong_words(own_part(base, last), WORDS_N, 1), 0);
  barrier();
  if (self == 0) {
    dart_handle_t handle = DART_HANDLE_NULL;
    memset(data, 0, BYTES);
    OK(dart_get_handle(data, there, BYTES / 2, DART_TYPE_SHORT, DART_TYPE_SHORT, &handle));
    OK(dart_wait(&handle));
    CHECK_EQ(wrong_words(data, WORDS_N, 1), 0);
    /* Once more, as every other word of the first half. */
    dart_datatype_t every_other = DART_TYPE_UNDEFINED;
    OK(dart_type_create_strided(DART_TYPE_ULONG, 2, 1, &every_other));
    OK(dart_put(there, data, WORDS_N / 2, DART_TYPE_ULONG, every_other));
    OK(dart_flush(there));
    OK(dart_get_blocking(data, there, WORDS_N / 2, every_other, DART_TYPE_ULONG));
    CHECK_EQ(wrong_words(data, WORDS_N / 2, 1), 0);
    OK(dart_type_destroy(&every_other));
    memset(data, 1, BYTES);
    OK(dart_accumulate(there, data, BYTES, DART_TYPE_BYTE, DART_OP_REPLACE));
    OK(dart_accumulate(there, data, BYTES, DART_TYPE_BYTE, DART_OP_SUM));
    OK(dart_flush(there));
  }
  barrier();
  size_t bad = 0;
  const unsigned char *own = self == last ? own_part(base, last) : NULL;
  for (size_t i = 0; own && i < BYTES; i++) bad += own[i] != 2;
  CHECK_EQ(bad, 0);
  OK(dart_team_memfree(base));
}

/* Members 0 and 1: each sends or receives a whole buffer. */
static void collectives(dart_team_t pair, uint64_t *data, uint64_t *other) {
  dart_team_unit_t root = {0};
  int me = team_self(pair);
  if (me == 0) fill_words(data, WORDS_N, 2);
  OK(dart_bcast(data, BYTES, DART_TYPE_BYTE, root, pair));
  CHECK_EQ(wrong_words(data, WORDS_N, 2), 0);
  memset(data, me, BYTES);
  OK(dart_allreduce(data, other, BYTES, DART_TYPE_BYTE, DART_OP_SUM, pair));
  size_t bad = 0;
  for (size_t i = 0; i < BYTES; i++) bad += ((unsigned char *)other)[i] != 1;
  CHECK_EQ(bad, 0);
  size_t half = WORDS_N / 2;
  fill_words(data, half, 3 + (uint64_t)me);
  OK(dart_allgather(data, other, half * 8, DART_TYPE_BYTE, pair));
  CHECK_EQ(wrong_words(other, half, 3), 0);
  CHECK_EQ(wrong_words(other + half, half, 4), 0);
  OK(dart_scatter(me == 0 ? other : NULL, data, half * 8, DART_TYPE_BYTE, root, pair));
  CHECK_EQ(wrong_words(data, half, 3 + (uint64_t)me), 0);
  OK(dart_alltoall(NULL, other, half * 8, DART_TYPE_BYTE, pair));
  CHECK_EQ(wrong_words(other, half, me == 0 ? 3 : 4), 0);
}

/* ---- Counts beyond INT_MAX: between members 0 and 1 --------------------------------------------------------------
 *
 * The data is one piece of memory, repeated. Its length divides no power of two, so an offset that wrapped is
 * noticed. */

enum { PERIOD = 513 << 12 };
static const size_t MANY = (size_t)INT_MAX + 4099;
static unsigned char periods[3][PERIOD]; /* of member 0, of member 1, and of their sum */

static void make_periods(void) {
  for (size_t i = 0; i < PERIOD; i++) {
    for (unsigned who = 0; who < 2; who++) periods[who][i] = pattern(who + 1, i * (i >> 11));
    periods[2][i] = (unsigned char)(periods[0][i] + periods[1][i]);
  }
}

static size_t mapped(size_t bytes) { return (bytes + PERIOD - 1) / PERIOD * PERIOD; }
static unsigned char *repeated(const unsigned char *period, size_t bytes) {
  unsigned char *memory = (unsigned char *)buffer(mapped(bytes));
  int file = memfd_create("period", 0);
  if (file < 0 || write(file, period, PERIOD) != PERIOD) abort();
  for (size_t at = 0; at < bytes; at += PERIOD) {
    if (mmap(memory + at, PERIOD, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) abort();
  }
  close(file);
  return memory;
}

/* Whether `data` equals the bytes from `from` on of the repeated period. */
static bool holds(const unsigned char *data, const unsigned char *period, size_t from, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    size_t within = (from + at) % PERIOD, now = PERIOD - within < bytes - at ? PERIOD - within : bytes - at;
    if (memcmp(data + at, period + within, now)) return false;
    at += now;
  }
  return true;
}

static void gathers(dart_team_t pair, int me, const unsigned char *mine) {
  unsigned char *both = (unsigned char *)buffer(2 * MANY);
  dart_team_unit_t root = {1};
  OK(dart_gather(mine, me == 1 ? both : NULL, MANY, DART_TYPE_BYTE, root, pair));
  if (me == 1) CHECK(holds(both, periods[0], 0, MANY) && holds(both + MANY, periods[1], 0, MANY));
  if (me == 1) memset(both, 0, 2 * MANY);
  OK(dart_allgather(mine, both, MANY, DART_TYPE_BYTE, pair));
  CHECK(holds(both, periods[0], 0, MANY) && holds(both + MANY, periods[1], 0, MANY));
  give_back(both, 2 * MANY);
}

static void reductions(dart_team_t pair, int me, const unsigned char *mine) {
  unsigned char *sum = (unsigned char *)buffer(MANY);
  size_t counts[2] = {MANY, MANY};
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_team_unit_t root = {1};
  OK(dart_reduce(mine, me == 1 ? sum : NULL, MANY, DART_TYPE_BYTE, DART_OP_SUM, root, pair));
  if (me == 1) CHECK(holds(sum, periods[2], 0, MANY));
  memset(sum, 0, MANY);
  OK(dart_ireduce_scatter(mine, sum, counts, DART_TYPE_BYTE, DART_OP_SUM, pair, &handle));
  OK(dart_wait(&handle));
  CHECK(holds(sum, periods[2], (size_t)me * MANY, MANY));
  memset(sum, 0, MANY);
  tessera_reduction_t how = tessera_builtin(TESSERA_U8, TESSERA_SUM);
  CHECK_EQ(tessera_scan(tessera_team_of_id(pair), mine, sum, MANY, how), TESSERA_OK);
  CHECK(holds(sum, periods[me ? 2 : 0], 0, MANY));
  give_back(sum, MANY);
}

/* Each member sends all to the other, and one byte to itself, through the native interface. */
static void exchange(dart_team_t pair, int me, const unsigned char *mine) {
  size_t counts[2] = {MANY, MANY}, out[2] = {0, 0}, in[2] = {3, 3};
  unsigned char *got = (unsigned char *)buffer(MANY + 4);
  tessera_request_t request;
  counts[me] = 1;
  out[me] = MANY;
  in[1 - me] = 4;
  CHECK_EQ(tessera_alltoallv_nb(tessera_team_of_id(pair), mine, counts, out, got, counts, in, &request), TESSERA_OK);
  CHECK_EQ(tessera_wait(&request), TESSERA_OK);
  CHECK(holds(got + 3, periods[me], MANY, 1) && holds(got + 4, periods[1 - me], 0, MANY));
  give_back(got, MANY + 4);
}

static void many_elements(dart_team_t pair) {
  int me = team_self(pair);
  make_periods();
  unsigned char *mine = repeated(periods[me], 2 * MANY);
  gathers(pair, me, mine);
  reductions(pair, me, mine);
  exchange(pair, me, mine);
  give_back(mine, mapped(2 * MANY));
}

/* ---- Displacements beyond INT_MAX elements: all units, little data in a large address range, which takes no memory
 * ---------- */

enum { FEW = 3000, FAR_UNITS = 8 };

/* Unit i's share begins (i + 1) * far elements from the start. */
static struct far {
  uint64_t *send, *recv;
  size_t counts[FAR_UNITS], displs[FAR_UNITS], bytes;
} far;

static void far_open(size_t step) {
  far.bytes = ((size_t)units_n * step + FEW) * 8;
  far.send = buffer(far.bytes);
  far.recv = buffer(far.bytes);
  for (size_t i = 0; i < (size_t)units_n; i++) {
    far.counts[i] = FEW - i;
    far.displs[i] = (i + 1) * step;
  }
}
static void far_close(void) {
  give_back(far.send, far.bytes);
  give_back(far.recv, far.bytes);
}

/* The data from unit `who` to unit `to` follows from both. */
static void far_fill(void) {
  for (int to = 0; to < units_n; to++) fill_words(far.send + far.displs[to], FEW, (uint64_t)(self * 100 + to));
}
static void far_check(int who, int to, size_t n) {
  CHECK_EQ(wrong_words(far.recv + far.displs[who], n, (uint64_t)(who * 100 + to)), 0);
  memset(far.recv + far.displs[who], 0, n * 8);
}

static void far_apart(dart_unit_t root_number) {
  dart_team_unit_t root = DART_TEAM_UNIT_ID(root_number);
  size_t own = far.counts[self], each[FAR_UNITS];
  bool is_root = self == root_number;
  uint64_t *place = far.recv + far.displs[root_number];
  dart_handle_t handle = DART_HANDLE_NULL;
  far_fill();
  OK(dart_scatterv(far.send, far.counts, far.displs, DART_TYPE_ULONG, place, own, root, DART_TEAM_ALL));
  far_check(root_number, self, own);
  OK(dart_gatherv(far.send + far.displs[root_number], own, DART_TYPE_ULONG, far.recv, far.counts, far.displs, root,
                  DART_TEAM_ALL));
  for (int who = 0; is_root && who < units_n; who++) far_check(who, root_number, far.counts[who]);
  /* the data for unit 0 to all units */
  OK(dart_allgatherv(far.send + far.displs[0], own, DART_TYPE_ULONG, far.recv, far.counts, far.displs, DART_TEAM_ALL));
  for (int who = 0; who < units_n; who++) far_check(who, 0, far.counts[who]);
  OK(dart_iallgatherv(far.send + far.displs[0], own, DART_TYPE_ULONG, far.recv, far.counts, far.displs, DART_TEAM_ALL,
                      &handle));
  OK(dart_wait(&handle));
  for (int who = 0; who < units_n; who++) far_check(who, 0, far.counts[who]);
  for (int i = 0; i < units_n; i++) each[i] = FEW - 10;
  OK(dart_ialltoallv(far.send, each, far.displs, DART_TYPE_ULONG, far.recv, each, far.displs, DART_TEAM_ALL, &handle));
  OK(dart_wait(&handle));
  for (int who = 0; who < units_n; who++) far_check(who, self, FEW - 10);
}

/* The same in bytes, through the native interface. */
static void bytes_apart(int32_t root) {
  tessera_team_t world = tessera_team_world();
  size_t counts[FAR_UNITS], offs[FAR_UNITS], own = far.counts[self] * 8;
  for (int i = 0; i < units_n; i++) {
    counts[i] = far.counts[i] * 8;
    offs[i] = far.displs[i] * 8;
  }
  far_fill();
  CHECK_EQ(tessera_scatterv(world, far.send, counts, offs, far.recv + far.displs[root], own, root), TESSERA_OK);
  far_check(root, self, far.counts[self]);
  CHECK_EQ(tessera_gatherv(world, far.send + far.displs[root], own, far.recv, counts, offs, root), TESSERA_OK);
  for (int who = 0; self == root && who < units_n; who++) far_check(who, root, far.counts[who]);
  CHECK_EQ(tessera_allgatherv(world, far.send + far.displs[0], own, far.recv, counts, offs), TESSERA_OK);
  for (int who = 0; who < units_n; who++) far_check(who, 0, far.counts[who]);
  for (int i = 0; i < units_n; i++) counts[i] = FEW * 8;
  CHECK_EQ(tessera_alltoallv(world, far.send, counts, offs, far.recv, counts, offs), TESSERA_OK);
  for (int who = 0; who < units_n; who++) far_check(who, self, FEW);
}

static void far_displacements(void) {
  if (units_n > FAR_UNITS) return;
  far_open((size_t)INT_MAX + 7); /* elements */
  for (dart_unit_t root = 0; root < units_n; root++) far_apart(root);
  far_close();
  far_open((size_t)INT_MAX / 8 + 7); /* bytes */
  for (int32_t root = 0; root < units_n; root++) bytes_apart(root);
  far_close();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  uint64_t *data = buffer(BYTES), *other = buffer(BYTES);
  one_sided(data);
  CHECK_EQ(tessera_init(NULL, NULL), TESSERA_OK);
  far_displacements();
  dart_team_t pair = units_n > 1 ? team_of(1u | 1u << (units_n - 1)) : DART_TEAM_NULL;
  if (pair != DART_TEAM_NULL) {
    collectives(pair, data, other);
    give_back(data, BYTES);
    give_back(other, BYTES);
    many_elements(pair);
    OK(dart_team_destroy(&pair));
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return finish();
}
