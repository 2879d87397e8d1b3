/* GASNET_BLOCKUNTIL: conditions that handlers, other processes and other threads make true. */
#if !defined(GASNET_PAR) && !defined(GASNET_PARSYNC)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

#include <gasnet_tools.h>

#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { HANDLER = 200, ROUNDS_N = 50 };

static gex_TM_t all;
static int self, units_n, came_n, plain;
static gasnett_atomic_t flag = gasnett_atomic_init(0);

GASNETT_EXTERNC void on_message(gex_Token_t token, gex_AM_Arg_t value);
void on_message(gex_Token_t token, gex_AM_Arg_t value) {
  (void)token;
  plain = value;
  came_n++;
}

/* Messages travel around the ring. */
static void by_messages(void) {
  gex_Rank_t right = (gex_Rank_t)((self + 1) % units_n);
  for (int round = 1; round <= ROUNDS_N; round++) {
    if (self == 0) gex_AM_RequestShort1(all, right, HANDLER, 0, round);
    GASNET_BLOCKUNTIL(came_n == round);
    CHECK_EQ(plain, round);
    if (self != 0) gex_AM_RequestShort1(all, right, HANDLER, 0, round);
  }
}

/* Numbers are put into the next unit's segment, sometimes late. */
static void by_puts(volatile int *own, void *peer) {
  gex_Rank_t right = (gex_Rank_t)((self + 1) % units_n);
  for (int round = 1; round <= ROUNDS_N; round++) {
    if (round % 25 == 0 && self == 0) usleep(5000);
    if (self == 0) gex_RMA_PutBlocking(all, right, peer, &round, sizeof round, 0);
    GASNET_BLOCKUNTIL(*own == round);
    if (self != 0) gex_RMA_PutBlocking(all, right, peer, &round, sizeof round, 0);
  }
}

static void *set_flag(void *arg) {
  usleep(3000);
  gasnett_atomic_set(&flag, 1, GASNETT_ATOMIC_REL);
  return arg;
}

static void by_thread(void) {
  pthread_t setter;
  CHECK_EQ(pthread_create(&setter, NULL, set_flag, NULL), 0);
  GASNET_BLOCKUNTIL(gasnett_atomic_read(&flag, GASNETT_ATOMIC_ACQ));
  CHECK_EQ(pthread_join(setter, NULL), 0);
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  gex_AM_Entry_t entry = {HANDLER, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_SHORT, 1, NULL, NULL};
  if (gex_Client_Init(&client, &ep, &all, "BLOCK", &argc, &argv, 0)) return EXIT_FAILURE;
  self = (int)gex_TM_QueryRank(all);
  units_n = (int)gex_TM_QuerySize(all);
  CHECK_EQ(gex_Segment_Attach(&segment, all, GASNET_PAGESIZE), GASNET_OK);
  CHECK_EQ(gex_EP_RegisterHandlers(ep, &entry, 1), GASNET_OK);
  void *peer = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, (gex_Rank_t)((self + 1) % units_n), &peer, NULL, NULL, 0));
  int *own = (int *)gex_Segment_QueryAddr(segment);
  *own = 0;
  CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  GASNET_BLOCKUNTIL(1);
  by_messages();
  by_puts(own, peer);
  by_thread();
  CHECK_EQ(gasnet_set_waitmode(GASNET_WAIT_BLOCK), GASNET_OK);
  CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  *own = came_n = 0;
  CHECK_EQ(gasnet_barrier(0, GASNET_BARRIERFLAG_UNNAMED), GASNET_OK);
  by_messages();
  by_puts(own, peer);
  gasnet_exit(check_result());
  return EXIT_FAILURE;
}
