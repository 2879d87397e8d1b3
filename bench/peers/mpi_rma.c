/* MPI's one-sided communication on the works of tessera-perf, in two modes: a window of MPI_Win_allocate and, where all
 * units share memory, one of MPI_Win_allocate_shared; both in one lock-all epoch. Also messages and collectives. */
#include "mpi/window.h"

#include "mpi/busy.h"
#include "mpi/coll.h"
#include "mpi/end.h"
#include "mpi/memory.h"
#include "mpi/notify.h"
#include "mpi/overlap.h"
#include "mpi/pieces.h"
#include "mpi/stream.h"

/* ---- put and get ---- */

static void put_flush(void *arg, uint64_t n) {
  const struct window *w = arg;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Put(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win);
    MPI_Win_flush(w->unit, w->win);
  }
}

static void put_request(void *arg, uint64_t n) {
  const struct window *w = arg;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Request request;
    MPI_Rput(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(w->unit, w->win); /* the wait only frees the buffer; DART's wait also means that the data arrived */
  }
}

static void get_flush(void *arg, uint64_t n) {
  const struct window *w = arg;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Get(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win);
    MPI_Win_flush(w->unit, w->win);
  }
}

static void get_request(void *arg, uint64_t n) {
  const struct window *w = arg;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Request request;
    MPI_Rget(w->local, w->bytes, MPI_BYTE, w->unit, 0, w->bytes, MPI_BYTE, w->win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
}

static void transfer(struct perf *p, const struct perf_work *work, bool shared) {
  for (int i = 0; i < p->bytes_n; i++) {
    struct window w;
    struct perf_result result;
    struct perf_op op = {work->loop, &w, 1, false};
    if (p->bytes[i] > INT32_MAX) continue; /* MPI-3 counts are int */
    open_window(shared, p->bytes[i], p->target, &w);
    perf_measure(p, &op, NULL, &result);
    check_window(p, work->name, &op, &w, w.local, work->loop == get_flush || work->loop == get_request);
    perf_row_copy(p, work->name, "plain", p->bytes[i], &result);
    close_window(&w);
  }
}

static void run_transfer(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, transfer); }

/* ---- atomics ---- */

static void fetch_add(void *arg, uint64_t n) {
  const struct window *w = arg;
  const int64_t one = 1;
  int64_t old;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Fetch_and_op(&one, &old, MPI_INT64_T, w->unit, 0, MPI_SUM, w->win);
    MPI_Win_flush(w->unit, w->win);
  }
}

static void compare_swap(void *arg, uint64_t n) {
  const struct window *w = arg;
  int64_t expected = 0, old = 0;
  for (uint64_t i = 0; i < n; i++) {
    int64_t next = expected + 1;
    MPI_Compare_and_swap(&next, &expected, &old, MPI_INT64_T, w->unit, 0, w->win);
    MPI_Win_flush(w->unit, w->win);
    expected = old == expected ? next : old;
  }
}

static void accumulate(void *arg, uint64_t n) {
  const struct window *w = arg;
  const int64_t one = 1;
  for (uint64_t i = 0; i < n; i++) {
    MPI_Accumulate(&one, 1, MPI_INT64_T, w->unit, 0, 1, MPI_INT64_T, MPI_SUM, w->win);
    MPI_Win_flush(w->unit, w->win);
  }
}

static void atomic(struct perf *p, const struct perf_work *work, bool shared, const char *variant, int unit,
                   int takers_n) {
  struct window w;
  struct perf_result result;
  struct perf_op op = {work->loop, &w, takers_n, takers_n > 1};
  open_window(shared, sizeof(int64_t), unit, &w);
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, sizeof(int64_t), &result);
  if (takers_n > 1) perf_row_rate(p, work->name, variant, sizeof(int64_t), takers_n, &result);
  close_window(&w);
}

static void atomic_places(struct perf *p, const struct perf_work *work, bool shared) {
  atomic(p, work, shared, "own", 0, 1);
  atomic(p, work, shared, "other", p->target, 1);
  atomic(p, work, shared, "hot", p->target, p->units);
}

static void atomic_other(struct perf *p, const struct perf_work *work, bool shared) {
  atomic(p, work, shared, "other", p->target, 1);
}

static void run_fetch_add(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, atomic_places); }
static void run_other(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, atomic_other); }

/* ---- locks ---- */

