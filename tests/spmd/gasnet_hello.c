/* GASNet-EX: a small program that includes gasnetex.h and relies on it for the standard headers. */
#define GASNET_SEQ 1
#include <gasnetex.h>

static void barrier(void) {
  gasnet_barrier_notify(0, GASNET_BARRIERFLAG_ANONYMOUS);
  if (gasnet_barrier_wait(0, GASNET_BARRIERFLAG_ANONYMOUS)) exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  void *there = NULL;
  char said[32], heard[32] = "";
  uintptr_t bytes = argc > 1 ? strtoull(argv[1], NULL, 0) : GASNET_PAGESIZE;
  if (gex_Client_Init(&client, &ep, &tm, "HELLO", &argc, &argv, 0)) return EXIT_FAILURE;
  if (gex_Segment_Attach(&segment, tm, bytes)) return EXIT_FAILURE;
  gex_Rank_t self = gex_TM_QueryRank(tm), right = (self + 1) % gex_TM_QuerySize(tm);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, right, &there, NULL, NULL, 0));
  snprintf(said, sizeof said, "hello, unit %u", right);
  gex_RMA_PutBlocking(tm, right, there, said, sizeof said, 0);
  barrier();
  memcpy(heard, gex_Segment_QueryAddr(segment), sizeof heard);
  snprintf(said, sizeof said, "hello, unit %u", self);
  int wrong = strcmp(said, heard);
  if (wrong) fprintf(stderr, "unit %u was told '%s'\n", self, heard);
  barrier();
  if (tessera_gex_finalize(client)) return EXIT_FAILURE;
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
