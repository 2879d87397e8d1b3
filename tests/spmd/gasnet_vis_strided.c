/* GASNet's strided transfers: random shapes on both sides, in any order and direction, compared with copies by element.
 * Group: gasnet_calls
 */
#include "gasnet_vis.h"

enum { LEVELS = 6, ROUNDS = 240, BYTES_MAX = 3000 };

/* One side of a nest. */
struct nest {
  ptrdiff_t strides[LEVELS];
  size_t base; /* in its area */
};

static size_t elem_bytes, count[LEVELS], levels;

static void random_shape(void) {
  static const size_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 8, 8, 12, 16, 24, 33, 64, 100, 300};
  size_t bytes = elem_bytes = sizes[below(LENGTH(sizes))];
  levels = below(LEVELS + 1);
  for (size_t i = 0; i < levels; i++) {
    count[i] = chance(25) ? 1 : 1 + below(chance(15) ? 30 : 6);
    if (bytes * count[i] > BYTES_MAX) count[i] = 1;
    bytes *= count[i];
  }
  if (chance(4)) elem_bytes = 0;
  if (levels && chance(4)) count[below(levels)] = 0;
}

/* Levels are nested in any order, dense or not, upwards or downwards; a source may repeat itself. Returns the bytes
 * from the first to the last. */
static size_t try_strides(struct nest *nest, bool is_source, bool dense) {
  size_t order[LEVELS], span = elem_bytes ? elem_bytes : 1;
  bool sorted = chance(40);
  ptrdiff_t low = 0;
  for (size_t i = 0; i < levels; i++) {
    size_t at = sorted ? i : below(i + 1);
    order[i] = order[at];
    order[at] = i;
  }
  for (size_t k = 0; k < levels; k++) {
    size_t i = order[k], step = span + (dense ? 0 : below(9));
    if (is_source && chance(5)) step = 0;
    nest->strides[i] = chance(30) ? -(ptrdiff_t)step : (ptrdiff_t)step;
    if (count[i] == 1 && chance(50)) nest->strides[i] = (ptrdiff_t)random_next();
    if (count[i] < 2) continue;
    if (nest->strides[i] < 0) low += nest->strides[i] * (ptrdiff_t)(count[i] - 1);
    span += step * (count[i] - 1);
  }
  nest->base = (size_t)-low + (span < AREA ? below(AREA - span) : 0);
  return span;
}

static void random_strides(struct nest *nest, bool is_source) {
  bool dense = chance(40);
  while (try_strides(nest, is_source, dense) > AREA) dense = true;
}

static void copy_level(char *to, const ptrdiff_t *to_strides, const char *from, const ptrdiff_t *from_strides, size_t level) {
  if (level == 0) {
    memcpy(to, from, elem_bytes);
    return;
  }
  for (size_t i = 0; i < count[level - 1]; i++) {
    ptrdiff_t to_off = i ? (ptrdiff_t)i * to_strides[level - 1] : 0, from_off = i ? (ptrdiff_t)i * from_strides[level - 1] : 0;
    copy_level(to + to_off, to_strides, from + from_off, from_strides, level - 1);
  }
}

static char local[ROOM], expected[ROOM];

static void put(int target, enum way way, int round) {
  struct nest dst, src;
  random_strides(&dst, false);
  random_strides(&src, true);
  write_area(target);
  scribble(local, ROOM);
  copy_level(image + GUARD + dst.base, dst.strides, local + GUARD + src.base, src.strides, levels);
#define PUT(name)                                                                                                          \
  gex_VIS_StridedPut##name(all, (gex_Rank_t)target, area_of(target) + dst.base, dst.strides, local + GUARD + src.base,     \
                           src.strides, elem_bytes, count, levels, flags_of(way, true))
  COMPLETE(target, way, true, local, ROOM, PUT(NB), PUT(NBI), PUT(Blocking));
  if (!area_is_as_expected(target)) report("a put", round, target, way);
}

static void get(int target, enum way way, int round) {
  struct nest dst, src;
  random_strides(&dst, false);
  random_strides(&src, true);
  write_area(target);
  scribble(local, ROOM);
  memcpy(expected, local, ROOM);
  copy_level(expected + GUARD + dst.base, dst.strides, image + GUARD + src.base, src.strides, levels);
#define GET(name)                                                                                                          \
  gex_VIS_StridedGet##name(all, local + GUARD + dst.base, dst.strides, (gex_Rank_t)target, area_of(target) + src.base,     \
                           src.strides, elem_bytes, count, levels, 0)
  COMPLETE(target, way, false, local, ROOM, GET(NB), GET(NBI), GET(Blocking));
  if (memcmp(local, expected, ROOM) != 0) report("a get", round, target, way);
  if (!area_is_as_expected(target)) report("the source of a get", round, target, way);
}

