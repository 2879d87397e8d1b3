/* Strided types on either side of puts and gets, compared with copies made element by element.
 * Group: dart_calls
 */
#include "dart_check.h"

/* Blocks of `blocklen` elements whose starts lie `stride` apart; stride 0 is the basic type itself. */
struct shape {
  size_t stride, blocklen;
};
static const struct shape shapes[] = {{0, 1}, {1, 1}, {2, 1}, {3, 2}, {5, 5}, {7, 3}, {11, 10}, {40, 30}};
enum { SHAPES_N = sizeof shapes / sizeof shapes[0], REGION = 12 << 10 };

/* The place of element `i`, in elements, and the end of the last one of n. */
static size_t place(struct shape shape, size_t i) {
  return shape.stride ? i / shape.blocklen * shape.stride + i % shape.blocklen : i;
}
static size_t extent(struct shape shape, size_t n) { return n ? place(shape, n - 1) + 1 : 0; }

static void copy(unsigned char *to, struct shape to_shape, const unsigned char *from, struct shape from_shape, size_t n,
                 size_t bytes) {
  for (size_t i = 0; i < n; i++) memcpy(to + place(to_shape, i) * bytes, from + place(from_shape, i) * bytes, bytes);
}

static dart_datatype_t type_of(struct shape shape, dart_datatype_t basic) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  if (!shape.stride) return basic;
  OK(dart_type_create_strided(basic, shape.stride, shape.blocklen, &type));
  CHECK(type > DART_TYPE_LAST || type < 0);
  return type;
}

/* Destroys the types; this may come before completion. */
static void drop(dart_datatype_t type) {
  if (type > DART_TYPE_UNDEFINED && type < DART_TYPE_LAST) return;
  OK(dart_type_destroy(&type));
  CHECK_EQ(type, DART_TYPE_UNDEFINED);
}

static dart_gptr_t base;
static unsigned char *mine;
static int right;

/* Three ways to complete, in turns. */
static int turn;

static void put(dart_gptr_t to, struct shape to_shape, const void *from, struct shape from_shape, size_t n,
                const struct basic_type *basic) {
  dart_datatype_t dst = type_of(to_shape, basic->type), src = type_of(from_shape, basic->type);
  dart_handle_t handle = DART_HANDLE_NULL;
  int way = turn++ % 3;
  if (way == 0) OK(dart_put_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_put(to, from, n, src, dst));
  if (way == 2) OK(dart_put_handle(to, from, n, src, dst, &handle));
  drop(src);
  drop(dst);
  if (way == 1) OK(dart_flush(to));
  OK(dart_wait(&handle));
}

static void get(void *to, struct shape to_shape, dart_gptr_t from, struct shape from_shape, size_t n,
                const struct basic_type *basic) {
  dart_datatype_t dst = type_of(to_shape, basic->type), src = type_of(from_shape, basic->type);
  dart_handle_t handle = DART_HANDLE_NULL;
  int way = turn++ % 3;
  if (way == 0) OK(dart_get_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_get(to, from, n, src, dst));
  if (way == 2) OK(dart_get_handle(to, from, n, src, dst, &handle));
  drop(src);
  drop(dst);
  if (way == 1) OK(dart_flush_local(from));
  OK(dart_wait_local(&handle));
}

/* Puts n elements into a region of the neighbour, and gets from there; the bytes between do not change. */
static void pair(struct shape there, struct shape here, size_t n, const struct basic_type *basic, unsigned key) {
  static unsigned char data[REGION], expected[REGION], got[REGION];
  size_t bytes = basic->bytes, off = 16;
  fill(data, key + (unsigned)self, REGION);
  memset(expected, GUARD, REGION);
  memset(got, GUARD, REGION);
  OK(dart_put_blocking(at(base, right, 0), got, REGION, DART_TYPE_BYTE, DART_TYPE_BYTE));
  put(at(base, right, (int64_t)off), there, data, here, n, basic);
  copy(expected + off, there, data, here, n, bytes);
  OK(dart_get_blocking(got, at(base, right, 0), REGION, DART_TYPE_BYTE, DART_TYPE_BYTE));
  CHECK(memcmp(got, expected, REGION) == 0);
  memset(got, GUARD, REGION);
  memset(data, GUARD, REGION);
  get(got, here, at(base, right, (int64_t)off), there, n, basic);
  copy(data, here, expected + off, there, n, bytes);
  CHECK(memcmp(got, data, REGION) == 0);
}

static void pairs(const struct basic_type *basic) {
  for (int i = 0; i < SHAPES_N; i++) {
    for (int k = 0; k < SHAPES_N; k++) {
      pair(shapes[i], shapes[k], 30 * 10, basic, (unsigned)(i * SHAPES_N + k));
      if (i % 3 == 0) pair(shapes[i], shapes[k], 30, basic, (unsigned)(i + k));
      if (i == k) pair(shapes[i], shapes[k], shapes[i].blocklen, basic, (unsigned)i); /* one block */
      if (k == 0) pair(shapes[i], shapes[k], 0, basic, (unsigned)i);
    }
  }
}

