/* Calls of GASNet-EX on a destroyed team; the argument selects the call. Compiled for one thread;
 * gasnet_gone_wrong_par.c is for several. */
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

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all, gone;
static gex_Segment_t segment;
static char *there, here[64];
static const char *what;

static bool is(const char *name) { return strcmp(what, name) == 0; }

static void messages(void) {
  if (is("short")) gex_AM_RequestShort0(gone, 0, 200, 0);
  if (is("medium")) gex_AM_RequestMedium0(gone, 0, 200, here, 8, GEX_EVENT_NOW, 0);
  if (is("long")) gex_AM_RequestLong0(gone, 0, 200, here, 8, there, GEX_EVENT_NOW, 0);
  if (is("prepare")) gex_AM_PrepareRequestMedium(gone, 0, NULL, 8, 8, NULL, 0, 0);
  if (is("limit")) gex_AM_MaxRequestMedium(gone, 0, GEX_EVENT_NOW, 0, 0);
}

static void pieces(void) {
  const ptrdiff_t apart[] = {16}, dense[] = {8};
  const size_t count[] = {2};
  void *list[] = {there}, *from[] = {here};
  gex_Memvec_t to[1] = {{there, 8}}, whence[1] = {{here, 8}};
  if (is("strided")) gex_VIS_StridedPutNB(gone, 0, there, apart, here, dense, 8, count, 1, 0);
  if (is("indexed")) gex_VIS_IndexedGetNBI(gone, 1, from, 8, 0, 1, list, 8, 0);
  if (is("vector")) gex_VIS_VectorPutBlocking(gone, 0, 1, to, 1, whence, 0);
}

static void together(void) {
  int64_t number = 1, sum;
  gex_AD_t domain;
  gex_TM_t team;
  if (is("barrier")) gex_Coll_BarrierNB(gone, 0);
  if (is("broadcast")) gex_Coll_BroadcastNB(gone, 0, &number, &number, sizeof number, 0);
  if (is("reduce")) gex_Coll_ReduceToAllNB(gone, &sum, &number, GEX_DT_I64, 8, 1, GEX_OP_ADD, NULL, NULL, 0);
  if (is("domain")) gex_AD_Create(&domain, gone, GEX_DT_I64, GEX_OP_ADD, 0);
  if (is("split")) gex_TM_Split(&team, gone, 0, 0, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  if (is("publish")) gex_EP_PublishBoundSegment(gone, NULL, 0, 0);
}

static void transfers(void) {
  if (is("put")) gex_RMA_PutBlocking(gone, 0, there, here, 8, 0);
  if (is("get")) gex_RMA_GetNB(gone, here, 0, there, 8, 0);
  if (is("value")) gex_RMA_PutNBIVal(gone, 0, there, 1, 8, 0);
  if (is("outside")) gex_RMA_PutBlocking(all, 0, there + 4090, here, 8, 0);
}

static void lock(void) {
#ifdef GASNET_PAR
  static gex_HSL_t one = GEX_HSL_INITIALIZER;
  if (is("lock")) gex_HSL_Lock(&one), gex_HSL_Destroy(&one);
#endif
}

int main(int argc, char **argv) {
  void *base = NULL;
  what = argc > 1 ? argv[1] : "";
  if (gex_Client_Init(&client, &ep, &all, "WRONG", &argc, &argv, 0)) return EXIT_SUCCESS;
  gex_Segment_Attach(&segment, all, 4096);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, 0, &base, NULL, NULL, 0));
  there = (char *)base;
  gex_TM_Split(&gone, all, 0, -(int)gex_TM_QueryRank(all), NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  gex_TM_Destroy(gone, NULL, 0);
  messages();
  pieces();
  together();
  transfers();
  lock();
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  return EXIT_SUCCESS;
}
