/* GASNet-EX: segments that each process makes by itself, of its own memory or of the library's, bound and published. */
#include "gasnet_check.h"

enum { BYTES = 3 * 4096 - 32, OFF = 16 };

/* Odd ranks show memory of their own. */
static gex_Segment_t make(char *own) {
  gex_Segment_t other = GEX_SEGMENT_INVALID, made = GEX_SEGMENT_INVALID;
  OK(gex_Segment_Create(&other, client, NULL, 77, GEX_MK_HOST, 0));
  CHECK(gex_Segment_QueryAddr(other) != NULL);
  CHECK_EQ(gex_Segment_QuerySize(other), 77);
  OK(gex_Segment_Create(&made, client, self % 2 ? own + OFF : NULL, BYTES, GEX_MK_HOST, 0));
  CHECK_EQ(gex_Segment_QuerySize(made), BYTES);
  if (self % 2) CHECK(gex_Segment_QueryAddr(made) == own + OFF);
  gex_Segment_Destroy(other, 0);
  return made;
}

/* Everybody's, in two halves of a team that is gone afterwards. */
static void publish(void) {
  gex_TM_t turned = GEX_TM_INVALID;
  gex_TM_Split(&turned, tm, 0, -(int)self, NULL, 0, GEX_FLAG_TM_NO_SCRATCH);
  OK(gex_EP_PublishBoundSegment(turned, &ep, self % 3 == 0, 0));
  OK(gex_EP_PublishBoundSegment(turned, &ep, self % 3 != 0, 0));
  CHECK_EQ(gex_TM_Destroy(turned, NULL, 0), 0);
}

static void use(char *mine) {
  char here[BYTES];
  fill(here, self, sizeof here);
  gex_RMA_PutBlocking(tm, right_of(self), base(right_of(self)), here, BYTES, 0);
  barrier();
  CHECK_EQ(wrong(mine, left_of(self), BYTES), 0);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    gex_Event_t get = gex_RMA_GetNB(tm, here, rank, base(rank), BYTES, 0);
    gex_Event_Wait(get);
    CHECK_EQ(wrong(here, left_of(rank), BYTES), 0);
  }
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, right_of(self), base(right_of(self)) + 5, 1, 0), pattern(self, 5));
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  char *own = (char *)take(BYTES + OFF);
  gex_Segment_t made = make(own);
  OK(gex_EP_PublishBoundSegment(tm, &ep, 1, 0)); /* nothing yet */
  OK(gex_EP_BindSegment(ep, made, 0));
  CHECK(gex_EP_QuerySegment(ep) == made);
  CHECK(base(self) == gex_Segment_QueryAddr(made));
  publish();
  use((char *)gex_Segment_QueryAddr(made));
  OK(gex_EP_PublishBoundSegment(tm, &ep, 1, 0));
  use((char *)gex_Segment_QueryAddr(made));
  OK(tessera_gex_finalize(client));
  free(own);
  return check_result();
}
