/* Patches that go around the ends of an array, patches of every so many elements, and non-blocking transfers that are asked
 * about instead of waited for. */
#include "ga_check.h"

enum { ROUNDS = 12, HANDLES = 32, POLLS_MAX = 10000000 };

static const int dims_of[DIMS_MAX][DIMS_MAX] = {{97}, {23, 19}, {11, 9, 13}, {9, 5, 6, 7}};

/* ---- around the ends ---- */

/* Begins somewhere up to one array's length before or behind it, and is no longer than the array. */
static struct patch periodic_patch(const struct array *a) {
  struct patch p = {.buffer_n = 0};
  for (int d = 0; d < a->ndim; d++) {
    p.lo[d] = below(3 * a->dims[d]) - a->dims[d];
    p.hi[d] = p.lo[d] + below(a->dims[d]);
  }
  shape_buffer(a, &p, below(3));
  return p;
}

static size_t place_inside(const struct array *a, const int at[]) {
  int inside[DIMS_MAX];
  for (int d = 0; d < a->ndim; d++) inside[d] = (at[d] + 2 * a->dims[d]) % a->dims[d];
  return place(a, inside);
}

/* What each element of a buffer stands for, one after the other. */
typedef size_t (*place_fn)(const struct array *a, const int at[]);

static void fill_for(const struct array *a, const struct patch *p, place_fn where, char *buffer, long key) {
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do a->type->store(buffer + buffer_place(a, p, at) * a->type->bytes, value_of(where(a, at), key));
  while (next(a, p, at));
}

static void expect(struct array *a, const struct patch *p, place_fn where, long key, long factor) {
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do {
    long *element = &a->expected[where(a, at)], value = value_of(where(a, at), key);
    *element = factor ? *element + factor * value : value;
  } while (next(a, p, at));
}

static size_t wrong_for(const struct array *a, const struct patch *p, place_fn where, const char *buffer) {
  size_t n = 0;
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do n += a->type->load(buffer + buffer_place(a, p, at) * a->type->bytes) != a->expected[where(a, at)];
  while (next(a, p, at));
  return n;
}

