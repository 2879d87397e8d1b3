#include "core/message.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/wait.h"
#include "core/handlers.h"
#include "core/op.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/coll_error.h"
#include "core/runtime.h"
#include "core/team.h"
#include "net/net.h"

/* A message as it travels: a record in a ring, or the payload of a request. */
struct ctrl {
  int32_t from;
  uint32_t bytes;
  uint64_t tag;
  unsigned char data[TSR_CTRL_BYTES];
};

/* A message that has arrived and waits for its receiver; oldest first. */
struct arrived {
  struct arrived *next;
  struct ctrl ctrl;
};
static struct arrived *first, **last = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void deliver_ctrl(const struct ctrl *ctrl) {
  struct arrived *arrived = malloc(sizeof *arrived);
  if (!arrived) tsr_abort(1, "TSR-0334 no private memory for a message from unit %d; " TSR_REMEDY_MEMORY, ctrl->from);
  arrived->next = NULL;
  arrived->ctrl = *ctrl;
  pthread_mutex_lock(&lock);
  *last = arrived;
  last = &arrived->next;
  pthread_mutex_unlock(&lock);
  tsr_wait_nudge(); /* the receiving thread may be another one */
}

static void deliver_bytes(const void *data, size_t bytes) {
  struct ctrl ctrl = {0};
  memcpy(&ctrl, data, bytes < sizeof ctrl ? bytes : sizeof ctrl);
  deliver_ctrl(&ctrl);
}

static void take_record(const struct tsr_ring_record *record) { deliver_bytes(record->payload, record->bytes); }

static void serve_ctrl(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  deliver_bytes(in->payload, in->payload_bytes);
}

/* Finds the link to the oldest message of this sender and tag. */
static struct arrived **find_arrived(int32_t from, uint64_t tag) {
  for (struct arrived **link = &first; *link; link = &(*link)->next) {
    if ((*link)->ctrl.from == from && (*link)->ctrl.tag == tag) return link;
  }
  return NULL;
}

struct address {
  int32_t from;
  uint64_t tag;
};

static bool has_arrived(const void *arg) {
  const struct address *wanted = arg;
  pthread_mutex_lock(&lock);
  bool found = find_arrived(wanted->from, wanted->tag) != NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

/* To a unit of this node through its ring; otherwise as a request to its rank. */
void tsr_ctrl_send(tsr_unit to, uint64_t tag, const void *data, size_t bytes) {
  struct ctrl ctrl = {.from = tsr_place.self, .bytes = (uint32_t)bytes, .tag = tag};
  size_t whole = offsetof(struct ctrl, data) + bytes;
  int32_t local = tsr_place_local(to);
  memcpy(ctrl.data, data, bytes);
  if (local >= 0) {
    struct tsr_post out;
    tsr_post_open(&out, (uint32_t)local, TSR_RECORD_CTRL, (uint32_t)whole);
    memcpy(out.record.payload, &ctrl, whole);
    tsr_post_send(&out);
    return;
  }
  struct tsr_net_request request = {
      .rank = tsr_place_rank(to), .handler = TSR_H_CTRL, .payload = &ctrl, .payload_bytes = whole};
  if (tsr_op_request(tsr_op_implicit(to), &request, NULL, NULL))
    tsr_abort(EXIT_FAILURE, "TSR-0335 no private memory for a message to unit %d; " TSR_REMEDY_MEMORY, to.id);
}

void tsr_ctrl_receive(tsr_unit from, uint64_t tag, void *data, size_t bytes) {
  struct address wanted = {from.id, tag};
  tsr_wait(has_arrived, &wanted, (struct tsr_wait_why){TSR_WAIT_CTRL, from.id, 0});
  pthread_mutex_lock(&lock);
  struct arrived **link = find_arrived(from.id, tag);
  struct arrived *arrived = *link;
  *link = arrived->next;
  if (!*link) last = link;
  pthread_mutex_unlock(&lock);
  memcpy(data, arrived->ctrl.data, bytes < arrived->ctrl.bytes ? bytes : arrived->ctrl.bytes);
  free(arrived);
}

static void piece_done(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)bytes;
  if (event != TSR_NET_LOCAL) return;
  atomic_fetch_sub_explicit(&((tsr_exchange *)arg)->pending_n, 1, memory_order_release);
  tsr_wait_nudge();
}

