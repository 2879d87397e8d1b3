/* Atomics: every operation on every type, compared with the reference, and words that all units update at once.
 * Group: dart_demanding
 */
#include "dart_reference.h"

#include <sched.h>

enum { N = 5, ROOM = 64 << 10 };

static dart_gptr_t base;
static unsigned char *mine;
static int right;

/* Small numbers with zeros, so that nothing overflows, except in a byte, where it wraps. */
static void numbers(dart_datatype_t type, void *data, int key) {
  int below_zero = type == DART_TYPE_INT ? 4 : 0;
  for (int i = 0; i < N; i++) reference_set(type, data, (size_t)i, (key * 7 + i * 5) % 13 - below_zero);
}

/* Sets, updates and reads the neighbour's elements, by atomics only. */
static void accumulate(const struct basic_type *basic, dart_operation_t op) {
  _Alignas(16) unsigned char target[N * 16] = {0}, operand[N * 16] = {0}, got[N * 16] = {0};
  dart_gptr_t there = at(base, right, 1024);
  numbers(basic->type, target, self + 1);
  numbers(basic->type, operand, self + 5 + (int)op);
  OK(dart_accumulate(there, target, N, basic->type, DART_OP_REPLACE));
  OK(dart_flush(there));
  OK(dart_accumulate_blocking_local(there, operand, N, basic->type, op));
  unsigned char kept[N * 16];
  memcpy(kept, operand, sizeof kept);
  memset(operand, GUARD, sizeof operand);
  OK(dart_flush(there));
  reference_combine(basic->type, op, target, kept, N);
  OK(dart_get_blocking(got, there, N, basic->type, basic->type));
  CHECK_EQ(reference_differ(basic->type, got, target, N), 0);
}

static void fetch(const struct basic_type *basic, dart_operation_t op) {
  _Alignas(16) unsigned char target[16] = {0}, operand[N * 16] = {0}, old[16] = {0}, now[16] = {0};
  dart_gptr_t there = at(base, right, 2048);
  reference_set(basic->type, target, 0, 9);
  numbers(basic->type, operand, self + (int)op);
  OK(dart_fetch_and_op(there, target, now, basic->type, DART_OP_REPLACE));
  OK(dart_flush(there));
  OK(dart_fetch_and_op(there, operand, old, basic->type, op));
  OK(dart_flush_local(there));
  CHECK_EQ(reference_differ(basic->type, old, target, 1), 0);
  OK(dart_flush(there));
  OK(dart_fetch_and_op(there, NULL, now, basic->type, DART_OP_NO_OP));
  OK(dart_flush(there));
  reference_combine(basic->type, op, target, operand, 1);
  CHECK_EQ(reference_differ(basic->type, now, target, 1), 0);
}

static void swap(const struct basic_type *basic) {
  _Alignas(16) unsigned char first[16] = {0}, second[16] = {0}, other[16] = {0}, got[16];
  dart_gptr_t there = at(base, right, 4096);
  reference_set(basic->type, first, 0, 200 + self);
  reference_set(basic->type, second, 0, -3);
  reference_set(basic->type, other, 0, 5);
  OK(dart_fetch_and_op(there, first, got, basic->type, DART_OP_REPLACE));
  OK(dart_flush(there));
  const unsigned char *steps[][4] = { /* value, compare, old content, new content */
    {second, other, first, first}, {second, first, first, second}, {other, first, second, second},
    {other, second, second, other}, {other, other, other, other}};
  for (int i = 0; i < 5; i++) {
    memset(got, GUARD, sizeof got);
    OK(dart_compare_and_swap(there, steps[i][0], steps[i][1], got, basic->type));
    OK(dart_flush_local(there));
    CHECK(memcmp(got, steps[i][2], basic->bytes) == 0);
    CHECK_EQ(touched(got + basic->bytes, sizeof got - basic->bytes), 0);
    OK(dart_flush(there));
    OK(dart_get_blocking(got, there, 1, basic->type, basic->type));
    CHECK(memcmp(got, steps[i][3], basic->bytes) == 0);
  }
}