/* Transfers that are only checked by their result. */
static void nothing_to_do(int target) {
  const size_t none[2] = {3, 0};
  const ptrdiff_t strides[2] = {8, 64};
  check_nothing(target, gex_VIS_StridedPutNB(all, (gex_Rank_t)target, NULL, NULL, NULL, NULL, 0, NULL, 3, 0));
  check_nothing(target, gex_VIS_StridedGetNB(all, NULL, strides, (gex_Rank_t)target, NULL, strides, 8, none, 2, 0));
  CHECK_EQ(gex_VIS_StridedPutBlocking(all, (gex_Rank_t)target, NULL, strides, NULL, strides, 8, none, 2, 0), 0);
  char eight[8] = "seven";
  write_area(target);
  memcpy(image + GUARD, eight, sizeof eight);
  CHECK_EQ(gex_VIS_StridedPutBlocking(all, (gex_Rank_t)target, area_of(target), NULL, eight, NULL, 8, NULL, 0, 0), 0);
  if (!area_is_as_expected(target)) report("a put of one piece", 0, target, BLOCKING);
}

/* A matrix is put transposed, and fetched back in its original order. */
static void transpose(int target) {
  enum { N = 24 };
  double matrix[N][N], back[N][N];
  const ptrdiff_t rows[2] = {8, 8 * N}, columns[2] = {8 * N, 8};
  const size_t counts[2] = {N, N};
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) matrix[i][j] = 100 * i + j;
  gex_VIS_StridedPutBlocking(all, (gex_Rank_t)target, area_of(target), columns, matrix, rows, 8, counts, 2, 0);
  gex_RMA_GetBlocking(all, back, (gex_Rank_t)target, area_of(target), sizeof back, 0);
  int wrong = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) wrong += back[j][i] != matrix[i][j];
  CHECK_EQ(wrong, 0);
  gex_VIS_StridedGetBlocking(all, back, rows, (gex_Rank_t)target, area_of(target), columns, 8, counts, 2, 0);
  CHECK(memcmp(back, matrix, sizeof matrix) == 0);
}

/* Few pieces at both ends of the area; the last byte is also the segment's, if the area ends there: forwards and
 * backwards, adjacent or not, at any alignment. */
static void edges(int target, int round) {
  static const size_t numbers[] = {1, 2, 3, 8, 9, 33};
  for (size_t k = 0; k < LENGTH(numbers); k++)
    for (size_t bytes = 1; bytes <= 65; bytes += bytes < 9 ? 1 : 8)
      for (int gap = 0; gap < 2; gap++)
        for (int backwards = 0; backwards < 2; backwards++) {
          const ptrdiff_t step = (ptrdiff_t)(bytes + (gap ? 1 + k : 0)), reach = (ptrdiff_t)(numbers[k] - 1) * step;
          const ptrdiff_t line[1] = {(ptrdiff_t)bytes}, there[1] = {backwards ? -step : step};
          char *last = area_of(target) + AREA + GUARD - bytes, *base = last - (backwards ? 0 : reach);
          const size_t at = (size_t)(base - segments[target]), total = numbers[k] * bytes;
          scribble(local, total);
          gex_VIS_StridedPutBlocking(all, (gex_Rank_t)target, base, there, local, line, bytes, &numbers[k], 1, 0);
          for (size_t i = 0; i < numbers[k]; i++) memcpy(image + (ptrdiff_t)at + (ptrdiff_t)i * there[0], local + i * bytes, bytes);
          memset(expected, 0, total);
          gex_VIS_StridedGetBlocking(all, expected, line, (gex_Rank_t)target, base, there, bytes, &numbers[k], 1, 0);
          if (memcmp(expected, local, total) != 0) report("pieces at the end", round, target, BLOCKING);
        }
  if (!area_is_as_expected(target)) report("puts at the end", round, target, BLOCKING);
}

/* A source that repeats itself, and one with overlapping pieces. */
static void overlapping_source(int target) {
  const size_t count[1] = {5};
  const ptrdiff_t none[1] = {0}, one[1] = {1}, line[1] = {8};
  char wanted[40];
  write_area(target);
  for (int shift = 0; shift < 2; shift++) {
    for (int i = 0; i < 5; i++) memcpy(wanted + 8 * i, image + GUARD + shift * i, 8);
    memset(local, 0, sizeof wanted);
    gex_VIS_StridedGetBlocking(all, local, line, (gex_Rank_t)target, area_of(target), shift ? one : none, 8, count, 1, 0);
    CHECK(memcmp(local, wanted, sizeof wanted) == 0);
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv, NULL, 0, ROOM);
  random_state = 77 + (uint64_t)self;
  for (int round = 0; round < ROUNDS; round++) {
    int target = (self + round) % units_n;
    random_shape();
    if (round % 2) put(target, (enum way)below(WAYS_N), round);
    else get(target, (enum way)below(WAYS_N), round);
    if (round % units_n == 0) {
      nothing_to_do(target);
      transpose(target);
      if (round < 3 * units_n) {
        write_area(target);
        edges(target, round);
        overlapping_source(target);
      }
    }
    barrier();
  }
  return finish();
}
