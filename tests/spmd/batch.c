/* Batches: the results equal those of single operations in the same order, with fewer requests. */
#include "check.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "base/config.h"
#include "core/bootstrap.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "net/net.h"
#include "vis/accumulate.h"
#include "vis/adder.h"
#include "vis/batch.h"

enum { DOUBLES_N = 1000, APART = 3, LONG = 100000, RANDOM_BYTES = 40000, RANDOM_OPS = 400, EAGER = 8 << 10 };

/* One for each origin, at each unit. */
struct part {
  double doubles[DOUBLES_N * APART];
  unsigned char random[RANDOM_BYTES];
  unsigned char random_too[LONG];
};

static tsr_segment *segment;
static int32_t self, units_n;
static _Atomic int served_n;
static tsr_net_handler_fn serve_put_iov, serve_get_iov, serve_acc_iov;

#define ADDRESS(unit, field) \
  tsr_segment_address(segment, TSR_MEMBER(unit), (size_t)self * sizeof(struct part) + offsetof(struct part, field))

static struct part *part_of(int32_t origin) {
  return tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(self), (size_t)origin * sizeof(struct part)));
}

static void meet(void) { tsr_bootstrap_barrier(tsr_team_world); }

/* ---- requests are counted where they are executed ---- */

static void count_put_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  atomic_fetch_add(&served_n, 1);
  serve_put_iov(in, out);
}
static void count_get_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  atomic_fetch_add(&served_n, 1);
  serve_get_iov(in, out);
}
static void count_acc_iov(const struct tsr_net_in *in, struct tsr_net_out *out) {
  atomic_fetch_add(&served_n, 1);
  serve_acc_iov(in, out);
}

static void watch_handlers(void) {
  serve_put_iov = tsr_net_handlers[TSR_H_PUT_IOV];
  serve_get_iov = tsr_net_handlers[TSR_H_GET_IOV];
  serve_acc_iov = tsr_net_handlers[TSR_H_ACC_IOV];
  tsr_net_handlers[TSR_H_PUT_IOV] = count_put_iov;
  tsr_net_handlers[TSR_H_GET_IOV] = count_get_iov;
  tsr_net_handlers[TSR_H_ACC_IOV] = count_acc_iov;
}

/* All operations are complete. Units know the process that serves them only if there are no agents. Collective. */
static void check_served(int least, int most) {
  int64_t all[7], sum = 0;
  tsr_bootstrap_gather(tsr_team_world, atomic_exchange(&served_n, 0), all);
  for (int32_t i = 0; i < units_n; i++) sum += all[i];
  if (tsr_place.agents_n) return;
  CHECK(sum >= least);
  CHECK(sum <= most);
}

/* ---- scattered doubles: as many as fit share a request ---- */

static int far_pairs(void) {
  int n = 0;
  for (int32_t i = 0; i < units_n; i++)
    for (int32_t k = 0; k < units_n; k++) n += tsr_place_node(TSR_UNIT(i)) != tsr_place_node(TSR_UNIT(k));
  return n;
}

static void scattered_to(int32_t target, double *got) {
  tsr_batch batch;
  tsr_batch_open(&batch, TSR_UNIT(target));
  for (int i = 0; i < DOUBLES_N; i++) {
    double value = self * 10000 + i; /* gone after the call */
    tsr_addr there = ADDRESS(target, doubles);
    there.off += (uint64_t)i * APART * sizeof value;
    CHECK_EQ(tsr_batch_put(&batch, there, &value, sizeof value), TESSERA_OK);
  }
  for (int i = 0; i < DOUBLES_N; i++) { /* of the same batch: reads the puts */
    tsr_addr there = ADDRESS(target, doubles);
    there.off += (uint64_t)i * APART * sizeof *got;
    CHECK_EQ(tsr_batch_get(&batch, &got[DOUBLES_N - 1 - i], there, sizeof *got), TESSERA_OK);
  }
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  for (int i = 0; i < DOUBLES_N; i++) CHECK(got[DOUBLES_N - 1 - i] == self * 10000 + i);
}

