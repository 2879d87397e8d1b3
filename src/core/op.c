#include "core/op.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/config.h"
#include "base/pool.h"
#include "base/slab.h"
#include "base/status.h"
#include "base/table.h"
#include "base/wait.h"
#include "core/proxied.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/retry.h"
#include "core/runtime.h"
#include "core/stats.h"

/* The implicit groups. They exist if there are other nodes or memory outside the heaps; otherwise all operations
 * complete at once. There is one for each unit that this process has started an operation to, in a list that only
 * grows. All of them also count in `all`, so that a fence polls them only while something is under way. Each group has
 * two halves, so that a flush ends even if other threads keep starting operations: those join the half that the flush
 * does not wait for. */
struct implicit {
  tsr_op half[2];
  _Atomic uint32_t joined;   /* the half that operations join */
  _Atomic uint32_t flushing; /* a thread that may change `joined` is in a flush */
  struct implicit *next;     /* in the list */
  _Atomic int32_t unit_plus_1; /* 0: not in the list yet */
};
static struct {
  pthread_mutex_t lock; /* held by a thread that adds a group */
  _Atomic bool tracked;
  tsr_table table; /* by unit */
  struct implicit *_Atomic first;
  tsr_op all;
} groups = {.lock = PTHREAD_MUTEX_INITIALIZER};
static tsr_op implicit_none;

/* A request under way. */
struct tracker {
  tsr_op *op;
  void (*finish)(void *arg);
  void *arg;
  bool ends_locally; /* no local completion before the reply has arrived */
};
static tsr_slab trackers = TSR_SLAB(sizeof(struct tracker));

/* The memory of an op may be reused as soon as its last count is zero, so its group is counted down first, and remote
 * after local. Returns true if a count became zero: a thread may be waiting for that. */
static bool count_down(tsr_op *op, bool local, bool remote) {
  bool over = op->group && count_down(op->group, local, remote);
  if (local) over |= atomic_fetch_sub_explicit(&op->local_n, 1, memory_order_release) == 1;
  if (remote) over |= atomic_fetch_sub_explicit(&op->remote_n, 1, memory_order_release) == 1;
  return over;
}

/* Waking a sleeping unit costs more than most requests, so only the last of many requests does it. */
static void on_event(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct tracker *tracker = arg;
  if (event == TSR_NET_LOCAL) {
    if (count_down(tracker->op, true, false)) tsr_wait_nudge();
    return;
  }
  if (tracker->finish) tracker->finish(tracker->arg);
  bool matters = count_down(tracker->op, tracker->ends_locally, true) || tracker->finish || tsr_retry_waits();
  tsr_slab_give(&trackers, tracker);
  if (matters) tsr_wait_nudge();
}

void tsr_op_end(tsr_op *op) {
  if (count_down(op, true, true)) tsr_wait_nudge();
}

static bool buffer_is_free(const void *arg) {
  const struct tsr_net_request *request = arg;
  int32_t local = tsr_place_rank_local(request->rank);
  if (local < 0) return tsr_net->has_room(request);
  return tsr_proxied_has_room((uint32_t)local, 1, request->payload_bytes + request->bulk_bytes + request->reply_bytes);
}

/* Requests to a unit of this node go through its ring, others through the transport. */
static inline tessera_status_t start_request(void *arg) {
  const struct tsr_net_request *request = arg;
  int32_t local = tsr_place_rank_local(request->rank);
  return local >= 0 ? tsr_proxied_send((uint32_t)local, request) : tsr_net->request(request);
}

static __attribute__((cold)) tessera_status_t fail_tracker(int32_t rank) {
  return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0347 no private memory for a request to rank %d; " TSR_REMEDY_MEMORY, rank);
}

/* For a request that is counted in the tracker's op and could not start: waits until it can, or uncounts it. */
static __attribute__((cold)) tessera_status_t start_again(tessera_status_t status, struct tracker *tracker, bool local,
                                                          const struct tsr_retry *way) {
  if (status == TESSERA_ERR_AGAIN) status = tsr_retry(way);
  if (!status) return TESSERA_OK;
  count_down(tracker->op, local, true);
  tsr_slab_give(&trackers, tracker);
  return status;
}

/* The remaining reservation of the calling thread. */
static _Thread_local struct tsr_op_need reserved;

bool tsr_op_reserve(const struct tsr_op_need *need) {
  int32_t local = tsr_place_rank_local(need->rank);
  if (need->pieces_n && need->pieces_n + (size_t)tsr_net->pieces_outstanding() > (size_t)tsr_config.wire_buffers) return false;
  if (!need->requests_n) return true;
  if (local >= 0) return tsr_proxied_has_room((uint32_t)local, need->requests_n, need->bytes);
  if (!tsr_net->reserve(need->rank, need->requests_n, need->long_n)) return false;
  reserved = *need;
  return true;
}

