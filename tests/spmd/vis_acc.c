/* Accumulates of layouts and iovecs: from all units at once, to one unit's memory and to that of all units, mixed with
 * fetch-and-add on the same words; with the default buffers and with the fewest and smallest ones. Floating-point
 * numbers have integer values, so that sums are exact in any order.
 */
#include "check.h"

#include <complex.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "rma/atomic.h"
#include "unit/random_layout.h"
#include "vis/accumulate.h"

enum { AREA = (2 << 20) + 4096, WIDEST = 16, FETCHES_N = 3 };

static tsr_segment *areas;
static int32_t self, units_n;
static char *source;

static void meet(void) { tsr_bootstrap_barrier(tsr_team_world); }
static tsr_addr area_of(int32_t unit, size_t off) { return tsr_segment_address(areas, TSR_MEMBER(unit), off); }
static char *own_area(void) { return tsr_place_pointer(area_of(self, 0)); }

/* ---- numbers ---- */

static void write_number(tsr_type type, void *x, int64_t value) {
#define WRITE(TYPE, element) if (type == TSR_##TYPE) memcpy(x, &(element){(element)value}, sizeof(element));
  WRITE(I8, int8_t) WRITE(U8, uint8_t) WRITE(I16, int16_t) WRITE(U16, uint16_t) WRITE(I32, int32_t) WRITE(U32, uint32_t)
  WRITE(I64, int64_t) WRITE(U64, uint64_t) WRITE(F32, float) WRITE(F64, double) WRITE(F80, long double)
  WRITE(C64, float complex) WRITE(C128, double complex)
}

/* Complex numbers are multiplied by imaginary ones: value * i * i. */
static void write_scale(tsr_type type, char *x, int64_t value) {
  write_number(type, x, value);
  if (type == TSR_C64) memcpy(x, (float[]){0, (float)value}, 8);
  if (type == TSR_C128) memcpy(x, (double[]){0, (double)value}, 16);
}
static void write_source(tsr_type type, char *x, int64_t value, bool is_scaled) {
  if (type == TSR_C64 && is_scaled) memcpy(x, (float[]){0, -(float)value}, 8);
  else if (type == TSR_C128 && is_scaled) memcpy(x, (double[]){0, -(double)value}, 16);
  else write_number(type, x, value);
}

static bool is_equal(tsr_type type, const char *x, int64_t value) {
  if (type == TSR_F80) return *(const long double *)(const void *)x == (long double)value;
  if (type == TSR_F32) return *(const float *)(const void *)x == (float)value;
  if (type == TSR_F64) return *(const double *)(const void *)x == (double)value;
  if (type == TSR_C64) return *(const float complex *)(const void *)x == (float)value;
  if (type == TSR_C128) return *(const double complex *)(const void *)x == (double)value;
  char other[WIDEST];
  write_number(type, other, value);
  return memcmp(x, other, tsr_type_bytes(type)) == 0;
}

/* The value that each unit adds to element k of the stream. */
static int64_t part_of(int32_t unit, size_t k) { return (int64_t)(k % 13) * (unit + 1) - 20; }
static int64_t scale_of(int32_t unit, bool is_scaled) { return is_scaled ? unit - 3 : 1; }
static int64_t sum_of(size_t k, bool is_scaled) {
  int64_t sum = 0;
  for (int32_t unit = 0; unit < units_n; unit++) sum += part_of(unit, k) * scale_of(unit, is_scaled);
  return sum;
}

/* ---- one accumulate, as a layout or as runs ---- */

struct side {
  const tsr_layout *layout; /* NULL: runs */
  const tsr_iov *iov;
};

static ptrdiff_t low_of(const struct side *side) {
  ptrdiff_t low, high;
  if (side->layout) tsr_layout_extent(side->layout, &low, &high);
  else tsr_iov_extent(side->iov, &low, &high);
  return low;
}