static void scattered(void) {
  static double got[DOUBLES_N];
  int puts_n = (DOUBLES_N * 20 + EAGER - 1) / EAGER, gets_n = (DOUBLES_N * 28 + EAGER - 1) / EAGER;
  for (int32_t i = 0; i < units_n; i++) {
    memset(got, 0, sizeof got);
    scattered_to((self + i) % units_n, got);
  }
  tsr_op_flush_all();
  meet();
  for (int32_t origin = 0; origin < units_n; origin++)
    for (int i = 0; i < DOUBLES_N; i++) CHECK(part_of(origin)->doubles[i * APART] == origin * 10000 + i);
  check_served(far_pairs() * (puts_n + gets_n), far_pairs() * (puts_n + gets_n));
}

/* ---- sums: as many as fit share a request; another type begins a new one ---- */

static void add_doubles_to(int32_t target) {
  tsr_layout one = tsr_layout_contiguous(sizeof(double));
  tsr_batch batch;
  tsr_batch_open(&batch, TSR_UNIT(target));
  for (int i = 0; i < DOUBLES_N; i++) {
    double value = i + 1, scale = self + 1; /* freed after the call */
    tsr_addr there = ADDRESS(target, doubles);
    there.off += (uint64_t)(i / 2) * 2 * APART * sizeof value; /* two for each place */
    CHECK_EQ(tsr_batch_acc_layout(&batch, there, &one, &value, &one, TSR_F64, &scale), TESSERA_OK);
  }
  tsr_layout word = tsr_layout_contiguous(sizeof(int32_t));
  for (int32_t i = 0; i < 2; i++)
    CHECK_EQ(tsr_batch_acc_layout(&batch, ADDRESS(target, random), &word, &i, &word, TSR_I32, NULL), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
}

static void sums(void) {
  int sums_n = (DOUBLES_N * 20 + EAGER - 1) / EAGER;
  memset(part_of(0), 0, sizeof(struct part) * (size_t)units_n);
  meet();
  for (int32_t i = 0; i < units_n; i++) add_doubles_to((self + i) % units_n);
  tsr_op_flush_all();
  meet();
  for (int32_t origin = 0; origin < units_n; origin++) {
    const struct part *part = part_of(origin);
    for (int i = 0; i < DOUBLES_N; i += 2) CHECK(part->doubles[i * APART] == (origin + 1) * (2 * i + 3));
    CHECK_EQ(part->random[0], 1);
  }
  meet();
  check_served(far_pairs() * (sums_n + 1), far_pairs() * (sums_n + 1));
}

/* ---- adjacent pieces are sent as one run ---- */

static void adjacent(void) {
  tsr_batch batch;
  int32_t target = (self + 1) % units_n;
  tsr_batch_open(&batch, TSR_UNIT(target));
  for (int i = 0; i < DOUBLES_N; i++) {
    tsr_addr there = ADDRESS(target, random);
    there.off += (uint64_t)i * 8;
    CHECK_EQ(tsr_batch_put(&batch, there, &(uint64_t){(uint64_t)i}, 8), TESSERA_OK);
  }
  bool far = !tsr_place_is_local(TSR_UNIT(target));
  CHECK_EQ(batch.iov_n, far ? 1 : 0); /* all 8000 bytes with one entry of 12 */
  CHECK_EQ(tsr_batch_flush(&batch), TESSERA_OK);
  CHECK_EQ(batch.iov_n, 0);
  CHECK_EQ(tsr_batch_flush(&batch), TESSERA_OK);
  tsr_op_flush(TSR_UNIT(target)); /* covers the operations that were sent already */
  CHECK(!batch.handle || tsr_op_remote_done(batch.op));
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK); /* of an empty one */
  meet();
  uint64_t last;
  memcpy(&last, part_of((self + units_n - 1) % units_n)->random + (size_t)(DOUBLES_N - 1) * 8, 8);
  CHECK_EQ(last, DOUBLES_N - 1);
  meet();
  check_served(0, units_n);
}

/* ---- random short operations against a model ---- */