void tsr_op_unreserve(void) {
  if (!reserved.requests_n) return;
  tsr_net->unreserve(reserved.rank, reserved.requests_n, reserved.long_n);
  reserved.requests_n = 0;
  tsr_retry_room_freed();
}

tessera_status_t tsr_op_request(tsr_op *op, struct tsr_net_request *request, void (*finish)(void *arg), void *arg) {
  struct tracker *tracker = tsr_slab_take(&trackers);
  if (!tracker) return fail_tracker(request->rank);
  const bool has_reply = request->reply_bytes > 0, local = has_reply || request->bulk_bytes > 0;
  *tracker = (struct tracker){op, finish, arg, has_reply};
  request->done = on_event;
  request->done_arg = tracker;
  if (__builtin_expect(reserved.requests_n > 0, 0)) {
    bool is_long = request->payload_bytes > tsr_net_limits.eager_bytes;
    request->reserved = request->rank == reserved.rank && (!is_long || reserved.long_n);
    reserved.requests_n -= request->reserved;
    reserved.long_n -= request->reserved && is_long;
  }
  tsr_op_count(op, local);
  tessera_status_t status = start_request(request);
  if (__builtin_expect(!status, 1)) return TESSERA_OK;
  const struct tsr_retry way = {start_request, buffer_is_free, request, {TSR_WAIT_SLOT, request->rank, tsr_config.wire_buffers}};
  return start_again(status, tracker, local, &way);
}

static bool window_is_free(const void *unused) {
  (void)unused;
  return tsr_net->pieces_outstanding() < tsr_config.wire_buffers;
}

static tessera_status_t start_put(void *piece) { return tsr_net->put(piece); }
static tessera_status_t start_get(void *piece) { return tsr_net->get(piece); }

static tessera_status_t start_piece(tsr_op *op, struct tsr_net_piece *piece, bool is_put) {
  struct tracker *tracker = tsr_slab_take(&trackers);
  if (!tracker) return fail_tracker(piece->unit);
  *tracker = (struct tracker){.op = op, .ends_locally = !is_put};
  piece->done = on_event;
  piece->done_arg = tracker;
  tsr_op_count(op, true);
  const struct tsr_retry way = {is_put ? start_put : start_get, window_is_free, piece,
                                {TSR_WAIT_SLOT, piece->unit, tsr_config.wire_buffers}};
  tessera_status_t status = way.start(piece);
  return status ? start_again(status, tracker, true, &way) : TESSERA_OK;
}

tessera_status_t tsr_op_put(tsr_op *op, struct tsr_net_piece *piece) { return start_piece(op, piece, true); }
tessera_status_t tsr_op_get(tsr_op *op, struct tsr_net_piece *piece) { return start_piece(op, piece, false); }

static bool local_done(const void *op) { return tsr_op_local_done(op); }
static bool remote_done(const void *op) { return tsr_op_remote_done(op); }

void tsr_op_wait_local(const tsr_op *op, tsr_unit who) {
  if (!tsr_op_local_done(op)) tsr_wait(local_done, op, tsr_op_why(op, who));
}
void tsr_op_wait_remote(const tsr_op *op, tsr_unit who) {
  if (!tsr_op_remote_done(op)) tsr_wait(remote_done, op, tsr_op_why(op, who));
}

static bool are_tracked(void) { return atomic_load_explicit(&groups.tracked, memory_order_acquire); }

/* NULL: no operation to this unit was started yet. */
static struct implicit *find_group(tsr_unit unit) {
  struct implicit *group = are_tracked() ? tsr_table_find(&groups.table, (uint32_t)unit.id) : NULL;
  bool listed = group && atomic_load_explicit(&group->unit_plus_1, memory_order_acquire); /* partner: add_group */
  return __builtin_expect(listed, 1) ? group : NULL;
}

static struct implicit *add_group(tsr_unit unit) {
  pthread_mutex_lock(&groups.lock);
  struct implicit *group = tsr_table_use(&groups.table, (uint32_t)unit.id);
  if (!group) tsr_abort(EXIT_FAILURE, "TSR-0348 no private memory to count operations to unit %d; " TSR_REMEDY_MEMORY, unit.id);
  if (!atomic_load_explicit(&group->unit_plus_1, memory_order_relaxed)) {
    group->half[0].group = group->half[1].group = &groups.all;
    group->next = atomic_load_explicit(&groups.first, memory_order_relaxed);
    atomic_store_explicit(&groups.first, group, memory_order_release); /* partner: flush_each */
    atomic_store_explicit(&group->unit_plus_1, unit.id + 1, memory_order_release); /* partner: find_group */
  }
  pthread_mutex_unlock(&groups.lock);
  return group;
}

