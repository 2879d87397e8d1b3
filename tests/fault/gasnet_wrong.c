/* Wrong calls of GASNet-EX that have no error to return; the argument selects the call. */
#ifndef GASNET_PAR
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>

#include <stdlib.h>
#include <string.h>

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t tm, gone;
static gex_Segment_t segment;
static gex_Rank_t self, peer;
static const char *what;
static char *there, here[64];

static int is(const char *name) { return strcmp(what, name) == 0; }

static void before(void) {
  if (is("early")) gex_RMA_PutBlocking(tm, 0, here, here, 8, 0);
  if (is("early-nbi")) gex_NBI_Wait(GEX_EC_ALL, 0);
  if (is("early-query")) gex_Client_QueryName(client);
}

static void unattached(void) {
  if (is("no-segment")) gex_RMA_PutBlocking(tm, peer, here, here, 8, 0);
}

static void addresses(void) {
  if (is("rank")) gex_RMA_PutBlocking(tm, peer + 77, there, here, 8, 0);
  if (is("no-team")) gex_RMA_GetBlocking(GEX_TM_INVALID, here, peer, there, 8, 0);
  if (is("no-endpoint")) gex_RMA_GetBlocking(gex_TM_Pair(ep, 3), here, peer, there, 8, 0);
  if (is("gone-put")) gex_RMA_PutNBI(gone, 0, there, here, 8, GEX_EVENT_NOW, 0);
  if (is("below")) gex_RMA_PutBlocking(tm, peer, there - 1, here, 8, 0);
  if (is("behind")) gex_RMA_GetNB(tm, here, peer, there + GASNET_PAGESIZE - 7, 8, 0);
  if (is("huge")) gex_RMA_PutNB(tm, peer, there + 8, here, SIZE_MAX - 4, GEX_EVENT_DEFER, 0);
  if (is("value")) gex_RMA_PutBlockingVal(tm, peer, there + GASNET_PAGESIZE - 2, 1, 4, 0);
  if (is("value-size")) gex_RMA_GetBlockingVal(tm, peer, there, 9, 0);
  if (is("offset")) gex_RMA_PutBlocking(tm, peer, (void *)(uintptr_t)(GASNET_PAGESIZE - 7), here, 8, GEX_FLAG_PEER_SEG_OFFSET);
  if (is("own-offset")) gex_RMA_GetBlocking(tm, (void *)(uintptr_t)GASNET_PAGESIZE, peer, there, 8, GEX_FLAG_SELF_SEG_OFFSET);
  if (is("null")) gex_RMA_PutBlocking(tm, self, NULL, here, 8, 0);
}

static void completion(void) {
  gex_Event_t no_op = GEX_EVENT_NO_OP;
  if (is("lc-null")) gex_RMA_PutNB(tm, peer, there, here, 8, NULL, 0);
  if (is("lc-group")) gex_RMA_PutNB(tm, peer, there, here, 8, GEX_EVENT_GROUP, 0);
  if (is("lc-event")) gex_RMA_PutNBI(tm, peer, there, here, 8, &no_op, 0);
  if (is("no-op")) gex_Event_Wait(no_op);
  if (is("nested")) gex_NBI_BeginAccessRegion(0);
  if (is("nested")) gex_NBI_BeginAccessRegion(0);
  if (is("unbegun")) gex_NBI_EndAccessRegion(0);
  if (is("inside")) gex_NBI_BeginAccessRegion(0);
  if (is("inside")) gex_NBI_Wait(GEX_EC_PUT, 0);
  if (is("category")) gex_NBI_Wait(0x100, 0);
}

/* Only between nodes does a put have an event. */
static void retired(void) {
  static char source[4096];
  gex_Event_t event = gex_RMA_PutNB(tm, peer, there, source, 4096, GEX_EVENT_DEFER, 0), copy = event;
  if (event == GEX_EVENT_INVALID) return;
  gex_Event_Wait(event);
  if (is("retired")) gex_Event_Wait(copy);
}

static void teams(void) {
  gex_EP_Location_t list[1] = {{0, 2}};
  gex_TM_t team;
  if (is("pair-split")) gex_TM_Split(&team, gex_TM_Pair(ep, 0), 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("color")) gex_TM_Split(&team, tm, -3, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("index")) gex_TM_Create(&team, 1, tm, list, 1, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("several")) gex_TM_Create(&team, 2, tm, list, 1, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("first-team")) gex_TM_Destroy(tm, NULL, 0);
  if (is("gone")) gex_TM_Destroy(gone, NULL, 0);
  if (is("jobrank")) gex_TM_TranslateJobrankToRank(tm, 1000);
  if (is("query")) gex_TM_QuerySize(GEX_TM_INVALID);
  if (is("client")) gex_Client_SetCData(NULL, NULL);
  if (is("endpoint")) gex_EP_QuerySegment(NULL);
  if (is("segment")) gex_Segment_QueryAddr(GEX_SEGMENT_INVALID);
  if (is("destroy")) gex_Segment_Destroy(segment, 0);
}

static void promises(void) {
  if (is("never-self")) gex_RMA_PutBlocking(tm, self, gex_Segment_QueryAddr(segment), here, 8, GEX_FLAG_PEER_NEVER_SELF);
  if (is("never-near"))
    gex_RMA_PutBlocking(tm, self, gex_Segment_QueryAddr(segment), here, 8, GEX_FLAG_PEER_NEVER_NBRHD);
}

int main(int argc, char **argv) {
  void *base;
  what = argv[1];
  before();
  if (gex_Client_Init(&client, &ep, &tm, "WRONG", &argc, &argv, 0)) return 2;
  self = gex_System_QueryJobRank();
  peer = (self + 1) % gex_System_QueryJobSize();
  unattached();
  if (gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE)) return 2;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, peer, &base, NULL, NULL, 0));
  there = (char *)base;
  gex_TM_Split(&gone, tm, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_Destroy(gone, NULL, 0);
  addresses();
  completion();
  retired();
  teams();
  promises();
  tessera_gex_finalize(client);
  return 0;
}