/* A queue lock. A word in unit 0's window holds the last unit in the queue; a word of each unit holds its successor. An
 * empty message hands the lock over. */
struct queue_lock {
  MPI_Win win;
  volatile int *own; /* both words; -1: no unit */
  int self;
  bool takes_part;
};
enum { TAIL, NEXT };

/* Replaces a word, and returns its old value. */
static int swap(const struct queue_lock *lock, int unit, int word, int with) {
  int old;
  MPI_Fetch_and_op(&with, &old, MPI_INT, unit, word, MPI_REPLACE, lock->win);
  MPI_Win_flush(unit, lock->win);
  return old;
}

static int own_next(const struct queue_lock *lock) {
  MPI_Win_sync(lock->win);
  return lock->own[NEXT];
}

static void acquire(const struct queue_lock *lock) {
  lock->own[NEXT] = -1;
  MPI_Win_sync(lock->win);
  int before = swap(lock, 0, TAIL, lock->self);
  if (before < 0) return;
  swap(lock, before, NEXT, lock->self);
  MPI_Recv(NULL, 0, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void release(const struct queue_lock *lock) {
  const int nobody = -1;
  int last = lock->self;
  if (own_next(lock) < 0) {
    MPI_Compare_and_swap(&nobody, &lock->self, &last, MPI_INT, 0, TAIL, lock->win);
    MPI_Win_flush(0, lock->win);
    if (last == lock->self) return;
    while (own_next(lock) < 0) MPI_Win_flush(lock->self, lock->win);
  }
  MPI_Send(NULL, 0, MPI_INT, lock->own[NEXT], 0, MPI_COMM_WORLD);
}

static void lock_cycle(void *arg, uint64_t n) {
  const struct queue_lock *lock = arg;
  for (uint64_t i = 0; lock->takes_part && i < n; i++) {
    acquire(lock);
    release(lock);
  }
}

/* One unit uses the lock, or all do (-1). */
static void lock_by(struct perf *p, const struct perf_work *work, bool shared, const char *variant, int unit) {
  struct queue_lock lock = {.self = p->unit, .takes_part = unit < 0 || unit == p->unit};
  struct perf_op op = {lock_cycle, &lock, unit == 0 ? 1 : p->units, unit != 0};
  struct perf_result result;
  MPI_Aint bytes = 2 * sizeof(int);
  int width = sizeof(int);
  shared ? MPI_Win_allocate_shared(bytes, width, MPI_INFO_NULL, MPI_COMM_WORLD, &lock.own, &lock.win)
         : MPI_Win_allocate(bytes, width, MPI_INFO_NULL, MPI_COMM_WORLD, &lock.own, &lock.win);
  lock.own[TAIL] = lock.own[NEXT] = -1;
  MPI_Win_lock_all(MPI_MODE_NOCHECK, lock.win);
  MPI_Barrier(MPI_COMM_WORLD);
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, 0, &result);
  if (unit < 0) perf_row_rate(p, work->name, variant, 0, p->units, &result);
  MPI_Win_unlock_all(lock.win);
  MPI_Win_free(&lock.win);
}

static void lock_uncontended(struct perf *p, const struct perf_work *work, bool shared) {
  lock_by(p, work, shared, "own", 0);
  lock_by(p, work, shared, "other", p->target);
}

static void lock_hot(struct perf *p, const struct perf_work *work, bool shared) {
  lock_by(p, work, shared, "plain", -1);
}

static void run_lock_once(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, lock_uncontended); }
static void run_lock_hot(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, lock_hot); }

/* ---- barrier ---- */

static void barrier_loop(void *arg, uint64_t n) {
  (void)arg;
  for (uint64_t i = 0; i < n; i++) MPI_Barrier(MPI_COMM_WORLD);
}

static void run_barrier(struct perf *p, const struct perf_work *work) {
  struct perf_result result;
  struct perf_op op = {barrier_loop, NULL, p->units, false};
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, "plain", 0, &result);
}

/* ---- allocation ---- */

struct cycle {
  size_t bytes;
  bool shared, touched;
};

static void cycle(void *arg, uint64_t n) {
  const struct cycle *c = arg;
  for (uint64_t i = 0; i < n; i++) {
    struct window w;
    allocate(c->shared, c->bytes, &w);
    if (c->touched) perf_touch(w.own, c->bytes);
    MPI_Win_free(&w.win);
  }
}

