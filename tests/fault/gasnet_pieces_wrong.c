/* Atomics, VIS transfers, collectives and memory kinds of GASNet, used wrongly; the argument selects the mistake. */
#if !defined(GASNET_PAR)
#define GASNET_SEQ 1
#endif
#include <gasnetex.h>
#include <gasnet_coll.h>
#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gex_Client_t client;
static gex_EP_t ep;
static gex_TM_t all;
static gex_Segment_t segment;
static gex_Rank_t me, last;
static char *there; /* the segment of the last rank, a page long */
static const char *what;

static bool is(const char *name) { return strcmp(what, name) == 0; }

static void atomics_wrongly(void) {
  gex_AD_t ad = GEX_AD_INVALID, floats;
  int32_t old;
  float was;
  if (is("ad type")) gex_AD_Create(&ad, all, GEX_DT_USER, GEX_OP_ADD, 0);
  if (is("ad types")) gex_AD_Create(&ad, all, GEX_DT_I32 | GEX_DT_U32, GEX_OP_ADD, 0);
  if (is("ad none")) gex_AD_Create(&ad, all, GEX_DT_I32, 0, 0);
  if (is("ad user")) gex_AD_Create(&ad, all, GEX_DT_I32, GEX_OP_USER, 0);
  if (is("ad bits")) gex_AD_Create(&ad, all, GEX_DT_DBL, GEX_OP_ADD | GEX_OP_FXOR, 0);
  if (is("ad pair")) gex_AD_Create(&ad, gex_TM_Pair(ep, 0), GEX_DT_I32, GEX_OP_ADD, 0);
  if (is("ad differs")) gex_AD_Create(&ad, all, me ? GEX_DT_I32 : GEX_DT_U32, GEX_OP_ADD, 0);
  if (is("no ad")) gex_AD_OpNBI_I32(ad, &old, last, there, GEX_OP_ADD, 1, 0, 0);
  gex_AD_Create(&ad, all, GEX_DT_I32, GEX_OP_FADD | GEX_OP_SET, 0);
  gex_AD_Create(&floats, all, GEX_DT_FLT, GEX_OP_FADD, 0);
  gex_OP_t both = GEX_OP_FADD | GEX_OP_SET;
  if (is("op")) gex_AD_OpNBI_I32(ad, &old, last, there, GEX_OP_ADD, 1, 0, 0);
  if (is("ops")) gex_AD_OpNBI_I32(ad, &old, last, there, both, 1, 0, 0);
  if (is("type")) gex_AD_OpNBI_FLT(ad, &was, last, there, GEX_OP_FADD, 1, 0, 0);
  if (is("result")) gex_AD_OpNB_I32(ad, NULL, last, there, GEX_OP_FADD, 1, 0, 0);
  if (is("aligned")) gex_AD_OpNB_I32(ad, &old, last, there + 2, GEX_OP_FADD, 1, 0, 0);
  if (is("outside")) gex_AD_OpNB_I32(ad, &old, last, there + 4096, GEX_OP_FADD, 1, 0, 0);
  if (is("float outside")) gex_AD_OpNB_FLT(floats, &was, last, there + 4096, GEX_OP_FADD, 1, 0, 0);
  if (is("rank")) gex_AD_OpNB_I32(ad, &old, last + 1, there, GEX_OP_FADD, 1, 0, 0);
  if (is("promise") && me == 0) gex_AD_OpNB_I32(ad, &old, last, there, GEX_OP_FADD, 1, 0, GEX_FLAG_AD_MY_RANK);
  gex_AD_Destroy(ad);
  if (is("destroyed")) gex_AD_OpNB_I32(ad, &old, last, there, GEX_OP_FADD, 1, 0, 0);
  if (is("twice")) gex_AD_Destroy(ad);
}

