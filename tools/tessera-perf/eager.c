/* Measures values for the limits of the transport: a put inside its request and out of line, a long transfer in pieces
 * of different length, and many short puts with few and with many buffers. Unit 0 and the target; the other units
 * sleep. A limit can be varied up to the value at the start of the job: TESSERA_EAGER_LIMIT=1M and
 * TESSERA_WIRE_BUFFERS=1024 try all values. */
#include "works.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/config.h"
#include "core/place.h"
#include "core/progress.h"
#include "net/net.h"

enum { LONG = 16 << 20, AT_ONCE = 16, PIECE_FIRST = 64 << 10, SIZE_FIRST = 256, BURST = 256, BUFFERS_FIRST = 4 };

struct wire {
  dart_gptr_t remote;
  void *local;
  size_t bytes;
  struct tsr_net_limits limits; /* in force while it runs */
  int rank, buffers_n;          /* the endpoint, and how many requests to it there may be at once */
};

/* The origin may lower its limits at any time. */
static struct tsr_net_limits set_limits(struct tsr_net_limits limits) {
  struct tsr_net_limits before = tsr_net_limits;
  tsr_net_limits = limits;
  return before;
}

static void put_loop(void *arg, uint64_t n) {
  const struct wire *w = arg;
  struct tsr_net_limits before = set_limits(w->limits);
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_put_blocking(w->remote, w->local, w->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
  set_limits(before);
  works_check(bad, "dart_put_blocking");
}

static void get_loop(void *arg, uint64_t n) {
  const struct wire *w = arg;
  struct tsr_net_limits before = set_limits(w->limits);
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++)
    bad |= dart_get_blocking(w->local, w->remote, w->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
  set_limits(before);
  works_check(bad, "dart_get_blocking");
}

static void many_loop(void *arg, uint64_t n) {
  const struct wire *w = arg;
  struct tsr_net_limits before = set_limits(w->limits);
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    for (int k = 0; k < AT_ONCE; k++) bad |= dart_put(w->remote, w->local, w->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
    bad |= dart_flush(w->remote);
  }
  set_limits(before);
  works_check(bad, "dart_put or dart_flush");
}

/* Waits as the library would with this number of buffers. */
static void burst_loop(void *arg, uint64_t n) {
  const struct wire *w = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    for (int k = 0; k < BURST; k++) {
      while (tsr_net->outstanding(w->rank) >= w->buffers_n) tsr_progress();
      bad |= dart_put(w->remote, w->local, w->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
    }
    bad |= dart_flush(w->remote);
  }
  works_check(bad, "dart_put or dart_flush");
}

static void measure(const struct perf *p, const struct perf_work *work, const char *variant, perf_loop loop,
                    struct wire *w) {
  struct perf_result result;
  struct perf_op op = {loop, w, 1, false};
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, variant, w->bytes, &result);
}

/* Whether the target is on unit 0's node, where no request is sent. Collective. */
static bool is_near(const struct perf *p) {
  uint64_t near = p->unit == 0 && tsr_place_is_local(TSR_UNIT(p->target));
  p->share(&near);
  return near;
}

static void run_sizes(struct perf *p, const struct perf_work *work) {
  if (is_near(p)) return;
  struct tsr_net_limits within = tsr_net_limits, out_of_line = within;
  out_of_line.eager_bytes = 0;
  struct wire w = {.remote = works_alloc(p, within.eager_bytes, p->target), .local = perf_buffer(within.eager_bytes)};
  for (w.bytes = SIZE_FIRST; w.bytes <= within.eager_bytes; w.bytes *= 2) {
    w.limits = within;
    measure(p, work, "inline", put_loop, &w);
    measure(p, work, "inline.16", many_loop, &w);
    w.limits = out_of_line;
    measure(p, work, "out_of_line", put_loop, &w);
    measure(p, work, "out_of_line.16", many_loop, &w);
  }
  free(w.local);
  works_free(w.remote);
}

static void run_pieces(struct perf *p, const struct perf_work *work) {
  if (is_near(p)) return;
  struct wire w = {works_alloc(p, LONG, p->target), perf_buffer(LONG), LONG, tsr_net_limits, 0, 0};
  for (size_t piece = PIECE_FIRST; piece <= tsr_net_limits.chunk_bytes && piece <= LONG; piece *= 2) {
    char variant[32];
    w.limits.chunk_bytes = piece;
    snprintf(variant, sizeof variant, "put.%zuK", piece >> 10);
    measure(p, work, variant, put_loop, &w);
    snprintf(variant, sizeof variant, "get.%zuK", piece >> 10);
    measure(p, work, variant, get_loop, &w);
  }
  free(w.local);
  works_free(w.remote);
}

static void run_buffers(struct perf *p, const struct perf_work *work) {
  enum { SHORT = 8, LONGER = 4096 };
  if (is_near(p)) return;
  struct wire w = {.remote = works_alloc(p, LONGER, p->target), .local = perf_buffer(LONGER)};
  w.rank = tsr_place_endpoint((tsr_addr){TSR_UNIT(p->target), 0});
  for (w.bytes = SHORT; w.bytes <= LONGER; w.bytes *= LONGER / SHORT) {
    for (w.buffers_n = BUFFERS_FIRST; w.buffers_n <= tsr_config.wire_buffers; w.buffers_n *= 2) {
      char variant[32];
      snprintf(variant, sizeof variant, "put.%d", w.buffers_n);
      struct perf_result result;
      perf_measure(p, &(struct perf_op){burst_loop, &w, 1, false}, NULL, &result);
      perf_row_rate(p, work->name, variant, w.bytes, BURST, &result);
    }
  }
  free(w.local);
  works_free(w.remote);
}

const struct perf_work eager_works[] = {
    {"eager.size", "a put inside its request and out of line, 1 and 16 at once; between nodes only",
     run_sizes, NULL, 0},
    {"eager.piece", "a transfer of 16 MiB in pieces of different lengths; between nodes only", run_pieces, NULL, 0},
    {"eager.buffers", "256 short puts with different numbers of requests at once; between nodes only",
     run_buffers, NULL, 0},
    {0},
};
