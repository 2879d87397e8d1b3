/* GASNet's active messages between unit 0 and the target: round trips one by one, and many requests at once. */
#include <stdio.h>
#include <stdlib.h>

#include "gasnet_works.h"

enum { ASK = GEX_AM_INDEX_BASE, ASK_DATA, ANSWER, ANSWER_DATA, TAKE, TAKE_DATA };

static volatile uint64_t arrived_n, answered_n;
static uint64_t sent_n; /* messages expected by the end of this batch; some may arrive before it starts */

static void ask(gex_Token_t token) {
  arrived_n = arrived_n + 1;
  gex_AM_ReplyShort0(token, ANSWER, 0);
}
static void ask_data(gex_Token_t token, void *data, size_t bytes) {
  arrived_n = arrived_n + 1;
  gex_AM_ReplyMedium0(token, ANSWER_DATA, data, bytes, GEX_EVENT_NOW, 0);
}
static void answer(gex_Token_t token) {
  (void)token;
  answered_n = answered_n + 1;
}
static void answer_data(gex_Token_t token, void *data, size_t bytes) {
  (void)data, (void)bytes;
  answer(token);
}

static void take(gex_Token_t token) {
  (void)token;
  arrived_n = arrived_n + 1;
}
static void take_data(gex_Token_t token, void *data, size_t bytes) {
  (void)data, (void)bytes;
  take(token);
}

enum way { ONE_WAY, BOTH_WAYS, REPLIED };

struct traffic {
  struct gasnet_place place;
  bool sends, receives;
  bool is_short, is_replied;
  char *data;
  size_t bytes;
};

static void await(const volatile uint64_t *counter, uint64_t goal) { GASNET_BLOCKUNTIL(*counter >= goal); }

static void request(const struct traffic *t) {
  if (t->is_short) gex_AM_RequestShort0(t->place.all, t->place.rank, t->is_replied ? ASK : TAKE, 0);
  else
    gex_AM_RequestMedium0(t->place.all, t->place.rank, t->is_replied ? ASK_DATA : TAKE_DATA, t->data, t->bytes, GEX_EVENT_NOW, 0);
}

static void round_trips(void *arg, uint64_t n) {
  const struct traffic *t = arg;
  for (uint64_t i = 0; t->sends && i < n; i++) {
    uint64_t goal = answered_n + 1;
    request(t);
    await(&answered_n, goal);
  }
  if (t->receives) await(&arrived_n, sent_n += n);
}

static void flood(void *arg, uint64_t n) {
  const struct traffic *t = arg;
  const uint64_t goal = answered_n + n;
  for (uint64_t i = 0; t->sends && i < n; i++) request(t);
  if (t->receives) await(&arrived_n, sent_n += n);
  if (t->sends && t->is_replied) await(&answered_n, goal);
}

static void register_handlers(const struct perf *p, gex_TM_t all) {
  gex_AM_Entry_t table[] = {
      {ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {ASK_DATA, (gex_AM_Fn_t)ask_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {ANSWER, (gex_AM_Fn_t)answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
      {ANSWER_DATA, (gex_AM_Fn_t)answer_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
      {TAKE, (gex_AM_Fn_t)take, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {TAKE_DATA, (gex_AM_Fn_t)take_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
  };
  if (gex_EP_RegisterHandlers(gex_TM_QueryEP(all), table, sizeof table / sizeof table[0])) exit(1);
  p->barrier();
}

static void measure(struct perf *p, const struct perf_work *work, struct traffic *t, const char *variant) {
  const bool both = work->choice == BOTH_WAYS, is_first = p->unit == 0, is_target = p->unit == p->target;
  t->sends = is_first || (both && is_target);
  t->receives = is_target || (both && is_first);
  t->is_replied = work->choice == REPLIED;
  t->data = perf_buffer(t->bytes);
  struct perf_op op = {work->loop, t, p->target + 1, work->loop == flood};
  struct perf_result result;
  gasnet_open(p, 64, is_target ? 0 : p->target, &t->place);
  register_handlers(p, t->place.all);
  perf_measure(p, &op, NULL, &result);
  perf_row_time(p, work->name, variant, t->bytes, &result);
  gasnet_close(&t->place);
  free(t->data);
}

static void run_short(struct perf *p, const struct perf_work *work) {
  measure(p, work, &(struct traffic){.is_short = true}, work->loop == flood ? "short" : "");
}

static void run_medium(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++)
    if (p->bytes[i] <= 32768) measure(p, work, &(struct traffic){.bytes = p->bytes[i]}, work->loop == flood ? "medium" : "");
}

static void run_flood(struct perf *p, const struct perf_work *work) {
  run_short(p, work);
  run_medium(p, work);
}

const struct perf_work gasnet_am_works[] = {
    {"gasnet.am.short", "gex_AM_RequestShort and its reply, round trip", run_short, round_trips, REPLIED},
    {"gasnet.am.medium", "gex_AM_RequestMedium and its reply with as much data, round trip",
     run_medium, round_trips, REPLIED},
    {"gasnet.am.flood", "gex_AM_RequestShort and RequestMedium one way, many at once", run_flood, flood, ONE_WAY},
    {"gasnet.am.flood.both", "the same in both directions at once", run_flood, flood, BOTH_WAYS},
    {"gasnet.am.flood.replied", "the same one way, each replied to with as much data", run_flood, flood, REPLIED},
    {0},
};
