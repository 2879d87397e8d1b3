/* The strided engine: any bytes are read as two layouts or lists and what to do with them, which is then compared with the same
 * done element by element. Memory ends where the layouts end, so that an address checker sees what goes beyond. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/scale.h"
#include "node/heap.h"
#include "vis/adder.h"
#include "vis/layout.h"
#include "vis/iov.h"
#include "base/simd.h"

enum { BYTES_MOST = 1 << 13, TOP = TSR_LAYOUT_DIMS };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what the bytes say ---- */

struct input {
  const uint8_t *data;
  size_t left;
};

static unsigned take(struct input *in) {
  if (!in->left) return 0;
  in->left--;
  return *in->data++;
}
static size_t below(struct input *in, size_t n) { return n ? (take(in) << 8 | take(in)) % n : 0; }

static void expect(bool right, const char *what) {
  if (right) return;
  fprintf(stderr, "the engine is wrong: %s\n", what);
  abort();
}

/* ---- layouts ---- */

/* Elements of a multiple of `unit` bytes, often a small power of two. Of few dimensions many are long, of many most are of 1. */
static void take_shape(struct input *in, size_t unit, tsr_layout *layout) {
  const unsigned what = take(in), dims = take(in);
  size_t bytes = layout->elem_bytes = unit * (what < 128 ? 1u << what % 4 : 1 + what % (unit == 1 ? 80 : 6));
  layout->dims = (int)(dims < 96 ? dims % 4 : dims % (TOP + 1));
  for (int d = 0; d < layout->dims; d++) {
    unsigned how = take(in);
    size_t count = how < 96 ? 1 : how < 176 ? 1 + how % 5 : how < 254 ? 1 + below(in, how < 224 ? 60 : 700) : how == 254 ? 1 : 0;
    if (bytes * count > BYTES_MOST) count = 1;
    layout->count[d] = count;
    if (count) bytes *= count;
  }
}

/* The same bytes otherwise: factors of their number, each a dimension. */
static void take_reshape(struct input *in, size_t unit, size_t bytes, tsr_layout *layout) {
  *layout = tsr_layout_contiguous(bytes);
  if (!bytes) return;
  size_t left = bytes / unit, factor;
  layout->elem_bytes = unit;
  for (factor = 1 + below(in, left); left % factor; factor--) {}
  layout->elem_bytes *= factor;
  for (left /= factor; left > 1; left /= factor) {
    for (factor = layout->dims == TOP - 1 ? left : 1 + below(in, left); left % factor; factor--) {}
    if (factor == 1 && !in->left) factor = left;
    layout->count[layout->dims++] = factor;
  }
}

/* Dimensions are nested in any order, with gaps or without, upwards or downwards; no two elements overlap. */
static void take_strides(struct input *in, size_t unit, tsr_layout *layout) {
  int order[TOP];
  unsigned gaps = take(in), ways = take(in), sorted = take(in);
  for (int d = 0; d < layout->dims; d++) {
    int at = sorted % 2 ? d : (int)(take(in) % (unsigned)(d + 1));
    order[d] = order[at];
    order[at] = d;
  }
  ptrdiff_t span = (ptrdiff_t)layout->elem_bytes;
  for (int k = 0; k < layout->dims; k++) {
    const int d = order[k];
    ptrdiff_t stride = span + (ptrdiff_t)(gaps >> k % 8 & 1 ? take(in) % 24 * unit : 0);
    if (layout->count[d] > 1) span = stride * (ptrdiff_t)layout->count[d];
    layout->stride[d] = ways >> k % 8 & 1 ? -stride : stride;
  }
}

/* Of the source some dimensions may repeat. */
static void take_repeats(struct input *in, tsr_layout *layout) {
  const unsigned which = take(in) < 32 ? take(in) : 0;
  for (int d = 0; d < layout->dims; d++)
    if (which >> d % 8 & 1) layout->stride[d] = 0;
}

