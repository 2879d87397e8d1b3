/* One program, three interfaces: ARMCI, and DART through registered memory, access a GASNet segment; GASNet accesses
 * memory of DART and ARMCI; and the interfaces end one after the other.
 * Group: apis_calls
 */
#include "dart_check.h"

#include <armci.h>
#include <dash/dart/if/dart_ext.h>

#define GASNET_PAR 1
#include <gasnetex.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>
#include <tessera/memory.h>

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

/* All units add to the words of all units through ARMCI, then through DART, and GASNet reads the sums. */
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

/* Memory that DART and ARMCI allocated, by the owner's address: GASNet needs no segment that contains it. Every kind of
 * call, to the next unit, into words of one row for each. */
enum { ROWS_N = 8, ROW_N = 16, HANDLER = 222 };
static volatile int messages_n;

static void on_long(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  (void)data;
  CHECK_EQ(bytes, ROW_N * 8);
  messages_n = messages_n + 1;
}

static void reach(int64_t *mine, int64_t *there) {
  int to = (self + 1) % units_n, from = (self + units_n - 1) % units_n;
  int64_t values[ROW_N], got[ROW_N], old = -1;
  gex_Rank_t peer = (gex_Rank_t)to;
  gex_AD_t domain;
  memset(mine, 0, ROWS_N * ROW_N * 8);
  messages_n = 0;
  barrier();
  for (int i = 0; i < ROW_N; i++) values[i] = 1000 * self + i;
  gex_RMA_PutBlocking(tm, peer, there, values, sizeof values, 0);
  gex_Event_Wait(gex_RMA_PutNB(tm, peer, there + ROW_N, values, sizeof values, GEX_EVENT_NOW, 0));
  gex_RMA_PutNBI(tm, peer, there + 2 * ROW_N, values, sizeof values, GEX_EVENT_DEFER, 0);
  gex_RMA_PutBlockingVal(tm, peer, there + 3 * ROW_N, (gex_RMA_Value_t)values[0], 8, 0);
  ptrdiff_t strides[] = {16}, ours[] = {8};
  size_t count[] = {ROW_N / 2};
  void *list[] = {there + 4 * ROW_N + 1, there + 4 * ROW_N}, *sources[] = {values + 1, values};
  gex_VIS_StridedPutBlocking(tm, peer, there + 5 * ROW_N, strides, values, ours, 8, count, 1, 0);
  gex_Event_Wait(gex_VIS_IndexedPutNB(tm, peer, 2, list, 8, 2, sources, 8, 0));
  gex_AD_Create(&domain, tm, GEX_DT_I64, GEX_OP_FADD, 0);
  gex_Event_Wait(gex_AD_OpNB_I64(domain, &old, peer, there + 6 * ROW_N, GEX_OP_FADD, 7, 0, 0));
  CHECK_EQ(old, 0);
  gex_AM_RequestLong0(tm, peer, HANDLER, values, sizeof values, there + 7 * ROW_N, GEX_EVENT_NOW, 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  gex_RMA_GetBlocking(tm, got, peer, there + 2 * ROW_N, sizeof got, 0);
  CHECK(!memcmp(got, values, sizeof got));
  GASNET_BLOCKUNTIL(messages_n == 1);
  barrier();
  for (int i = 0; i < ROW_N; i++) {
    int64_t value = 1000 * from + i;
    CHECK(mine[i] == value && mine[ROW_N + i] == value && mine[2 * ROW_N + i] == value && mine[7 * ROW_N + i] == value);
    CHECK_EQ(mine[5 * ROW_N + i], i % 2 ? 0 : 1000 * from + i / 2);
    CHECK(mine[4 * ROW_N + i] == (i < 2 ? value : 0) && mine[3 * ROW_N + i] == (i ? 0 : value));
  }
  CHECK_EQ(mine[6 * ROW_N], 7);
  gex_AD_Destroy(domain);
  barrier();
}

static void reach_all(void) {
  int to = (self + 1) % units_n;
  void *address = NULL, *memory[UNITS_MAX];
  dart_global_unit_t owner;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, ROWS_N * ROW_N, DART_TYPE_LONG);
  OK(dart_gptr_getpointer(at(base, to, 0), &owner, &address));
  CHECK_EQ(owner.id, to);
  reach(own_part(base, self), address);
  OK(dart_team_memfree(base));
  OK(ARMCI_Malloc(memory, ROWS_N * ROW_N * 8));
  reach(memory[self], memory[to]);
  OK(ARMCI_Free(memory[self]));
}

static void reach_without_a_segment(void) {
  gex_EP_t ep;
  gex_AM_Entry_t entry = {HANDLER, (gex_AM_Fn_t)on_long, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL};
  OK(gex_Client_Init(&client, &ep, &tm, "BARE", NULL, NULL, 0));
  OK(gex_EP_RegisterHandlers(ep, &entry, 1));
  reach_all();
  OK(gex_Segment_Attach(&segment, tm, GASNET_PAGESIZE));
  reach_all();
  OK(tessera_gex_finalize(client));
}

/* A segment made of memory that DART allocated. */
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

/* The only other interface that is up. */
static void reach_native_memory(void) {
  tessera_memory_t memory;
  tessera_address_t own;
  int64_t *words[UNITS_MAX], word = 40 + self;
  void *mine = NULL;
  CHECK_EQ(tessera_init(NULL, NULL), TESSERA_OK);
  CHECK_EQ(tessera_memory_allocate(tessera_team_world(), sizeof word, &memory), TESSERA_OK);
  own = tessera_address(memory, self, 0);
  CHECK_EQ(tessera_address_pointer(own, sizeof word, &mine), TESSERA_OK);
  CHECK_EQ(tessera_allgather(tessera_team_world(), &mine, words, sizeof mine), TESSERA_OK);
  const int to = (self + 1) % units_n;
  gex_RMA_PutBlocking(tm, (gex_Rank_t)to, words[to], &word, sizeof word, 0);
  gex_Event_Wait(gex_Coll_BarrierNB(tm, 0));
  CHECK_EQ(*(int64_t *)mine, 40 + (self + units_n - 1) % units_n);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  OK(ARMCI_Init());
  start_gasnet();
  add_by_all();
  OK(tessera_gex_finalize(client));
  reach_without_a_segment();
  bind_darts();
  start_gasnet();
  OK(ARMCI_Finalize());
  barrier();
  OK(dart_exit());
  int to = (int)gex_System_QueryJobRank();
  gex_RMA_PutBlockingVal(tm, (gex_Rank_t)to, segment_of(to), 5, 1, 0);
  CHECK_EQ(*(char *)segment_of(to), 5);
  reach_native_memory();
  CHECK_EQ(tessera_gex_finalize(client), 0);
  return check_result();
}