static void alloc(struct perf *p, const struct perf_work *work, bool shared) {
  static const size_t usual[] = {64, 64 << 10, 1 << 20, 64 << 20};
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) {
    struct perf_result result;
    struct cycle c = {bytes[i], shared, work->choice != 0};
    struct perf_op op = {cycle, &c, p->units, p->units > 1 && c.touched};
    perf_measure(p, &op, NULL, &result);
    perf_row_time(p, work->name, "plain", bytes[i], &result);
  }
}

static void run_alloc(struct perf *p, const struct perf_work *work) { in_each_mode(p, work, alloc); }

/* ---- messages ---- */

struct trip {
  void *out, *in;
  int bytes, unit, target;
};

static void to_and_fro(void *arg, uint64_t n) {
  const struct trip *t = arg;
  int other = t->unit == 0 ? t->target : 0;
  if (t->unit != 0 && t->unit != t->target) return;
  for (uint64_t i = 0; i < n; i++) {
    if (t->target == 0)
      MPI_Sendrecv(t->out, t->bytes, MPI_BYTE, 0, 0, t->in, t->bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE);
    else if ((i % 2 == 0) == (t->unit == 0))
      MPI_Send(t->out, t->bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
    else
      MPI_Recv(t->in, t->bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void run_messages(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++) {
    if (p->bytes[i] > INT32_MAX) continue; /* MPI-3 counts are int */
    struct trip t = {perf_buffer(p->bytes[i]), perf_buffer(p->bytes[i]), (int)p->bytes[i], p->unit, p->target};
    struct perf_op op = {work->loop, &t, p->target + 1, p->target > 0};
    struct perf_result result;
    perf_measure(p, &op, NULL, &result);
    perf_row_copy(p, work->name, "plain", p->bytes[i], &result);
    free(t.out);
    free(t.in);
  }
}

/* ---- the program ---- */

static const struct perf_work works[] = {
    {"put.blocking", "MPI_Put and MPI_Win_flush", run_transfer, put_flush, 0},
    {"put.nb", "MPI_Put and MPI_Win_flush", run_transfer, put_flush, 0},
    {"put.handle", "MPI_Rput, MPI_Wait and MPI_Win_flush", run_transfer, put_request, 0},
    {"get.blocking", "MPI_Get and MPI_Win_flush", run_transfer, get_flush, 0},
    {"get.nb", "MPI_Get and MPI_Win_flush", run_transfer, get_flush, 0},
    {"get.handle", "MPI_Rget and MPI_Wait", run_transfer, get_request, 0},
    {"atomic.fetch_add", "MPI_Fetch_and_op and MPI_Win_flush", run_fetch_add, fetch_add, 0},
    {"atomic.cas", "MPI_Compare_and_swap and MPI_Win_flush", run_other, compare_swap, 0},
    {"atomic.accumulate", "MPI_Accumulate of one element and MPI_Win_flush", run_other, accumulate, 0},
    {"lock.uncontended", "a queue lock on MPI_Fetch_and_op and MPI_Compare_and_swap", run_lock_once, NULL, 0},
    {"lock.hot", "the same by all units at once", run_lock_hot, NULL, 0},
    {"barrier", "MPI_Barrier", run_barrier, NULL, 0},
    {"alloc.team", "MPI_Win_allocate(_shared) and MPI_Win_free", run_alloc, NULL, false},
    {"alloc.team.touched", "the same with every page of the own part written once between", run_alloc, NULL, true},
    {"p2p.send", "MPI_Send and MPI_Recv, one way", run_messages, to_and_fro, 0},
    {"notify.put", "MPI_Put and MPI_Win_flush, then an empty message", run_notify, notify_to_and_fro, 0},
    {0},
};

static const struct perf_work *const groups[] = {works,         coll_works, stream_works, pieces_works,
                                                 overlap_works, busy_works, memory_works, NULL};

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void share(uint64_t *value) { MPI_Bcast(value, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD); }

static bool all_share_memory(int units) {
  MPI_Comm node;
  int units_local;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &units_local);
  MPI_Comm_free(&node);
  int all = units_local == units;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  struct perf p = {.program = "mpi_rma", .barrier = barrier, .share = share};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &p.unit);
  MPI_Comm_size(MPI_COMM_WORLD, &p.units);
  one_node = all_share_memory(p.units);
  int code = perf_parse(&p, groups, argc, argv);
  if (code < 0) {
    perf_run(&p, groups);
    code = 0;
  }
  end_mpi();
  return code;
}
