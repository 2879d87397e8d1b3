/* Random strided, indexed, custom and plain types on both sides of all puts and gets, compared with copies made element
 * by element; the types are destroyed before the transfers complete. The same in collectives.
 * Group: dart_calls
 */
#include "dart_check.h"

enum { REGION = 40 << 10, BLOCKS_MAX = 60, ELEMS_MAX = 4000, ROUNDS = 150 };

static unsigned seed;
static size_t below(size_t n) {
  seed = seed * 1103515245u + 12345u;
  return (size_t)(seed >> 8) % n;
}

/* The places of a type's elements: those of one instance, and the distance to the next instance. */
struct map {
  size_t n, extent;
  size_t place[ELEMS_MAX];
};
static size_t place(const struct map *map, size_t i) { return map->place[i % map->n] + i / map->n * map->extent; }

/* The kind of elements: a basic or a custom type. */
struct element {
  dart_datatype_t type;
  size_t bytes;
};

static dart_datatype_t plain(struct element element, struct map *map) {
  *map = (struct map){.n = 1, .extent = 1};
  return element.type;
}

static dart_datatype_t strided(struct element element, size_t blocklen, size_t stride, struct map *map) {
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  map->n = blocklen;
  map->extent = stride;
  for (size_t i = 0; i < blocklen; i++) map->place[i] = i;
  OK(dart_type_create_strided(element.type, stride, blocklen, &type));
  return type;
}

/* Blocks of the given sizes, in a random order, with gaps at some places; regular: all alike. */
static dart_datatype_t indexed(struct element element, size_t n, size_t longest, bool regular, struct map *map) {
  size_t blocklen[BLOCKS_MAX], offset[BLOCKS_MAX], order[BLOCKS_MAX], end = below(20), low = end;
  size_t gap = below(5);
  for (size_t i = 0; i < n; i++) order[i] = i;
  for (size_t i = n; !regular && i-- > 1;) {
    size_t k = below(2) ? i : below(i + 1), was = order[i];
    order[i] = order[k];
    order[k] = was;
  }
  for (size_t i = 0; i < n; i++) blocklen[i] = regular ? longest : below(4) ? 1 + below(longest) : 0;
  blocklen[order[0]] = longest; /* so that the extent is known here, too */
  for (size_t i = 0; i < n; i++) {
    offset[order[i]] = end;
    if (blocklen[order[i]]) map->extent = end + blocklen[order[i]] - low;
    end += blocklen[order[i]] + (regular ? gap : below(3) * below(4));
  }
  map->n = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < blocklen[i]; k++) map->place[map->n++] = offset[i] + k;
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_indexed(element.type, n, blocklen, offset, &type));
  return type;
}

static dart_datatype_t any(struct element element, struct map *map) {
  size_t blocklen = 1 + below(12);
  switch (below(5)) {
    case 0: return plain(element, map);
    case 1: return strided(element, blocklen, blocklen + below(10), map);
    case 2: return indexed(element, 1 + below(10), blocklen, true, map);
    default: return indexed(element, 1 + below(BLOCKS_MAX), blocklen, false, map);
  }
}

/* Destroys the types; this may come before completion. */
static void drop(dart_datatype_t type, struct element element) {
  if (type != element.type) OK(dart_type_destroy(&type));
}

static struct element any_element(void) {
  if (below(3)) {
    const struct basic_type *basic = &basic_types[below(BASIC_TYPES_N)];
    return (struct element){basic->type, basic->bytes};
  }
  struct element custom = {DART_TYPE_UNDEFINED, 1 + below(40)};
  OK(dart_type_create_custom(custom.bytes, &custom.type));
  return custom;
}
static void drop_element(struct element element) {
  if (element.type > DART_TYPE_LAST) OK(dart_type_destroy(&element.type));
}

static size_t common(size_t a, size_t b) {
  size_t x = a, y = b;
  while (y) {
    size_t rest = x % y;
    x = y;
    y = rest;
  }
  return a / x * b;
}
static size_t end_of(const struct map *map, size_t n) {
  size_t end = 0;
  for (size_t i = 0; i < n; i++) end = place(map, i) + 1 > end ? place(map, i) + 1 : end;
  return end;
}

static dart_gptr_t base;
static int right, turn;

static void put(dart_gptr_t to, const void *from, size_t n, dart_datatype_t src, dart_datatype_t dst,
                struct element element) {
  dart_handle_t handle = DART_HANDLE_NULL;
  int way = turn++ % 3;
  if (way == 0) OK(dart_put_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_put(to, from, n, src, dst));
  if (way == 2) OK(dart_put_handle(to, from, n, src, dst, &handle));
  drop(src, element);
  drop(dst, element);
  drop_element(element);
  if (way == 1) OK(dart_flush(to));
  OK(dart_wait(&handle));
}

