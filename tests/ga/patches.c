/* Put, get and accumulate of patches: 1 to 4 dimensions, all types, regular and irregular distributions, with handles and
 * without. */
#include "ga_check.h"

enum { ROUNDS = 24, BURST = 6 };

static const int dims_of[DIMS_MAX][DIMS_MAX] = {{97}, {23, 19}, {11, 9, 13}, {9, 5, 6, 7}};

/* Blocks of different length: the first row is alone. As many as there are units, over two dimensions from four on. */
static struct array make_irregular(const struct type *type, int ndim) {
  struct array a = describe(type, ndim, dims_of[ndim - 1]);
  int blocks[DIMS_MAX] = {units_n, 1, 1, 1}, map[64], n = 0;
  if (ndim > 1 && units_n >= 4) {
    blocks[0] = units_n / 2;
    blocks[1] = 2;
  }
  for (int d = 0; d < ndim; d++) {
    if (blocks[d] >= a.dims[d]) blocks[d] = a.dims[d] - 1;
    for (int b = 0; b < blocks[d] && n < 64; b++) map[n++] = b == 0 ? 0 : 1 + (b - 1) * (a.dims[d] - 1) / blocks[d];
  }
  a.ga = NGA_Create_irreg(type->code, ndim, a.dims, "irregular", blocks, map);
  CHECK(a.ga != 0);
  GA_Zero(a.ga);
  return a;
}

static void expect_put(struct array *a, const struct patch *p, long key) {
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do a->expected[place(a, at)] = value_of(place(a, at), key);
  while (next(a, p, at));
}

static void expect_acc(struct array *a, const struct patch *p, long key, long factor) {
  int at[DIMS_MAX];
  memcpy(at, p->lo, sizeof at);
  do a->expected[place(a, at)] += factor * value_of(place(a, at), key);
  while (next(a, p, at));
}

/* One unit after the other: what the next one sees is what the last one did. */
static void in_turns(struct array *a) {
  for (int round = 0; round < ROUNDS; round++) {
    struct patch p = random_patch(a), q = random_patch(a);
    bool adds = below(2);
    union scalar factor = scalar_of(a->type, 3);
    if (round % units_n == self) {
      char *buffer = take((p.buffer_n + q.buffer_n) * a->type->bytes);
      fill_buffer(a, &p, buffer, round);
      if (adds)
        NGA_Acc(a->ga, p.lo, p.hi, buffer, p.ld, &factor);
      else
        NGA_Put(a->ga, p.lo, p.hi, buffer, p.ld);
      free(buffer);
    }
    adds ? expect_acc(a, &p, round, 3) : expect_put(a, &p, round);
    GA_Sync();
    char *got = take(q.buffer_n * a->type->bytes);
    NGA_Get(a->ga, q.lo, q.hi, got, q.ld);
    CHECK_EQ(wrong_in(a, &q, got), 0);
    free(got);
    GA_Sync();
  }
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

/* All at once, on the same elements. */
static void together(struct array *a) {
  for (int unit = 0; unit < units_n; unit++)
    for (int i = 0; i < BURST; i++) {
      struct patch p = random_patch(a);
      long key = unit * BURST + i, factor = 1 - below(3);
      union scalar given = scalar_of(a->type, factor);
      expect_acc(a, &p, key, factor);
      if (unit != self) continue;
      char *buffer = take(p.buffer_n * a->type->bytes);
      fill_buffer(a, &p, buffer, key);
      NGA_Acc(a->ga, p.lo, p.hi, buffer, p.ld, &given);
      memset(buffer, 0xee, p.buffer_n * a->type->bytes); /* it is ours again */
      free(buffer);
    }
  GA_Sync();
  CHECK_EQ(wrong_elements(a), 0);
  GA_Sync();
}

/* Slabs of rows, one after the other a unit's, each written by a non-blocking put. */
static struct patch slab(const struct array *a, int row) {
  struct patch p = whole(a);
  p.lo[0] = p.hi[0] = row;
  shape_buffer(a, &p, 0);
  return p;
}

static void write_slabs(struct array *a, bool adds) {
  ga_nbhdl_t handles[128];
  char *buffers[128];
  int n = a->dims[0];
  union scalar factor = scalar_of(a->type, 2);
  for (int row = 0; row < n; row++) {
    struct patch p = slab(a, row);
    adds ? expect_acc(a, &p, 5, 2) : expect_put(a, &p, 4);
    if (row % units_n != self) continue;
    buffers[row] = take(p.buffer_n * a->type->bytes);
    fill_buffer(a, &p, buffers[row], adds ? 5 : 4);
    if (adds)
      NGA_NbAcc(a->ga, p.lo, p.hi, buffers[row], p.ld, &factor, &handles[row]);
    else
      NGA_NbPut(a->ga, p.lo, p.hi, buffers[row], p.ld, &handles[row]);
  }
  for (int row = n - 1; row >= 0; row--) {
    if (row % units_n != self) continue;
    NGA_NbWait(&handles[row]);
    free(buffers[row]);
  }
  GA_Sync();
}

static void read_slabs(struct array *a) {
  ga_nbhdl_t handles[128];
  char *buffers[128];
  int n = a->dims[0];
  for (int row = 0; row < n; row++) {
    struct patch p = slab(a, row);
    buffers[row] = take(p.buffer_n * a->type->bytes);
    NGA_NbGet(a->ga, p.lo, p.hi, buffers[row], p.ld, &handles[row]);
  }
  for (int row = 0; row < n; row++) {
    struct patch p = slab(a, row);
    NGA_NbWait(&handles[row]);
    CHECK_EQ(wrong_in(a, &p, buffers[row]), 0);
    free(buffers[row]);
  }
  GA_Sync();
}

static void check(struct array a) {
  in_turns(&a);
  together(&a);
  write_slabs(&a, false);
  read_slabs(&a);
  write_slabs(&a, true);
  read_slabs(&a);
  drop(&a);
}

int main(int argc, char **argv) {
  start(&argc, &argv, MA_DOUBLES);
  for (int t = 0; t < TYPES_N; t++) {
    for (int ndim = 1; ndim <= DIMS_MAX; ndim++) {
      check(make(&types[t], ndim, dims_of[ndim - 1]));
      check(make_irregular(&types[t], ndim));
    }
  }
  return finish();
}