tsr_op *tsr_op_implicit(tsr_unit unit) {
  if (!are_tracked()) return &implicit_none;
  struct implicit *group = find_group(unit);
  if (!group) group = add_group(unit);
  return &group->half[atomic_load_explicit(&group->joined, memory_order_relaxed)];
}

/* Orders stores of this thread into the node's memory before everything that it does after a flush. */
static void fence_node(void) {
  atomic_thread_fence(memory_order_release); /* partner: the acquire of the thread that is notified of the
                                              * arrival */
  tsr_progress_if_required();
}

typedef void (*wait_fn)(const tsr_op *op, tsr_unit who);

static bool is_not_flushed(const void *arg) {
  return !atomic_load_explicit(&((const struct implicit *)arg)->flushing, memory_order_acquire);
}

/* Operations that were started before are counted in one of the halves. If there are several threads, one at a time
 * flushes: a second one would direct operations back to the half that the first one waits for. While a half is waited
 * for, no operation joins it, except those that a thread was about to start when `joined` last changed. */
static void flush_group(struct implicit *group, tsr_unit unit, bool (*done)(const void *op), wait_fn wait) {
  if (done(&group->half[0]) && done(&group->half[1])) return;
  const bool threads = tsr_threads;
  while (threads && atomic_exchange(&group->flushing, 1)) tsr_wait(is_not_flushed, group, tsr_op_why(&groups.all, unit));
  uint32_t old = atomic_load_explicit(&group->joined, memory_order_relaxed);
  wait(&group->half[!old], unit);
  if (threads) atomic_store_explicit(&group->joined, !old, memory_order_relaxed);
  wait(&group->half[old], unit);
  if (!threads) return;
  atomic_store_explicit(&group->flushing, 0, memory_order_release);
  tsr_wait_nudge();
}

static void flush_one(tsr_unit unit, bool (*done)(const void *op), wait_fn wait) {
  fence_node();
  struct implicit *group = find_group(unit);
  if (group) flush_group(group, unit, done, wait);
}

/* Operations that this thread has started were counted in `all` before. A group that is added meanwhile belongs to
 * another thread. */
static void flush_each(bool (*done)(const void *op), wait_fn wait, bool (*includes)(const void *arg, tsr_unit unit),
                       const void *arg) {
  fence_node();
  struct implicit *group = atomic_load_explicit(&groups.first, memory_order_acquire); /* partner: add_group */
  for (; group && !done(&groups.all); group = group->next) {
    const tsr_unit unit = TSR_UNIT(atomic_load_explicit(&group->unit_plus_1, memory_order_relaxed) - 1);
    if (!includes || includes(arg, unit)) flush_group(group, unit, done, wait);
  }
}

void tsr_op_flush(tsr_unit unit) { flush_one(unit, remote_done, tsr_op_wait_remote); }
void tsr_op_flush_local(tsr_unit unit) { flush_one(unit, local_done, tsr_op_wait_local); }
void tsr_op_flush_all(void) { flush_each(remote_done, tsr_op_wait_remote, NULL, NULL); }
void tsr_op_flush_local_all(void) { flush_each(local_done, tsr_op_wait_local, NULL, NULL); }
void tsr_op_flush_some(bool (*includes)(const void *arg, tsr_unit unit), const void *arg) {
  flush_each(remote_done, tsr_op_wait_remote, includes, arg);
}

/* Explicit handles. A handle that is released before its op has ended is queued in `abandoned`. Each call checks the
 * first few of these, and queues them again if they have not ended. So its cost does not depend on their number. */
enum { LOOKS_N = 2 };
struct handled {
  tsr_op op; /* first, so that an op is also the address of its handle */
  tsr_handle number;
  struct tsr_wait_why why; /* reason to report while waiting */
  bool released;
  struct handled *next_abandoned;
};
static tsr_pool handles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the handles */
static struct {
  struct handled *first, *last;
} abandoned;

/* Recycles a released handle whose op has ended; otherwise queues it. */
static void retire_handle(struct handled *one) {
  if (tsr_op_remote_done(&one->op) && tsr_op_local_done(&one->op)) {
    tsr_pool_give(&handles, one->number);
    return;
  }
  one->next_abandoned = NULL;
  if (abandoned.first) abandoned.last->next_abandoned = one;
  else abandoned.first = one;
  abandoned.last = one;
}

static void reap_some(void) {
  for (int i = 0; i < LOOKS_N && abandoned.first; i++) {
    struct handled *one = abandoned.first;
    abandoned.first = one->next_abandoned;
    retire_handle(one);
  }
}

