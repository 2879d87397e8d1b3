/* GASNet-EX: puts and gets by value, of 1 to 8 bytes.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

static gex_RMA_Value_t value_of(gex_Rank_t rank, size_t bytes, size_t slot) {
  gex_RMA_Value_t all = (0x0123456789abcdefu + slot) * (rank + 3);
  return bytes == 8 ? all : all & (((gex_RMA_Value_t)1 << 8 * bytes) - 1);
}

/* Bits above the given bytes are not written. */
static void sizes(void) {
  gex_Rank_t to = right_of(self);
  char *there = base(to);
  for (size_t bytes = 1; bytes <= 8; bytes++) {
    gex_RMA_Value_t noise = bytes == 8 ? 0 : (gex_RMA_Value_t)0x5a << 8 * bytes;
    CHECK_EQ(gex_RMA_PutBlockingVal(tm, to, there + 64 * bytes, value_of(self, bytes, 0) | noise, bytes, 0), 0);
    gex_Event_Wait(gex_RMA_PutNBVal(tm, to, there + 64 * bytes + 17, value_of(self, bytes, 1) | noise, bytes, 0));
    CHECK_EQ(gex_RMA_PutNBIVal(tm, to, there + 64 * bytes + 33, value_of(self, bytes, 2) | noise, bytes, 0), 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    for (size_t slot = 0; slot < 3; slot++) {
      char *at = there + 64 * bytes + (slot ? 16 * slot + 1 : 0);
      CHECK(gex_RMA_GetBlockingVal(tm, to, at, bytes, 0) == value_of(self, bytes, slot));
      CHECK_EQ(gex_RMA_GetBlockingVal(tm, to, at + bytes, 1, 0), 0);
    }
  }
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  attach(4096);
  sizes();
  uint64_t *mine = (uint64_t *)gex_Segment_QueryAddr(segment);
  CHECK(mine[8 * 8] == value_of(left_of(self), 8, 0));
  barrier();
  for (gex_Rank_t rank = 0; rank < units_n; rank++) gex_RMA_PutNBIVal(tm, rank, base(rank) + 8 * self, self + 1, 8, 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  barrier();
  for (gex_Rank_t rank = 0; rank < units_n; rank++) CHECK_EQ(mine[rank], rank + 1);
  barrier();
  return finish();
}
