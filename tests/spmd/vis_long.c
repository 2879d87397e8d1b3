/* Long layouts, iovecs and accumulates between nodes: in long payloads and long replies, and with sizes just above and
 * below; with the default buffers and with the fewest and smallest ones; also from all units to one. Compared with
 * local copies.
 */
#include "check.h"

#include <string.h>

#include "core/bootstrap.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "net/net.h"
#include "rma/atomic.h"
#include "rma/rma.h"
#include "vis/strided.h"
#include "vis/vector.h"

enum { SPAN = 1200 << 10 /* of one origin at its target */, COUNTERS_N = 40000 };

static tsr_segment *spans, *counters;
static int32_t self, units_n, right;
static unsigned char *data, *expected, *got;

static tsr_addr span_at(int32_t unit) { return tsr_segment_address(spans, TSR_MEMBER(unit), (uint64_t)self * SPAN); }
static unsigned char *own_span(int32_t origin) {
  return tsr_place_pointer(tsr_segment_address(spans, TSR_MEMBER(self), (uint64_t)origin * SPAN));
}
static void meet(void) { tsr_bootstrap_barrier(tsr_team_world); }

static unsigned seed;
static unsigned any(unsigned below) { return (seed = seed * 1103515245u + 12345u) / 65536u % below; }

static void fill(unsigned char *bytes, unsigned key) {
  for (size_t i = 0; i < SPAN; i++) bytes[i] = (unsigned char)(i * 7 + i / 251 + key);
}

/* Sets this unit's span at the right neighbour to zero. */
static void clear_span(void) {
  memset(expected, 0, SPAN);
  CHECK_EQ(tsr_put_wait(span_at(right), expected, SPAN), TESSERA_OK);
}

static void check_span(void) {
  CHECK_EQ(tsr_get_wait(got, span_at(right), SPAN), TESSERA_OK);
  CHECK(memcmp(got, expected, SPAN) == 0);
}

/* ---- layouts ---- */

static void layouts_there_and_back(const tsr_layout *theirs, const tsr_layout *ours) {
  tsr_op op = {0};
  clear_span();
  fill(data, (unsigned)self);
  tsr_layout_copy(expected, theirs, data, ours);
  CHECK_EQ(tsr_put_layout(span_at(right), theirs, data, ours, &op), TESSERA_OK);
  tsr_op_wait_local(&op, TSR_UNIT(right));
  memset(data, 0xee, SPAN);
  tsr_op_wait_remote(&op, TSR_UNIT(right));
  check_span();
  memset(got, 0xaa, SPAN);
  memset(data, 0xaa, SPAN);
  tsr_layout_copy(data, ours, expected, theirs);
  CHECK_EQ(tsr_get_layout(got, ours, span_at(right), theirs, &op), TESSERA_OK);
  tsr_op_wait_remote(&op, TSR_UNIT(right));
  CHECK(memcmp(got, data, SPAN) == 0);
}

/* Sizes around each limit; at the last one two messages are full, including their headers. */
static void layouts(void) {
  size_t eager = tsr_net_limits.eager_bytes, payload = tsr_net_limits.payload_bytes;
  size_t limits[] = {512, eager, payload, 2 * (payload - 32)};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    for (int around = -1; around <= 1; around++) {
      size_t bytes = (limits[i] < 350000 ? limits[i] : 350000) / 24 * 24, blocks_n = (bytes + (size_t)(24 * around)) / 24;
      tsr_layout blocks = tsr_layout_strided(24, blocks_n, 40), spread = tsr_layout_strided(24, blocks_n, 72);
      tsr_layout whole = tsr_layout_contiguous(24 * blocks_n);
      if (around < 0) layouts_there_and_back(&blocks, &whole);
      if (around == 0) layouts_there_and_back(&spread, &blocks);
      if (around > 0) layouts_there_and_back(&whole, &blocks);
    }
  }
  tsr_layout turned = {8, 3, {50, 60, 7}, {60 * 8, 8, 50 * 60 * 8}}, plain = tsr_layout_strided(8 * 50, 60 * 7, 8 * 51);
  layouts_there_and_back(&turned, &plain);
  meet();
}

/* ---- lists of runs ---- */

enum { IOV_RUNS_MAX = 20000 };
static struct list {
  ptrdiff_t offs[IOV_RUNS_MAX];
  size_t bytes[IOV_RUNS_MAX], n;
} remote, local;