static void take_layouts(struct input *in, size_t unit, tsr_layout *dest, tsr_layout *src) {
  take_shape(in, unit, dest);
  const size_t bytes = tsr_layout_bytes(dest);
  const unsigned how = take(in) % 5;
  *src = *dest;
  if (how == 1) *src = tsr_layout_contiguous(bytes);
  if (how == 4) *dest = tsr_layout_contiguous(bytes);
  if (how == 2) take_reshape(in, unit, bytes, src);
  take_strides(in, unit, dest);
  take_strides(in, unit, src);
  if (how == 3) take_repeats(in, src);
}

/* Where byte `at` of the stream lies. */
static ptrdiff_t place(const tsr_layout *layout, size_t at) {
  size_t element = at / layout->elem_bytes;
  ptrdiff_t off = (ptrdiff_t)(at % layout->elem_bytes);
  for (int d = 0; d < layout->dims; element /= layout->count[d++])
    off += (ptrdiff_t)(element % layout->count[d]) * layout->stride[d];
  return off;
}

/* ---- memory of their size ---- */

struct arena {
  char *memory, *base;
  size_t bytes;
};

static struct arena arena_new(ptrdiff_t low, ptrdiff_t high, unsigned seed) {
  struct arena arena = {.bytes = (size_t)(high - low)};
  arena.memory = malloc(arena.bytes + 1);
  arena.base = arena.memory - low;
  for (size_t i = 0; i < arena.bytes; i++) arena.memory[i] = (char)((i * 2654435761u >> 7) + seed);
  char *exact = realloc(arena.memory, arena.bytes ? arena.bytes : 1);
  return (struct arena){exact, exact - low, arena.bytes};
}
static struct arena arena_for(const tsr_layout *layout, unsigned seed) {
  ptrdiff_t low, high;
  tsr_layout_extent(layout, &low, &high);
  return arena_new(low, high, seed);
}
static struct arena arena_for_iov(const tsr_iov *iov, unsigned seed) {
  ptrdiff_t low, high;
  tsr_iov_extent(iov, &low, &high);
  return arena_new(low, high, seed);
}
static bool same(const struct arena *a, const struct arena *b) { return memcmp(a->memory, b->memory, a->bytes) == 0; }

/* ---- copies, packing ---- */

static void check_copy(struct input *in) {
  tsr_layout dest, src;
  take_layouts(in, 1, &dest, &src);
  struct arena from = arena_for(&src, 1), to = arena_for(&dest, 2), right = arena_for(&dest, 2);
  const size_t bytes = tsr_layout_bytes(&dest);
  for (size_t at = 0; at < bytes; at++) right.base[place(&dest, at)] = from.base[place(&src, at)];
  tsr_layout_copy(to.base, &dest, from.base, &src);
  expect(same(&to, &right), "copy");
  free(from.memory);
  free(to.memory);
  free(right.memory);
}

/* In two cuts each. */
static void check_pack(struct input *in) {
  tsr_layout layout;
  take_shape(in, 1, &layout);
  take_strides(in, 1, &layout);
  const size_t bytes = tsr_layout_bytes(&layout), cut = below(in, bytes + 1), other = below(in, bytes + 1);
  struct arena there = arena_for(&layout, 3), back = arena_for(&layout, 4), right = arena_for(&layout, 4);
  char *packed = malloc(bytes ? bytes : 1);
  tsr_layout_pack(packed, there.base, &layout, 0, cut);
  tsr_layout_pack(packed + cut, there.base, &layout, cut, bytes - cut);
  for (size_t at = 0; at < bytes; at++) {
    expect(packed[at] == there.base[place(&layout, at)], "pack");
    right.base[place(&layout, at)] = packed[at];
  }
  tsr_layout_unpack(back.base, &layout, 0, other, packed);
  tsr_layout_unpack(back.base, &layout, other, bytes - other, packed + other);
  expect(same(&back, &right), "unpack");
  free(packed);
  free(there.memory);
  free(back.memory);
  free(right.memory);
}

