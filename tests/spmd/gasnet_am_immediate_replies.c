/* Immediate replies, fixed and negotiated, to a process that sleeps until a signal: some are sent and others return
 * without effect, and none waits. A handler may retry such a reply; a reply that returned has written nothing, a sent
 * one arrives once.
 */
#include "gasnet_am.h"

#include <stdlib.h>
#include <unistd.h>

#include "away.h"

enum { ASK = 150, ANSWER, ANSWER_DATA, TOTAL };
enum { N = 600, BYTES = 500 };
enum way { SHORT, MEDIUM, LONG, NEGOTIATED_MEDIUM, NEGOTIATED_LONG, CLIENTS_LONG, WAYS_N };

/* For each unit: its process, the number of requests for it, and the places of replies. */
struct area {
  int64_t process, asked_n;
  char places[N][BYTES];
};
static struct area *mine;
static unsigned char answers[N][BYTES];
static volatile int handled_n, went_n, back_n, again_n, answers_n, due_n = -1;
static volatile bool answered[N];

static struct area *area_of(gex_Rank_t rank) { return (struct area *)(void *)segments[rank]; }

/* 0 if it was sent. */
static int commit(gex_AM_SrcDesc_t sd, bool is_long, char *there, gex_AM_Arg_t i) {
  if (sd == GEX_AM_SRCDESC_NO_OP) return 1;
  if (gex_AM_SrcDescAddr(sd) != answers[i]) memcpy(gex_AM_SrcDescAddr(sd), answers[i], BYTES);
  int back = is_long ? gex_AM_CommitReplyLong1_v2(sd, ANSWER_DATA, BYTES, there, GEX_FLAG_IMMEDIATE, i)
                     : gex_AM_CommitReplyMedium1_v2(sd, ANSWER_DATA, BYTES, GEX_FLAG_IMMEDIATE, i);
  if (back) CHECK_EQ(is_long ? gex_AM_CancelReplyLong(sd, 0) : gex_AM_CancelReplyMedium(sd, 0), 0);
  return back;
}

static int answer(gex_Token_t token, enum way way, gex_AM_Arg_t i) {
  const gex_Flags_t flags = GEX_FLAG_IMMEDIATE;
  char *there = area_of((gex_Rank_t)source_of(token))->places[i];
  switch (way) {
  case SHORT: return gex_AM_ReplyShort1(token, ANSWER, flags, i);
  case MEDIUM: return gex_AM_ReplyMedium1(token, ANSWER_DATA, answers[i], BYTES, GEX_EVENT_NOW, flags, i);
  case LONG: return gex_AM_ReplyLong1(token, ANSWER_DATA, answers[i], BYTES, there, GEX_EVENT_NOW, flags, i);
  case NEGOTIATED_MEDIUM: return commit(gex_AM_PrepareReplyMedium(token, NULL, BYTES, BYTES, NULL, flags, 1), false, NULL, i);
  case NEGOTIATED_LONG:
    return commit(gex_AM_PrepareReplyLong(token, NULL, BYTES, BYTES, there, NULL, flags, 1), true, there, i);
  default:
    return commit(gex_AM_PrepareReplyLong(token, answers[i], BYTES, BYTES, NULL, GEX_EVENT_NOW, flags, 1), true, there, i);
  }
}

static void ask(gex_Token_t token, gex_AM_Arg_t i) {
  handled_n = handled_n + 1;
  bool went = !answer(token, (enum way)(i % WAYS_N), i);
  if (!went) {
    again_n = again_n + 1;
    went = !answer(token, (enum way)((i + 1) % WAYS_N), i);
  }
  if (went) went_n = went_n + 1;
  else back_n = back_n + 1;
}

static void take_answer(gex_Token_t token, gex_AM_Arg_t i) {
  CHECK(!is_request(token) && !answered[i]);
  answered[i] = true;
  answers_n = answers_n + 1;
}
static void take_data(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t i) {
  CHECK_EQ(bytes, BYTES);
  CHECK_EQ(wrong(data, (unsigned)i, bytes), 0);
  take_answer(token, i);
}
static void total(gex_Token_t token, gex_AM_Arg_t n) {
  (void)token;
  due_n = n;
}

static bool shares_memory(gex_Rank_t rank) {
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, NULL, &local, NULL, 0));
  return local != NULL;
}

/* Sends as many requests as there is room for, and sleeps. Then all sent replies arrive, and nothing else is written. */
static void be_asking(gex_Rank_t other, pid_t process) {
  static const char nothing[BYTES] = {0};
  int64_t asked_n = 0;
  for (int i = 0; i < N; i++) {
    if (gex_AM_RequestShort1(all, other, ASK, GEX_FLAG_IMMEDIATE, (gex_AM_Arg_t)asked_n)) break;
    asked_n++;
  }
  gex_RMA_PutBlocking(all, other, &area_of(other)->asked_n, &asked_n, sizeof asked_n, 0);
  stay_away(process);
  GASNET_BLOCKUNTIL(due_n >= 0 && answers_n == due_n);
  for (int i = 0; i < N; i++) {
    bool some = memcmp(mine->places[i], nothing, BYTES) != 0;
    if (some) CHECK(answered[i] && wrong(mine->places[i], (unsigned)i, BYTES) == 0);
  }
}

static void be_asked(gex_Rank_t other, pid_t process) {
  until_away();
  if (shares_memory(other)) {
    GASNET_BLOCKUNTIL(handled_n == mine->asked_n);
    CHECK(back_n > 0 && went_n > 0);
  } else {
    for (int i = 0; i < 1000; i++) gasnet_AMPoll();
  }
  come_back(process);
  GASNET_BLOCKUNTIL(handled_n == mine->asked_n);
  CHECK_EQ(went_n + back_n, handled_n);
  CHECK(again_n >= back_n);
  gex_AM_RequestShort1(all, other, TOTAL, 0, went_n);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, NULL},
                            {ANSWER, (gex_AM_Fn_t)take_answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
                            {ANSWER_DATA, (gex_AM_Fn_t)take_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
                            {TOTAL, (gex_AM_Fn_t)total, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, NULL}};
  away_prepare();
  start(&argc, &argv, table, LENGTH(table), sizeof(struct area));
  mine = (struct area *)(void *)segments[self];
  memset(mine, 0, sizeof *mine);
  mine->process = getpid();
  for (int i = 0; i < N; i++) fill(answers[i], (unsigned)i, BYTES);
  barrier();
  bool asks = self % 2 == 1, is_asked = !asks && self + 1 < units_n;
  gex_Rank_t other = (gex_Rank_t)(asks ? self - 1 : self + 1);
  int64_t process = 0;
  if (asks || is_asked) gex_RMA_GetBlocking(all, &process, other, &area_of(other)->process, sizeof process, 0);
  barrier();
  if (asks) be_asking(other, (pid_t)process);
  if (is_asked) be_asked(other, (pid_t)process);
  return finish();
}