static unsigned seed;
static unsigned any(unsigned below) { return (seed = seed * 1103515245u + 12345u) / 65536u % below; }

/* `n` elements in two dimensions, reflected or not, with the lowest byte at 0 and the counts of `other`. */
static tsr_layout any_layout(size_t elem_bytes, size_t first, size_t second, ptrdiff_t *base) {
  ptrdiff_t gap = (ptrdiff_t)(elem_bytes + any(5)), row = gap * (ptrdiff_t)first + (ptrdiff_t)any(9);
  bool reflected = any(2), turned = any(2);
  tsr_layout layout = {.elem_bytes = elem_bytes, .dims = 2, .count = {first, second}};
  layout.stride[0] = reflected ? -gap : gap;
  layout.stride[1] = turned ? -row : row;
  *base = (reflected ? gap * (ptrdiff_t)(first - 1) : 0) + (turned ? row * (ptrdiff_t)(second - 1) : 0);
  return layout;
}

enum { RUNS_N = 5 };
/* Runs that do not overlap, in any order; those of the other side have as many bytes in other pieces. */
static tsr_iov any_iov(ptrdiff_t offs[RUNS_N], size_t bytes[RUNS_N], size_t each, size_t times) {
  for (size_t i = 0; i < RUNS_N; i++) {
    offs[i] = (ptrdiff_t)((RUNS_N - 1 - i) * (each * 2 + 3));
    bytes[i] = each;
  }
  size_t moved = any((unsigned)each + 1), from = any(RUNS_N), to = any(RUNS_N);
  bytes[from] -= moved;
  bytes[to] += moved;
  return (tsr_iov){
      .offs = offs, .bytes = bytes, .n = RUNS_N, .times = times, .step = (ptrdiff_t)(RUNS_N * (each * 2 + 3))};
}

static struct model {
  unsigned char there[RANDOM_BYTES];
  unsigned char got[RANDOM_OPS][RANDOM_BYTES / 8], expected[RANDOM_OPS][RANDOM_BYTES / 8];
} *model;

static void one_contiguous(tsr_batch *batch, int i, tsr_addr there) {
  unsigned char data[600];
  size_t bytes = any(4) ? any(20) : any(sizeof data), off = any(RANDOM_BYTES - sizeof data);
  there.off += off;
  if (any(2)) {
    CHECK_EQ(tsr_batch_get(batch, model->got[i], there, bytes), TESSERA_OK);
    memcpy(model->expected[i], model->there + off, bytes);
  } else {
    memset(data, i, sizeof data);
    CHECK_EQ(tsr_batch_put(batch, there, data, bytes), TESSERA_OK);
    memcpy(model->there + off, data, bytes);
  }
}

static void one_layout(tsr_batch *batch, int i, tsr_addr there) {
  unsigned char data[4000];
  ptrdiff_t at_there, at_here;
  size_t elem_bytes = 1 + any(9), first = 1 + any(7), second = 1 + any(7);
  tsr_layout theirs = any_layout(elem_bytes, first, second, &at_there);
  tsr_layout ours = any_layout(elem_bytes, first, second, &at_here);
  size_t off = any(RANDOM_BYTES - sizeof data) + (size_t)at_there;
  there.off += off;
  if (any(2)) {
    CHECK_EQ(tsr_batch_get_layout(batch, model->got[i] + at_here, &ours, there, &theirs), TESSERA_OK);
    tsr_layout_copy(model->expected[i] + at_here, &ours, model->there + off, &theirs);
  } else {
    for (size_t k = 0; k < sizeof data; k++) data[k] = (unsigned char)(i + (int)k);
    CHECK_EQ(tsr_batch_put_layout(batch, there, &theirs, data + at_here, &ours), TESSERA_OK);
    tsr_layout_copy(model->there + off, &theirs, data + at_here, &ours);
  }
  memset(data, 0xee, sizeof data);
}

