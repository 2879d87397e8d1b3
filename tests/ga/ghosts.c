/* Ghost cells: after an update each unit has, around its own part, what its neighbours have, around the corners too. */
#include "ga_check.h"

static struct array make_with_ghosts(const struct type *type, int ndim, const int dims[], int width[]) {
  struct array a = describe(type, ndim, dims);
  a.ga = NGA_Create_ghosts(type->code, ndim, a.dims, width, "ghosts", NULL);
  CHECK(a.ga != 0);
  CHECK(GA_Has_ghosts(a.ga));
  return a;
}

/* The part with its ghosts, whose subscripts go around the ends of the array. */
static void check_cells(const struct array *a, const int width[]) {
  struct patch own = {.buffer_n = 0};
  int extents[DIMS_MAX], ld[DIMS_MAX], at[DIMS_MAX], inside[DIMS_MAX];
  char *cells = NULL;
  NGA_Distribution(a->ga, self, own.lo, own.hi);
  if (own.lo[0] < 0 || own.hi[0] < own.lo[0]) return;
  NGA_Access_ghosts(a->ga, extents, &cells, ld);
  for (int d = 0; d < a->ndim; d++) {
    own.lo[d] -= width[d];
    own.hi[d] += width[d];
    CHECK_EQ(extents[d], own.hi[d] - own.lo[d] + 1);
  }
  memcpy(own.ld, ld, sizeof ld);
  memcpy(at, own.lo, sizeof at);
  size_t wrong = 0;
  do {
    for (int d = 0; d < a->ndim; d++) inside[d] = (at[d] + a->dims[d]) % a->dims[d];
    wrong += a->type->load(cells + buffer_place(a, &own, at) * a->type->bytes) != a->expected[place(a, inside)];
  } while (next(a, &own, at));
  CHECK_EQ(wrong, 0);
  NGA_Release_ghosts(a->ga);
}

/* ---- the ways to update. NGA_NbGet_ghost_dir of Global Arrays 5.8 refused every mask here ---- */

static void at_once(const struct array *a) { GA_Update_ghosts(a->ga); }

static void in_the_background(const struct array *a) {
  ga_nbhdl_t handle;
  NGA_Update_ghosts_nb(a->ga, &handle);
  NGA_NbWait(&handle);
}

/* What came from one side is passed on to the next: so the corners come about. */
static void side_by_side(const struct array *a) {
  for (int d = 0; d < a->ndim; d++)
    for (int way = -1; way <= 1; way += 2) {
      CHECK(NGA_Update_ghost_dir(a->ga, d, way, 1));
      GA_Sync();
    }
}

static void (*const ways[])(const struct array *a) = {at_once, in_the_background, side_by_side};
enum { WAYS_N = sizeof ways / sizeof *ways };

static void check(const struct type *type, int ndim, const int dims[], int width[]) {
  struct array a = make_with_ghosts(type, ndim, dims, width);
  for (int key = 0; key < WAYS_N; key++) {
    set_values(&a, key);
    ways[key % WAYS_N](&a);
    GA_Sync();
    check_cells(&a, width);
    CHECK_EQ(wrong_elements(&a), 0); /* the ghosts are no elements */
    GA_Sync();
  }
  drop(&a);
}

int main(int argc, char **argv) {
  const int line[1] = {70}, plane[2] = {35, 28}, space[3] = {21, 14, 16};
  int one[3] = {1, 1, 1}, mixed[3] = {2, 1, 2};
  start(&argc, &argv, MA_DOUBLES);
  for (int t = 0; t < TYPES_N; t++) {
    check(&types[t], 1, line, mixed);
    check(&types[t], 2, plane, one);
    check(&types[t], 2, plane, mixed);
    check(&types[t], 3, space, one);
    check(&types[t], 3, space, mixed);
  }
  return finish();
}
