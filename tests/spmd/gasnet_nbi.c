/* GASNet-EX: implicit operations by category, and access regions with their events and leaves.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

enum { N = 600, BYTES = 56 };

static char *mine, *here, *back;

static void start_puts(int round, gex_Event_t *lc_opt) {
  gex_Rank_t to = right_of(self);
  for (int i = 0; i < N; i++) {
    fill(here + i * BYTES, (unsigned)(i + round) + self, BYTES);
    CHECK_EQ(gex_RMA_PutNBI(tm, to, base(to) + i * BYTES, here + i * BYTES, BYTES, lc_opt, 0), 0);
    if (lc_opt == GEX_EVENT_NOW) memset(here + i * BYTES, 0xee, BYTES);
  }
}

static void start_gets(void) {
  gex_Rank_t to = right_of(self);
  memset(back, 0, N * BYTES);
  for (int i = 0; i < N; i++) CHECK_EQ(gex_RMA_GetNBI(tm, back + i * BYTES, to, base(to) + i * BYTES, BYTES, 0), 0);
}

static void check_data(const char *data, int round, gex_Rank_t from) {
  for (int i = 0; i < N; i++) CHECK_EQ(wrong(data + i * BYTES, (unsigned)(i + round) + from, BYTES), 0);
}

static void implicit(int round, gex_Event_t *lc_opt) {
  start_puts(round, lc_opt);
  if (lc_opt == GEX_EVENT_GROUP) {
    gex_NBI_Wait(GEX_EC_LC, 0);
    memset(here, 0xdd, N * BYTES);
  }
  gex_NBI_Wait(GEX_EC_PUT, 0);
  OK(gex_NBI_Test(GEX_EC_ALL, 0));
  barrier();
  check_data(mine, round, left_of(self));
  start_gets();
  gex_NBI_Wait(GEX_EC_GET | GEX_EC_RMW, 0);
  check_data(back, round, self);
  start_gets();
  while (gex_NBI_Test(GEX_EC_GET, 0)) gex_NBI_Wait(GEX_EC_AM, 0);
  check_data(back, round, self);
  barrier();
}

/* Operations in the region are not among the implicit ones outside. */
static void region(int round) {
  gex_NBI_BeginAccessRegion(0);
  start_puts(round, round % 2 ? GEX_EVENT_GROUP : GEX_EVENT_DEFER);
  gex_Event_t event = gex_NBI_EndAccessRegion(0);
  OK(gex_NBI_Test(GEX_EC_ALL, 0));
  if (event && round % 2) {
    gex_Event_t leaf = gex_Event_QueryLeaf(event, GEX_EC_LC);
    gex_Event_Wait(leaf);
    memset(here, 0xcc, N * BYTES);
    gex_Event_Wait(gex_Event_QueryLeaf(event, GEX_EC_PUT));
    gex_Event_Wait(gex_Event_QueryLeaf(event, GEX_EC_GET));
  }
  gex_Event_Wait(event);
  barrier();
  check_data(mine, round, left_of(self));
  gex_NBI_BeginAccessRegion(0);
  start_gets();
  event = gex_NBI_EndAccessRegion(0);
  gex_Event_WaitAll(&event, 1, 0);
  check_data(back, round, self);
  gex_NBI_BeginAccessRegion(0);
  CHECK(gex_NBI_EndAccessRegion(0) == GEX_EVENT_INVALID);
  barrier();
}

/* A wait calls the library only if an operation is outstanding or a region is open. */
static void idle(void) {
  gex_Rank_t to = right_of(self);
  const int near = gexi_near(tm, self, base(self), 8) != NULL; /* else calls are checked, and none is inlined */
  CHECK_EQ(gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL), near);
  CHECK_EQ(gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_PUT | GEX_EC_LC), near);
  CHECK(!gexi_nbi_idle(tsr_gex_near_2.implicit, 0) && !gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL + 1));
  gex_NBI_BeginAccessRegion(0);
  CHECK(!gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL));
  gex_Event_Wait(gex_NBI_EndAccessRegion(0));
  CHECK_EQ(gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL), near);
  start_puts(1, GEX_EVENT_DEFER);
  if (!gexi_near(tm, to, base(to), 8)) CHECK(!gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL));
  gex_NBI_Wait(GEX_EC_ALL, 0);
  CHECK_EQ(gexi_nbi_idle(tsr_gex_near_2.implicit, GEX_EC_ALL), near);
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  attach(N * BYTES);
  mine = (char *)gex_Segment_QueryAddr(segment);
  here = (char *)take(N * BYTES);
  back = (char *)take(N * BYTES);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  OK(gex_NBI_Test(GEX_EC_ALL, 0));
  idle();
  for (int round = 0; round < 6; round++) {
    implicit(3 * round, GEX_EVENT_NOW);
    implicit(3 * round + 1, GEX_EVENT_DEFER);
    implicit(3 * round + 2, GEX_EVENT_GROUP);
    region(round);
  }
  start_puts(99, GEX_EVENT_DEFER); /* the end completes them */
  gex_NBI_Wait(GEX_EC_LC, 0);
  int result = finish();
  free(here);
  free(back);
  return result;
}