/* Runs with gaps, of `bytes` in all, with a longer one now and then. */
static tsr_iov iov_of(struct list *list, size_t bytes, size_t most, size_t longest) {
  ptrdiff_t at = 0;
  for (list->n = 0; bytes > 0; list->n++) {
    size_t wish = any(100) ? 1 + any((unsigned)most) : 1 + any((unsigned)longest);
    size_t now = list->n + 1 == IOV_RUNS_MAX || wish > bytes ? bytes : wish;
    list->offs[list->n] = at += (ptrdiff_t)any(9);
    list->bytes[list->n] = now;
    at += (ptrdiff_t)now;
    bytes -= now;
  }
  return (tsr_iov){.offs = list->offs, .bytes = list->bytes, .n = list->n, .times = 1};
}

static void runs_there_and_back(const tsr_iov *theirs, const tsr_iov *ours) {
  tsr_op op = {0};
  clear_span();
  fill(data, (unsigned)self + 100);
  tsr_iov_copy(expected, theirs, data, ours);
  CHECK_EQ(tsr_put_iov(span_at(right), theirs, data, ours, &op), TESSERA_OK);
  tsr_op_wait_remote(&op, TSR_UNIT(right));
  check_span();
  memset(got, 0xaa, SPAN);
  memset(data, 0xaa, SPAN);
  tsr_iov_copy(data, ours, expected, theirs);
  CHECK_EQ(tsr_get_iov(got, ours, span_at(right), theirs, &op), TESSERA_OK);
  tsr_op_wait_remote(&op, TSR_UNIT(right));
  CHECK(memcmp(got, data, SPAN) == 0);
}

static void lists(void) {
  static const size_t totals[] = {300, 20000, 300000};
  for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
    size_t longest = totals[i] / 3 + 1;
    tsr_iov theirs = iov_of(&remote, totals[i], 60, longest), ours = iov_of(&local, totals[i], 40, longest);
    tsr_iov whole = tsr_iov_contiguous(totals[i]);
    runs_there_and_back(&theirs, &ours);
    runs_there_and_back(&theirs, &whole);
    runs_there_and_back(&whole, &ours);
  }
  tsr_iov bytes = iov_of(&remote, 20000, 1, 1), whole = tsr_iov_contiguous(20000); /* lists longer than their data */
  runs_there_and_back(&bytes, &whole);
  runs_there_and_back(&whole, &bytes);
  meet();
}

/* Entries of equal length at a constant distance, which may be negative; the last one may have another place or length. */
static tsr_iov regular(struct list *list, size_t n, size_t bytes, ptrdiff_t step, ptrdiff_t last_off, size_t last_bytes) {
  for (list->n = 0; list->n < n; list->n++) {
    list->offs[list->n] = (step < 0 ? (ptrdiff_t)(n - 1) * -step : 40) + (ptrdiff_t)list->n * step;
    list->bytes[list->n] = bytes;
  }
  list->offs[n - 1] += last_off;
  list->bytes[n - 1] += last_bytes;
  return (tsr_iov){.offs = list->offs, .bytes = list->bytes, .each = bytes, .n = n, .times = 1};
}

/* Bytes of the messages of a put between nodes. */
static size_t message_bytes(const tsr_iov *theirs, const tsr_iov *ours) {
  struct tsr_op_need need = {0};
  tsr_put_iov_need(&need, span_at(right), theirs, ours);
  return need.bytes;
}

/* Such lists travel as layouts between nodes, without their entries. */
static void regular_lists(void) {
  enum { N = 4000, TIMES = 3 };
  const size_t each = 8;
  const bool is_far = !tsr_place_is_local(TSR_UNIT(right));
  tsr_iov whole = tsr_iov_contiguous(N * each);
  tsr_iov theirs = regular(&remote, N, each, 24, 0, 0), ours = regular(&local, N, each, -16, 0, 0);
  runs_there_and_back(&theirs, &ours);
  runs_there_and_back(&theirs, &whole);
  const size_t fewest = message_bytes(&theirs, &whole);
  theirs = regular(&remote, N, each, 24, 8, 0);
  runs_there_and_back(&theirs, &whole);
  if (is_far) CHECK(message_bytes(&theirs, &whole) > fewest + N * each);
  theirs.bytes = ours.bytes = NULL;
  runs_there_and_back(&theirs, &ours);
  theirs = regular(&remote, N, each, 24, 0, 8), whole = tsr_iov_contiguous(N * each + 8);
  runs_there_and_back(&theirs, &whole);
  theirs = regular(&remote, N, each, 24, 0, 0), ours = regular(&local, N, each, 16, 0, 0);
  theirs.bytes = NULL;
  theirs.times = ours.times = TIMES;
  theirs.step = N * 24 + 8, ours.step = N * 16;
  runs_there_and_back(&theirs, &ours);
  meet();
}

