/* Active messages and locks of GASNet, used wrongly; the argument selects the mistake. Rank 0 makes it towards the last rank. */
#ifndef GASNET_PAR
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>
#include <gasnet_coll.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PING = 200, PONG, DATA, DATA_BACK, NOBODY = 250 };

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all;
static gex_Segment_t segment;
static gex_Rank_t me, last;
static char *there; /* the last one's segment */
static const char *what;
static char data[1000];
static gex_Event_t event;
static gex_HSL_t lock = GEX_HSL_INITIALIZER, other = GEX_HSL_INITIALIZER, unborn;
static gex_Token_t old;

static bool is(const char *name) { return strcmp(what, name) == 0; }

/* ---- in handlers ---- */

static void ping(gex_Token_t token, gex_AM_Arg_t argument) {
  char byte;
  old = token;
  if (is("reply stale")) return;
  if (is("request in handler")) gex_AM_RequestShort1(all, 0, PING, 0, argument);
  if (is("get in handler")) gex_RMA_GetBlocking(all, &byte, 0, there, 1, 0);
  if (is("wait in handler")) gex_NBI_Wait(GEX_EC_ALL, 0);
  if (is("poll in handler")) gasnet_AMPoll();
  if (is("barrier in handler")) gex_Coll_BarrierNB(all, 0);
  if (is("reply group")) gex_AM_ReplyMedium0(token, DATA_BACK, data, 4, GEX_EVENT_GROUP, 0);
  if (is("reply held")) gex_HSL_Lock(&lock);
  if (is("uncommitted")) {
    gex_AM_PrepareReplyMedium(token, NULL, 1, 8, NULL, 0, 0);
    return;
  }
  if (is("reply prepared")) gex_AM_PrepareReplyMedium(token, NULL, 1, 8, NULL, 0, 0);
  gex_AM_ReplyShort1(token, PONG, 0, argument);
  if (is("twice")) gex_AM_ReplyShort1(token, PONG, 0, argument);
  if (is("keep")) gex_HSL_Lock(&lock);
}

static void pong(gex_Token_t token, gex_AM_Arg_t argument) {
  if (is("answer")) gex_AM_ReplyShort1(token, PONG, 0, argument);
  if (is("limit of answer")) gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 0);
}

static void with_data(gex_Token_t token, void *buffer, size_t bytes) {
  (void)token, (void)buffer, (void)bytes;
}

/* ---- outside handlers ---- */

static void send_wrongly(void) {
  const size_t most = gex_AM_LUBRequestMedium();
  if (is("nobody")) gex_AM_RequestMedium2(all, last, NOBODY, data, 3, GEX_EVENT_NOW, 0, 1, 2);
  if (is("medium long")) gex_AM_RequestMedium0(all, last, DATA, data, most + 1, GEX_EVENT_NOW, 0);
  if (is("long long")) gex_AM_RequestLong0(all, last, DATA, data, (size_t)1 << 40, there, GEX_EVENT_NOW, 0);
  if (is("place")) gex_AM_RequestLong0(all, last, DATA, data, 100, there + 4096 - 99, GEX_EVENT_NOW, 0);
  if (is("null")) gex_AM_RequestMedium0(all, last, DATA, NULL, 1, GEX_EVENT_NOW, 0);
  if (is("rank")) gex_AM_RequestShort1(all, last + 1, PING, 0, 1);
  if (is("team")) gex_AM_RequestShort1(GEX_TM_INVALID, last, PING, 0, 1);
  if (is("defer")) gex_AM_RequestMedium0(all, last, DATA, data, 1, GEX_EVENT_DEFER, 0);
  if (is("completion")) gex_AM_RequestMedium0(all, last, DATA, data, 1, NULL, 0);
  if (is("numargs")) gex_AM_MaxRequestMedium(all, last, GEX_EVENT_NOW, 0, 17);
  if (is("few")) gex_AM_RequestShort0(all, last, PING, 0);
  if (is("category")) gex_AM_RequestMedium1(all, last, PING, data, 1, GEX_EVENT_NOW, 0, 1);
  if (is("direction")) gex_AM_RequestShort1(all, last, PONG, 0, 1);
}

static gex_AM_SrcDesc_t prepare(void) { return gex_AM_PrepareRequestMedium(all, last, data, 10, 100, &event, 0, 0); }

