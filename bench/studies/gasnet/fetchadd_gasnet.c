/* fetchadd: remote atomics, alone (latency), in a stream (throughput), and from all units on one counter (hotspot);
 * fetchadd.h describes these. Each test runs in two ways:
 *
 *   fetchadd.*  gex_AD_OpNB and gex_AD_OpNBI, GEX_OP_FADD.
 *   message.*   An active message to the owner, who adds and replies the old value, as in a library without atomics of its
 *               own.
 *
 * Latency and throughput: unit 0 and the last unit, with any number of units. Hotspot: all units, with 2 to 32 of them.
 *
 * Options: --window (fetch-adds under way), --ms (of a sample), --samples. */
#include "client.h"
#include <gasnet_ratomic.h>
#include "fetchadd.h"

enum { REQUEST = 200, REPLY = 201 };

static gex_AD_t domain;
static uint64_t *counter; /* in the segment of each unit; a handler adds to it, or the domain */

/* ---- Remote atomics ---- */

static uint64_t old_values[FETCH_WINDOW_MAX];

static void add_alone(int owner, long n, struct fetched *f) {
  for (long i = 0; i < n; i++) {
    uint64_t old;
    gex_Event_Wait(gex_AD_OpNB_U64(domain, &old, (gex_Rank_t)owner, job.segments[owner], GEX_OP_FADD, 1, 0, 0));
    note_old(f, old);
  }
}

static void add_window(int owner, long n, struct fetched *f) {
  for (long i = 0; i < n; i++)
    gex_AD_OpNBI_U64(domain, &old_values[i], (gex_Rank_t)owner, job.segments[owner], GEX_OP_FADD, 1, 0, 0);
  gex_NBI_Wait(GEX_EC_RMW, 0);
  for (long i = 0; i < n; i++) note_old(f, old_values[i]);
}

/* ---- Active messages ---- */

static volatile long unanswered;

/* The index of the answer's place travels with the request. The value travels as two arguments. */
static void on_request(gex_Token_t token, gex_AM_Arg_t place) {
  const uint64_t old = (*counter)++;
  gex_AM_ReplyShort3(token, REPLY, 0, place, (gex_AM_Arg_t)(old >> 32), (gex_AM_Arg_t)(uint32_t)old);
}

static void on_reply(gex_Token_t token, gex_AM_Arg_t place, gex_AM_Arg_t high, gex_AM_Arg_t low) {
  (void)token;
  old_values[place] = (uint64_t)(uint32_t)high << 32 | (uint32_t)low;
  unanswered--;
}

static void ask(int owner, long place) {
  unanswered++;
  gex_AM_RequestShort1(job.team, (gex_Rank_t)owner, REQUEST, 0, (gex_AM_Arg_t)place);
}

static void message_alone(int owner, long n, struct fetched *f) {
  for (long i = 0; i < n; i++) {
    ask(owner, 0);
    GASNET_BLOCKUNTIL(unanswered == 0);
    note_old(f, old_values[0]);
  }
}

/* The poll is for the owner itself: its messages to itself are handled at once, so that it would never handle those of the
 * others. */
static void message_window(int owner, long n, struct fetched *f) {
  for (long i = 0; i < n; i++) ask(owner, i);
  gasnet_AMPoll();
  GASNET_BLOCKUNTIL(unanswered == 0);
  for (long i = 0; i < n; i++) note_old(f, old_values[i]);
}

/* ---- The measurement ---- */

/* What a test adds with, and whose counter; whether one after another, and whether all units do. */
struct test {
  const char *work;
  adder add;
  int owner;
  bool alone, everybody;
};

static void check(struct fetched *f, int owner) {
  f->n = sum_of_all(f->n);
  f->sum = sum_of_all(f->sum);
  f->squares = sum_of_all(f->squares);
  require((int)job.me != owner || *counter == f->n, "the counter");
  require(job.me != 0 || is_each_once(f), "an old value");
}

/* The slowest unit's time counts. */
static double sample(const struct test *t) {
  struct fetched f = {0, 0, 0};
  double seconds = 0;
  *counter = 0;
  barrier();
  if (t->everybody || job.me == 0) seconds = add_for_a_while(t->add, t->owner, t->alone, &f);
  seconds = largest_of_all(seconds);
  barrier();
  check(&f, t->owner);
  return fetch_value(t->alone, seconds, f.n);
}

static void measure(const struct test *t) {
  double samples[SAMPLES_MAX];
  sample(t); /* warms up */
  for (long k = 0; k < samples_n; k++) samples[k] = sample(t);
  const char *unit = t->alone ? "ns" : "Mop/s";
  if (job.me == 0) study_row(t->work, "plain", 8, (int)job.n, unit, (int)samples_n, samples);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t handlers[] = {
      {REQUEST, (gex_AM_Fn_t)on_request, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "request"},
      {REPLY, (gex_AM_Fn_t)on_reply, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 3, NULL, "reply"},
  };
  start("fetchadd_gasnet", argc, argv, FETCH_OPTIONS_N, fetch_options);
  counter = (uint64_t *)(void *)attach(sizeof *counter);
  register_handlers(handlers, 2);
  gex_AD_Create(&domain, job.team, GEX_DT_U64, GEX_OP_FADD, 0);
  const int last = (int)job.last;
  const struct test tests[] = {
      {"fetchadd.latency", add_alone, last, true, false},     {"message.latency", message_alone, last, true, false},
      {"fetchadd.throughput", add_window, last, false, false}, {"message.throughput", message_window, last, false, false},
      {"fetchadd.hotspot", add_window, 0, false, true},       {"message.hotspot", message_window, 0, false, true},
  };
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) measure(&tests[i]);
  gex_AD_Destroy(domain);
  gasnet_exit(0);
}
