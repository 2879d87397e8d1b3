/* Waits sleep: unit 0 uses the CPU for less than half of the time for which it waits for unit 1: in GASNET_BLOCKUNTIL
 * for messages and for data of puts, in waits for events, and in the barrier of GASNet-1.
 *
 * Units: 2 */
#include "cpu_share.h"
#include "gasnet_am.h"

#include <stdlib.h>
#include <time.h>

enum { HIT = 150, LATE_MS = 400 };

static volatile int hits_n;
static void hit(gex_Token_t token) {
  (void)token;
  hits_n = hits_n + 1;
}

enum way { MESSAGE, PUT, EVENT, SOME, NAMED, WAYS_N };
static const char *const names[] = {"GASNET_BLOCKUNTIL, a message", "GASNET_BLOCKUNTIL, a put", "gex_Event_Wait",
                                    "gex_Event_WaitSome", "gasnet_barrier_wait"};

static volatile int *number_of(int unit) { return (volatile int *)(void *)segments[unit]; }

static void wait_for(enum way way) {
  gex_Event_t event = GEX_EVENT_INVALID;
  if (way == EVENT || way == SOME) event = gex_Coll_BarrierNB(all, 0);
  if (way == NAMED) gasnet_barrier_notify(7, 0);
  if (way == MESSAGE) GASNET_BLOCKUNTIL(hits_n == 1);
  if (way == PUT) GASNET_BLOCKUNTIL(__atomic_load_n(number_of(self), __ATOMIC_RELAXED) == 1);
  if (way == EVENT) gex_Event_Wait(event);
  if (way == SOME) gex_Event_WaitSome(&event, 1, 0);
  if (way == NAMED) CHECK_EQ(gasnet_barrier_wait(7, 0), GASNET_OK);
}

static void come(enum way way) {
  int one = 1;
  nanosleep(&(struct timespec){.tv_nsec = LATE_MS * 1000000L}, NULL);
  if (way == MESSAGE) gex_AM_RequestShort0(all, 0, HIT, 0);
  if (way == PUT) gex_RMA_PutBlocking(all, 0, (void *)(uintptr_t)number_of(0), &one, sizeof one, 0);
  if (way == EVENT || way == SOME) barrier();
  if (way == NAMED) CHECK_EQ(gasnet_barrier(7, 0), GASNET_OK);
}

static void check_way(enum way way) {
  double began = clock_seconds(), had_run = cpu_seconds();
  wait_for(way);
  check_has_slept(names[way], began, had_run);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{HIT, (gex_AM_Fn_t)hit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  start(&argc, &argv, table, LENGTH(table), PAGE);
  *number_of(self) = 0;
  barrier();
  for (int way = 0; way < WAYS_N; way++) {
    barrier();
    if (self == 0) check_way((enum way)way);
    else if (self == 1) come((enum way)way);
  }
  return finish();
}
