/* The outside program, as C and as C++: the headers of GASNet are found by the names that programs know. */
#define GASNET_SEQ 1
#include <gasnet_fwd.h>
#include <gasnet.h>
#include <gasnet_coll.h>
#include <gasnet_ratomic.h>
#include <gasnet_tools.h>
#include <gasnet_vis.h>

#include <stdio.h>

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  if (gex_Client_Init(&client, &ep, &tm, "OUTSIDE", &argc, &argv, 0)) return 1;
  if (gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE)) return 1;
  const gex_Rank_t self = gex_TM_QueryRank(tm);
  gex_RMA_PutBlockingVal(tm, self, gex_Segment_QueryAddr(segment), self + 5, 8, 0);
  if (gex_RMA_GetBlockingVal(tm, self, gex_Segment_QueryAddr(segment), 8, 0) != self + 5) return 1;
  if (self == 0) printf("size %u\n", (unsigned)gex_TM_QuerySize(tm));
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  return tessera_gex_finalize(client);
}