/* The places of the elements, relative to the first byte. */
static void list_places(const struct side *side, size_t size, size_t n, ptrdiff_t *places) {
  const ptrdiff_t low = low_of(side);
  if (side->layout) {
    for (size_t k = 0; k < n; k++) places[k] = naive_offset(side->layout, k * size) - low;
    return;
  }
  tsr_iov_cursor cursor = tsr_iov_begin(side->iov);
  for (size_t k = 0; k < n; k++, tsr_iov_pass(&cursor, size)) places[k] = cursor.off - low;
}

struct sum {
  tsr_type type;
  struct side to, from;
  size_t bytes;
  bool is_scaled, to_all;
};

static tessera_status_t add(const struct sum *sum, int32_t target, tsr_op *op) {
  char scale[WIDEST + 1];
  const void *scale_at = sum->is_scaled ? scale + 1 : NULL;
  tsr_addr dest = area_of(target, (uint64_t)-low_of(&sum->to));
  const char *src = source - low_of(&sum->from);
  write_scale(sum->type, scale + 1, scale_of(self, sum->is_scaled));
  if (sum->to.layout) return tsr_acc_layout(dest, sum->to.layout, src, sum->from.layout, sum->type, TSR_SUM, scale_at, op);
  return tsr_acc_iov(dest, sum->to.iov, src, sum->from.iov, sum->type, TSR_SUM, scale_at, op);
}

/* Concurrent fetch-and-adds of 1 to the first element. */
static void fetch_adds(const struct sum *sum, int32_t target, ptrdiff_t off, tsr_op *op) {
  char one[WIDEST], old[FETCHES_N][WIDEST];
  write_number(sum->type, one, 1);
  for (int i = 0; i < FETCHES_N; i++)
    CHECK_EQ(tsr_fetch(area_of(target, (uint64_t)off), sum->type, TSR_SUM, one, old[i], op), TESSERA_OK);
  tsr_op_wait_remote(op, TSR_UNIT(target));
}

/* Checks this unit's area: the sums, and unchanged bytes between them; then sets it to zero. */
static void check_area(const struct sum *sum, const ptrdiff_t *places, size_t n) {
  size_t size = tsr_type_bytes(sum->type), wrong = 0;
  bool is_target = sum->to_all || self == 0;
  for (size_t k = 0; k < n; k++) {
    int64_t value = is_target ? sum_of(k, sum->is_scaled) + (k == 0 ? FETCHES_N * units_n : 0) : 0;
    wrong += !is_equal(sum->type, own_area() + places[k], value);
    memset(own_area() + places[k], 0, size);
  }
  const uint64_t zero = 0;
  wrong += memcmp(own_area(), &zero, 8) != 0 || memcmp(own_area(), own_area() + 8, AREA - 8) != 0;
  CHECK_EQ(wrong, 0);
}

static void run(const struct sum *sum) {
  size_t size = tsr_type_bytes(sum->type), n = sum->bytes / size;
  ptrdiff_t *places = malloc((n + 1) * sizeof *places);
  tsr_op op = {0}, fetches = {0};
  list_places(&sum->from, size, n, places);
  for (size_t k = 0; k < n; k++) write_source(sum->type, source + places[k], part_of(self, k), sum->is_scaled);
  list_places(&sum->to, size, n, places);
  meet(); /* all areas are zeros */
  int32_t targets_n = sum->to_all ? units_n : 1;
  for (int32_t i = 0; i < targets_n; i++) {
    int32_t target = sum->to_all ? (self + i) % units_n : 0;
    CHECK_EQ(add(sum, target, &op), TESSERA_OK);
    if (n > 0) fetch_adds(sum, target, places[0], &fetches);
  }
  tsr_op_wait_local(&op, TSR_UNIT(0));
  memset(source, 0xee, AREA);
  tsr_op_wait_remote(&op, TSR_UNIT(0));
  meet();
  check_area(sum, places, n);
  free(places);
}

