/* Every reduction of the native interface, of every type by every operation, and by the program's own ones, one of
 * which does not commute, compared with a loop over the members: blocking and not, in place and apart, in lengths on
 * both sides of the places where the algorithms change, on teams in several orders. Collectives that only move bytes
 * are in native_coll.c.
 * Units: 1 2 3 4 5 7 8 16
 * Nodes: 3 18
 * Group: core_collectives
 */
#include <complex.h>
#include <string.h>

#include <tessera/coll.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { MEMBERS_MAX = 16, MOST_BYTES = 20480, LENGTHS_N = 4, GUARD = 0xee };

/* ---- The numbers of each type, and the operations on them --------------------------------------------- */

/* Any bits, 0 among them; for BAND most are set, so that some remain. */
static uint64_t bits_of(int32_t who, size_t at, tessera_op_t op) {
  uint64_t x = ((uint64_t)who * 1000003 + at + 1) * UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  if (op == TESSERA_BAND) return ~(x & x << 17 & x << 31);
  return x % 7 == 0 && op != TESSERA_PROD ? 0 : x;
}

/* Small whole numbers: nothing is rounded, whatever the order of combining. */
static int small_of(int32_t who, size_t at, tessera_op_t op) {
  static const int factors[] = {1, -1, 2, 1, 1, -2, 1};
  size_t x = (size_t)who * 11 + at * 3;
  return op == TESSERA_PROD ? factors[x % 7] : (int)(x % 41) - 20;
}

/* Sums and products wrap, computed unsigned. */
#define INTEGER(NAME, T)                                                                             \
  static T NAME##_make(int32_t who, size_t at, tessera_op_t op) { return (T)bits_of(who, at, op); }  \
  static T NAME##_join(tessera_op_t op, T low, T high) {                                             \
    switch (op) {                                                                                    \
      case TESSERA_MIN: return low < high ? low : high;                                              \
      case TESSERA_MAX: return low > high ? low : high;                                              \
      case TESSERA_SUM: return (T)((uint64_t)low + (uint64_t)high);                                  \
      case TESSERA_PROD: return (T)((uint64_t)low * (uint64_t)high);                                 \
      case TESSERA_BAND: return low & high;                                                          \
      case TESSERA_BOR: return low | high;                                                           \
      case TESSERA_BXOR: return low ^ high;                                                          \
      case TESSERA_LAND: return low && high;                                                         \
      case TESSERA_LOR: return low || high;                                                          \
      default: return !low != !high;                                                                 \
    }                                                                                                \
  }                                                                                                  \
  LOOPS(NAME, T, got[i] == expected[i])

#define FLOATING(NAME, T)                                                                            \
  static T NAME##_make(int32_t who, size_t at, tessera_op_t op) { return (T)small_of(who, at, op); } \
  static T NAME##_join(tessera_op_t op, T low, T high) {                                             \
    switch (op) {                                                                                    \
      case TESSERA_MIN: return low < high ? low : high;                                              \
      case TESSERA_MAX: return low > high ? low : high;                                              \
      case TESSERA_SUM: return low + high;                                                           \
      default: return low * high;                                                                    \
    }                                                                                                \
  }                                                                                                  \
  LOOPS(NAME, T, got[i] == expected[i])

#define COMPLEX(NAME, T)                                                                             \
  static T NAME##_make(int32_t who, size_t at, tessera_op_t op) {                                    \
    return (T)(small_of(who, at, op) + I * (small_of(who, at + 1, TESSERA_SUM) % 2));                \
  }                                                                                                  \
  static T NAME##_join(tessera_op_t op, T low, T high) {                                             \
    return op == TESSERA_SUM ? low + high : low * high;                                              \
  }                                                                                                  \
  LOOPS(NAME, T, got[i] == expected[i])