static void get(void *to, dart_gptr_t from, size_t n, dart_datatype_t src, dart_datatype_t dst,
                struct element element) {
  dart_handle_t handle = DART_HANDLE_NULL;
  int way = turn++ % 3;
  if (way == 0) OK(dart_get_blocking(to, from, n, src, dst));
  if (way == 1) OK(dart_get(to, from, n, src, dst));
  if (way == 2) OK(dart_get_handle(to, from, n, src, dst, &handle));
  drop(src, element);
  drop(dst, element);
  drop_element(element);
  if (way == 1) OK(dart_flush_local(from));
  OK(dart_wait_local(&handle));
}

static unsigned char data[REGION], expected[REGION], got[REGION];

static void move(unsigned char *to, const struct map *to_map, const unsigned char *from, const struct map *from_map,
                 size_t n, size_t bytes) {
  for (size_t i = 0; i < n; i++) memcpy(to + place(to_map, i) * bytes, from + place(from_map, i) * bytes, bytes);
}

/* One put to the neighbour, or one get from there. The bytes between the elements do not change. */
static void round_trip(bool is_put) {
  static struct map here, there;
  struct element element = any_element();
  dart_datatype_t local = any(element, &here), remote = any(element, &there);
  size_t unit = common(here.n, there.n), n = unit * (1 + below(4)), bytes = element.bytes;
  dart_gptr_t to = at(base, right, 8);
  if (n > ELEMS_MAX || end_of(&here, n) * bytes > REGION || end_of(&there, n) * bytes > REGION - 8) n = 0;
  fill(data, seed, REGION);
  memset(expected, GUARD, REGION);
  memset(got, GUARD, REGION);
  OK(dart_put_blocking(at(base, right, 0), is_put ? got : data, REGION, DART_TYPE_BYTE, DART_TYPE_BYTE));
  if (is_put) {
    put(to, data, n, local, remote, element);
    move(expected + 8, &there, data, &here, n, bytes);
    OK(dart_get_blocking(got, at(base, right, 0), REGION, DART_TYPE_BYTE, DART_TYPE_BYTE));
  } else {
    get(got, to, n, remote, local, element);
    move(expected, &here, data + 8, &there, n, bytes);
  }
  CHECK(memcmp(got, expected, REGION) == 0);
}

/* Single elements and long blocks alternate, so that some are sent alone between nodes; in both directions. */
static void short_and_long(size_t blocks_n, size_t long_n) {
  size_t n = 0, end = 0, *blocklen = calloc(blocks_n, sizeof *blocklen), *offset = calloc(blocks_n, sizeof *offset);
  for (size_t i = 0; i < blocks_n; i++) {
    blocklen[i] = i % 7 == 3 ? long_n : 1 + i % 3;
    offset[i] = end;
    end += blocklen[i] + 1 + i % 2;
    n += blocklen[i];
  }
  dart_datatype_t type = DART_TYPE_UNDEFINED, same = DART_TYPE_UNDEFINED;
  OK(dart_type_create_indexed(DART_TYPE_DOUBLE, blocks_n, blocklen, offset, &type));
  OK(dart_type_create_indexed(DART_TYPE_DOUBLE, blocks_n, blocklen, offset, &same));
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, end, DART_TYPE_DOUBLE);
  double *part = own_part(segment, self), *line = private_buffer(n * 8), *spread = private_buffer(end * 8);
  memset(part, GUARD, end * 8);
  for (size_t i = 0; i < n; i++) line[i] = (double)(i + (size_t)self);
  barrier();
  OK(dart_put(at(segment, right, 0), line, n, DART_TYPE_DOUBLE, type));
  OK(dart_type_destroy(&type));
  OK(dart_flush(at(segment, right, 0)));
  OK(dart_get(spread, at(segment, right, 0), n, same, same));
  OK(dart_type_destroy(&same));
  OK(dart_flush_local_all(segment));
  barrier();
  int left = (self + units_n - 1) % units_n;
  size_t bad = 0, k = 0;
  for (size_t i = 0; i < blocks_n; i++) {
    for (size_t j = 0; j < blocklen[i]; j++, k++)
      bad += part[offset[i] + j] != (double)(k + (size_t)left) || spread[offset[i] + j] != line[k];
    size_t gap = offset[i] + blocklen[i];
    if (gap < end) bad += touched(part + gap, 8) + touched(spread + gap, 8);
  }
  CHECK_EQ(bad, 0);
  barrier();
  free(blocklen);
  free(offset);
  free(line);
  free(spread);
  OK(dart_team_memfree(segment));
}

