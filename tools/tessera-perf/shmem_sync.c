/* OpenSHMEM's atomics, barriers, signals, waits, locks, allocation and contexts. */
#include <stdlib.h>

#include "limits.h"
#include "shapes.h"
#include "shmem_works.h"

/* ---- atomics ---- */

/* The target's word: signed, and for bits unsigned. */
struct words {
  long *word;
  unsigned long *bits;
  int pe;
};

/* The sum keeps the compiler from leaving out the results. */
#define FETCHING(name, call)                                      \
  static void name(void *arg, uint64_t n) {                       \
    const struct words t = *(const struct words *)arg;            \
    unsigned long sum = 0;                                        \
    for (uint64_t i = 0; i < n; i++) sum += (unsigned long)call;  \
    *(volatile unsigned long *)&sum = sum;                        \
  }
/* Operations without a result are completed by a quiet, one for many operations. */
#define NON_FETCHING(name, call)                                  \
  static void name(void *arg, uint64_t n) {                       \
    const struct words t = *(const struct words *)arg;            \
    for (uint64_t i = 1; i <= n; i++) {                           \
      call;                                                       \
      if (i % PERF_FLOOD_N == 0) shmem_quiet();                   \
    }                                                             \
    shmem_quiet();                                                \
  }
FETCHING(fetch_add, shmem_long_atomic_fetch_add(t.word, 1, t.pe))
FETCHING(fetch_inc, shmem_long_atomic_fetch_inc(t.word, t.pe))
FETCHING(fetch, shmem_long_atomic_fetch(t.word, t.pe))
FETCHING(swap, shmem_long_atomic_swap(t.word, (long)i, t.pe))
FETCHING(fetch_xor, shmem_ulong_atomic_fetch_xor(t.bits, i, t.pe))
NON_FETCHING(add, shmem_long_atomic_add(t.word, 1, t.pe))
NON_FETCHING(inc, shmem_long_atomic_inc(t.word, t.pe))
NON_FETCHING(set, shmem_long_atomic_set(t.word, (long)i, t.pe))
NON_FETCHING(xor, shmem_ulong_atomic_xor(t.bits, i, t.pe))

static void compare_swap(void *arg, uint64_t n) {
  const struct words t = *(const struct words *)arg;
  long expected = 0;
  for (uint64_t i = 0; i < n; i++) {
    long old = shmem_long_atomic_compare_swap(t.word, expected, expected + 1, t.pe);
    expected = old == expected ? expected + 1 : old;
  }
}

static void measure_atomic(const struct perf *p, const char *work, const char *variant, perf_loop loop, int pe, int takers_n,
                           const struct perf_op *limit) {
  struct perf_shmem_place at;
  struct perf_result result;
  perf_shmem_open(sizeof(long), pe, &at);
  struct words t = {at.remote, at.remote, pe};
  struct perf_op op = {loop, &t, takers_n, takers_n > 1};
  perf_measure(p, &op, limit, &result);
  perf_row_time(p, work, variant, sizeof(long), &result);
  if (takers_n > 1) perf_row_rate(p, work, variant, sizeof(long), takers_n, &result);
  perf_shmem_close(&at);
}

static void run_fetch_add(struct perf *p, const struct perf_work *work) {
  measure_atomic(p, work->name, "own", work->loop, 0, 1, limits_fetch_add_own(p));
  measure_atomic(p, work->name, "other", work->loop, p->target, 1, limits_fetch_add_own(p));
  measure_atomic(p, work->name, "hot", work->loop, p->target, p->units, limits_fetch_add_hot(p));
}

