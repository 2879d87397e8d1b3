/* Calls that handlers of GASNet-EX must not make, and wrong replies; the argument selects the case. Rank 0 sends a
 * request to the last rank. Compiled for one thread; gasnet_handler_wrong_par.c is for several. */
#ifndef GASNET_PAR
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ASK = 200, ANSWER, ANSWER_DATA, READY, SEGMENT_BYTES = 4096 };

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all;
static gex_Segment_t segment;
static gex_AD_t domain;
static char *first; /* the segment of rank 0 */
static const char *what;
static char data[100];
static gex_Event_t event; /* of a barrier that rank 0 enters when it has a reply */
static volatile bool is_ready, is_answered;

static bool is(const char *name) { return strcmp(what, name) == 0; }

static void transfer(void) {
  const ptrdiff_t apart[] = {16}, dense[] = {8};
  const size_t count[] = {2};
  void *list[] = {first}, *from[] = {data};
  int64_t old;
  if (is("put")) gex_RMA_PutBlocking(all, 0, first, data, 8, 0);
  if (is("put nb")) gex_RMA_PutNB(all, 0, first, data, 8, GEX_EVENT_NOW, 0);
  if (is("put value")) gex_RMA_PutBlockingVal(all, 0, first, 1, 8, 0);
  if (is("get nbi")) gex_RMA_GetNBI(all, data, 0, first, 8, 0);
  if (is("strided")) gex_VIS_StridedPutNB(all, 0, first, apart, data, dense, 8, count, 1, 0);
  if (is("indexed")) gex_VIS_IndexedGetBlocking(all, 1, from, 8, 0, 1, list, 8, 0);
  if (is("atomic")) gex_AD_OpNB_I64(domain, &old, 0, first, GEX_OP_FADD, 1, 0, 0);
  if (is("atomic nbi")) gex_AD_OpNBI_I64(domain, NULL, 0, first, GEX_OP_ADD, 1, 0, 0);
}

static void wait_for_others(void) {
  gex_Event_t events[1] = {event};
  gex_TM_t team;
  if (is("wait")) gex_Event_Wait(event);
  if (is("test")) gex_Event_Test(event);
  if (is("wait all")) gex_Event_WaitAll(events, 1, 0);
  if (is("nbi test")) gex_NBI_Test(GEX_EC_ALL, 0);
  if (is("notify")) gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (is("barrier")) gasnet_barrier(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (is("broadcast")) gex_Coll_BroadcastNB(all, 0, data, data, 8, 0);
  if (is("split")) gex_TM_Split(&team, all, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("prepare")) gex_AM_PrepareRequestMedium(all, 0, NULL, 1, 8, NULL, 0, 0);
}

static void reply_wrongly(gex_Token_t token) {
  const size_t most = gex_AM_LUBReplyMedium();
  if (is("reply medium long")) gex_AM_ReplyMedium0(token, ANSWER_DATA, data, most + 1, GEX_EVENT_NOW, 0);
  if (is("reply long long")) gex_AM_ReplyLong0(token, ANSWER_DATA, data, (size_t)1 << 40, first, GEX_EVENT_NOW, 0);
  if (is("reply place")) gex_AM_ReplyLong0(token, ANSWER_DATA, data, 100, first + SEGMENT_BYTES - 99, GEX_EVENT_NOW, 0);
  if (is("reply null")) gex_AM_ReplyMedium0(token, ANSWER_DATA, NULL, 1, GEX_EVENT_NOW, 0);
  if (is("prepared least")) gex_AM_PrepareReplyMedium(token, data, (size_t)1 << 40, (size_t)1 << 41, GEX_EVENT_NOW, 0, 0);
  if (is("prepared place")) gex_AM_PrepareReplyLong(token, NULL, 10, 100, first + SEGMENT_BYTES - 9, NULL, 0, 0);
  if (is("committed place")) {
    gex_AM_SrcDesc_t sd = gex_AM_PrepareReplyLong(token, NULL, 10, 10, NULL, NULL, 0, 0);
    gex_AM_CommitReplyLong0(sd, ANSWER_DATA, 10, first + SEGMENT_BYTES - 9);
  }
}

static void ask(gex_Token_t token) {
  transfer();
  wait_for_others();
  reply_wrongly(token);
  gex_AM_ReplyShort0(token, ANSWER, 0);
}
static void answer(gex_Token_t token) {
  (void)token;
  is_answered = true;
}
static void ready(gex_Token_t token) {
  (void)token;
  is_ready = true;
}
static void answer_data(gex_Token_t token, void *buffer, size_t bytes) { (void)token, (void)buffer, (void)bytes; }

static void set_up(int *argc, char ***argv) {
  void *base = NULL;
  gex_AM_Entry_t table[] = {{ASK, (gex_AM_Fn_t)ask, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, "ask"},
                            {ANSWER, (gex_AM_Fn_t)answer, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
                            {ANSWER_DATA, (gex_AM_Fn_t)answer_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
                            {READY, (gex_AM_Fn_t)ready, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  if (gex_Client_Init(&client, &ep, &all, "WRONG", argc, argv, 0)) exit(EXIT_SUCCESS);
  gex_Segment_Attach(&segment, all, SEGMENT_BYTES);
  if (gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof *table)) exit(EXIT_SUCCESS);
  gex_AD_Create(&domain, all, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD, 0);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, 0, &base, NULL, NULL, 0));
  first = (char *)base;
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "";
  set_up(&argc, &argv);
  if (gex_TM_QueryRank(all) == 0) {
    GASNET_BLOCKUNTIL(is_ready);
    gex_AM_RequestShort0(all, gex_TM_QuerySize(all) - 1, ASK, 0);
    GASNET_BLOCKUNTIL(is_answered);
  }
  event = gex_Coll_BarrierNB(all, 0);
  if (gex_TM_QueryRank(all) != 0) gex_AM_RequestShort0(all, 0, READY, 0);
  gex_Event_Wait(event);
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  return tessera_gex_finalize(client);
}