tessera_status_t tsr_handle_create(tsr_unit unit, tsr_handle *handle, tsr_op **op) {
  tsr_handle number = 0;
  pthread_mutex_lock(&lock);
  reap_some();
  struct handled *one = tsr_pool_take(&handles, &number);
  if (one)
    *one = (struct handled){.op.group = unit.id < 0 ? NULL : tsr_op_implicit(unit), .number = number,
                            .why = {unit.id < 0 ? TSR_WAIT_EVENTS : TSR_WAIT_REPLY, unit.id, 0}};
  pthread_mutex_unlock(&lock);
  if (!one) return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0349 no private memory for one more handle; wait for or free some first");
  *handle = number;
  *op = &one->op;
  return TESSERA_OK;
}

tsr_op *tsr_handle_op(tsr_handle handle) {
  pthread_mutex_lock(&lock);
  struct handled *one = tsr_pool_find(&handles, handle);
  pthread_mutex_unlock(&lock);
  return one && !one->released ? &one->op : NULL;
}

void tsr_handle_explain(tsr_op *op, struct tsr_wait_why why) { ((struct handled *)op)->why = why; }

/* The handle's op that the calling thread waits for; NULL: none. */
static _Thread_local const tsr_op *awaited;

static void wait_for_handle(const tsr_op *op, tsr_ready_fn done) {
  struct tsr_wait_why reason = ((const struct handled *)op)->why;
  if (reason.kind == TSR_WAIT_REPLY || reason.kind == TSR_WAIT_EVENTS) reason = tsr_op_why(op, TSR_UNIT(reason.who));
  const tsr_op *around = awaited; /* that of the outer wait, if a handler waits inside a wait */
  awaited = op;
  tsr_wait(done, op, reason);
  awaited = around;
}

void tsr_handle_wait_local(const tsr_op *op) {
  if (!tsr_op_local_done(op)) wait_for_handle(op, local_done);
}
void tsr_handle_wait_remote(const tsr_op *op) {
  if (!tsr_op_remote_done(op)) wait_for_handle(op, remote_done);
}

static int counted_n; /* result of a count so far; the caller holds the lock */

static void count_live(void *handled) { counted_n += !((const struct handled *)handled)->released; }
static void count_under_way(void *handled) {
  const struct handled *one = handled;
  counted_n += !one->released && &one->op != awaited && !tsr_op_remote_done(&one->op);
}

static int count_handles(void (*count)(void *handled)) {
  pthread_mutex_lock(&lock);
  counted_n = 0;
  tsr_pool_each(&handles, count);
  int n = counted_n;
  pthread_mutex_unlock(&lock);
  return n;
}

int tsr_handles_live(void) { return count_handles(count_live); }
int tsr_handles_under_way(void) { return count_handles(count_under_way); }

void tsr_handle_release(tsr_handle handle) {
  pthread_mutex_lock(&lock);
  struct handled *one = tsr_pool_find(&handles, handle);
  if (one && !one->released) {
    one->released = true;
    reap_some();
    retire_handle(one);
  }
  pthread_mutex_unlock(&lock);
}

tessera_status_t tsr_op_track(void) {
  tessera_status_t status = TESSERA_OK;
  pthread_mutex_lock(&groups.lock);
  if (!are_tracked()) {
    groups.table = tsr_table_make((uint32_t)tsr_place.units_n, sizeof(struct implicit));
    if (groups.table.blocks) atomic_store_explicit(&groups.tracked, true, memory_order_release); /* partner: are_tracked */
    else status = tsr_fail(TESSERA_ERR_MEMORY, "TSR-0350 no private memory for %d units; " TSR_REMEDY_MEMORY, tsr_place.units_n);
  }
  pthread_mutex_unlock(&groups.lock);
  return status;
}

size_t tsr_op_bytes(int32_t units_n) { return tsr_table_bytes((uint32_t)units_n, sizeof(struct implicit), 0); }
size_t tsr_op_peer_bytes(void) { return TSR_TABLE_BLOCK_N * sizeof(struct implicit); }

tessera_status_t tsr_op_start(void) {
  tsr_pool_init(&handles, sizeof(struct handled));
  return tsr_place.nodes_n > 1 || tsr_place.agents_n > 0 ? tsr_op_track() : TESSERA_OK;
}

void tsr_op_stop(void) {
  atomic_store_explicit(&groups.tracked, false, memory_order_relaxed);
  atomic_store_explicit(&groups.first, NULL, memory_order_relaxed);
  atomic_store_explicit(&groups.all.local_n, 0, memory_order_relaxed);
  atomic_store_explicit(&groups.all.remote_n, 0, memory_order_relaxed);
  tsr_table_free(&groups.table);
  tsr_slab_drop(&trackers);
  abandoned.first = abandoned.last = NULL;
  tsr_pool_finish(&handles);
}