/* The range that a type touches must lie in the segment; below its lowest offset nothing is touched. */
static void bounds(void) {
  dart_gptr_t segment = team_alloc(DART_TEAM_ALL, 40, DART_TYPE_INT);
  int32_t *part = own_part(segment, self), numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  dart_datatype_t type = DART_TYPE_UNDEFINED;
  OK(dart_type_create_indexed(DART_TYPE_INT, 3, (size_t[]){1, 2, 1}, (size_t[]){20, 10, 29}, &type));
  memset(part, GUARD, 160);
  barrier();
  CHECK_EQ(dart_put_blocking(at(segment, right, 0), numbers, 8, DART_TYPE_INT, type), DART_ERR_INVAL); /* to 50 */
  CHECK_EQ(dart_put(at(segment, right, 44), numbers, 4, DART_TYPE_INT, type), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(numbers, at(segment, right, -44), 4, type, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_get(numbers, at(segment, right, 44), 4, type, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(numbers[0], 1);
  barrier();
  CHECK_EQ(touched(part, 160), 0);
  barrier();
  OK(dart_put_blocking(at(segment, right, 40), numbers, 4, DART_TYPE_INT, type));
  barrier();
  CHECK(part[30] == 1 && part[20] == 2 && part[21] == 3 && part[39] == 4);
  CHECK_EQ(touched(part, 80) + touched(part + 22, 32) + touched(part + 31, 32), 0);
  OK(dart_type_destroy(&type));
  barrier();
  OK(dart_team_memfree(segment));
}

static void bad_transfers(void) {
  int32_t in[16] = {0};
  unsigned char out[64];
  dart_gptr_t there = at(base, right, 0);
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_datatype_t ints, doubles, customs, other, indexed_customs, none, long_ago;
  memset(out, GUARD, sizeof out);
  OK(dart_type_create_indexed(DART_TYPE_INT, 2, (size_t[]){1, 2}, (size_t[]){5, 1}, &ints));
  OK(dart_type_create_indexed(DART_TYPE_DOUBLE, 2, (size_t[]){1, 2}, (size_t[]){5, 1}, &doubles));
  OK(dart_type_create_indexed(DART_TYPE_INT, 1, (size_t[]){0}, (size_t[]){1}, &none));
  OK(dart_type_create_custom(4, &customs));
  OK(dart_type_create_custom(4, &other));
  OK(dart_type_create_indexed(customs, 2, (size_t[]){1, 2}, (size_t[]){5, 1}, &indexed_customs));
  long_ago = ints;
  CHECK_EQ(dart_put_blocking(there, in, 4, DART_TYPE_INT, ints), DART_ERR_INVAL);
  CHECK_EQ(dart_put(there, in, 1, ints, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_get_handle(out, there, 2, ints, ints, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(out, there, 3, DART_TYPE_UINT, ints), DART_ERR_INVAL);
  CHECK_EQ(dart_get(out, there, 3, doubles, ints), DART_ERR_INVAL);
  CHECK_EQ(dart_put_handle(there, in, 3, customs, ints, &handle), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(there, in, 3, customs, other), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(there, in, 3, other, indexed_customs), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(there, in, 1, none, none), DART_ERR_INVAL);
  CHECK_EQ(dart_put_blocking(there, in, SIZE_MAX / 3 * 3, ints, ints), DART_ERR_INVAL);
  OK(dart_put_blocking(there, in, 0, none, ints));
  OK(dart_type_destroy(&customs)); /* types derived from it stay valid */
  CHECK_EQ(dart_put_blocking(there, in, 3, customs, indexed_customs), DART_ERR_INVAL);
  OK(dart_put_blocking(there, in, 3, indexed_customs, indexed_customs));
  OK(dart_type_destroy(&ints));
  CHECK_EQ(dart_put_blocking(there, in, 3, long_ago, DART_TYPE_INT), DART_ERR_INVAL);
  CHECK_EQ(dart_get_blocking(out, there, 3, DART_TYPE_INT, long_ago), DART_ERR_INVAL);
  dart_datatype_t *rest[] = {&doubles, &other, &indexed_customs, &none};
  for (int i = 0; i < 4; i++) OK(dart_type_destroy(rest[i]));
  CHECK(handle == DART_HANDLE_NULL && touched(out, sizeof out) == 0);
}

/* Element i of unit `who` for unit `to`. */
static int32_t number(int who, int to, size_t i) { return who * 100000 + to * 1000 + (int32_t)i; }

/* A buffer of `shares` shares, and whether it holds their data. */
struct buffer {
  int32_t *at;
  size_t n;
};
static struct buffer buffer_for(const struct map *map, size_t n, int shares) {
  size_t words = end_of(map, n * (size_t)shares);
  return (struct buffer){private_buffer(words * 4), words};
}
static void store(struct buffer buffer, const struct map *map, size_t n, int share, int who, int to) {
  for (size_t i = 0; i < n; i++) buffer.at[place(map, (size_t)share * n + i)] = number(who, to, i);
}
/* from[share], to: the number of the expected share. The rest is unchanged. */
static void verify(struct buffer buffer, const struct map *map, size_t n, int shares, int first, int to) {
  size_t bad = 0;
  for (int share = 0; share < shares; share++)
    for (size_t i = 0; i < n; i++) {
      int32_t *word = &buffer.at[place(map, (size_t)share * n + i)];
      bad += *word != number(first + share, to, i);
      memset(word, GUARD, 4);
    }
  CHECK_EQ(bad + touched(buffer.at, buffer.n * 4), 0);
}

static void bcast(dart_datatype_t type, const struct map *map, size_t n, int root) {
  struct buffer all = buffer_for(map, n, 1);
  if (self == root) store(all, map, n, 0, root, 0);
  OK(dart_bcast(all.at, n, type, DART_TEAM_UNIT_ID(root), DART_TEAM_ALL));
  verify(all, map, n, 1, root, 0);
  free(all.at);
}

static void scatter_gather(dart_datatype_t type, const struct map *map, size_t n, int root) {
  struct buffer all = buffer_for(map, n, units_n), one = buffer_for(map, n, 1);
  for (int i = 0; i < units_n; i++) store(all, map, n, i, i, root);
  OK(dart_scatter(self == root ? all.at : NULL, one.at, n, type, DART_TEAM_UNIT_ID(root), DART_TEAM_ALL));
  memset(all.at, GUARD, all.n * 4);
  OK(dart_gather(one.at, self == root ? all.at : NULL, n, type, DART_TEAM_UNIT_ID(root), DART_TEAM_ALL));
  if (self == root) verify(all, map, n, units_n, 0, root);
  verify(one, map, n, 1, self, root);
  free(all.at);
  free(one.at);
}

static void allgather(dart_datatype_t type, const struct map *map, size_t n, bool in_place) {
  struct buffer all = buffer_for(map, n, units_n), one = buffer_for(map, n, 1);
  store(in_place ? all : one, map, n, in_place ? self : 0, self, 3);
  OK(dart_allgather(in_place ? NULL : one.at, all.at, n, type, DART_TEAM_ALL));
  verify(all, map, n, units_n, 0, 3);
  free(all.at);
  free(one.at);
}

/* Unit i sends i instances, from the last unit to the first, with a gap of an instance between them. */
static void allgatherv(dart_datatype_t type, const struct map *map, size_t n, bool in_place) {
  size_t counts[64], displs[64], end = 0;
  for (int i = units_n; i-- > 0; end += counts[i] + n) {
    counts[i] = (size_t)i * n;
    displs[i] = end;
  }
  struct buffer all = buffer_for(map, end, 1), one = buffer_for(map, n, units_n);
  for (size_t i = 0; i < counts[self]; i++)
    (in_place ? all : one).at[place(map, i + (in_place ? displs[self] : 0))] = number(self, 1, i);
  OK(dart_allgatherv(in_place ? all.at : one.at, counts[self], type, all.at, counts, displs, DART_TEAM_ALL));
  size_t bad = 0;
  for (int who = 0; who < units_n; who++)
    for (size_t i = 0; i < counts[who]; i++) {
      int32_t *word = &all.at[place(map, displs[who] + i)];
      bad += *word != number(who, 1, i);
      memset(word, GUARD, 4);
    }
  CHECK_EQ(bad + touched(all.at, all.n * 4), 0);
  free(all.at);
  free(one.at);
}

static void alltoall(dart_datatype_t type, const struct map *map, size_t n, bool in_place) {
  struct buffer out = buffer_for(map, n, units_n), in = buffer_for(map, n, units_n);
  for (int i = 0; i < units_n; i++) store(in_place ? in : out, map, n, i, self, i);
  OK(dart_alltoall(in_place ? NULL : out.at, in.at, n, type, DART_TEAM_ALL));
  verify(in, map, n, units_n, 0, self);
  free(out.at);
  free(in.at);
}

static void add_ints(const void *in, void *inout, size_t n, void *user) {
  (void)user;
  for (size_t i = 0; i < n; i++) ((int32_t *)inout)[i] += ((const int32_t *)in)[i];
}
static int32_t sum_of_all(size_t i) {
  int32_t sum = 0;
  for (int who = 0; who < units_n; who++) sum += number(who, 2, i);
  return sum;
}

/* Custom types of ints, on which predefined operations are not defined. */
static void allreduce(dart_datatype_t type, dart_datatype_t base_type, const struct map *map, size_t n, bool in_place) {
  dart_operation_t op = DART_OP_SUM;
  struct buffer one = buffer_for(map, n, 1), all = buffer_for(map, n, 1);
  if (base_type != DART_TYPE_INT) OK(dart_op_create(add_ints, NULL, true, base_type, false, &op));
  store(in_place ? all : one, map, n, 0, self, 2);
  OK(dart_allreduce(in_place ? all.at : one.at, all.at, n, type, op, DART_TEAM_ALL));
  size_t bad = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t *word = &all.at[place(map, i)];
    bad += *word != sum_of_all(i);
    memset(word, GUARD, 4);
  }
  CHECK_EQ(bad + touched(all.at, all.n * 4), 0);
  if (op != DART_OP_SUM) OK(dart_op_destroy(&op));
  free(one.at);
  free(all.at);
}

static void collectives(unsigned key) {
  static struct map map;
  struct element element = {DART_TYPE_INT, 4};
  seed = key; /* the same types everywhere */
  if (key % 3 == 0) OK(dart_type_create_custom(4, &element.type));
  dart_datatype_t type = any(element, &map);
  size_t n = map.n * (1 + below(3));
  for (int root = 0; root < units_n; root++) {
    bcast(type, &map, n, root);
    scatter_gather(type, &map, n, root);
  }
  for (int in_place = 0; in_place < 2; in_place++) {
    allgather(type, &map, n, in_place);
    allgatherv(type, &map, n, in_place);
    alltoall(type, &map, n, in_place);
    allreduce(type, element.type, &map, n, in_place);
  }
  drop(type, element);
  drop_element(element);
}

/* Calls that take no derived types, or only contiguous ones. */
static void other_calls(void) {
  int64_t in[4] = {1, 2, 3, 4}, out[4] = {7, 7, 7, 7};
  dart_datatype_t custom, strided_type;
  dart_gptr_t made = DART_GPTR_NULL;
  OK(dart_type_create_custom(24, &custom));
  OK(dart_type_create_strided(DART_TYPE_LONG, 2, 1, &strided_type));
  OK(dart_memalloc(10, custom, &made));
  OK(dart_put_blocking(at(made, self, 216), in, 1, custom, custom));
  OK(dart_memfree(made));
  OK(dart_team_memfree(team_alloc(DART_TEAM_ALL, 3, custom)));
  CHECK_EQ(dart_memalloc(10, strided_type, &made), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate(base, in, 1, custom, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_fetch_and_op(base, in, out, custom, DART_OP_REPLACE), DART_ERR_INVAL);
  CHECK_EQ(dart_compare_and_swap(base, in, in, out, custom), DART_ERR_INVAL);
  CHECK_EQ(dart_allreduce(in, out, 1, custom, DART_OP_SUM, DART_TEAM_ALL), DART_ERR_INVAL);
  CHECK_EQ(dart_accumulate(base, in, 1, strided_type, DART_OP_SUM), DART_ERR_INVAL);
  CHECK_EQ(dart_reduce(in, out, 1, strided_type, DART_OP_MINMAX, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL), DART_ERR_INVAL);
  CHECK_EQ(dart_allgatherv(in, 1, strided_type, out, (size_t[64]){SIZE_MAX}, (size_t[64]){0}, DART_TEAM_ALL),
           DART_ERR_INVAL);
  CHECK_EQ(out[0], 7);
  OK(dart_type_destroy(&custom));
  OK(dart_type_destroy(&strided_type));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  base = team_alloc(DART_TEAM_ALL, REGION, DART_TYPE_BYTE);
  right = (self + 1) % units_n;
  seed = (unsigned)self * 7919u + 1;
  for (int round = 0; round < ROUNDS; round++) {
    round_trip(true);
    round_trip(false);
  }
  short_and_long(1000, 3);
  short_and_long(100, 5000);
  bounds();
  for (unsigned key = 1; key <= 20; key++) collectives(key);
  bad_transfers();
  other_calls();
  barrier();
  OK(dart_team_memfree(base));
  return finish();
}