/* ---- accumulates: of integers and of doubles that are integers ---- */

static void open_node(void) {
  enum { STRIPE = 4096 };
  if (tsr_heap.memory) return;
  size_t bytes = sizeof(struct tsr_node_memory) / STRIPE * STRIPE + STRIPE;
  tsr_heap.memory = aligned_alloc(STRIPE, bytes);
  memset(tsr_heap.memory, 0, bytes);
}

static void make_doubles(struct arena *arena) {
  for (size_t i = 0; i + sizeof(double) <= arena->bytes; i += sizeof(double))
    memcpy(arena->memory + i, &(double){(double)(i % 37) - 18}, sizeof(double));
}

static void naive_add(tsr_type type, char *target, const char *source, int scale) {
  if (type == TSR_F64) {
    double t, s;
    memcpy(&t, target, sizeof t);
    memcpy(&s, source, sizeof s);
    t += scale * s;
    memcpy(target, &t, sizeof t);
  } else {
    uint32_t t, s;
    memcpy(&t, target, sizeof t);
    memcpy(&s, source, sizeof s);
    t += (uint32_t)scale * s;
    memcpy(target, &t, sizeof t);
  }
}

static void check_accumulate(struct input *in) {
  tsr_layout dest, src;
  const tsr_type type = take(in) % 2 ? TSR_F64 : TSR_I32;
  const size_t unit = tsr_type_bytes(type);
  take_layouts(in, unit, &dest, &src);
  open_node();
  struct arena from = arena_for(&src, 5), to = arena_for(&dest, 6), right = arena_for(&dest, 6);
  if (type == TSR_F64) make_doubles(&from), make_doubles(&to), make_doubles(&right);
  const int factor = (int)(take(in) % 7) - 3;
  const double real = factor;
  const int32_t whole = factor;
  const bool scaled = take(in) % 4;
  const size_t bytes = tsr_layout_bytes(&dest);
  for (size_t at = 0; at < bytes; at += unit)
    naive_add(type, right.base + place(&dest, at), from.base + place(&src, at), scaled ? factor : 1);
  tsr_adder adder = tsr_adder_open(type, TSR_SUM, !scaled ? NULL : type == TSR_F64 ? (const void *)&real : &whole);
  if (bytes) tsr_adder_layout(&adder, to.base, &dest, from.base, &src);
  tsr_adder_close(&adder);
  expect(same(&to, &right), "accumulate");
  free(from.memory);
  free(to.memory);
  free(right.memory);
}

/* ---- lists ---- */

enum { RUNS_MOST = 1400 };
struct list {
  tsr_iov iov;
  ptrdiff_t offs[RUNS_MOST];
  size_t bytes[RUNS_MOST];
};

/* `bytes` in a list of runs of any size, or of `each` where those fill it. Stretches without gaps, and some places swapped. */
static void take_list(struct input *in, size_t bytes, size_t each, struct list *list) {
  size_t n = 0;
  const bool uniform = each && bytes % each == 0 && bytes / each <= RUNS_MOST;
  for (size_t left = bytes; left > 0; left -= list->bytes[n++]) {
    const size_t now = uniform ? each : n == RUNS_MOST - 1 ? left : below(in, 64) + (in->left ? 0 : 40);
    list->bytes[n] = now < left ? now : left;
  }
  const bool swaps = take(in) % 2;
  unsigned gap = take(in) % 3;
  ptrdiff_t end = 0;
  for (size_t i = 0; i < n; i++) {
    if (i % 64 == 0 && take(in) < 64) gap = take(in) % 9;
    list->offs[i] = end;
    end += (ptrdiff_t)(list->bytes[i] + gap);
  }
  for (size_t i = 0; uniform && swaps && in->left && i < n; i++) { /* runs of one size may change places */
    const size_t other = below(in, n);
    const ptrdiff_t was = list->offs[i];
    list->offs[i] = list->offs[other];
    list->offs[other] = was;
  }
  list->iov = (tsr_iov){list->offs, uniform ? NULL : list->bytes, each, n, 1, 0};
}

