/* One program, three faces: a GASNet segment is reached by ARMCI and through DART's registered memory, DART's memory by ARMCI
 * beside it, and the faces end one after the other. */
#include "dart_check.h"

#include <armci.h>

#define GASNET_PAR 1
#include <gasnetex.h>

enum { N = 500, WORDS_N = 3 * N, UNITS_MAX = 64 };

static gex_Client_t client;
static gex_TM_t tm;
static gex_Segment_t segment;

static void start_gasnet(void) {
  gex_EP_t ep;
  OK(gex_Client_Init(&client, &ep, &tm, "THREE", NULL, NULL, 0));
  OK(gex_Segment_Attach(&segment, tm, 4 * GASNET_PAGESIZE));
  memset(gex_Segment_QueryAddr(segment), 0, gex_Segment_QuerySize(segment));
  barrier();
}

static int64_t *segment_of(int unit) {
  void *address = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, (gex_Rank_t)unit, &address, NULL, NULL, 0));
  return address;
}

/* Everybody adds to everybody's words through ARMCI, then through DART, and GASNet sees the sums. */
static void add_by_all(void) {
  int64_t values[N], scale = 1, got[N];
  int64_t *mine = segment_of(self);
  dart_gptr_t base;
  OK(dart_team_memregister(DART_TEAM_ALL, WORDS_N, DART_TYPE_LONG, mine, &base));
  for (int i = 0; i < N; i++) values[i] = i + 1;
  for (int unit = 0; unit < units_n; unit++) {
    OK(ARMCI_Acc(ARMCI_ACC_LNG, &scale, values, segment_of(unit), sizeof values, unit));
    OK(dart_accumulate(at(base, unit, 0), values, N, DART_TYPE_LONG, DART_OP_SUM));
    gex_RMA_PutNBI(tm, (gex_Rank_t)unit, segment_of(unit) + 2 * N + self, values + self, 8, GEX_EVENT_NOW, 0);
  }
  gex_NBI_Wait(GEX_EC_ALL, 0);
  OK(dart_flush_all(base));
  ARMCI_Barrier();
  for (int unit = 0; unit < units_n; unit++) {
    gex_RMA_GetBlocking(tm, got, (gex_Rank_t)unit, segment_of(unit), sizeof got, 0);
    for (int i = 0; i < N; i++) CHECK_EQ(got[i], 2L * units_n * (i + 1));
    OK(ARMCI_Get(segment_of(unit) + 2 * N, got, (int)sizeof(int64_t) * units_n, unit));
    for (int i = 0; i < units_n; i++) CHECK_EQ(got[i], i + 1);
    OK(dart_get_blocking(got, at(base, unit, 2 * N * 8), (size_t)units_n, DART_TYPE_LONG, DART_TYPE_LONG));
    for (int i = 0; i < units_n; i++) CHECK_EQ(got[i], i + 1);
  }
  barrier();
  OK(dart_team_memderegister(base));
}

/* A segment made of memory that DART has allocated. */
static void bind_darts(void) {
  gex_EP_t ep;
  gex_TM_t all;
  void *address = NULL;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, N, DART_TYPE_LONG), own = at(base, self, 0);
  OK(dart_gptr_getaddr(own, &address));
  OK(gex_Client_Init(&client, &ep, &all, "AGAIN", NULL, NULL, 0));
  OK(gex_Segment_Create(&segment, client, address, N * sizeof(int64_t), GEX_MK_HOST, 0));
  OK(gex_EP_BindSegment(ep, segment, 0));
  OK(gex_EP_PublishBoundSegment(all, &ep, 1, 0));
  tm = all;
  int to = (self + 1) % units_n;
  gex_RMA_PutBlockingVal(tm, (gex_Rank_t)to, segment_of(to) + 7, 1000 + (unsigned)self, 8, 0);
  barrier();
  CHECK_EQ(((int64_t *)address)[7], 1000 + (self + units_n - 1) % units_n);
  barrier();
  OK(tessera_gex_finalize(client));
  OK(dart_team_memfree(base));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  OK(ARMCI_Init());
  start_gasnet();
  add_by_all();
  OK(tessera_gex_finalize(client));
  bind_darts();
  start_gasnet();
  OK(ARMCI_Finalize());
  barrier();
  OK(dart_exit());
  int to = (int)gex_System_QueryJobRank();
  gex_RMA_PutBlockingVal(tm, (gex_Rank_t)to, segment_of(to), 5, 1, 0);
  CHECK_EQ(*(char *)segment_of(to), 5);
  CHECK_EQ(tessera_gex_finalize(client), 0);
  return check_result();
}
