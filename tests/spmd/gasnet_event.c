/* GASNet-EX: events one by one and in lists: roots and leaves, tests and waits, in any order; thousands outstanding.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"
#include "says.h"

enum { N = 2000, BYTES = 40, LONG = 1 << 19 };

static char *mine, *here;

/* A unit that only tests also makes progress for the others. */
static void poll(void) { gex_NBI_Wait(GEX_EC_ALL, 0); }

static gex_Event_t put(int i) {
  gex_Rank_t to = right_of(self);
  fill(here + i * BYTES, (unsigned)i + self, BYTES);
  return gex_RMA_PutNB(tm, to, base(to) + i * BYTES, here + i * BYTES, BYTES, GEX_EVENT_DEFER, 0);
}

static void check_all(void) {
  barrier();
  for (int i = 0; i < N; i++) CHECK_EQ(wrong(mine + i * BYTES, (unsigned)i + left_of(self), BYTES), 0);
  barrier();
  memset(mine, 0, N * BYTES);
  barrier();
}

/* The number of events that tessera_gex_dump prints. */
static int dumped(void) {
  char text[8192];
  int events_n = -1;
  listen();
  tessera_gex_dump();
  (void)heard_one_line("", text, sizeof text);
  const char *found = strstr(text, "outstanding");
  if (!found || sscanf(found, "%*[^0-9]%d events", &events_n) != 1) fprintf(stderr, "  %s\n", text);
  return events_n;
}
static void dumps(void) {
  CHECK_EQ(dumped(), 0);
  gex_Event_t event = put(0);
  CHECK_EQ(dumped(), event != GEX_EVENT_INVALID);
  gex_Event_Wait(event);
  CHECK_EQ(dumped(), 0);
  barrier();
}

static void none(void) {
  gex_Event_t events[3] = {GEX_EVENT_INVALID, GEX_EVENT_INVALID, GEX_EVENT_INVALID};
  OK(gex_Event_Test(GEX_EVENT_INVALID));
  gex_Event_Wait(GEX_EVENT_INVALID);
  OK(gex_Event_TestSome(events, 3, 0));
  OK(gex_Event_TestAll(events, 3, 0));
  OK(gex_Event_TestSome(NULL, 0, 0));
  OK(gex_Event_TestAll(NULL, 0, 0));
  gex_Event_WaitSome(events, 3, 0);
  gex_Event_WaitAll(events, 3, 0);
  gex_Event_WaitAll(NULL, 0, 0);
}

static void one_by_one(void) {
  gex_Event_t events[N];
  for (int i = 0; i < N; i++) events[i] = put(i);
  for (int i = N - 1; i >= 0; i -= 2) gex_Event_Wait(events[i]);
  for (int i = 0; i < N; i += 2) {
    while (gex_Event_Test(events[i])) poll();
  }
  check_all();
}

static void lists(void) {
  static gex_Event_t events[N];
  for (int i = 0; i < N; i++) events[i] = put(i);
  int left = N;
  while (left) {
    gex_Event_WaitSome(events, N, 0);
    left = 0;
    for (int i = 0; i < N; i++) left += events[i] != GEX_EVENT_INVALID;
  }
  check_all();
  for (int i = 0; i < N; i++) events[i] = put(i);
  while (gex_Event_TestSome(events, N, 0)) poll();
  while (gex_Event_TestAll(events, N, 0)) poll();
  for (int i = 0; i < N; i++) CHECK(events[i] == GEX_EVENT_INVALID);
  check_all();
  for (int i = 0; i < N; i++) events[i] = put(i);
  gex_Event_WaitAll(events, N, 0);
  check_all();
}

/* Leaves in a list with their roots, before and behind them. */
static void leaves(void) {
  gex_Rank_t to = right_of(self);
  gex_Event_t events[8], leaf[4];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 4; i++) {
      char *from = here + (size_t)i * LONG;
      fill(from, (unsigned)(i + round) + self, LONG);
      gex_Event_t root = gex_RMA_PutNB(tm, to, base(to) + (size_t)i * LONG, from, LONG, &leaf[i], 0);
      gex_Event_t asked = root ? gex_Event_QueryLeaf(root, GEX_EC_LC) : GEX_EVENT_INVALID;
      if (leaf[i] && asked) CHECK(asked == leaf[i] && gex_Event_QueryLeaf(root, GEX_EC_LC) == asked);
      events[2 * i + i % 2] = root;
      events[2 * i + !(i % 2)] = asked;
    }
    if (round % 2) gex_Event_WaitAll(leaf, 4, 0);
    if (round % 3) gex_Event_WaitAll(events, 8, 0);
    while (gex_Event_TestAll(events, 8, 0)) poll();
    barrier();
    for (int i = 0; i < 4; i++) CHECK_EQ(wrong(mine + (size_t)i * LONG, (unsigned)(i + round) + left_of(self), LONG), 0);
    barrier();
  }
}

int main(int argc, char **argv) {
  if (!open_ears()) return check_skip();
  start(&argc, &argv);
  attach(4 * LONG);
  mine = (char *)gex_Segment_QueryAddr(segment);
  here = (char *)take(4 * LONG);
  none();
  dumps();
  one_by_one();
  lists();
  leaves();
  free(here);
  return finish();
}