/* Blocks that are read may overlap. */
static void overlapping_reads(void) {
  enum { WINDOWS = 50, WIDTH = 4 };
  struct shape windows = {1, WIDTH}, plain = {0, 1};
  int32_t numbers[WINDOWS + WIDTH], got[WINDOWS * WIDTH];
  for (int i = 0; i < WINDOWS + WIDTH; i++) numbers[i] = self * 1000 + i;
  put(at(base, right, 0), plain, numbers, windows, WINDOWS * WIDTH, &basic_types[2]);
  OK(dart_get_blocking(got, at(base, right, 0), WINDOWS * WIDTH, DART_TYPE_INT, DART_TYPE_INT));
  for (int i = 0; i < WINDOWS * WIDTH; i++) CHECK_EQ(got[i], self * 1000 + i / WIDTH + i % WIDTH);
  OK(dart_put_blocking(at(base, right, 0), numbers, WINDOWS + WIDTH, DART_TYPE_INT, DART_TYPE_INT));
  memset(got, GUARD, sizeof got);
  get(got, plain, at(base, right, 0), windows, WINDOWS * WIDTH, &basic_types[2]);
  for (int i = 0; i < WINDOWS * WIDTH; i++) CHECK_EQ(got[i], self * 1000 + i / WIDTH + i % WIDTH);
}

/* All puts are seen by plain loads at the target. */
static void seen_by_the_owner(void) {
  struct shape there = {6, 2}, here = {4, 4};
  int64_t numbers[24], *words = (int64_t *)mine;
  int left = (self + units_n - 1) % units_n;
  barrier();
  memset(mine, GUARD, REGION);
  barrier();
  for (int i = 0; i < 24; i++) numbers[i] = self * 100 + i;
  put(at(base, right, 0), there, numbers, here, 24, &basic_types[4]);
  barrier();
  for (int i = 0; i < 24; i++) CHECK_EQ(words[place(there, (size_t)i)], left * 100 + i);
  for (int block = 0; block < 11; block++) CHECK_EQ(touched(words + block * 6 + 2, 4 * 8), 0);
  CHECK_EQ(touched(words + 68, 64), 0);
  barrier();
}

/* Many elements, so that a transfer takes several messages: a column of a matrix, and columns in pairs. */
static void many_elements(size_t n) {
  struct shape there = {5, 2}, here = {3, 1};
  size_t there_bytes = extent(there, n) * 8, here_bytes = extent(here, n) * 8;
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, there_bytes, DART_TYPE_BYTE);
  unsigned char *part = own_part(segment, self), *data = private_buffer(here_bytes), *got = private_buffer(here_bytes);
  unsigned char *expected = private_buffer(there_bytes);
  int left = (self + units_n - 1) % units_n;
  memset(part, GUARD, there_bytes);
  fill(data, (unsigned)self, here_bytes);
  barrier();
  put(at(segment, right, 0), there, data, here, n, &basic_types[9]);
  barrier();
  get(got, here, at(segment, right, 0), there, n, &basic_types[9]);
  for (size_t i = 0; i < n; i++) CHECK(memcmp(got + place(here, i) * 8, data + place(here, i) * 8, 8) == 0);
  for (size_t i = 0; i + 1 < n; i++) CHECK_EQ(touched(got + place(here, i) * 8 + 8, 16), 0);
  fill(data, (unsigned)left, here_bytes);
  copy(expected, there, data, here, n, 8);
  CHECK(memcmp(part, expected, there_bytes) == 0);
  barrier();
  free(data);
  free(got);
  free(expected);
  OK(dart_team_memfree(segment));
}