static bool all_done(const void *arg) {
  return atomic_load_explicit(&((const tsr_exchange *)arg)->pending_n, memory_order_acquire) == 0;
}

/* The wait also ends on news of a collective error: the sender may have left the call. */
static bool all_done_or_news(const void *arg) {
  return all_done(arg) || atomic_load_explicit(&tsr_coll_error_pending, memory_order_relaxed);
}

void tsr_exchange_begin(tsr_exchange *exchange, int tag) {
  atomic_init(&exchange->pending_n, 0);
  exchange->tag = tag;
  exchange->who = -1;
  exchange->receives = exchange->many = false;
}

/* The next piece of a block. While no piece is pending, no other thread writes the number. */
static struct tsr_net_message next_piece(tsr_exchange *exchange, tsr_unit other, size_t left) {
  if (all_done(exchange)) atomic_store_explicit(&exchange->pending_n, 1, memory_order_relaxed);
  else atomic_fetch_add_explicit(&exchange->pending_n, 1, memory_order_relaxed);
  return (struct tsr_net_message){.rank = other.id, .tag = exchange->tag, .bytes = tsr_min_size(left, tsr_net_limits.chunk_bytes),
                                  .done = piece_done, .done_arg = exchange};
}

void tsr_exchange_send(tsr_exchange *exchange, tsr_unit to, const void *data, size_t bytes) {
  size_t at = 0;
  if (exchange->who < 0) exchange->who = to.id;
  else if (!exchange->receives && exchange->who != to.id) exchange->many = true;
  do {
    const struct tsr_net_message piece = next_piece(exchange, to, bytes - at);
    tsr_net->send((const char *)data + at, &piece);
    at += piece.bytes;
  } while (at < bytes);
}

void tsr_exchange_receive(tsr_exchange *exchange, tsr_unit from, void *data, size_t bytes) {
  size_t at = 0;
  exchange->many = exchange->receives && (exchange->many || exchange->who != from.id);
  exchange->receives = true;
  exchange->who = from.id;
  do {
    const struct tsr_net_message piece = next_piece(exchange, from, bytes - at);
    tsr_net->receive((char *)data + at, &piece);
    at += piece.bytes;
  } while (at < bytes);
}

void tsr_exchange_end(tsr_exchange *exchange) {
  for (;;) {
    const enum tsr_wait_kind kind = exchange->many ? TSR_WAIT_SEVERAL_NODES : TSR_WAIT_NODES;
    tsr_wait(all_done_or_news, exchange, (struct tsr_wait_why){kind, exchange->who, exchange->tag - TSR_TAG_TEAM});
    if (all_done(exchange)) break;
    tsr_coll_error_poll();
  }
  exchange->who = -1;
  exchange->receives = exchange->many = false;
}

/* A message of the wrong size means that members passed different arguments to a collective, from which the sizes
 * follow. */
static void end_for_misfit(int rank, int tag, size_t room_bytes, size_t came_bytes) {
  if (tag < TSR_TAG_P2P) tsr_coll_error_misfit(tag - TSR_TAG_TEAM);
  tsr_teams_lock(); /* for any thread that makes progress */
  const tsr_team *team = tag < TSR_TAG_P2P ? tsr_team_find(tag - TSR_TAG_TEAM) : NULL;
  char came[24] = "more";
  if (!team) {
    tsr_teams_unlock();
    return;
  }
  if (came_bytes != TSR_NET_MORE) snprintf(came, sizeof came, "%zu", came_bytes);
  tsr_abort(EXIT_FAILURE, "TSR-0336 team %d: unit %d (last collective call: number %llu, %s) expects a message of %zu bytes from "
            "unit %d, which sends %s; the members of the team call collectives that differ in kind, size, root or order; %s",
            team->id, tsr_place.self, (unsigned long long)team->calls_n,
            team->last_call ? team->last_call : "failed or none", room_bytes, rank, came,
            tsr_config_check() ? "let all members make the same calls in the same order"
                             : "run with TESSERA_CHECK=1, which names both calls");
}

__attribute__((constructor)) static void register_handler(void) { tsr_net_register(TSR_H_CTRL, serve_ctrl); }

void tsr_message_start(void) {
  tsr_progress_register(TSR_RECORD_CTRL, take_record);
  tsr_net_misfit = end_for_misfit;
}

void tsr_message_stop(void) {
  while (first) {
    struct arrived *arrived = first;
    first = arrived->next;
    free(arrived);
  }
  last = &first;
}