/* fill: the data of member `who`. fold: `inout` becomes `low` op `inout`. wrong: the number of unexpected elements. */
#define LOOPS(NAME, T, SAME)                                                                         \
  static void NAME##_fill(void *data, int32_t who, tessera_op_t op, size_t n) {                      \
    T *numbers = data;                                                                               \
    for (size_t i = 0; i < n; i++) numbers[i] = NAME##_make(who, i, op);                             \
  }                                                                                                  \
  static void NAME##_fold(void *inout, const void *lower, tessera_op_t op, size_t n) {               \
    T *high = inout;                                                                                 \
    const T *low = lower;                                                                            \
    for (size_t i = 0; i < n; i++) high[i] = NAME##_join(op, low[i], high[i]);                       \
  }                                                                                                  \
  static size_t NAME##_wrong(const void *data, const void *right, size_t n) {                        \
    const T *got = data, *expected = right;                                                          \
    size_t bad = 0;                                                                                  \
    for (size_t i = 0; i < n; i++) bad += !(SAME);                                                   \
    return bad;                                                                                      \
  }

/* The program's own: maps x -> a x + b composed, modulo 2^32, which do not commute; and the exclusive or of three
 * bytes, an element of an odd size. */
struct map { uint32_t a, b; };
static struct map map_make(int32_t who, size_t at, tessera_op_t op) {
  uint64_t x = bits_of(who, at, op);
  return (struct map){(uint32_t)x | 1, (uint32_t)(x >> 32)};
}
static struct map map_join(tessera_op_t op, struct map low, struct map high) {
  (void)op;
  return (struct map){high.a * low.a, high.a * low.b + high.b};
}

struct three { uint8_t byte[3]; };
static struct three three_make(int32_t who, size_t at, tessera_op_t op) {
  uint64_t x = bits_of(who, at, op);
  return (struct three){{(uint8_t)x, (uint8_t)(x >> 8), (uint8_t)(x >> 16)}};
}
static struct three three_join(tessera_op_t op, struct three low, struct three high) {
  (void)op;
  for (int i = 0; i < 3; i++) high.byte[i] ^= low.byte[i];
  return high;
}

INTEGER(I8, int8_t)
INTEGER(U8, uint8_t)
INTEGER(I16, int16_t)
INTEGER(U16, uint16_t)
INTEGER(I32, int32_t)
INTEGER(U32, uint32_t)
INTEGER(I64, int64_t)
INTEGER(U64, uint64_t)
FLOATING(F32, float)
FLOATING(F64, double)
FLOATING(F80, long double)
COMPLEX(C64, float complex)
COMPLEX(C128, double complex)
LOOPS(map, struct map, got[i].a == expected[i].a && got[i].b == expected[i].b)
LOOPS(three, struct three, !memcmp(&got[i], &expected[i], 3))

static int user_data;
static void combine_maps(void *inout, const void *in, size_t n, void *user) {
  CHECK(user == &user_data);
  map_fold(inout, in, TESSERA_SUM, n);
}
static void combine_threes(void *inout, const void *in, size_t n, void *user) {
  CHECK(user == NULL);
  three_fold(inout, in, TESSERA_SUM, n);
}

