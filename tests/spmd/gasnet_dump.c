/* Unit 0 floods unit 1, which makes no progress until a signal, and finally waits. The state of active messages and the
 * output of tessera_gex_dump, which has no identifiers, show this. The other units do nothing. */
#define GASNET_PAR 1
#include "gasnet_am.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include <tessera.h>
#include <tessera/am.h>

#include "away.h"
#include "says.h"

enum { HIT = 200 };

static atomic_bool enough;
static long sent_n;
static atomic_long hits_n;
static int64_t *words; /* this process; later, on unit 0, the number of messages sent */

static void hit(gex_Token_t token) {
  (void)token;
  atomic_fetch_add(&hits_n, 1);
}

static void *flood(void *arg) {
  while (!atomic_load(&enough)) {
    gex_AM_RequestShort0(all, 1, HIT, 0);
    sent_n++;
  }
  return arg;
}

static tessera_am_state_t state_of(int32_t unit) {
  tessera_am_state_t state;
  CHECK_EQ(tessera_am_state(unit, &state), TESSERA_OK);
  return state;
}

/* The number of slots that the dump gives for unit 1: the first number behind the description of its wait. */
static int dumped_slots(const char *text) {
  int n = -1;
  const char *line = strstr(text, "rank 1 "), *slots = line ? strchr(line, ';') : NULL;
  return slots && sscanf(slots, "%*[^0-9]%d", &n) == 1 ? n : -1;
}

/* The sender waits for a moment now and then before unit 1's ring is full: takes dumps until one shows the last wait. */
static void dump_until(const char *wait, char *text, size_t room) {
  for (int tries = 0; tries < 1000; tries++) {
    listen();
    tessera_gex_dump();
    (void)heard_one_line("", text, room);
    if (has_line(text, wait)) return;
    usleep(10000);
  }
}

static void hear_dump(void) {
  char text[4096];
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, 1, NULL, &local, NULL, GEX_FLAG_IMMEDIATE));
  const char *wait = local ? "rank 0 room ring unit 1" : "rank 0 unit 1 node active messages";
  dump_until(wait, text, sizeof text);
  CHECK(has_line(text, wait));
  CHECK(has_line(text, "outstanding process"));
  if (local) {
    CHECK(has_line(text, "rank 1 nothing awake"));
    CHECK(dumped_slots(text) > 0);
    CHECK(state_of(1).requests_queued > 0);
    CHECK_EQ(state_of(1).waits_for, -1);
  } else {
    CHECK(has_line(text, "messages rank 1"));
    CHECK(state_of(1).under_way > 0);
  }
  if (check_failures) fputs(text, stderr);
}

static void wait_for_the_absent(pid_t process) {
  pthread_t thread;
  until_away();
  CHECK_EQ(pthread_create(&thread, NULL, flood, NULL), 0);
  while (state_of(0).waits_for != 1) sched_yield();
  hear_dump();
  atomic_store(&enough, true);
  come_back(process);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  words[0] = sent_n;
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{HIT, (gex_AM_Fn_t)hit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  int64_t process = 0, due = 0;
  if (!open_ears()) return 77;
  away_prepare();
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  start(&argc, &argv, table, LENGTH(table), 64);
  words = (int64_t *)(void *)segments[self];
  words[0] = getpid();
  barrier();
  bool takes_part = self < 2 && units_n > 1;
  gex_Rank_t other = (gex_Rank_t)!self;
  if (takes_part) gex_RMA_GetBlocking(all, &process, other, segments[other], sizeof process, 0);
  barrier();
  if (takes_part && self == 0) wait_for_the_absent((pid_t)process);
  if (takes_part && self == 1) stay_away((pid_t)process);
  barrier();
  if (self == 1) {
    gex_RMA_GetBlocking(all, &due, 0, segments[0], sizeof due, 0);
    GASNET_BLOCKUNTIL(atomic_load(&hits_n) == due);
  }
  barrier();
  int failures = finish();
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return failures ? failures : check_result();
}