static void pieces_wrongly(void) {
  char data[64] = "";
  void *list[2] = {there, there + 4090}, *here[1] = {data};
  gex_Memvec_t to[2] = {{there, 8}, {there + 16, 8}}, from[1] = {{data, 15}}, endless[2] = {{there, SIZE_MAX}, {there, 8}};
  const ptrdiff_t far[1] = {8192}, near[1] = {8}, beyond[1] = {PTRDIFF_MAX};
  const size_t count[1] = {2};
  size_t counts[40];
  for (int i = 0; i < 40; i++) counts[i] = 2;
  const ptrdiff_t strides[40] = {0};
  if (is("sizes")) gex_VIS_VectorPutNB(all, last, 2, to, 1, from, 0);
  if (is("endless")) gex_VIS_VectorPutNBI(all, last, 2, endless, 1, from, 0);
  if (is("piece")) gex_VIS_IndexedPutBlocking(all, last, 2, list, 8, 1, here, 16, 0);
  void *at_end[1] = {there + 4089}, *before[20];
  for (int i = 0; i < 20; i++) before[i] = i == 17 ? there - 1 : there + 8 * i;
  gex_Memvec_t lengths[20];
  for (int i = 0; i < 20; i++) lengths[i].gex_addr = there + (i == 19 ? 4089 : 8 * i), lengths[i].gex_len = 8;
  const ptrdiff_t back[1] = {-8};
  char many[160] = "";
  void *whole[1] = {many};
  const gex_Memvec_t whole_vector[1] = {{many, sizeof many}};
  if (is("one piece")) gex_VIS_IndexedPutBlocking(all, last, 1, at_end, 8, 1, here, 8, 0);
  if (is("one row")) gex_VIS_StridedGetBlocking(all, data, near, last, there + 4089, near, 4, count, 1, 0);
  if (is("backwards")) gex_VIS_StridedPutBlocking(all, last, there + 4, back, data, near, 8, count, 1, 0);
  if (is("among many")) gex_VIS_IndexedGetBlocking(all, 1, whole, sizeof many, last, 20, before, 8, 0);
  if (is("last of many")) gex_VIS_VectorPutBlocking(all, last, 20, lengths, 1, whole_vector, 0);
  if (is("no list")) gex_VIS_IndexedGetBlocking(all, 1, NULL, 16, last, 2, list, 8, 0);
  if (is("stride")) gex_VIS_StridedPutBlocking(all, last, there, far, data, near, 8, count, 1, 0);
  if (is("beyond")) gex_VIS_StridedGetNBI(all, data, beyond, last, there, near, 8, count, 1, 0);
  if (is("levels")) gex_VIS_StridedGetNBI(all, data, strides, last, there, strides, 8, counts, 40, 0);
  if (is("no counts")) gex_VIS_StridedPutNB(all, last, there, near, data, near, 8, NULL, 1, 0);
  if (is("no memory")) gex_VIS_StridedPutNB(all, last, there, near, NULL, near, 8, count, 1, 0);
  if (is("pieces rank")) gex_VIS_StridedPutNB(all, last + 1, there, near, data, near, 8, count, 1, 0);
  if (is("notice")) gex_VIS_SetPeerCompletionHandler(200, data, GEX_VIS_MAX_PEERCOMPLETION + 1, 0);
  if (is("nobody")) gex_VIS_SetPeerCompletionHandler(200, data, 1, 0), gex_VIS_VectorPutNB(all, last, 0, NULL, 0, NULL, 0);
}

static void together_wrongly(void) {
  int64_t x[2] = {1, 2}, y[2];
  if (is("root")) gex_Coll_BroadcastNB(all, last + 1, x, x, sizeof x, 0);
  if (is("dst")) gex_Coll_BroadcastNB(all, 0, NULL, x, sizeof x, 0);
  if (is("src")) gex_Coll_ReduceToAllNB(all, y, NULL, GEX_DT_I64, 8, 2, GEX_OP_ADD, NULL, NULL, 0);
  if (is("sum of what")) gex_Coll_ReduceToAllNB(all, y, x, GEX_DT_USER, 8, 2, GEX_OP_ADD, NULL, NULL, 0);
  if (is("size")) gex_Coll_ReduceToAllNB(all, y, x, GEX_DT_I32, 8, 2, GEX_OP_ADD, NULL, NULL, 0);
  if (is("nothing")) gex_Coll_ReduceToAllNB(all, y, x, GEX_DT_I64, 8, 0, GEX_OP_ADD, NULL, NULL, 0);
  if (is("fetching")) gex_Coll_ReduceToOneNB(all, 0, y, x, GEX_DT_I64, 8, 2, GEX_OP_FADD, NULL, NULL, 0);
  if (is("real")) gex_Coll_ReduceToOneNB(all, 0, y, x, GEX_DT_DBL, 8, 2, GEX_OP_XOR, NULL, NULL, 0);
  if (is("no function")) gex_Coll_ReduceToOneNB(all, 0, y, x, GEX_DT_I64, 8, 2, GEX_OP_USER_NC, NULL, NULL, 0);
  if (is("pair")) gex_Coll_BarrierNB(gex_TM_Pair(ep, 0), 0);
  if (is("differ")) gex_Event_Wait(me ? gex_Coll_BarrierNB(all, 0) : gex_Coll_BroadcastNB(all, 0, x, x, sizeof x, 0));
}

static void kinds_wrongly(void) {
  gex_MK_t kind = GEX_MK_HOST;
  gex_MK_Create_args_t args;
  memset(&args, 0, sizeof args);
  args.gex_class = is("kind host") ? GEX_MK_CLASS_HOST : GEX_MK_CLASS_CUDA_UVA;
  if (is("kind") || is("kind host") || is("kind quiet")) {
    gex_System_SetVerboseErrors(!is("kind quiet"));
    int code = gex_MK_Create(&kind, client, &args, 0);
    exit(code == GASNET_ERR_BAD_ARG && kind == GEX_MK_HOST ? 3 : EXIT_SUCCESS);
  }
  if (is("kind end")) gex_MK_Destroy(kind, 0);
}

int main(int argc, char **argv) {
  void *base = NULL;
  what = argc > 1 ? argv[1] : "";
  if (is("early")) gex_Coll_BroadcastNB(NULL, 0, &base, &base, 1, 0);
  if (gex_Client_Init(&client, &ep, &all, "WRONG", &argc, &argv, 0)) return EXIT_SUCCESS;
  me = gex_TM_QueryRank(all);
  last = gex_TM_QuerySize(all) - 1;
  if (is("unattached")) gex_VIS_StridedPutBlocking(all, last, &what, NULL, &what, NULL, sizeof what, NULL, 0, 0);
  gex_Segment_Attach(&segment, all, 4096);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, last, &base, NULL, NULL, 0));
  there = (char *)base;
  atomics_wrongly();
  pieces_wrongly();
  together_wrongly();
  kinds_wrongly();
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  return EXIT_SUCCESS;
}
