// GASNet's atomics, VIS transfers and collectives from C++, all headers in an unusual order.
// Group: gasnet_cxx_calls
#define GASNET_PAR 1
#include <gasnet_mk.h>
#include <gasnet_vis.h>
#include <gasnet_ratomic.h>
#include <gasnet_coll.h>
#include <gasnetex.h>

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "check.h"

namespace {

gex_TM_t all;
gex_Rank_t self, units_n;
std::vector<char *> segments;

template <typename T> struct domain_of;
#define DOMAIN_OF(name, type)                                                                                            \
  template <> struct domain_of<type> {                                                                                   \
    static constexpr gex_DT_t dt = GEX_DT_##name;                                                                        \
    static gex_Event_t nb(gex_AD_t ad, type *result, gex_Rank_t rank, void *there, gex_OP_t op, type a, type b) {        \
      return gex_AD_OpNB_##name(ad, result, rank, there, op, a, b, 0);                                                   \
    }                                                                                                                    \
    static int nbi(gex_AD_t ad, type *result, gex_Rank_t rank, void *there, gex_OP_t op, type a, type b) {               \
      return gex_AD_OpNBI_##name(ad, result, rank, there, op, a, b, 0);                                                  \
    }                                                                                                                    \
  };
DOMAIN_OF(I32, std::int32_t)
DOMAIN_OF(U32, std::uint32_t)
DOMAIN_OF(I64, std::int64_t)
DOMAIN_OF(U64, std::uint64_t)
DOMAIN_OF(FLT, float)
DOMAIN_OF(DBL, double)

template <typename T> void atomics() {
  using domain = domain_of<T>;
  gex_AD_t ad = GEX_AD_INVALID;
  gex_AD_Create(&ad, all, domain::dt, GEX_OP_SET | GEX_OP_FADD | GEX_OP_MULT | GEX_OP_FCAS | GEX_OP_GET, 0);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    void *there = segments[rank] + 8 * self;
    T old = 0;
    gex_Event_Wait(domain::nb(ad, nullptr, rank, there, GEX_OP_SET, 3, 0));
    gex_Event_Wait(domain::nb(ad, &old, rank, there, GEX_OP_FADD, 4, 0));
    CHECK(old == 3);
    CHECK_EQ(domain::nbi(ad, nullptr, rank, there, GEX_OP_MULT, 5, 0), 0);
    gex_NBI_Wait(GEX_EC_RMW, 0);
    gex_Event_Wait(domain::nb(ad, &old, rank, there, GEX_OP_FCAS, 35, 7));
    CHECK(old == 35);
    CHECK_EQ(domain::nbi(ad, &old, rank, there, GEX_OP_GET, 0, 0), 0);
    gex_NBI_Wait(GEX_EC_GET, 0);
    CHECK(old == 7);
  }
  gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
  gex_AD_Destroy(ad);
}

void pieces() {
  const gex_Rank_t next = (self + 1) % units_n;
  char *there = segments[next] + 1024;
  std::array<double, 8> from, back;
  for (std::size_t i = 0; i < from.size(); i++) from[i] = static_cast<double>(10 * self + i);
  const std::ptrdiff_t apart[] = {16}, dense[] = {8};
  const std::size_t count[] = {from.size()};
  CHECK_EQ(gex_VIS_StridedPutBlocking(all, next, there, apart, from.data(), dense, 8, count, 1, 0), 0);
  std::vector<void *> list;
  std::vector<gex_Memvec_t> vector;
  for (std::size_t i = 0; i < from.size(); i++) {
    list.push_back(there + 16 * i);
    vector.push_back(gex_Memvec_t{there + 16 * i, 8});
  }
  void *whole[] = {back.data()};
  gex_Event_Wait(gex_VIS_IndexedGetNB(all, 1, whole, sizeof back, next, list.size(), list.data(), 8, 0));
  CHECK(back == from);
  back.fill(0);
  const gex_Memvec_t mine = {back.data(), sizeof back};
  CHECK_EQ(gex_VIS_VectorGetNBI(all, 1, &mine, next, vector.size(), vector.data(), 0), 0);
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK(back == from);
}

void together() {
  std::vector<double> values(100, self + 1.0), sums(100);
  gex_Event_t events[] = {
      gex_Coll_ReduceToAllNB(all, sums.data(), values.data(), GEX_DT_DBL, sizeof(double), values.size(), GEX_OP_ADD, nullptr,
                             nullptr, 0),
      gex_Coll_BarrierNB(all, 0)};
  gex_Event_WaitAll(events, 2, 0);
  CHECK(sums[99] == units_n * (units_n + 1) / 2.0);
  std::int64_t largest = self;
  auto larger = [](const void *arg1, void *arg2_and_out, std::size_t count, const void *) {
    auto x = static_cast<const std::int64_t *>(arg1);
    auto y = static_cast<std::int64_t *>(arg2_and_out);
    for (std::size_t i = 0; i < count; i++) y[i] = x[i] > y[i] ? x[i] : y[i];
  };
  gex_Event_Wait(gex_Coll_ReduceToOneNB(all, 0, &largest, &largest, GEX_DT_I64, 8, 1, GEX_OP_USER, larger, nullptr, 0));
  gex_Event_Wait(gex_Coll_BroadcastNB(all, 0, &largest, &largest, sizeof largest, 0));
  CHECK_EQ(largest, units_n - 1);
}

} // namespace

int main(int argc, char **argv) {
  gex_Client_t client;
  gex_EP_t ep;
  gex_Segment_t segment;
  if (gex_Client_Init(&client, &ep, &all, "CXX", &argc, &argv, 0)) return EXIT_FAILURE;
  self = gex_TM_QueryRank(all);
  units_n = gex_TM_QuerySize(all);
  CHECK_EQ(gex_Segment_Attach(&segment, all, 4096), GASNET_OK);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    void *base = nullptr;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, &base, nullptr, nullptr, 0));
    segments.push_back(static_cast<char *>(base));
  }
  atomics<std::int32_t>();
  atomics<std::uint32_t>();
  atomics<std::int64_t>();
  atomics<std::uint64_t>();
  atomics<float>();
  atomics<double>();
  pieces();
  together();
  gex_MK_t kind = GEX_MK_INVALID;
  gex_MK_Create_args_t args = {};
  args.gex_class = GEX_MK_CLASS_HIP;
  gex_System_SetVerboseErrors(0);
  CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_ERR_BAD_ARG);
  CHECK_EQ(tessera_gex_finalize(client), GASNET_OK);
  return check_result();
}