#define ROW(NAME, T, FIRST, LAST) \
  {#NAME, TESSERA_##NAME, sizeof(T), TESSERA_##FIRST, TESSERA_##LAST + 1, NAME##_fill, NAME##_fold, NAME##_wrong}
static const struct element {
  const char *name;
  tessera_type_t type;
  size_t bytes;
  int first_op, end_op; /* those that are defined for it */
  void (*fill)(void *data, int32_t who, tessera_op_t op, size_t n);
  void (*fold)(void *inout, const void *lower, tessera_op_t op, size_t n);
  size_t (*wrong)(const void *data, const void *right, size_t n);
} elements[] = {
  ROW(I8, int8_t, MIN, LXOR),     ROW(U8, uint8_t, MIN, LXOR),
  ROW(I16, int16_t, MIN, LXOR),   ROW(U16, uint16_t, MIN, LXOR),
  ROW(I32, int32_t, MIN, LXOR),   ROW(U32, uint32_t, MIN, LXOR),
  ROW(I64, int64_t, MIN, LXOR),   ROW(U64, uint64_t, MIN, LXOR),
  ROW(F32, float, MIN, PROD),     ROW(F64, double, MIN, PROD),
  ROW(F80, long double, MIN, PROD), ROW(C64, float complex, SUM, PROD),
  ROW(C128, double complex, SUM, PROD),
  {"maps", TESSERA_TYPE_USER, sizeof(struct map), TESSERA_SUM, TESSERA_SUM + 1, map_fill, map_fold, map_wrong},
  {"threes", TESSERA_TYPE_USER, 3, TESSERA_SUM, TESSERA_SUM + 1, three_fill, three_fold, three_wrong},
};
enum { ELEMENTS_N = sizeof elements / sizeof *elements };

static tessera_reduction_t way_of(const struct element *element, tessera_op_t op) {
  if (element->type != TESSERA_TYPE_USER) return tessera_builtin(element->type, op);
  bool commutes = element->bytes == 3;
  if (commutes) return tessera_user_op(combine_threes, NULL, element->bytes, true);
  return tessera_user_op(combine_maps, &user_data, element->bytes, false);
}

/* ---- The calls -------------------------------------------------------------------------------------------------- */

static tessera_team_t team;
static int32_t me, members_n;

/* The type, operation and length of a round. */
static const struct element *element;
static tessera_op_t op;
static size_t n;

/* The data of this member, and the combined data of the members up to each. */
static _Alignas(16) unsigned char mine[MOST_BYTES], up_to[MEMBERS_MAX][MOST_BYTES];

static void compute(void) {
  for (int32_t who = 0; who < members_n; who++) {
    element->fill(up_to[who], who, op, n);
    if (who == me) memcpy(mine, up_to[who], n * element->bytes);
    if (who) element->fold(up_to[who], up_to[who - 1], op, n);
  }
}

/* Receive buffers of a round, each with guards behind it. Their expected content: `n` of the combined elements of
 * members 0 to `last`, from number `first` on; last < 0: the old content. */
static struct result {
  _Alignas(16) unsigned char data[MOST_BYTES + 16];
  const char *call;
  int32_t last;
  size_t first, n;
} results[5];
static size_t results_n;

static void *expect(const char *call, bool in_place, int32_t last, size_t first, size_t part_n) {
  struct result *result = &results[results_n++];
  size_t bytes = n * element->bytes;
  memset(result->data, GUARD, bytes + 16);
  if (in_place) memcpy(result->data, mine, bytes);
  result->call = call;
  result->last = last;
  result->first = first;
  result->n = part_n;
  return result->data;
}

static void compare(const struct result *result) {
  size_t bad = 0, size = element->bytes, from = result->last < 0 ? 0 : n * size;
  for (size_t i = from; i < n * size + 16; i++) bad += result->data[i] != GUARD;
  if (result->last >= 0) bad += element->wrong(result->data, up_to[result->last] + result->first * size, result->n);
  if (bad)
    fprintf(stderr, "%s of %zu %s, operation %d, member %d of %d: %zu wrong\n", result->call, n, element->name, (int)op,
            me, members_n, bad);
  CHECK_EQ(bad, 0);
}

static bool starts;
static tessera_request_t requests[5];
static size_t requests_n;
#define RUN(name, ...) \
  OK(starts ? tessera_##name##_nb(__VA_ARGS__, &requests[requests_n++]) : tessera_##name(__VA_ARGS__))

/* All kinds one after the other. Member i gets about i % 3 parts of reduce_scatter's elements. */
static void calls(bool in_place, int32_t root) {
  tessera_reduction_t how = way_of(element, op);
  const void *send = in_place ? TESSERA_IN_PLACE : mine;
  int32_t last = members_n - 1;
  size_t counts[MEMBERS_MAX], first[MEMBERS_MAX + 1] = {0}, parts_n = 0, part = 0;
  for (int32_t i = 0; i < members_n; i++) parts_n += members_n > 1 ? (size_t)i % 3 : 1;
  for (int32_t i = 0; i < members_n; i++) {
    part += members_n > 1 ? (size_t)i % 3 : 1;
    first[i + 1] = n * part / parts_n;
    counts[i] = first[i + 1] - first[i];
  }
  if (me == root) RUN(reduce, team, send, expect("reduce", in_place, last, 0, n), n, how, root);
  else RUN(reduce, team, mine, NULL, n, how, root);
  RUN(allreduce, team, send, expect("allreduce", in_place, last, 0, n), n, how);
  RUN(scan, team, send, expect("scan", in_place, me, 0, n), n, how);
  if (me || in_place) RUN(exscan, team, send, expect("exscan", in_place, me ? me - 1 : 0, 0, n), n, how);
  else RUN(exscan, team, send, starts ? expect("exscan", false, -1, 0, 0) : NULL, n, how);
  void *into = expect("reduce_scatter", in_place, last, first[me], counts[me]);
  RUN(reduce_scatter, team, send, into, counts, how);
}

/* Blocking and apart, then non-blocking and in place, or the other way round. */
static void one_round(int number) {
  compute();
  for (int way = 0; way < 2; way++) {
    starts = way;
    results_n = requests_n = 0;
    calls((number + way) % 2, (number / 2 + way) % members_n);
    for (size_t i = 0; i < requests_n; i++) OK(tessera_wait(&requests[(i * 7 + (size_t)number) % requests_n]));
    for (size_t i = 0; i < results_n; i++) compare(&results[i]);
  }
}

/* Every operation, or every second one. The program's own run with each length; the others with another one for each
 * `shift`, so that each type meets all. */
static void run(tessera_team_t which, int step, int shift) {
  if (which.id < 0) return;
  team = which;
  me = tessera_team_rank(team);
  members_n = tessera_team_size(team);
  int number = 0;
  for (element = elements; element < elements + ELEMENTS_N; element++) {
    const size_t size = element->bytes, lengths[LENGTHS_N] = {1, 3000 / size, 37, MOST_BYTES / size - 1};
    int lengths_n = element->type == TESSERA_TYPE_USER ? LENGTHS_N : 1;
    for (int o = element->first_op; o < element->end_op; o += step) {
      op = (tessera_op_t)o;
      for (int i = 0; i < lengths_n; i++) {
        n = lengths[(o + i + shift + (int)(element - elements) / 2) % LENGTHS_N];
        one_round(number++);
      }
    }
  }
}

/* Members first, first + step and so on, or in reverse. */
static tessera_team_t make(int32_t first, int32_t step, bool backwards) {
  int32_t units[MEMBERS_MAX], units_n = 0;
  tessera_team_t made = {-1};
  for (int32_t unit = first; unit < tessera_units(); unit += step) units[units_n++] = unit;
  for (int32_t i = 0; backwards && i < units_n / 2; i++) {
    int32_t unit = units[i];
    units[i] = units[units_n - 1 - i];
    units[units_n - 1 - i] = unit;
  }
  OK(tessera_team_create(tessera_team_world(), units, units_n, &made));
  return made;
}

int main(int argc, char **argv) {
  OK(tessera_init(&argc, &argv));
  int32_t units_n = tessera_units();
  if (units_n > MEMBERS_MAX) return check_skip();
  tessera_team_t reversed = make(0, 1, true), even = make(0, 2, false), odd = make(1, 2, true);
  tessera_team_t alone = make(0, units_n, false);
  run(tessera_team_world(), 1, 0);
  run(reversed, 1, 1);
  run(even, 2, 0); /* and at the same time */
  run(odd, 2, 1);
  run(alone, 1, 0);
  OK(tessera_exit());
  return check_result();
}