static void run_layouts(tsr_type type, const tsr_layout *to, const tsr_layout *from, bool is_scaled, bool to_all) {
  CHECK_EQ(tsr_layout_bytes(to), tsr_layout_bytes(from));
  run(&(struct sum){type, {.layout = to}, {.layout = from}, tsr_layout_bytes(to), is_scaled, to_all});
}
static void run_iovs(tsr_type type, const tsr_iov *to, const tsr_iov *from, bool is_scaled, bool to_all) {
  CHECK_EQ(tsr_iov_bytes(to), tsr_iov_bytes(from));
  run(&(struct sum){type, {.iov = to}, {.iov = from}, tsr_iov_bytes(to), is_scaled, to_all});
}

/* ---- shapes ---- */

static void contiguous(void) {
  static const size_t bytes[] = {0, 1, 8, 16, 48, 1000, 4096, 4104, 8192, 66000, 300000, 2 << 20};
  for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
    tsr_layout line = tsr_layout_contiguous(bytes[i]);
    tsr_type type = bytes[i] % 8 ? TSR_I8 : TSR_F64;
    run_layouts(type, &line, &line, true, bytes[i] <= 8192);
    run_layouts(type, &line, &line, false, false);
  }
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) {
    tsr_layout line = tsr_layout_contiguous(4800);
    run_layouts(type, &line, &line, true, false);
    run_layouts(type, &line, &line, false, true);
  }
}

/* One to four dimensions, counts of 1 among them, strides up and down. */
static void strided(tsr_type type, size_t width, bool to_all) {
  ptrdiff_t w = (ptrdiff_t)width;
  size_t elem = width;
  tsr_layout rows = {3 * elem, 1, {17}, {5 * w}}, rows_back = {3 * elem, 1, {17}, {-4 * w}};
  tsr_layout tile = {4 * elem, 2, {6, 9}, {-60 * w, 6 * w}}, tile_other = {4 * elem, 2, {6, 9}, {4 * w, 24 * w}};
  tsr_layout turned = {elem, 3, {5, 1, 30}, {30 * w, 7 * w, w}}, plain = {elem, 3, {5, 1, 30}, {w, 999 * w, -6 * w}};
  tsr_layout box = {2 * elem, 4, {3, 1, 4, 5}, {2 * w, 8 * w, -16 * w, 80 * w}};
  tsr_layout box_other = {2 * elem, 4, {3, 1, 4, 5}, {-60 * w, 3 * w, 3 * w, 12 * w}};
  tsr_layout threes = {3 * elem, 1, {10}, {4 * w}}, fives = {5 * elem, 1, {6}, {-7 * w}};
  run_layouts(type, &rows, &rows_back, true, to_all);
  run_layouts(type, &rows_back, &rows, false, to_all);
  run_layouts(type, &tile, &tile_other, true, to_all);
  run_layouts(type, &turned, &plain, true, to_all);
  run_layouts(type, &plain, &turned, false, to_all);
  run_layouts(type, &box, &box_other, true, to_all);
  run_layouts(type, &threes, &fives, true, to_all);
}

/* Longer than a message, or than an eager one: cut in any dimension. */
static void strided_long(void) {
  tsr_layout column = tsr_layout_strided(8, 40000, 24), back = tsr_layout_strided(8, 40000, -8);
  tsr_layout blocks = tsr_layout_strided(40, 8000, 64), line = tsr_layout_contiguous(320000);
  tsr_layout wide = tsr_layout_strided(16, 20000, 48), narrow = tsr_layout_strided(16, 20000, 32);
  tsr_layout turned = {8, 3, {50, 60, 40}, {60 * 8, 8, 50 * 60 * 8}}, plain = tsr_layout_strided(8 * 50, 60 * 40, 8 * 51);
  run_layouts(TSR_F64, &column, &back, true, false);
  run_layouts(TSR_I64, &column, &back, true, false);
  run_layouts(TSR_F32, &blocks, &line, false, true);
  run_layouts(TSR_C128, &wide, &narrow, true, false);
  run_layouts(TSR_F64, &turned, &plain, true, false);
}

enum { IOV_RUNS_MAX = 3000 };
static struct list {
  ptrdiff_t offs[IOV_RUNS_MAX];
  size_t bytes[IOV_RUNS_MAX];
} remote, local;

