/* immediate: what GEX_FLAG_IMMEDIATE gains when targets are inattentive. Unit 0 has messages for each of the others. These
 * are away most of the time, as units that compute are, and run their handlers only now and then, so that the queues to
 * them fill up. (They sleep, and so need no core.) Unit 0 sends in three schedules:
 *
 *   immediate.inorder  It sends in its nominal order. If a queue is full, the call blocks until this one target polls.
 *   immediate.skip     A call with the flag returns instead. Unit 0 goes on with the next target, and comes back later.
 *   immediate.poll     The same, and unit 0 polls before it goes on, so that its own handlers run, too.
 *
 * The nominal order is the variant: all messages to a target before the next one ("block-all": the order of a program that
 * has a list of work for each target), one message to each target in turn ("block-1"), or eight in turn ("block-8").
 *
 * The specification lets an immediate call fail for ever. If no target accepts a message for 10 ms, unit 0 therefore sends
 * one message without the flag.
 *
 * At least 2 units; there is nothing to gain before there are 3. The time ends when each target has told that it has
 * handled all its messages; targets check number, contents and sum.
 *
 * Options: --messages (to each target), --bytes (of each), --away (microseconds between two polls of a target),
 * --samples. */
#include <time.h>

#include "client.h"
#include "repeats.h"

enum { MESSAGE = 200, FINISHED = 201, BYTES_MAX = 512 };
#define PATIENCE_S 0.01

static long messages_n = 2000, message_bytes = 32, away_us = 500, samples_n = 3;

/* ---- A target ---- */

static long handled_n;       /* messages of this sample */
static uint64_t handled_sum; /* of their numbers */

static void on_message(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t number) {
  const uint64_t *words = data;
  bool good = bytes == (size_t)message_bytes;
  for (size_t i = 0; i < bytes / 8; i++) good &= words[i] == (uint64_t)number * (i + 1);
  require(good, "the data of a message");
  handled_sum += (uint64_t)number;
  if (++handled_n == messages_n) gex_AM_ReplyShort0(token, FINISHED, 0);
}

static void be_mostly_away(void) {
  const struct timespec away = {away_us / 1000000, away_us % 1000000 * 1000};
  while (handled_n < messages_n) {
    nanosleep(&away, NULL);
    gasnet_AMPoll();
  }
}

/* ---- Unit 0 ---- */

static long *sent_n;           /* messages sent to each target, in this sample */
static gex_Rank_t unfinished;  /* targets that have messages left to be sent */
static volatile long finished; /* targets that have handled all */

static void on_finished(gex_Token_t token) {
  (void)token;
  finished++;
}

/* Returns false if the message would block, which only happens with the flag. */
static bool send_message(gex_Rank_t to, gex_Flags_t flags) {
  uint64_t words[BYTES_MAX / 8];
  const long number = sent_n[to] + 1;
  for (long i = 0; i < message_bytes / 8; i++) words[i] = (uint64_t)number * (uint64_t)(i + 1);
  if (gex_AM_RequestMedium1(job.team, to, MESSAGE, words, (size_t)message_bytes, GEX_EVENT_NOW, flags, (int32_t)number))
    return false;
  if (++sent_n[to] == messages_n) unfinished--;
  return true;
}

/* Sends up to `block` messages to a target; stops at the first that would block. Returns how many it sent. */
static long send_block(gex_Rank_t to, long block, gex_Flags_t flags) {
  long n = 0;
  while (n < block && sent_n[to] < messages_n && send_message(to, flags)) n++;
  return n;
}

static void send_in_order(long block) {
  while (unfinished)
    for (gex_Rank_t to = 1; to < job.n; to++) send_block(to, block, 0);
}

/* Without the flag, to the first target that has messages left. */
static void send_one_blocking(void) {
  gex_Rank_t to = 1;
  while (sent_n[to] == messages_n) to++;
  send_message(to, 0);
}

static void send_immediately(long block, bool polls) {
  double last_success = study_now();
  while (unfinished) {
    long n = 0;
    for (gex_Rank_t to = 1; to < job.n; to++) {
      const long here = send_block(to, block, GEX_FLAG_IMMEDIATE);
      n += here;
      if (polls && here < block) gasnet_AMPoll();
    }
    if (n == 0 && study_now() - last_success > PATIENCE_S) {
      send_one_blocking();
      n = 1;
    }
    if (n) last_success = study_now();
  }
}

/* ---- The measurement ---- */

enum schedule { IN_ORDER, SKIP, POLL, SCHEDULES_N };

/* Seconds until all messages are handled; meaningful in unit 0. */
static double run(enum schedule schedule, long block) {
  barrier();
  const double since = study_now();
  if (job.me == 0) {
    if (schedule == IN_ORDER) send_in_order(block);
    else send_immediately(block, schedule == POLL);
    GASNET_BLOCKUNTIL(finished == (long)job.n - 1);
  } else {
    be_mostly_away();
  }
  return study_now() - since;
}

static void forget(void) {
  handled_n = 0;
  handled_sum = 0;
  finished = 0;
  unfinished = job.n - 1;
  memset(sent_n, 0, job.n * sizeof *sent_n);
}

static void measure(enum schedule schedule, long block, const char *variant) {
  static const char *const works[SCHEDULES_N] = {"immediate.inorder", "immediate.skip", "immediate.poll"};
  double samples[SAMPLES_MAX];
  for (long k = 0; k < samples_n; k++) {
    forget();
    samples[k] = 1e3 * run(schedule, block);
    barrier();
    require(job.me == 0 || handled_n == messages_n, "the number of messages");
    require(job.me == 0 || handled_sum == (uint64_t)messages_n * (uint64_t)(messages_n + 1) / 2, "a message came twice");
  }
  if (job.me == 0) study_row(works[schedule], variant, message_bytes, (int)job.n, "ms", (int)samples_n, samples);
}

int main(int argc, char **argv) {
  const struct option options[] = {{"messages", 1, 1 << 24, &messages_n, NULL, NULL},
                                   {"bytes", 8, BYTES_MAX, &message_bytes, NULL, NULL},
                                   {"away", 1, 10000000, &away_us, NULL, NULL},
                                   {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL}};
  gex_AM_Entry_t handlers[] = {
      {MESSAGE, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 1, NULL, "message"},
      {FINISHED, (gex_AM_Fn_t)on_finished, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, "finished"},
  };
  start("immediate_gasnet", argc, argv, 4, options);
  need_units("immediate_gasnet", 2);
  message_bytes = message_bytes / 8 * 8;
  sent_n = memory_of(job.n * sizeof *sent_n);
  register_handlers(handlers, 2);
  for (enum schedule schedule = IN_ORDER; schedule < SCHEDULES_N; schedule++) {
    measure(schedule, messages_n, "block-all");
    measure(schedule, 1, "block-1");
    measure(schedule, 8, "block-8");
  }
  free(sent_n);
  gasnet_exit(0);
}