static void one_of_iov(tsr_batch *batch, int i, tsr_addr there) {
  unsigned char data[4000];
  ptrdiff_t offs_there[RUNS_N], offs_here[RUNS_N];
  size_t bytes_there[RUNS_N], bytes_here[RUNS_N], each = any(25), times = any(4), off = any(RANDOM_BYTES - sizeof data);
  tsr_iov theirs = any_iov(offs_there, bytes_there, each, times), ours = any_iov(offs_here, bytes_here, each, times);
  there.off += off;
  if (any(2)) {
    CHECK_EQ(tsr_batch_get_iov(batch, model->got[i], &ours, there, &theirs), TESSERA_OK);
    tsr_iov_copy(model->expected[i], &ours, model->there + off, &theirs);
  } else {
    for (size_t k = 0; k < sizeof data; k++) data[k] = (unsigned char)(3 * i + (int)k);
    CHECK_EQ(tsr_batch_put_iov(batch, there, &theirs, data, &ours), TESSERA_OK);
    tsr_iov_copy(model->there + off, &theirs, data, &ours);
  }
  memset(data, 0xee, sizeof data);
}

/* Computed by an adder on this node, which other tests verify. */
static void one_sum(tsr_batch *batch, int i, tsr_addr there) {
  unsigned char data[4000], scale = (unsigned char)any(5);
  ptrdiff_t offs_there[RUNS_N], offs_here[RUNS_N];
  size_t bytes_there[RUNS_N], bytes_here[RUNS_N], each = any(25), times = any(4), off = any(RANDOM_BYTES - sizeof data);
  tsr_iov theirs = any_iov(offs_there, bytes_there, each, times), ours = any_iov(offs_here, bytes_here, each, times);
  tsr_adder adder = tsr_adder_open(TSR_U8, TSR_SUM, &scale);
  there.off += off;
  for (size_t k = 0; k < sizeof data; k++) data[k] = (unsigned char)(5 * i + (int)k);
  CHECK_EQ(tsr_batch_acc_iov(batch, there, &theirs, data, &ours, TSR_U8, &scale), TESSERA_OK);
  tsr_adder_iov(&adder, model->there + off, &theirs, data, &ours);
  tsr_adder_close(&adder);
  memset(data, 0xee, sizeof data);
}

static void random_order(int32_t target) {
  tsr_batch batch;
  memset(model, 0, sizeof *model);
  memset(part_of(0), 0, sizeof(struct part) * (size_t)units_n);
  meet();
  tsr_batch_open(&batch, TSR_UNIT(target));
  for (int i = 0; i < RANDOM_OPS; i++) {
    unsigned which = any(4);
    tsr_addr there = ADDRESS(target, random);
    if (which == 0) one_contiguous(&batch, i, there);
    else if (which == 1) one_layout(&batch, i, there);
    else if (which == 2) one_of_iov(&batch, i, there);
    else one_sum(&batch, i, there);
    if (any(50) == 0) CHECK_EQ(tsr_batch_flush(&batch), TESSERA_OK);
  }
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  CHECK(memcmp(model->got, model->expected, sizeof model->got) == 0);
  tsr_op_flush(TSR_UNIT(target));
  CHECK_EQ(tsr_batch_get(&batch, model->got, ADDRESS(target, random), RANDOM_BYTES), TESSERA_OK); /* long */
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  CHECK(memcmp(model->got, model->there, RANDOM_BYTES) == 0);
  meet();
}

/* ---- operations that are sent alone, and many batches at once ---- */

static void check_filled(const unsigned char *data, size_t bytes, int value) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++) wrong += data[i] != (unsigned char)value;
  CHECK_EQ(wrong, 0);
}

