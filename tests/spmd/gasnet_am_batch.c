/* One call of gasnet_AMPoll handles all messages that have arrived within a node, not some: requests, with data or not,
 * and replies.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

#include <stdlib.h>
#include <unistd.h>

enum { HIT = 170, HIT_DATA, ASK, ANSWER, N = 150, BYTES = 100 };

static volatile int hits_n, answers_n, asked_n;
static char data[BYTES];

static void hit(gex_Token_t token) {
  (void)token;
  hits_n = hits_n + 1;
}
static void hit_data(gex_Token_t token, void *buffer, size_t bytes) {
  CHECK_EQ(wrong(buffer, 3, bytes), 0);
  hit(token);
}
static void ask(gex_Token_t token) {
  asked_n = asked_n + 1;
  gex_AM_ReplyShort0(token, ANSWER, 0);
}
static void answer(gex_Token_t token) {
  (void)token;
  answers_n = answers_n + 1;
}

/* The stage that the other unit has reached: it writes this word of the segment, which is read without calls of the library. */
static volatile int *step_of(int unit) { return (volatile int *)(void *)segments[unit]; }
static void tell(int unit, int step) {
  gex_RMA_PutBlocking(all, (gex_Rank_t)unit, (void *)(uintptr_t)step_of(unit), &step, sizeof step, 0);
}
static void await_step(int step) {
  while (__atomic_load_n(step_of(self), __ATOMIC_ACQUIRE) < step) usleep(100);
}

static bool shares_memory(int rank) {
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, (gex_Rank_t)rank, NULL, &local, NULL, 0));
  return local != NULL;
}

static void be_hit(int from) {
  tell(from, 1); /* no more calls from here on */
  await_step(1);
  CHECK_EQ(hits_n, 0);
  gasnet_AMPoll();
  CHECK_EQ(hits_n, N);
}
static void send_hits(int to) {
  await_step(1);
  for (int i = 0; i < N; i++) {
    if (i % 3) gex_AM_RequestShort0(all, (gex_Rank_t)to, HIT, 0);
    else gex_AM_RequestMedium0(all, (gex_Rank_t)to, HIT_DATA, data, BYTES, GEX_EVENT_NOW, 0);
  }
  tell(to, 1);
}

static void take_answers(int from) {
  for (int i = 0; i < N; i++) gex_AM_RequestShort0(all, (gex_Rank_t)from, ASK, 0);
  tell(from, 2);
  await_step(2);
  CHECK_EQ(answers_n, 0);
  gasnet_AMPoll();
  CHECK_EQ(answers_n, N);
}
static void give_answers(int to) {
  await_step(2);
  CHECK_EQ(asked_n, 0);
  gasnet_AMPoll();
  CHECK_EQ(asked_n, N);
  tell(to, 2);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{HIT, (gex_AM_Fn_t)hit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
                            {HIT_DATA, (gex_AM_Fn_t)hit_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
                            {ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
                            {ANSWER, (gex_AM_Fn_t)answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  start(&argc, &argv, table, LENGTH(table), PAGE);
  fill(data, 3, BYTES);
  *step_of(self) = 0;
  barrier();
  int other = self % 2 ? self - 1 : self + 1;
  if (other < units_n && shares_memory(other)) {
    if (self % 2) be_hit(other), take_answers(other);
    else send_hits(other), give_answers(other);
  }
  return finish();
}