static void every_operation(void) {
  int64_t word = 1, result = 77;
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    const struct basic_type *basic = &basic_types[i];
    for (dart_operation_t op = DART_OP_UNDEFINED; op <= DART_OP_LAST + 1; op++) {
      if (is_atomic_op(basic, op)) {
        accumulate(basic, op);
        fetch(basic, op);
        continue;
      }
      CHECK_EQ(dart_accumulate(base, &word, 1, basic->type, op), DART_ERR_INVAL);
      CHECK_EQ(dart_accumulate_blocking_local(base, &word, 1, basic->type, op), DART_ERR_INVAL);
      CHECK_EQ(dart_fetch_and_op(base, &word, &result, basic->type, op), DART_ERR_INVAL);
    }
    if (basic->is_integer) swap(basic);
    else CHECK_EQ(dart_compare_and_swap(base, &word, &word, &result, basic->type), DART_ERR_INVAL);
    if (basic->bytes == 1) continue;
    CHECK_EQ(dart_fetch_and_op(at(base, right, 1), &word, &result, basic->type, DART_OP_SUM), DART_ERR_INVAL);
  }
  CHECK_EQ(result, 77);
  OK(dart_accumulate(at(base, right, 0), NULL, 3, DART_TYPE_INT, DART_OP_NO_OP));
  OK(dart_accumulate(at(base, right, 0), NULL, 0, DART_TYPE_INT, DART_OP_SUM));
  OK(dart_flush(at(base, right, 0)));
  barrier();
}

/* The last unit's part, after all units have cleared their own. */
static dart_gptr_t cleared(int64_t off) {
  memset(mine, 0, ROOM);
  barrier();
  return at(base, units_n - 1, off);
}

/* All units add to a word of each type; a sum that fits is exact. */
static void sums(void) {
  enum { TIMES = 40 };
  _Alignas(16) unsigned char one[16] = {0}, got[16] = {0}, expected[16] = {0};
  dart_gptr_t there = cleared(0);
  for (int i = 0; i < TIMES * BASIC_TYPES_N; i++) {
    const struct basic_type *basic = &basic_types[i % BASIC_TYPES_N];
    reference_set(basic->type, one, 0, 1);
    dart_gptr_t word = there;
    OK(dart_gptr_incaddr(&word, i % BASIC_TYPES_N * 16));
    OK(dart_accumulate_blocking_local(word, one, 1, basic->type, DART_OP_SUM));
  }
  OK(dart_flush(there));
  barrier();
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    reference_set(basic_types[i].type, expected, 0, units_n * TIMES);
    OK(dart_get_blocking(got, at(there, units_n - 1, i * 16), 1, basic_types[i].type, basic_types[i].type));
    CHECK_EQ(reference_differ(basic_types[i].type, got, expected, 1), 0);
  }
  barrier();
}

/* Words of every size share sixteen bytes: an update changes no byte of a neighbour. */
static void mixed_sizes(void) {
  enum { TIMES = 50 };
  static const struct { int off; dart_datatype_t type; } words[] = {
    {0, DART_TYPE_BYTE}, {1, DART_TYPE_BYTE}, {2, DART_TYPE_SHORT}, {4, DART_TYPE_INT}, {8, DART_TYPE_LONG},
    {16, DART_TYPE_FLOAT}, {20, DART_TYPE_BYTE}, {22, DART_TYPE_SHORT}, {24, DART_TYPE_DOUBLE}};
  enum { WORDS_N = sizeof words / sizeof words[0] };
  _Alignas(16) unsigned char values[WORDS_N][16] = {{0}}, expected[16] = {0};
  dart_gptr_t there = cleared(4080);
  for (int i = 0; i < WORDS_N; i++) reference_set(words[i].type, values[i], 0, i == 1 ? 3 : 1);
  for (int i = 0; i < TIMES * WORDS_N; i++) {
    int k = (i + self) % WORDS_N;
    OK(dart_accumulate(at(there, units_n - 1, words[k].off), values[k], 1, words[k].type, DART_OP_SUM));
  }
  OK(dart_flush_all(there));
  barrier();
  for (int i = 0; self == units_n - 1 && i < WORDS_N; i++) {
    reference_set(words[i].type, expected, 0, units_n * TIMES * (i == 1 ? 3 : 1));
    CHECK_EQ(reference_differ(words[i].type, mine + 4080 + words[i].off, expected, 1), 0);
  }
  barrier();
}