/* The same on all units: `n` elements in runs of up to `most` with gaps, in reverse, the last run with the rest. */
static tsr_iov iov_of(struct list *list, struct random *random, size_t n, size_t most, size_t size) {
  ptrdiff_t at = 0;
  size_t iov_n = 0;
  for (; n > 0; iov_n++) {
    size_t wish = random_below(random, most + 1), now = iov_n == IOV_RUNS_MAX - 1 || wish > n ? n : wish;
    at -= (ptrdiff_t)((now + random_below(random, 3)) * size);
    list->offs[iov_n] = at;
    list->bytes[iov_n] = now * size;
    n -= now;
  }
  return (tsr_iov){.offs = list->offs, .bytes = list->bytes, .n = iov_n, .times = 1};
}

static void lists(void) {
  struct random random = {77};
  static const tsr_type types[] = {TSR_I8, TSR_I32, TSR_I64, TSR_F32, TSR_F64, TSR_C64, TSR_C128};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    size_t size = tsr_type_bytes(types[i]);
    tsr_iov to = iov_of(&remote, &random, 500, 9, size), from = iov_of(&local, &random, 500, 20, size);
    tsr_iov whole = tsr_iov_contiguous(500 * size);
    run_iovs(types[i], &to, &from, true, true);
    run_iovs(types[i], &to, &whole, false, false);
    run_iovs(types[i], &whole, &from, true, false);
  }
  tsr_iov to = iov_of(&remote, &random, 50000, 60, 8), from = iov_of(&local, &random, 50000, 9000, 8);
  tsr_iov all = tsr_iov_contiguous(2 << 20), none = {.offs = remote.offs, .times = 1}, empty = tsr_iov_contiguous(0);
  run_iovs(TSR_F64, &to, &from, true, false);
  run_iovs(TSR_I64, &to, &from, false, false);
  run_iovs(TSR_F64, &all, &all, true, false);
  run_iovs(TSR_C128, &all, &all, false, false);
  run_iovs(TSR_F64, &none, &empty, true, true);
  tsr_iov repeated = {.offs = (ptrdiff_t[]){64, 0}, .each = 16, .n = 2, .times = 50, .step = 128};
  tsr_iov flat = tsr_iov_contiguous(1600);
  run_iovs(TSR_C128, &repeated, &flat, true, true);
}

/* Registered memory: its owner executes all requests, also those of its own node. */
static void registered(void) {
  tsr_segment *heap = areas;
  char *brought = calloc(1, AREA);
  CHECK_EQ(tsr_segment_register(tsr_team_world, brought, AREA, &areas), TESSERA_OK);
  tsr_layout line = tsr_layout_contiguous(100000);
  run_layouts(TSR_F64, &line, &line, true, false);
  run_layouts(TSR_F64, &line, &line, false, true);
  strided(TSR_F64, 8, true);
  strided(TSR_I32, 4, false);
  meet();
  CHECK_EQ(tsr_segment_deregister(areas), TESSERA_OK);
  areas = heap;
  free(brought);
}

static void life(const char *eager_limit, const char *buffers, const char *buffer_size) {
  setenv("TESSERA_EAGER_LIMIT", eager_limit, 1);
  setenv("TESSERA_WIRE_BUFFERS", buffers, 1);
  setenv("TESSERA_WIRE_BUFFER_SIZE", buffer_size, 1);
  CHECK_EQ(tessera_init(NULL, NULL), TESSERA_OK);
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, AREA, &areas), TESSERA_OK);
  memset(own_area(), 0, AREA);
  contiguous();
  for (tsr_type type = 0; type < TSR_TYPES_N; type++) strided(type, tsr_type_bytes(type), type % 2);
  strided_long();
  lists();
  registered();
  CHECK_EQ(tsr_segment_free(areas), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
}

int main(void) {
  source = malloc(AREA);
  if (!source) return EXIT_FAILURE;
  life("8K", "64", "16M");
  life("1K", "2", "64K");
  free(source);
  return check_result();
}