/* The last element may be the segment's last; one further, nothing is transferred. */
static void bounds(void) {
  struct shape spread = {10, 1};
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 41, DART_TYPE_INT);
  int32_t *part = own_part(segment, self), numbers[6] = {1, 2, 3, 4, 5, 6};
  dart_datatype_t type = type_of(spread, DART_TYPE_INT);
  memset(part, GUARD, 41 * 4);
  barrier();
  CHECK_EQ(dart_put_blocking(at(segment, right, 0), numbers, 6, DART_TYPE_INT, type), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(at(segment, right, 4), numbers, 5, DART_TYPE_INT, type), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(numbers, at(segment, right, 4), 5, type, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(numbers[0], 1);
  barrier();
  CHECK_EQ(touched(part, 41 * 4), 0);
  barrier();
  OK(dart_put_blocking(at(segment, right, 0), numbers, 5, DART_TYPE_INT, type));
  barrier();
  for (int i = 0; i < 5; i++) CHECK_EQ(part[10 * i], i + 1);
  drop(type);
  barrier();
  OK(dart_team_memfree(segment));
}

static void bad_uses(dart_datatype_t strided, dart_datatype_t doubles) {
  _Alignas(16) unsigned char data[4096] = {0}, result[64];
  dart_gptr_t gptr = at(base, right, 0), out = base;
  dart_handle_t handle = DART_HANDLE_NULL;
  memset(result, GUARD, sizeof result);
  CHECK_EQ(dart_put_blocking(gptr, data, 5, DART_TYPE_INT, strided), DART_ERR_INVAL); /* no multiple of 3 */
  CHECK_EQ(dart_put(gptr, data, 4, strided, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_get(result, gptr, 7, strided, strided), DART_ERR_INVAL);
  CHECK_EQ(dart_get_handle(result, gptr, 1, DART_TYPE_INT, strided, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(gptr, data, 6, DART_TYPE_DOUBLE, strided), DART_ERR_INVAL); /* other elements */
  CHECK_EQ(dart_put_handle(gptr, data, 6, strided, doubles, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(result, gptr, 6, DART_TYPE_UINT, strided), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate(gptr, data, 3, strided, DART_OP_SUM), DART_ERR_INVAL); /* puts and gets only */
  CHECK_EQ(dart_fetch_and_op(gptr, data, result, strided, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_compare_and_swap(gptr, data, data, result, strided), DART_ERR_INVAL);
  CHECK_EQ(dart_memalloc(3, strided, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 3, strided, &out), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(data, result, 4, strided, DART_OP_SUM, DART_TEAM_ALL), DART_ERR_INVAL);
  CHECK_EQ(dart_allgather(data, result, 4, strided, DART_TEAM_ALL), DART_ERR_INVAL);
  CHECK(handle == DART_HANDLE_NULL);
  CHECK_EQ(touched(result, sizeof result), 0);
}

static void bad_types(void) {
  dart_datatype_t strided = type_of((struct shape){5, 3}, DART_TYPE_INT), none = 77;
  dart_datatype_t doubles = type_of((struct shape){4, 1}, DART_TYPE_DOUBLE), basic = DART_TYPE_INT;
  CHECK_EQ(dart_type_create_strided(strided, 2, 1, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_UNDEFINED, 2, 1, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_LAST, 2, 1, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_INT, 0, 1, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_INT, 2, 0, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_INT, SIZE_MAX / 2, 1, &none), DART_ERR_INVAL);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_INT, 2, SIZE_MAX / 2, &none), DART_ERR_INVAL);
  CHECK_EQ(none, DART_TYPE_UNDEFINED);
  CHECK_EQ(dart_type_create_strided(DART_TYPE_INT, 2, 1, NULL), DART_ERR_INVAL);
  bad_uses(strided, doubles);
  dart_datatype_t gone = strided;
  drop(strided);
  drop(doubles);
  CHECK_EQ(dart_put_blocking(base, &none, 3, gone, gone), DART_ERR_INVAL);
  CHECK_EQ(dart_type_destroy(&gone), DART_ERR_INVAL);
  CHECK_EQ(dart_type_destroy(&basic), DART_ERR_INVAL);
  CHECK_EQ(basic, DART_TYPE_INT);
  CHECK_EQ(dart_type_destroy(&(dart_datatype_t){DART_TYPE_UNDEFINED}), DART_ERR_INVAL);
  CHECK_EQ(dart_type_destroy(NULL), DART_ERR_INVAL);
}

/* A handle becomes stale with its type, however often the type was used, also if another type takes its place. */
static void destroyed_after_use(void) {
  int32_t one[3] = {1, 2, 3};
  for (int turns = 0; turns < 3; turns++) {
    dart_datatype_t type = type_of((struct shape){2, 1}, DART_TYPE_INT), gone = type, next;
    for (int i = 0; i < 2; i++) OK(dart_put_blocking(at(base, self, 0), one, 3, DART_TYPE_INT, type));
    drop(type);
    CHECK_EQ(dart_put_blocking(at(base, self, 0), one, 3, DART_TYPE_INT, gone), DART_ERR_INVAL);
    next = type_of((struct shape){2, 1}, DART_TYPE_INT);
    CHECK_EQ(dart_put_blocking(at(base, self, 0), one, 3, DART_TYPE_INT, gone), DART_ERR_INVAL);
    CHECK_EQ(dart_put_blocking(at(base, self, 0), one, 3, DART_TYPE_INT, DART_TYPE_UNDEFINED), DART_ERR_INVAL);
    OK(dart_get_blocking(one, at(base, self, 0), 3, next, DART_TYPE_INT));
    CHECK_EQ(one[2], 3);
    drop(next);
    CHECK_EQ(dart_get_blocking(one, at(base, self, 0), 3, next, DART_TYPE_INT), DART_ERR_INVAL);
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  base = team_alloc(DART_TEAM_ALL, REGION, DART_TYPE_BYTE);
  mine = own_part(base, self);
  right = (self + 1) % units_n;
  for (int i = 0; i < BASIC_TYPES_N; i++) {
    if (i == 0 || basic_types[i].bytes > basic_types[i - 1].bytes) pairs(&basic_types[i]);
  }
  overlapping_reads();
  seen_by_the_owner();
  many_elements(10000);
  many_elements(600000);
  bounds();
  bad_types();
  destroyed_after_use();
  barrier();
  OK(dart_team_memfree(base));
  return finish();
}