static void around_the_ends(struct array *a) {
  for (int round = 0; round < ROUNDS; round++) {
    struct patch p = periodic_patch(a), q = periodic_patch(a);
    long factor = round % 2 ? 3 : 0;
    union scalar given = scalar_of(a->type, 3);
    char *buffer = take((p.buffer_n + q.buffer_n) * a->type->bytes);
    fill_for(a, &p, place_inside, buffer, round);
    if (round % units_n == self && factor) NGA_Periodic_acc(a->ga, p.lo, p.hi, buffer, p.ld, &given);
    if (round % units_n == self && !factor) NGA_Periodic_put(a->ga, p.lo, p.hi, buffer, p.ld);
    expect(a, &p, place_inside, round, factor);
    GA_Sync();
    NGA_Periodic_get(a->ga, q.lo, q.hi, buffer, q.ld);
    CHECK_EQ(wrong_for(a, &q, place_inside, buffer), 0);
    GA_Sync();
    free(buffer);
  }
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

/* ---- every so many elements ---- */

static int skip[DIMS_MAX], first[DIMS_MAX]; /* of the patch at hand: its elements are counted from 0 on */

static size_t place_strided(const struct array *a, const int at[]) {
  int there[DIMS_MAX];
  for (int d = 0; d < a->ndim; d++) there[d] = first[d] + at[d] * skip[d];
  return place(a, there);
}

/* Of the array lo to hi, in one unit's part: of patches that span several Global Arrays 5.8 mixes up some. The buffer holds
 * what is taken. */
static struct patch strided_patch(const struct array *a, int lo[], int hi[]) {
  struct patch taken = {.buffer_n = 0};
  int part_lo[DIMS_MAX], part_hi[DIMS_MAX];
  NGA_Distribution(a->ga, below(units_n), part_lo, part_hi);
  if (part_lo[0] < 0 || part_hi[0] < part_lo[0]) NGA_Distribution(a->ga, 0, part_lo, part_hi);
  for (int d = 0; d < a->ndim; d++) {
    skip[d] = 1 + below(4);
    first[d] = lo[d] = part_lo[d] + below(part_hi[d] - part_lo[d] + 1);
    hi[d] = lo[d] + below(part_hi[d] - lo[d] + 1);
    taken.hi[d] = (hi[d] - lo[d]) / skip[d];
  }
  shape_buffer(a, &taken, 0);
  return taken;
}

static void every_so_many(struct array *a) {
  for (int round = 0; round < ROUNDS; round++) {
    int lo[DIMS_MAX], hi[DIMS_MAX];
    struct patch p = strided_patch(a, lo, hi);
    long factor = round % 2 ? 2 : 0;
    union scalar given = scalar_of(a->type, 2);
    char *buffer = take(p.buffer_n * a->type->bytes);
    fill_for(a, &p, place_strided, buffer, round);
    if (round % units_n == self && factor) NGA_Strided_acc(a->ga, lo, hi, skip, buffer, p.ld, &given);
    if (round % units_n == self && !factor) NGA_Strided_put(a->ga, lo, hi, skip, buffer, p.ld);
    expect(a, &p, place_strided, round, factor);
    GA_Sync();
    memset(buffer, 0x77, p.buffer_n * a->type->bytes);
    NGA_Strided_get(a->ga, lo, hi, skip, buffer, p.ld);
    CHECK_EQ(wrong_for(a, &p, place_strided, buffer), 0);
    GA_Sync();
    free(buffer);
  }
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

/* ---- asked about ---- */

static void wait_by_asking(ga_nbhdl_t *handle) {
  long polls_n = 0;
  while (!NGA_NbTest(handle) && polls_n < POLLS_MAX) polls_n++;
  CHECK(polls_n < POLLS_MAX);
}

/* Each unit its own row of patches of one element and more: all puts are under way at once, then all gets. */
static void asked_about(const struct type *type) {
  const int dims[2] = {units_n, HANDLES * 5};
  struct array a = make(type, 2, dims);
  ga_nbhdl_t handles[HANDLES];
  char *buffers[HANDLES];
  for (size_t i = 0; i < a.elements_n; i++) a.expected[i] = value_of(i, 3);
  for (int pass = 0; pass < 2; pass++) {
    int row = pass ? (self + 1) % units_n : self;
    struct patch p[HANDLES];
    for (int i = 0; i < HANDLES; i++) {
      p[i] = (struct patch){.lo = {row, i * 5}, .hi = {row, i * 5 + 4}};
      shape_buffer(&a, &p[i], 0);
      buffers[i] = take(p[i].buffer_n * type->bytes);
      if (!pass) fill_buffer(&a, &p[i], buffers[i], 3);
      if (!pass) NGA_NbPut(a.ga, p[i].lo, p[i].hi, buffers[i], p[i].ld, &handles[i]);
      else NGA_NbGet(a.ga, p[i].lo, p[i].hi, buffers[i], p[i].ld, &handles[i]);
    }
    for (int i = HANDLES - 1; i >= 0; i--) {
      wait_by_asking(&handles[i]);
      if (pass) CHECK_EQ(wrong_in(&a, &p[i], buffers[i]), 0);
      free(buffers[i]);
    }
    GA_Sync();
  }
  CHECK_EQ(wrong_elements(&a), 0);
  GA_Sync();
  drop(&a);
}

int main(int argc, char **argv) {
  start(&argc, &argv, MA_DOUBLES);
  for (int t = 0; t < TYPES_N; t++) {
    for (int ndim = 1; ndim <= DIMS_MAX; ndim++) {
      struct array a = make(&types[t], ndim, dims_of[ndim - 1]);
      around_the_ends(&a);
      every_so_many(&a);
      drop(&a);
    }
    asked_about(&types[t]);
  }
  return finish();
}