/* All units draw tickets: each number is drawn once. */
static void tickets(dart_datatype_t type) {
  enum { TIMES = 60, AT_ONCE = 20 };
  static int32_t drawn[64 * TIMES], all[64 * TIMES], one = 1;
  static float results_float[AT_ONCE], one_float = 1;
  static int32_t results[AT_ONCE];
  bool is_int = type == DART_TYPE_INT;
  dart_gptr_t there = cleared(512);
  for (int i = 0; i < TIMES; i += AT_ONCE) {
    for (int k = 0; k < AT_ONCE; k++) {
      OK(dart_fetch_and_op(there, is_int ? (void *)&one : (void *)&one_float,
                           is_int ? (void *)&results[k] : (void *)&results_float[k], type, DART_OP_SUM));
    }
    OK(dart_flush_local(there));
    for (int k = 0; k < AT_ONCE; k++) drawn[i + k] = is_int ? results[k] : (int32_t)results_float[k];
  }
  OK(dart_allgather(drawn, all, TIMES, DART_TYPE_INT, DART_TEAM_ALL));
  static bool seen[64 * TIMES];
  memset(seen, 0, sizeof seen);
  for (int i = 0; i < TIMES * units_n; i++) {
    CHECK(all[i] >= 0 && all[i] < TIMES * units_n && !seen[all[i]]);
    seen[all[i]] = true;
  }
  barrier();
}