static size_t places_of(const tsr_iov *iov, ptrdiff_t *at) {
  size_t n = 0;
  for (size_t i = 0; i < iov->n; i++)
    for (size_t byte = 0; byte < tsr_iov_bytes_of(iov, i); byte++) at[n++] = tsr_iov_off_of(iov, i) + (ptrdiff_t)byte;
  return n;
}

static void check_lists(struct input *in) {
  static struct list to_list, from_list;
  static ptrdiff_t to_at[BYTES_MOST], from_at[BYTES_MOST];
  static const size_t sizes[] = {1, 2, 3, 4, 8, 8, 16, 24, 64, 72};
  const size_t each = sizes[take(in) % (sizeof sizes / sizeof *sizes)], most = BYTES_MOST / each;
  const size_t bytes = each * below(in, most < RUNS_MOST ? most : RUNS_MOST);
  const unsigned how = take(in) % 4;
  tsr_iov line = tsr_iov_contiguous(bytes);
  take_list(in, bytes, how == 0 ? 0 : each, &to_list);
  take_list(in, bytes, how == 1 ? 0 : each, &from_list);
  tsr_iov *to_iov = take(in) % 4 ? &to_list.iov : &line, *from_iov = take(in) % 4 ? &from_list.iov : &line;
  struct arena from = arena_for_iov(from_iov, 7), to = arena_for_iov(to_iov, 8), right = arena_for_iov(to_iov, 8);
  struct arena back = arena_for_iov(to_iov, 8);
  expect(places_of(to_iov, to_at) == bytes && places_of(from_iov, from_at) == bytes, "the fuzzer itself");
  for (size_t i = 0; i < bytes; i++) right.base[to_at[i]] = from.base[from_at[i]];
  tsr_iov_copy(to.base, to_iov, from.base, from_iov);
  expect(same(&to, &right), "copy of lists");
  char *packed = malloc(bytes ? bytes : 1);
  const size_t cut = below(in, bytes + 1);
  tsr_iov_cursor read = tsr_iov_begin(from_iov);
  tsr_iov_pack(packed, from.base, &read, cut);
  tsr_iov_pack(packed + cut, from.base, &read, bytes - cut);
  const tsr_iov dense = tsr_iov_contiguous(bytes);
  tsr_iov_copy(back.base, to_iov, packed, &dense);
  expect(same(&back, &right) && !read.left_bytes, "packing of lists");
  free(packed);
  free(from.memory);
  free(to.memory);
  free(right.memory);
  free(back.memory);
}

/* ---- layouts from the wire ---- */

/* What is accepted can be computed with, and says the same when it is written again. */
static void check_wire(struct input *in) {
  char wire[TSR_LAYOUT_WIRE_BYTES], again[TSR_LAYOUT_WIRE_BYTES];
  tsr_layout layout;
  take_shape(in, 1, &layout);
  take_strides(in, 1, &layout);
  size_t bytes = tsr_layout_encode(&layout, wire);
  for (size_t changes = take(in) % 8; changes > 0; changes--) wire[below(in, bytes)] = (char)take(in);
  bytes = tsr_layout_decode(&layout, wire, bytes - take(in) % 2);
  if (!bytes) return;
  ptrdiff_t low, high;
  tsr_layout_extent(&layout, &low, &high);
  expect(tsr_layout_bytes(&layout) != SIZE_MAX && high != PTRDIFF_MAX && low <= high, "a layout that is too large");
  expect(tsr_layout_encode(&layout, again) == bytes && !memcmp(wire, again, bytes), "the wire form of a layout");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input in = {data, size};
  static void (*const checks[])(struct input *in) = {check_copy, check_pack, check_accumulate, check_lists, check_wire};
  tsr_simd_limit((enum tsr_simd)(TSR_SIMD_AVX512 - take(&in) % 4));
  checks[take(&in) % (sizeof checks / sizeof *checks)](&in);
  return 0;
}