static void run_atomics(struct perf *p, const struct perf_work *work) {
  static const struct { const char *name; perf_loop loop; } kinds[] = {
      {"fetch_inc", fetch_inc}, {"fetch", fetch}, {"swap", swap}, {"compare_swap", compare_swap}, {"fetch_xor", fetch_xor},
      {"add", add}, {"inc", inc}, {"set", set}, {"xor", xor}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    measure_atomic(p, work->name, kinds[i].name, kinds[i].loop, p->target, 1, NULL);
}

/* ---- barriers ---- */

static void barrier_all(void *arg, uint64_t n) {
  (void)arg;
  while (n--) shmem_barrier_all();
}

static void sync_all(void *arg, uint64_t n) {
  (void)arg;
  while (n--) shmem_sync_all();
}

static void run_barrier(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {work->loop, NULL, p->units, false};
  perf_measure(p, &op, limits_barrier(p), &result);
  perf_row_time(p, work->name, "plain", 0, &result);
}

/* ---- to the target and back, in turns; one operation is one way ---- */

struct trip {
  struct perf_shmem_place at;
  uint64_t *signal; /* in a cache line of its own */
  uint64_t sent_n, come_n;
  int unit, target;
};

static void send_with_signal(struct trip *t) {
#if PERF_SHMEM_1_5
  shmem_putmem_signal(t->at.remote, t->at.local, t->at.bytes, t->signal, ++t->sent_n, SHMEM_SIGNAL_SET, t->at.pe);
#else
  shmem_putmem(t->at.remote, t->at.local, t->at.bytes, t->at.pe);
  shmem_fence();
  shmem_uint64_p(t->signal, ++t->sent_n, t->at.pe);
#endif
}

static void await_signal(struct trip *t) {
#if PERF_SHMEM_1_5
  shmem_signal_wait_until(t->signal, SHMEM_CMP_GE, ++t->come_n);
#else
  shmem_uint64_wait_until(t->signal, SHMEM_CMP_GE, ++t->come_n);
#endif
}

static void send_word(struct trip *t) { shmem_uint64_p(t->signal, ++t->sent_n, t->at.pe); }
static void await_word(struct trip *t) { shmem_uint64_wait_until(t->signal, SHMEM_CMP_GE, ++t->come_n); }

static inline __attribute__((always_inline)) void go_to_and_fro(struct trip *t, uint64_t n, void (*send)(struct trip *),
                                                                void (*await)(struct trip *)) {
  const bool alone = t->target == 0;
  if (t->unit != 0 && t->unit != t->target) return;
  for (uint64_t i = 0; i < n; i++) {
    const bool sends = (i % 2 == 0) == (t->unit == 0);
    if (alone || sends) send(t);
    if (alone || !sends) await(t);
  }
}
static void signal_to_and_fro(void *arg, uint64_t n) { go_to_and_fro(arg, n, send_with_signal, await_signal); }
static void word_to_and_fro(void *arg, uint64_t n) { go_to_and_fro(arg, n, send_word, await_word); }

static void run_trip_of(const struct perf *p, const struct perf_work *work, size_t bytes) {
  struct trip t = {.signal = perf_symmetric(64), .unit = p->unit, .target = p->target};
  struct perf_op op = {work->loop, &t, p->target + 1, p->target > 0};
  struct perf_result result;
  *t.signal = 0;
  perf_shmem_open(bytes, p->unit == 0 ? p->target : 0, &t.at);
  perf_measure(p, &op, bytes <= 8 ? limits_message(p) : NULL, &result);
  perf_row_copy(p, work->name, "plain", bytes, &result);
  perf_shmem_close(&t.at);
  shmem_free(t.signal);
}

static void run_signal(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) run_trip_of(p, work, p->bytes[i]);
}
static void run_wait(struct perf *p, const struct perf_work *work) { run_trip_of(p, work, sizeof(uint64_t)); }

/* ---- locks ---- */

static long lock; /* symmetric, as all static objects are */

static void set_and_clear(void *arg, uint64_t n) {
  (void)arg;
  while (n--) {
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
  }
}

static void run_lock(struct perf *p, const struct perf_work *work) {
  struct perf_op alone = {work->loop, NULL, 1, false}, hot = {work->loop, NULL, p->units, p->units > 1};
  struct perf_result result;
  perf_measure(p, &alone, NULL, &result);
  perf_row_time(p, work->name, "alone", 0, &result);
  perf_measure(p, &hot, NULL, &result);
  perf_row_time(p, work->name, "hot", 0, &result);
}

/* ---- allocation and contexts ---- */

static void malloc_and_free(void *arg, uint64_t n) {
  const size_t bytes = *(const size_t *)arg;
  while (n--) shmem_free(shmem_malloc(bytes));
}

static void run_malloc(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = {64, 64 << 10, 1 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  const int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    size_t size = bytes[i];
    struct perf_result result;
    struct perf_op op = {work->loop, &size, p->units, false};
    perf_measure(p, &op, NULL, &result);
    perf_row_time(p, work->name, "plain", size, &result);
  }
}

static void create_and_destroy(void *arg, uint64_t n) {
  (void)arg;
  while (n--) {
    shmem_ctx_t ctx;
    perf_shmem_require(shmem_ctx_create(0, &ctx) == 0, "shmem_ctx_create");
    shmem_ctx_destroy(ctx);
  }
}

static void run_context(struct perf *p, const struct perf_work *work) {
  struct perf_op op = {work->loop, NULL, 1, false};
  struct perf_result result;
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, "plain", 0, &result);
}

const struct perf_work shmem_sync_works[] = {
    {"shmem.fetch_add", "shmem_long_atomic_fetch_add: own, the target's, one that all units use", run_fetch_add, fetch_add, 0},
    {"shmem.amo", "other atomics on the target's long; those without a result 64 times, and a quiet: the time of one", run_atomics,
     NULL, 0},
    {"shmem.barrier_all", "shmem_barrier_all", run_barrier, barrier_all, 0},
    {"shmem.sync_all", "shmem_sync_all", run_barrier, sync_all, 0},
    {"shmem.put_signal", "shmem_putmem_signal and shmem_signal_wait_until, one way", run_signal, signal_to_and_fro, 0},
    {"shmem.wait", "shmem_uint64_p and shmem_uint64_wait_until, one way", run_wait, word_to_and_fro, 0},
    {"shmem.lock", "shmem_set_lock and shmem_clear_lock: unit 0 alone, all units at once", run_lock, set_and_clear, 0},
    {"shmem.malloc", "shmem_malloc and shmem_free", run_malloc, malloc_and_free, 0},
    {"shmem.ctx", "shmem_ctx_create and shmem_ctx_destroy", run_context, create_and_destroy, 0},
    {0},
};