/* Bits that each unit toggles an odd number of times, the smallest and largest value, and the last writer. */
static void other_hot_words(void) {
  dart_gptr_t there = cleared(0);
  int64_t bit = (int64_t)1 << self, replaced = self + 1, got[4] = {0};
  int64_t values[2] = {self + 100, -self};
  for (int i = 0; i < 31; i++) {
    OK(dart_accumulate(there, &bit, 1, DART_TYPE_LONG, DART_OP_BXOR));
    OK(dart_accumulate(at(there, units_n - 1, 8), &values[0], 1, DART_TYPE_LONG, DART_OP_MAX));
    OK(dart_accumulate(at(there, units_n - 1, 16), &values[1], 1, DART_TYPE_LONG, DART_OP_MIN));
    OK(dart_accumulate(at(there, units_n - 1, 24), &replaced, 1, DART_TYPE_LONG, DART_OP_REPLACE));
  }
  OK(dart_flush(there));
  barrier();
  OK(dart_get_blocking(got, there, 4, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK_EQ(got[0], (1 << units_n) - 1);
  CHECK_EQ(got[1], units_n + 99);
  CHECK_EQ(got[2], 1 - units_n);
  CHECK(got[3] >= 1 && got[3] <= units_n);
  barrier();
}

/* All units send long vectors to all at once; the sums are exact for each element. */
static void vectors(const struct basic_type *basic, size_t n) {
  unsigned char *operand = private_buffer(n * basic->bytes), *expected = private_buffer(n * basic->bytes);
  cleared(0);
  for (size_t i = 0; i < n; i++) {
    reference_set(basic->type, operand, i, (int)(i % 10) + self);
    reference_set(basic->type, expected, i, units_n * (int)(i % 10) + units_n * (units_n - 1) / 2);
  }
  for (int i = 0; i < units_n; i++) {
    OK(dart_accumulate(at(base, (self + i) % units_n, 0), operand, n, basic->type, DART_OP_SUM));
  }
  OK(dart_flush_all(base));
  barrier();
  CHECK_EQ(reference_differ(basic->type, mine, expected, n), 0);
  barrier();
  free(operand);
  free(expected);
}

/* A counter that only compare-and-swap changes. */
static void swap_counter(const struct basic_type *basic) {
  enum { TIMES = 5 };
  _Alignas(16) unsigned char seen[16] = {0}, next[16] = {0}, one[16] = {0}, was[16] = {0}, expected[16] = {0};
  dart_gptr_t there = cleared(64);
  reference_set(basic->type, one, 0, 1);
  for (int i = 0; i < TIMES;) {
    memcpy(next, seen, sizeof next);
    reference_combine(basic->type, DART_OP_SUM, next, one, 1);
    OK(dart_compare_and_swap(there, next, seen, was, basic->type));
    OK(dart_flush(there));
    if (memcmp(was, seen, basic->bytes) == 0) i++;
    memcpy(seen, was, sizeof seen);
  }
  barrier();
  reference_set(basic->type, expected, 0, units_n * TIMES);
  OK(dart_get_blocking(seen, there, 1, basic->type, basic->type));
  CHECK(memcmp(seen, expected, basic->bytes) == 0);
  barrier();
}

/* A lock of one word guards two plain words on another unit. A unit that spins for it also serves the others. */
static void spin_lock(void) {
  enum { TIMES = 15 };
  const int32_t open = 0, taken = self + 1;
  dart_gptr_t lock = cleared(128), data = at(base, 0, 256);
  int64_t pair[2];
  for (int i = 0; i < TIMES; i++) {
    for (int32_t was = -1; was != open;) {
      OK(dart_compare_and_swap(lock, &taken, &open, &was, DART_TYPE_INT));
      OK(dart_flush(lock));
      if (was != open) sched_yield();
    }
    OK(dart_get_blocking(pair, data, 2, DART_TYPE_LONG, DART_TYPE_LONG));
    CHECK_EQ(pair[1], -pair[0]);
    pair[0]++;
    pair[1]--;
    OK(dart_put_blocking(data, pair, 2, DART_TYPE_LONG, DART_TYPE_LONG));
    int32_t holder = -1;
    OK(dart_fetch_and_op(lock, &open, &holder, DART_TYPE_INT, DART_OP_REPLACE));
    OK(dart_flush(lock));
    CHECK_EQ(holder, taken);
  }
  barrier();
  OK(dart_get_blocking(pair, data, 2, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK(pair[0] == units_n * TIMES && pair[1] == -pair[0]);
  barrier();
}

/* Local blocks can be changed by atomics as segments can, also by their owner. */
static void on_a_local_block(void) {
  dart_gptr_t block = DART_GPTR_NULL;
  int64_t one = 1;
  if (self == 0) {
    OK(dart_memalloc(1, DART_TYPE_LONG, &block));
    *(int64_t *)own_part(block, 0) = 1000;
  }
  OK(dart_bcast(&block, sizeof block, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  for (int i = 0; i < 50; i++) OK(dart_accumulate(block, &one, 1, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush(block));
  barrier();
  if (self == 0) CHECK_EQ(*(int64_t *)own_part(block, 0), 1000 + 50 * units_n);
  if (self == 0) OK(dart_memfree(block));
  barrier();
}

/* Units are numbered as in the team. */
static void on_a_team(void) {
  unsigned odd = ODD_UNITS & ((1u << units_n) - 1);
  dart_team_t team = odd ? team_of(odd) : DART_TEAM_NULL;
  if (team == DART_TEAM_NULL) return;
  int me = team_self(team), n = team_units_n(team), one = 1, got = 0;
  dart_gptr_t segment = team_alloc(team, 1, DART_TYPE_INT);
  *(int *)own_part(segment, me) = me * 1000;
  OK(dart_barrier(team));
  for (int to = 0; to < n; to++) OK(dart_accumulate(at(segment, to, 0), &one, 1, DART_TYPE_INT, DART_OP_SUM));
  OK(dart_flush_all(segment));
  OK(dart_barrier(team));
  OK(dart_fetch_and_op(at(segment, me, 0), NULL, &got, DART_TYPE_INT, DART_OP_NO_OP));
  OK(dart_flush_local(segment));
  CHECK_EQ(got, me * 1000 + n);
  OK(dart_team_memfree(segment));
  OK(dart_team_destroy(&team));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  base = team_alloc(DART_TEAM_ALL, ROOM, DART_TYPE_BYTE);
  mine = own_part(base, self);
  right = (self + 1) % units_n;
  every_operation();
  sums();
  mixed_sizes();
  tickets(DART_TYPE_INT);
  tickets(DART_TYPE_FLOAT);
  other_hot_words();
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    vectors(&basic_types[i], 1000);
    if (basic_types[i].is_integer) swap_counter(&basic_types[i]);
  }
  vectors(&basic_types[2], ROOM / 4);
  vectors(&basic_types[9], ROOM / 8);
  spin_lock();
  on_a_local_block();
  on_a_team();
  OK(dart_team_memfree(base));
  return finish();
}
