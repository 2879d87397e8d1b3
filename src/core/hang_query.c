#include "core/hang_query.h"

#include <pthread.h>

#include "base/wait.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/team.h"
#include "net/net.h"

struct answer {
  struct tsr_hang_chain chain; /* begins with the unit that was asked about */
  int32_t next;                /* the unit of another node that the last of these waits for; -1: none */
  char text[384];              /* what the first waits for */
};

/* The last question. The lock is taken last, and guards all but `reply`, which belongs to the open request. */
static struct {
  pthread_mutex_t lock;
  enum { NONE, OPEN, ANSWERED } state;
  int32_t unit;
  struct answer sum, reply; /* of all nodes so far, and of one */
} query = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void serve_query(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct answer *answer = out->scratch;
  const int32_t unit = in->args[0] < (uint64_t)tsr_place.units_n ? (int32_t)in->args[0] : -1, asker = (int32_t)in->args[1];
  *answer = (struct answer){.next = -1};
  if (unit >= 0 && tsr_place_is_local(TSR_UNIT(unit))) {
    struct tsr_text text = {.data = answer->text, .room = sizeof answer->text};
    tsr_teams_lock(); /* the program's threads may end teams meanwhile */
    tsr_hang_report_unit(TSR_UNIT(unit), &text);
    tsr_teams_unlock();
    answer->next = tsr_hang_report_follow(unit, asker, &answer->chain);
  }
  out->reply = answer;
  out->reply_bytes = sizeof *answer;
}

__attribute__((constructor)) static void register_handler(void) { tsr_net_register(TSR_H_WAITS, serve_query); }

static void on_answer(void *unused, enum tsr_net_event event, size_t reply_bytes);

/* False: no buffer for a request is free. */
static bool ask_node_of(int32_t unit) {
  const struct tsr_net_request request = {.rank = tsr_place_endpoint((tsr_addr){TSR_UNIT(unit), 0}), .handler = TSR_H_WAITS,
                                          .args = {(uint64_t)unit, (uint64_t)tsr_place.self}, .reply = &query.reply,
                                          .reply_bytes = sizeof query.reply, .done = on_answer};
  return !tsr_net->request(&request);
}

/* False: there is no room for all. */
static bool add_units(struct tsr_hang_chain *chain, const struct tsr_hang_chain *more) {
  int32_t i = 0;
  while (i < more->units_n && chain->units_n < TSR_HANG_CHAIN_MOST) chain->units[chain->units_n++] = more->units[i++];
  return i == more->units_n;
}

/* Returns the unit to ask about next; -1: none. The chain may lead back to this node, and to others. */
static int32_t add_reply(struct answer *sum) {
  bool fits = true;
  if (!sum->chain.units_n) *sum = query.reply;
  else fits = add_units(&sum->chain, &query.reply.chain);
  sum->next = fits ? query.reply.next : -1;
  if (sum->next >= 0 && tsr_place_is_local(TSR_UNIT(sum->next)))
    sum->next = tsr_hang_report_follow(sum->next, tsr_place.self, &sum->chain);
  return sum->next != tsr_place.self && sum->chain.units_n < TSR_HANG_CHAIN_MOST ? sum->next : -1;
}

static void set_state(int state) {
  pthread_mutex_lock(&query.lock);
  query.state = state;
  pthread_mutex_unlock(&query.lock);
}

static void on_answer(void *unused, enum tsr_net_event event, size_t reply_bytes) {
  (void)unused, (void)reply_bytes;
  if (event != TSR_NET_REMOTE) return;
  pthread_mutex_lock(&query.lock);
  const int32_t next = add_reply(&query.sum);
  pthread_mutex_unlock(&query.lock);
  if (next >= 0 && ask_node_of(next)) return;
  set_state(ANSWERED);
  tsr_wait_nudge();
}

void tsr_hang_query_ask(int32_t unit) {
  pthread_mutex_lock(&query.lock);
  const bool is_free = query.state != OPEN;
  if (is_free) {
    query.state = OPEN;
    query.unit = unit;
    query.sum = (struct answer){.next = -1};
  }
  pthread_mutex_unlock(&query.lock);
  if (is_free && !ask_node_of(unit)) set_state(NONE);
}

bool tsr_hang_query_is_open(void) {
  pthread_mutex_lock(&query.lock);
  const bool is_open = query.state == OPEN;
  pthread_mutex_unlock(&query.lock);
  return is_open;
}

int32_t tsr_hang_query_follow(int32_t unit, struct tsr_hang_chain *chain) {
  int32_t next = -1;
  pthread_mutex_lock(&query.lock);
  if (query.state == ANSWERED && query.unit == unit) {
    if (add_units(chain, &query.sum.chain)) next = query.sum.next;
  }
  pthread_mutex_unlock(&query.lock);
  return next;
}

/* With TESSERA_PROGRESS=none a unit answers for itself. */
static void name_silent(int32_t unit, struct tsr_text *report) {
  if (tsr_place.shared_endpoints)
    tsr_text_print(report, "; the node of unit %d does not answer: it is stopped, or computes without progress", unit);
  else tsr_text_print(report, "; unit %d does not answer: it is stopped, or not inside a Tessera call", unit);
}

void tsr_hang_query_describe(int32_t unit, struct tsr_text *report) {
  pthread_mutex_lock(&query.lock);
  const bool is_about = unit >= 0 && query.state != NONE && query.unit == unit, has_text = query.sum.chain.units_n > 0;
  if (is_about && has_text) tsr_text_print(report, "; %s", query.sum.text);
  if (is_about && query.state == OPEN) name_silent(has_text ? query.sum.next : unit, report);
  pthread_mutex_unlock(&query.lock);
}
