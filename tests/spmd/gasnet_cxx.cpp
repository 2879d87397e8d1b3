// GASNet-EX from C++: its headers, constants in constant expressions, and a small client.
// Group: gasnet_cxx_calls
#define GASNET_PAR 1
#include <gasnet_fwd.h>

#include "gasnet_check.h"

#include <vector>

static_assert(GEX_OP_TO_FETCHING(GEX_OP_SET) == GEX_OP_SWAP && GEX_OP_TO_NONFETCHING(GEX_OP_FCAS) == GEX_OP_CAS, "pairs");
static_assert(GEX_OP_TO_FETCHING(GEX_OP_ADD) == GEX_OP_FADD && GEX_OP_TO_FETCHING(GEX_OP_DEC) == GEX_OP_FDEC, "pairs");
static_assert(sizeof(gex_RMA_Value_t) == SIZEOF_GEX_RMA_VALUE_T, "the size as the preprocessor knows it");

int main(int argc, char **argv) {
  start(&argc, &argv);
  attach(1 << 16);
  std::vector<uint64_t> out(units_n), in(units_n);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    out[rank] = 1000 * self + rank;
    gex_RMA_PutNBI(tm, rank, base(rank) + 8 * self, &out[rank], 8, GEX_EVENT_DEFER, 0);
  }
  gex_NBI_Wait(GEX_EC_ALL, 0);
  barrier();
  std::vector<gex_Event_t> gets;
  for (gex_Rank_t rank = 0; rank < units_n; rank++) gets.push_back(gex_RMA_GetNB(tm, &in[rank], rank, base(rank) + 8 * self, 8, 0));
  gex_Event_WaitAll(gets.data(), gets.size(), 0);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) CHECK_EQ(in[rank], 1000 * self + rank);
  gex_TM_t half = GEX_TM_INVALID;
  gex_TM_Split(&half, tm, static_cast<int>(self % 2), 0, nullptr, 0, GEX_FLAG_TM_NO_SCRATCH);
  CHECK_EQ(gex_TM_QuerySize(half), (units_n + !(self % 2)) / 2);
  CHECK_EQ(gex_TM_Destroy(half, nullptr, 0), 0);
  gex_RankInfo_t *peers;
  gex_Rank_t n;
  gex_System_QueryNbrhdInfo(&peers, &n, nullptr);
  CHECK(n <= units_n);
  barrier();
  return finish();
}