static void negotiate_wrongly(void) {
  gex_AM_SrcDesc_t sd;
  if (is("least")) gex_AM_PrepareRequestMedium(all, last, data, (size_t)1 << 40, (size_t)1 << 41, &event, 0, 0);
  if (is("crossed")) gex_AM_PrepareRequestMedium(all, last, data, 100, 10, &event, 0, 0);
  if (is("no buffer")) gex_AM_PrepareRequestMedium(all, last, NULL, 10, 100, GEX_EVENT_GROUP, 0, 0);
  if (is("no event")) gex_AM_PrepareRequestMedium(all, last, data, 10, 100, NULL, 0, 0);
  if (is("nothing")) gex_AM_CommitRequestMedium0(GEX_AM_SRCDESC_NO_OP, DATA, 1);
  if (is("prepared place")) gex_AM_PrepareRequestLong(all, last, NULL, 10, 100, there + 4090, NULL, 0, 0);
  if (is("nested")) prepare(), prepare();
  if (is("more")) sd = prepare(), gex_AM_CommitRequestMedium0(sd, DATA, 101);
  if (is("arguments")) sd = prepare(), gex_AM_CommitRequestMedium1(sd, DATA, 10, 1);
  if (is("kind")) sd = prepare(), gex_AM_CommitRequestLong0(sd, DATA, 10, there);
  if (is("again")) {
    sd = prepare();
    gex_AM_CommitRequestMedium0(sd, DATA, 10);
    gex_AM_CommitRequestMedium0(sd, DATA, 10);
  }
  if (is("cancelled")) sd = prepare(), gex_AM_CancelRequestMedium(sd, 0), gex_AM_SrcDescAddr(sd);
  if (is("other place")) {
    sd = gex_AM_PrepareRequestLong(all, last, NULL, 10, 100, there, NULL, 0, 0);
    gex_AM_CommitRequestLong0(sd, DATA, 10, there + 1);
  }
  if (is("open request")) prepare(), gex_AM_RequestShort1(all, last, PING, 0, 1);
  if (is("open wait")) prepare(), gex_NBI_Wait(GEX_EC_ALL, 0);
  if (is("open put")) prepare(), gex_RMA_PutBlocking(all, last, there, data, 1, 0);
}

static void lock_wrongly(void) {
  if (is("lock twice")) gex_HSL_Lock(&lock), gex_HSL_Lock(&lock);
  if (is("try twice")) gex_HSL_Trylock(&lock), gex_HSL_Trylock(&lock);
  if (is("unlock")) gex_HSL_Unlock(&lock);
  if (is("order")) gex_HSL_Lock(&lock), gex_HSL_Lock(&other), gex_HSL_Unlock(&lock);
  if (is("destroy")) gex_HSL_Destroy(&lock), gex_HSL_Lock(&lock);
  if (is("destroy held")) gex_HSL_Lock(&lock), gex_HSL_Destroy(&lock);
  if (is("held request")) gex_HSL_Lock(&lock), gex_AM_RequestShort1(all, last, PING, 0, 1);
  if (is("held poll")) gex_HSL_Lock(&lock), gasnet_AMPoll();
  if (is("held wait")) gex_HSL_Lock(&lock), gex_NBI_Wait(GEX_EC_ALL, 0);
}

/* Memory that held a lock before, and is used again, is not taken for a lock. */
static void init_locks(void) {
  gex_HSL_t *heap = malloc(sizeof *heap), stack;
  if (!heap) exit(4);
  for (int i = 0; i < 2; i++) {
    gex_HSL_Init(&stack);
    gex_HSL_Init(heap);
    gex_HSL_Init(&unborn);
    gex_HSL_Lock(&unborn);
    gex_HSL_Unlock(&unborn);
    gex_HSL_Destroy(&unborn);
  }
  free(heap);
  if (is("init initialised")) gex_HSL_Init(&other);
  if (is("init twice")) gex_HSL_Init(&unborn), gex_HSL_Init(&unborn);
  if (is("init held")) gex_HSL_Init(&stack), gex_HSL_Lock(&stack), gex_HSL_Init(&stack);
}

static void register_handlers(void) {
  gex_AM_Entry_t table[] = {
      {PING, (gex_AM_Fn_t)ping, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, "ping"},
      {PONG, (gex_AM_Fn_t)pong, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
      {DATA, (gex_AM_Fn_t)with_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {DATA_BACK, (gex_AM_Fn_t)with_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 0, NULL, NULL},
  };
  if (is("index")) table[0].gex_index = 100;
  if (is("double")) table[1].gex_index = PING;
  if (is("no flags")) table[0].gex_flags = 0;
  if (gex_EP_RegisterHandlers(ep, table, sizeof table / sizeof table[0]) != GASNET_OK) exit(3);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  what = argv[1];
  if (is("early")) gex_AM_RequestShort0(all, 0, PING, 0);
  if (gex_Client_Init(&client, &ep, &all, "WRONG", NULL, NULL, 0)) return 1;
  me = gex_TM_QueryRank(all);
  last = gex_TM_QuerySize(all) - 1;
  if (gex_Segment_Attach(&segment, all, 4096)) return 1;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, last, (void **)&there, NULL, NULL, 0));
  register_handlers();
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  if (me == 0) {
    send_wrongly();
    negotiate_wrongly();
    lock_wrongly();
    init_locks();
    gex_AM_RequestShort1(all, last, PING, 0, 1);
  }
  for (int i = 0; i < 3; i++) gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  if (me == last && is("reply stale")) gex_AM_ReplyShort1(old, PONG, 0, 1);
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  return tessera_gex_finalize(client);
}