/* ---- all to one ---- */

/* Each unit fills its own span of unit 0 with several puts at once, gets it back, and accumulates into a shared one. */
static void flood(void) {
  enum { PUTS_N = 20, ROW = 24, ROWS_N = 2000, APART = ROW * PUTS_N };
  tsr_layout rows = tsr_layout_strided(ROW, ROWS_N, APART), packed = tsr_layout_contiguous(ROW * ROWS_N);
  tsr_op *op = tsr_op_implicit(TSR_UNIT(0));
  static uint64_t ones[COUNTERS_N];
  for (size_t i = 0; i < COUNTERS_N; i++) ones[i] = 1 + i % 3;
  memset(own_span(0), 0, (size_t)units_n * SPAN);
  memset(tsr_place_pointer(tsr_segment_address(counters, TSR_MEMBER(self), 0)), 0, sizeof ones);
  fill(data, (unsigned)self + 7);
  meet();
  for (int i = 0; i < PUTS_N; i++) {
    tsr_addr there = span_at(0);
    there.off += (uint64_t)(i * ROW);
    CHECK_EQ(tsr_put_layout(there, &rows, data + (size_t)i * ROW * ROWS_N, &packed, op), TESSERA_OK);
    if (i % 5 == 0)
      CHECK_EQ(tsr_accumulate(tsr_segment_address(counters, TSR_MEMBER(0), 0), TSR_U64, TSR_SUM, ones, COUNTERS_N, op),
               TESSERA_OK);
  }
  tsr_op_flush_all();
  for (int i = 0; i < PUTS_N; i++) {
    tsr_addr there = span_at(0);
    there.off += (uint64_t)(i * ROW);
    CHECK_EQ(tsr_get_layout(got + (size_t)i * ROW * ROWS_N, &packed, there, &rows, op), TESSERA_OK);
  }
  tsr_op_flush_all();
  CHECK(memcmp(got, data, (size_t)PUTS_N * ROW * ROWS_N) == 0);
  meet();
  const uint64_t *sums = tsr_place_pointer(tsr_segment_address(counters, TSR_MEMBER(self), 0));
  size_t wrong = 0;
  for (size_t i = 0; i < COUNTERS_N; i++) wrong += sums[i] != (self ? 0 : (1 + i % 3) * 4 * (uint64_t)units_n);
  CHECK_EQ(wrong, 0);
  meet();
}

/* ---- registered memory of the node: its owner executes requests ---- */

static void registered(void) {
  tsr_segment *outside, *heap = spans;
  unsigned char *brought = calloc((size_t)units_n, SPAN);
  CHECK_EQ(tsr_segment_register(tsr_team_world, brought, (size_t)units_n * SPAN, &outside), TESSERA_OK);
  spans = outside;
  tsr_layout blocks = tsr_layout_strided(24, 9000, 48), spread = tsr_layout_strided(24, 9000, 72);
  layouts_there_and_back(&blocks, &spread);
  meet();
  spans = heap;
  CHECK_EQ(tsr_segment_deregister(outside), TESSERA_OK);
  free(brought);
}

static void life(const char *eager_limit, const char *buffers, const char *buffer_size) {
  setenv("TESSERA_EAGER_LIMIT", eager_limit, 1);
  setenv("TESSERA_WIRE_BUFFERS", buffers, 1);
  setenv("TESSERA_WIRE_BUFFER_SIZE", buffer_size, 1);
  CHECK_EQ(tessera_init(NULL, NULL), TESSERA_OK);
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  right = (self + 1) % units_n;
  seed = (unsigned)self;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, (size_t)units_n * SPAN, &spans), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, COUNTERS_N * sizeof(uint64_t), &counters), TESSERA_OK);
  layouts();
  lists();
  regular_lists();
  flood();
  registered();
  CHECK_EQ(tsr_segment_free(counters), TESSERA_OK);
  CHECK_EQ(tsr_segment_free(spans), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
}

int main(void) {
  setenv("TESSERA_ATTACH", "off", 1);
  data = malloc(SPAN);
  expected = malloc(SPAN);
  got = malloc(SPAN);
  if (!data || !expected || !got) return EXIT_FAILURE;
  life("8K", "64", "16M");
  life("1K", "2", "64K");
  life("1M", "3", "64K"); /* nothing is long */
  free(data);
  free(expected);
  free(got);
  return check_result();
}