static void long_ones(int32_t target) {
  unsigned char *data = malloc(LONG), *got = malloc(LONG), small = 77;
  tsr_layout whole = tsr_layout_contiguous(LONG / 2), halves = tsr_layout_strided(1, LONG / 2, 2);
  tsr_batch batch;
  memset(data, self + 5, LONG);
  memset(got, 0, LONG);
  tsr_batch_open(&batch, TSR_UNIT(target));
  CHECK_EQ(tsr_batch_put(&batch, ADDRESS(target, random), &small, 1), TESSERA_OK);
  CHECK_EQ(tsr_batch_put(&batch, ADDRESS(target, random_too), data, LONG), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  tsr_op_flush(TSR_UNIT(target));
  CHECK_EQ(tsr_batch_get_layout(&batch, got, &whole, ADDRESS(target, random_too), &halves), TESSERA_OK);
  CHECK_EQ(tsr_batch_get(&batch, &small, ADDRESS(target, random), 1), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  check_filled(got, LONG / 2, self + 5);
  CHECK_EQ(small, 77);
  memset(data, self + 6, LONG);
  CHECK_EQ(tsr_batch_put_layout(&batch, ADDRESS(target, random_too), &halves, data, &whole), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  tsr_op_flush(TSR_UNIT(target));
  CHECK_EQ(tsr_batch_get(&batch, got, ADDRESS(target, random_too), LONG), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  for (size_t i = 0; i < LONG; i += 999) CHECK_EQ(got[i], (self + (i % 2 ? 5 : 6)) & 255);
  free(data);
  free(got);
  meet();
}

/* Requests to memory outside the heaps may be executed by another process than those to the heaps. */
static void registered(int32_t target) {
  static uint64_t brought[7];
  tsr_segment *outside;
  tsr_batch batch;
  uint64_t own = (uint64_t)self + 1, got = 0;
  memset(brought, 0, sizeof brought);
  CHECK_EQ(tsr_segment_register(tsr_team_world, brought, sizeof brought, &outside), TESSERA_OK);
  tsr_addr there = tsr_segment_address(outside, TSR_MEMBER(target), (size_t)self * sizeof own);
  tsr_batch_open(&batch, TSR_UNIT(target));
  CHECK_EQ(tsr_batch_put(&batch, ADDRESS(target, random), &own, sizeof own), TESSERA_OK);
  CHECK_EQ(tsr_batch_put(&batch, there, &own, sizeof own), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  tsr_op_flush(TSR_UNIT(target));
  CHECK_EQ(tsr_batch_get(&batch, &got, there, sizeof got), TESSERA_OK);
  CHECK_EQ(tsr_batch_wait(&batch), TESSERA_OK);
  CHECK_EQ(got, own);
  meet();
  CHECK_EQ(tsr_segment_deregister(outside), TESSERA_OK);
}

static void many_batches(void) {
  enum { BATCHES_N = 300, PUTS_N = 4 };
  static tsr_batch batches[BATCHES_N];
  for (int i = 0; i < BATCHES_N; i++) tsr_batch_open(&batches[i], TSR_UNIT(i % units_n));
  for (int k = 0; k < PUTS_N; k++) {
    for (int i = 0; i < BATCHES_N; i++) {
      tsr_addr there = ADDRESS(i % units_n, random);
      there.off += (uint64_t)(k * BATCHES_N + i) * 8;
      CHECK_EQ(tsr_batch_put(&batches[i], there, &(uint64_t){(uint64_t)(k + i)}, 8), TESSERA_OK);
    }
  }
  for (int i = 0; i < BATCHES_N; i++) CHECK_EQ(tsr_batch_wait(&batches[i]), TESSERA_OK);
  tsr_op_flush_all();
  meet();
  for (int32_t origin = 0; origin < units_n; origin++) {
    for (int i = self; i < BATCHES_N; i += units_n) {
      uint64_t seen;
      memcpy(&seen, part_of(origin)->random + (size_t)(3 * BATCHES_N + i) * 8, 8);
      CHECK_EQ(seen, 3 + i);
    }
  }
  meet();
}

int main(int argc, char **argv) {
  setenv("TESSERA_EAGER_LIMIT", "8K", 1);
  watch_handlers();
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  self = tsr_place.self;
  units_n = tsr_place.units_n;
  seed = (unsigned)self;
  model = malloc(sizeof *model);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(struct part) * (size_t)units_n, &segment), TESSERA_OK);
  scattered();
  sums();
  adjacent();
  for (int32_t i = 0; i < units_n; i++) random_order((self + i) % units_n);
  long_ones((self + 1) % units_n);
  registered((self + units_n - 1) % units_n);
  many_batches();
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  free(model);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
