/* OpenSHMEM on the works of tessera-perf. */
#include "peer.h"

#include <shmem.h>

#include "../../tools/tessera-perf/coll.c"
#include "../../tools/tessera-perf/shmem_coll.c"
#include "../../tools/tessera-perf/shmem_sync.c"
#include "../../tools/tessera-perf/shmem_transfer.c"
#include "no_limits.h"
#include "shmem/coll.h"
#include "shmem/notify.h"

/* Symmetric memory; unit 0 works on that of one unit. */
struct place {
  char *remote;
  void *local;
  size_t bytes;
  int unit;
};

static void open_place(size_t bytes, int unit, struct place *at) {
  *at = (struct place){perf_symmetric(bytes), perf_buffer(bytes), bytes, unit};
  memset(at->remote, 0, bytes);
  shmem_barrier_all();
}

static void close_place(struct place *at) {
  shmem_free(at->remote);
  free(at->local);
}

/* ---- put and get ---- */

static void put_quiet(void *arg, uint64_t n) {
  const struct place *at = arg;
  for (uint64_t i = 0; i < n; i++) {
    shmem_putmem(at->remote, at->local, at->bytes, at->unit);
    shmem_quiet();
  }
}

static void put_nbi_quiet(void *arg, uint64_t n) {
  const struct place *at = arg;
  for (uint64_t i = 0; i < n; i++) {
    shmem_putmem_nbi(at->remote, at->local, at->bytes, at->unit);
    shmem_quiet();
  }
}

static void get(void *arg, uint64_t n) {
  const struct place *at = arg;
  for (uint64_t i = 0; i < n; i++) shmem_getmem(at->local, at->remote, at->bytes, at->unit);
}

static void get_nbi_quiet(void *arg, uint64_t n) {
  const struct place *at = arg;
  for (uint64_t i = 0; i < n; i++) {
    shmem_getmem_nbi(at->local, at->remote, at->bytes, at->unit);
    shmem_quiet();
  }
}

static void run_transfer(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct place at;
    struct perf_result result;
    struct perf_op op = {work->loop, &at, 1, false};
    open_place(p->bytes[i], p->target, &at);
    const bool gets = work->loop == get || work->loop == get_nbi_quiet;
    perf_measure(p, &op, NULL, &result);
    void *remote = p->unit == at.unit ? at.remote : NULL, *local = p->unit == 0 ? at.local : NULL;
    perf_check_copy(p, work->name, &op, gets ? remote : local, gets ? local : remote, at.bytes);
    perf_row_copy(p, work->name, "plain", p->bytes[i], &result);
    close_place(&at);
  }
}

/* ---- atomics ---- */

static void add_quiet(void *arg, uint64_t n) {
  const struct words *t = arg;
  for (uint64_t i = 0; i < n; i++) {
    shmem_long_atomic_add(t->word, 1, t->pe);
    shmem_quiet();
  }
}

static void run_other(struct perf *p, const struct perf_work *work) {
  measure_atomic(p, work->name, "other", work->loop, p->target, 1, NULL);
}

/* ---- locks ---- */

static void lock_cycle(void *arg, uint64_t n) {
  const bool *takes_part = arg;
  for (uint64_t i = 0; *takes_part && i < n; i++) {
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
  }
}

/* One unit uses the lock, or all do (-1). */
static void lock_by(struct perf *p, const struct perf_work *work, const char *variant, int unit) {
  bool takes_part = unit < 0 || unit == p->unit;
  struct perf_result result;
  struct perf_op op = {lock_cycle, &takes_part, unit == 0 ? 1 : p->units, unit != 0};
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, 0, &result);
  if (unit < 0) perf_row_rate(p, work->name, variant, 0, p->units, &result);
}

static void run_lock_uncontended(struct perf *p, const struct perf_work *work) {
  lock_by(p, work, "own", 0);
  lock_by(p, work, "other", p->target);
}

static void run_lock_hot(struct perf *p, const struct perf_work *work) { lock_by(p, work, "plain", -1); }

/* ---- allocation ---- */

struct cycle {
  size_t bytes;
  bool touched;
};

static void cycle(void *arg, uint64_t n) {
  const struct cycle *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    void *memory = perf_symmetric(c->bytes);
    if (c->touched) perf_touch(memory, c->bytes);
    shmem_free(memory);
  }
}

static void run_alloc(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = {64, 64 << 10, 1 << 20, 64 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    struct perf_result result;
    struct cycle c = {bytes[i], work->choice != 0};
    struct perf_op op = {cycle, &c, p->units, p->units > 1 && c.touched};
    perf_measure(p, &op, NULL, &result);
    perf_row_time(p, work->name, "plain", bytes[i], &result);
  }
}

/* ---- the program ---- */

static const struct perf_work works[] = {
    {"put.blocking", "shmem_putmem and shmem_quiet", run_transfer, put_quiet, 0},
    {"put.nb", "shmem_putmem_nbi and shmem_quiet", run_transfer, put_nbi_quiet, 0},
    {"get.blocking", "shmem_getmem", run_transfer, get, 0},
    {"get.nb", "shmem_getmem_nbi and shmem_quiet", run_transfer, get_nbi_quiet, 0},
    {"atomic.fetch_add", "shmem_long_atomic_fetch_add", run_fetch_add, fetch_add, 0},
    {"atomic.cas", "shmem_long_atomic_compare_swap", run_other, compare_swap, 0},
    {"atomic.accumulate", "shmem_long_atomic_add and shmem_quiet", run_other, add_quiet, 0},
    {"lock.uncontended", "shmem_set_lock and shmem_clear_lock", run_lock_uncontended, NULL, 0},
    {"lock.hot", "the same by all units at once", run_lock_hot, NULL, 0},
    {"barrier", "shmem_barrier_all", run_barrier, barrier_all, 0},
    {"notify.put", "shmem_putmem, shmem_fence, shmem_long_atomic_inc and shmem_long_wait_until", run_notify, NULL, 0},
    {"alloc.team", "shmem_align and shmem_free", run_alloc, NULL, false},
    {"alloc.team.touched", "the same with every page of the own part written once between", run_alloc, NULL, true},
    {0},
};

static const struct perf_work *const groups[] = {works, coll_works, shmem_transfer_works, shmem_sync_works, shmem_coll_works, NULL};

static void barrier(void) { shmem_barrier_all(); }

/* One unit stores to all. After the second barrier the next call cannot overtake a slow reader. */
static void share(uint64_t *value) {
  static long box; /* symmetric, as all static objects are */
  shmem_barrier_all();
  if (shmem_my_pe() == 0)
    for (int u = 0; u < shmem_n_pes(); u++) shmem_long_p(&box, (long)*value, u);
  shmem_barrier_all();
  *value = (uint64_t)box;
}

int main(int argc, char **argv) {
  shmem_init();
  struct perf p = {
      .program = "shmem", .unit = shmem_my_pe(), .units = shmem_n_pes(), .barrier = barrier, .share = share};
  int code = perf_parse(&p, groups, argc, argv);
  if (code < 0) {
    perf_run(&p, groups);
    code = 0;
  }
  shmem_finalize();
  return code;
}
