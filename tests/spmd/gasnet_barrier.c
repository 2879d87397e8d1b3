/* Barriers with names: equal and different ones, blocking and split-phase, waited for and tested. */
#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>
#include <gasnet_coll.h>

#include <stdbool.h>

#include "check.h"

enum { ANON = GASNET_BARRIERFLAG_ANONYMOUS, MISMATCH = GASNET_BARRIERFLAG_MISMATCH, UNNAMED = GASNET_BARRIERFLAG_UNNAMED };
enum { OK = GASNET_OK, WRONG = GASNET_ERR_BARRIER_MISMATCH, NO_NAME = 1 << 30 };

static gex_TM_t all;
static int self, units_n;

/* The three ways through a barrier. */
enum way { AT_ONCE, WAIT, TRY, WAYS_N };

static int second_half(enum way way, int id, int flags) {
  if (way == WAIT) return gasnet_barrier_wait(id, flags);
  int answer;
  do answer = gasnet_barrier_try(id, flags);
  while (answer == GASNET_ERR_NOT_READY);
  return answer;
}

static int pass(enum way way, int id, int flags) {
  if (way == AT_ONCE) return gasnet_barrier(id, flags);
  gasnet_barrier_notify(id, flags);
  return second_half(way, id, flags);
}

static void check_name(int name) {
  int heard = -1, code = gasnet_barrier_result(&heard);
  if (name == NO_NAME) {
    CHECK(code != 0);
    return;
  }
  CHECK_EQ(code, 0);
  CHECK_EQ(heard, name);
}

/* One unit differs from the others. */
static void odd_one(enum way way, int odd) {
  bool is_odd = self == odd;
  CHECK_EQ(pass(way, is_odd ? 12 : 34, is_odd ? ANON : 0), OK);
  check_name(units_n > 1 ? 34 : NO_NAME);
  CHECK_EQ(pass(way, is_odd ? (int)0xcafef00d : 34, is_odd ? 0 : ANON), OK);
  check_name((int)0xcafef00d);
  CHECK_EQ(pass(way, is_odd, 0), units_n > 1 ? WRONG : OK);
  check_name(units_n > 1 ? NO_NAME : 1);
  CHECK_EQ(pass(way, 0, is_odd ? MISMATCH : 0), WRONG);
  check_name(NO_NAME);
  CHECK_EQ(pass(way, 5, is_odd ? MISMATCH | ANON : ANON), WRONG);
  for (int other = 0; other < units_n; other++) {
    if (other == odd) continue;
    CHECK_EQ(pass(way, is_odd ? -1 : -2, is_odd || self == other ? 0 : ANON), WRONG);
  }
}

static void all_alike(enum way way, int id) {
  CHECK_EQ(pass(way, id, 0), OK);
  check_name(id);
  CHECK_EQ(pass(way, self, ANON), OK);
  check_name(NO_NAME);
  CHECK_EQ(pass(way, self, UNNAMED), OK);
  check_name(NO_NAME);
}

/* The two halves may have different flags, but their names must agree. */
static void halves(enum way way) {
  gasnet_barrier_notify(3, 0);
  CHECK_EQ(second_half(way, 4, 0), WRONG);
  gasnet_barrier_notify(3, 0);
  CHECK_EQ(second_half(way, 4, ANON), OK);
  check_name(3);
  gasnet_barrier_notify(3, ANON);
  CHECK_EQ(second_half(way, 4, 0), OK);
  check_name(NO_NAME);
  gasnet_barrier_notify(3, self == 0 ? 0 : ANON);
  CHECK_EQ(second_half(way, 3, 0), OK);
  check_name(3);
  gasnet_barrier_notify(3, self == 0 ? 0 : ANON);
  CHECK_EQ(second_half(way, self == units_n - 1 ? 4 : 3, 0), self == units_n - 1 ? WRONG : OK);
  gasnet_barrier_notify(0, UNNAMED);
  CHECK_EQ(second_half(way, 0, UNNAMED), OK);
}

/* No unit leaves before all have arrived: each writes its round where the others read it. */
static void order(gex_Segment_t segment) {
  volatile int *own = (volatile int *)gex_Segment_QueryAddr(segment);
  void *peer = NULL;
  int right = (self + 1) % units_n, seen = -1;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, (gex_Rank_t)right, &peer, NULL, NULL, 0));
  for (int round = 1; round < 200; round++) {
    *own = round;
    CHECK_EQ(pass((enum way)(round % WAYS_N), 0, UNNAMED), OK);
    gex_RMA_GetBlocking(all, &seen, (gex_Rank_t)right, peer, sizeof seen, 0);
    CHECK(seen == round);
    CHECK_EQ(pass((enum way)((round + self) % WAYS_N), round, 0), OK);
  }
}

/* Once more, after the barrier was complete, as some programs do. */
static void once_more(void) {
  for (int round = 0; round < 3; round++) {
    CHECK_EQ(pass(TRY, round, 0), OK);
    CHECK_EQ(gasnet_barrier_try(round, 0), OK);
    check_name(round);
  }
}

/* Other operations between the halves, and around them. */
static void with_others(void) {
  gasnet_barrier_notify(7, 0);
  CHECK_EQ(gasnet_AMPoll(), OK);
  int mine = self, sum = -1, expected = units_n * (units_n - 1) / 2;
  CHECK_EQ(second_half(WAIT, 7, 0), OK);
  gex_Event_t sums = gex_Coll_ReduceToAllNB(all, &sum, &mine, GEX_DT_I32, sizeof mine, 1, GEX_OP_ADD, NULL, NULL, 0);
  gex_Event_Wait(sums);
  CHECK_EQ(sum, expected);
  gex_Event_t events[8];
  for (int i = 0; i < 8; i++) events[i] = gex_Coll_BarrierNB(all, 0);
  for (int i = 0; i < 8; i++) gex_Event_Wait(events[(i + self) % 8]);
  CHECK_EQ(gasnet_barrier(8, 0), OK);
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  if (gex_Client_Init(&client, &ep, &all, "BARRIER", &argc, &argv, 0)) return EXIT_FAILURE;
  self = (int)gex_TM_QueryRank(all);
  units_n = (int)gex_TM_QuerySize(all);
  CHECK_EQ(gasnet_barrier(0, UNNAMED), OK);
  CHECK_EQ(gex_Segment_Attach(&segment, all, GASNET_PAGESIZE), OK);
  for (int way = 0; way < WAYS_N; way++) {
    for (int odd = 0; odd < units_n; odd++) odd_one((enum way)way, odd);
    for (int id = -2; id < 20; id++) all_alike((enum way)way, id);
    if (way != AT_ONCE) halves((enum way)way);
  }
  order(segment);
  once_more();
  with_others();
  gasnet_exit(check_result());
  return EXIT_FAILURE;
}
