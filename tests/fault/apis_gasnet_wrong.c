/* A GASNet call while DART is active, on memory in no heap: the message names the process and the segment that could be
 * named instead. */
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>

#define GASNET_SEQ 1
#include <gasnetex.h>

static char private[64];

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  dart_gptr_t base;
  dart_global_unit_t owner;
  void *address;
  if (argc != 2 || dart_init(&argc, &argv) != DART_OK) return 99;
  if (gex_Client_Init(&client, &ep, &tm, "WRONG", &argc, &argv, 0)) return 99;
  gex_Rank_t peer = (gex_TM_QueryRank(tm) + 1) % gex_TM_QuerySize(tm);
  if (strcmp(argv[1], "no-segment") && gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE)) return 99;
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, 64, DART_TYPE_BYTE, &base) != DART_OK) return 99;
  if (dart_gptr_setunit(&base, DART_TEAM_UNIT_ID((int)peer)) != DART_OK) return 99;
  if (dart_gptr_getpointer(base, &owner, &address) != DART_OK) return 99;
  gex_RMA_PutBlocking(tm, peer, address, private, 64, 0); /* a valid address */
  if (!strcmp(argv[1], "behind")) gex_RMA_PutBlocking(tm, peer, (char *)address + ((size_t)1 << 50), private, 8, 0);
  gex_RMA_PutBlocking(tm, peer, private, private, 8, 0);
  return 99;
}
