#include "core/op.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/config.h"
#include "base/pool.h"
#include "base/status.h"
#include "base/wait.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"

/* The implicit groups: one per unit of the world where there are other nodes; operations inside the node need none. */
static tsr_op *implicit;
static tsr_op implicit_none;

/* A request under way whose end takes more than counting. */
struct tracker {
  tsr_op *op;
  void (*finish)(void *arg);
  void *arg;
  bool has_reply;
};

static void count_up(tsr_op *op) {
  for (; op; op = op->group) {
    atomic_fetch_add_explicit(&op->local_n, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&op->remote_n, 1, memory_order_relaxed);
  }
}

/* An op may be gone as soon as its last count is down: its group comes first, and remote after local. */
static void count_down(tsr_op *op, bool local, bool remote) {
  if (op->group) count_down(op->group, local, remote);
  if (local) atomic_fetch_sub_explicit(&op->local_n, 1, memory_order_release);
  if (remote) atomic_fetch_sub_explicit(&op->remote_n, 1, memory_order_release);
}

/* What brings data back is complete, locally too, when the reply is there. */
static void on_event(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct tracker *tracker = arg;
  if (event == TSR_NET_LOCAL) {
    if (!tracker->has_reply) count_down(tracker->op, true, false);
  } else {
    if (tracker->finish) tracker->finish(tracker->arg);
    count_down(tracker->op, tracker->has_reply, true);
    free(tracker);
  }
  tsr_wait_nudge();
}

static bool slot_is_free(const void *arg) {
  (void)arg;
  return tsr_net->outstanding() < tsr_config.wire_slots;
}

tessera_status_t tsr_op_request(tsr_op *op, struct tsr_net_request *request, void (*finish)(void *arg), void *arg) {
  struct tracker *tracker = malloc(sizeof *tracker);
  if (!tracker) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a request to rank %d", request->rank);
  *tracker = (struct tracker){op, finish, arg, request->reply_bytes > 0};
  request->done = on_event;
  request->done_arg = tracker;
  count_up(op);
  while (tsr_net->request(request) == TESSERA_ERR_AGAIN) {
    tsr_wait(slot_is_free, NULL, (struct tsr_wait_why){TSR_WAIT_SLOT, request->rank, tsr_config.wire_slots});
  }
  return TESSERA_OK;
}

static bool local_done(const void *op) { return tsr_op_local_done(op); }
static bool remote_done(const void *op) { return tsr_op_remote_done(op); }

void tsr_op_wait_local(const tsr_op *op, tsr_unit who) {
  if (!tsr_op_local_done(op))
    tsr_wait(local_done, op, (struct tsr_wait_why){TSR_WAIT_REPLY, who.id, tsr_net->outstanding()});
}
void tsr_op_wait_remote(const tsr_op *op, tsr_unit who) {
  if (!tsr_op_remote_done(op))
    tsr_wait(remote_done, op, (struct tsr_wait_why){TSR_WAIT_REPLY, who.id, tsr_net->outstanding()});
}

tsr_op *tsr_op_implicit(tsr_unit unit) { return implicit ? &implicit[unit.id] : &implicit_none; }

/* Stores of this thread into the node's memory come before whatever it does after a flush. */
static void fence_node(void) {
  atomic_thread_fence(memory_order_release); /* partner: the acquire of whoever is told that the data is there */
  tsr_progress_poke();
}

void tsr_op_flush(tsr_unit unit) {
  fence_node();
  if (implicit) tsr_op_wait_remote(&implicit[unit.id], unit);
}
void tsr_op_flush_local(tsr_unit unit) {
  fence_node();
  if (implicit) tsr_op_wait_local(&implicit[unit.id], unit);
}
void tsr_op_flush_all(void) {
  fence_node();
  for (int32_t unit = 0; implicit && unit < tsr_place.units_n; unit++)
    tsr_op_wait_remote(&implicit[unit], TSR_UNIT(unit));
}
void tsr_op_flush_local_all(void) {
  fence_node();
  for (int32_t unit = 0; implicit && unit < tsr_place.units_n; unit++)
    tsr_op_wait_local(&implicit[unit], TSR_UNIT(unit));
}

/* Explicit handles. One that is released before its op has ended waits among the abandoned for its end. */
struct handled {
  tsr_op op;
  tsr_handle number;
  bool released;
  struct handled *next_abandoned;
};
static tsr_pool handles;
static struct handled *abandoned;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void reap_abandoned(void) {
  for (struct handled **link = &abandoned; *link;) {
    struct handled *one = *link;
    if (!tsr_op_remote_done(&one->op) || !tsr_op_local_done(&one->op)) {
      link = &one->next_abandoned;
      continue;
    }
    *link = one->next_abandoned;
    tsr_pool_give(&handles, one->number);
  }
}

tessera_status_t tsr_handle_create(tsr_unit unit, tsr_handle *handle, tsr_op **op) {
  tsr_handle number = 0;
  pthread_mutex_lock(&lock);
  reap_abandoned();
  struct handled *one = tsr_pool_take(&handles, &number);
  pthread_mutex_unlock(&lock);
  if (!one) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for one more handle; wait for or free some first");
  *one = (struct handled){.op.group = tsr_op_implicit(unit), .number = number};
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

void tsr_handle_release(tsr_handle handle) {
  pthread_mutex_lock(&lock);
  struct handled *one = tsr_pool_find(&handles, handle);
  if (one && !one->released) {
    one->released = true;
    one->next_abandoned = abandoned;
    abandoned = one;
    reap_abandoned();
  }
  pthread_mutex_unlock(&lock);
}

tessera_status_t tsr_op_start(void) {
  tsr_pool_init(&handles, sizeof(struct handled));
  if (tsr_place.nodes_n == 1) return TESSERA_OK;
  implicit = calloc((size_t)tsr_place.units_n, sizeof *implicit);
  return implicit ? TESSERA_OK : tsr_fail(TESSERA_ERR_MEMORY, "no private memory for %d units", tsr_place.units_n);
}

void tsr_op_stop(void) {
  free(implicit);
  implicit = NULL;
  abandoned = NULL;
  tsr_pool_finish(&handles);
}
