/* One-sided counterparts of message benchmarks: the round trip of one transfer, and a stream of many. */
#include <stdlib.h>

#include "shapes.h"
#include "works.h"

struct transfer {
  dart_gptr_t remote;
  void *local;
  size_t bytes;
  bool gets;
};

static dart_ret_t complete_one(const struct transfer *t) {
  return t->gets ? dart_get_blocking(t->local, t->remote, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE)
                 : dart_put_blocking(t->remote, t->local, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}

static void trip(void *arg, uint64_t n) {
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) bad |= complete_one(arg);
  works_check(bad, "dart_get_blocking or dart_put_blocking");
}

static dart_ret_t start_one(const struct transfer *t, uint64_t place) {
  char *local = (char *)t->local + place * t->bytes;
  dart_gptr_t remote = t->remote;
  dart_gptr_incaddr(&remote, (int64_t)(place * t->bytes));
  return t->gets ? dart_get(local, remote, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE)
                 : dart_put(remote, local, t->bytes, DART_TYPE_BYTE, DART_TYPE_BYTE);
}

static void stream(void *arg, uint64_t n) {
  const struct transfer *t = arg;
  dart_ret_t bad = DART_OK;
  for (uint64_t i = 0; i < n; i++) {
    bad |= start_one(t, i % PERF_STREAM_N);
    if ((i + 1) % PERF_STREAM_N == 0 || i + 1 == n) bad |= dart_flush(t->remote);
  }
  works_check(bad, "dart_get, dart_put or dart_flush");
}

static void measure(struct perf *p, const struct perf_work *work, size_t bytes, size_t places_n) {
  struct transfer t = {works_alloc(p, places_n * bytes, p->target), perf_buffer(places_n * bytes), bytes, work->choice};
  struct perf_op op = {work->loop, &t, 1, false};
  struct perf_result result;
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, "plain", bytes, &result);
  free(t.local);
  works_free(t.remote);
}

static void run_trip(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++)
    if (p->bytes_given || p->bytes[i] < PERF_BANDWIDTH_FROM) measure(p, work, p->bytes[i], 1);
}

static void run_stream(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = PERF_STREAM_SIZES;
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) measure(p, work, bytes[i], PERF_STREAM_N);
}

const struct perf_work stream_works[] = {
    {"trip.put", "dart_put_blocking; peers: a message and its answer", run_trip, trip, false},
    {"trip.get", "dart_get_blocking; peers: the same", run_trip, trip, true},
    {"stream.put", "16 times dart_put, then dart_flush; peers: 16 messages at once, then an answer",
     run_stream, stream, false},
    {"stream.get", "16 times dart_get, then dart_flush; peers: the same from the target", run_stream, stream, true},
    {0},
};
