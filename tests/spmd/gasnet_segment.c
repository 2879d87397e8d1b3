/* GASNet-EX: attached segments of different sizes, their addresses for all units, and their content.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

static uintptr_t size_of(gex_Rank_t rank) { return (uintptr_t)(1 + rank % 3 * 5) * GASNET_PAGESIZE; }

static void one(gex_TM_t team, gex_Rank_t rank, gex_Rank_t job) {
  void *owner = NULL, *local = &owner;
  uintptr_t size = 0;
  CHECK(gex_EP_QueryBoundSegmentNB(team, rank, &owner, &local, &size, GEX_FLAG_IMMEDIATE) == GEX_EVENT_INVALID);
  CHECK_EQ(size, size_of(job));
  CHECK(owner != NULL);
  if (job == self) CHECK(owner == gex_Segment_QueryAddr(segment) && local == owner);
  void *owner_again = NULL, *local_again = NULL;
  uintptr_t size_again = 0;
  OK(gex_Segment_QueryBound(team, rank, &owner_again, &local_again, &size_again));
  CHECK(owner_again == owner && local_again == local && size_again == size);
  OK(gex_Segment_QueryBound(team, rank, NULL, NULL, NULL));
}

/* Units that share memory see the owners' stores, and the other way round. */
static void shared(void) {
  gex_RankInfo_t *list;
  gex_Rank_t n = 0, place = 0;
  gex_System_QueryNbrhdInfo(&list, &n, &place);
  int *mine = (int *)gex_Segment_QueryAddr(segment);
  for (gex_Rank_t i = 0; i < n; i++) {
    void *local = NULL;
    OK(gex_Segment_QueryBound(tm, list[i].gex_jobrank, NULL, &local, NULL));
    CHECK(local != NULL);
    ((int *)local)[self] = (int)(100 * list[i].gex_jobrank + self);
  }
  barrier();
  for (gex_Rank_t i = 0; i < n; i++) CHECK_EQ(mine[list[i].gex_jobrank], 100 * self + list[i].gex_jobrank);
  CHECK_EQ(list[place].gex_jobrank, self);
  barrier();
}

static void table(void) {
  gasnet_seginfo_t *all = (gasnet_seginfo_t *)take(units_n * sizeof *all);
  OK(gasnet_getSegmentInfo(all, (int)units_n));
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    CHECK_EQ(all[rank].size, size_of(rank));
    CHECK(all[rank].addr == base(rank));
  }
  free(all);
}

static void before(void) {
  uintptr_t size = 17;
  CHECK(gex_Segment_QueryBound(tm, 0, NULL, NULL, &size) != GASNET_OK);
  CHECK_EQ(size, 17);
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, 0, NULL, NULL, &size, 0));
  CHECK_EQ(size, 0);
  uintptr_t most = gasnet_getMaxLocalSegmentSize();
  CHECK(most >= 1 << 20 && most % GASNET_PAGESIZE == 0);
  CHECK(gasnet_getMaxGlobalSegmentSize() <= most && gasnet_getMaxGlobalSegmentSize() > 0);
}

/* A program may read and write its segment before any other unit can. */
static void *hooked;
static uintptr_t hooked_bytes;
static void look(void *begin, uintptr_t bytes) {
  hooked = begin;
  hooked_bytes = bytes;
  memset(begin, 5, GASNET_PAGESIZE);
}

/* All units attach as much as they may. */
static void all_there_is(int *argc, char ***argv) {
  start(argc, argv);
  uintptr_t most = gasnet_getMaxLocalSegmentSize();
  gasnet_client_attach_hook = &look;
  OK(gex_Segment_Attach(&segment, tm, most));
  gasnet_client_attach_hook = NULL;
  CHECK(hooked == gex_Segment_QueryAddr(segment) && hooked_bytes == most);
  CHECK_EQ(gex_RMA_GetBlockingVal(tm, right_of(self), base(right_of(self)) + 100, 1, 0), 5);
  CHECK_EQ(gex_Segment_QuerySize(segment), most);
  char *last = (char *)gex_Segment_QueryAddr(segment) + most - 1;
  *last = 7;
  barrier();
  uintptr_t size = 0;
  char *peers = base(right_of(self)), got = 0;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, right_of(self), NULL, NULL, &size, 0));
  gex_RMA_GetBlocking(tm, &got, right_of(self), peers + size - 1, 1, 0);
  CHECK_EQ(got, 7);
  barrier();
  OK(tessera_gex_finalize(client));
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  before();
  attach(size_of(self));
  CHECK(gex_EP_QuerySegment(ep) == segment);
  CHECK(gex_Segment_QueryClient(segment) == client);
  CHECK_EQ(gex_Segment_QueryFlags(segment), 0);
  CHECK_EQ(gex_Segment_QuerySize(segment), size_of(self));
  CHECK(gex_Segment_QueryCData(segment) == NULL);
  gex_Segment_SetCData(segment, &argc);
  CHECK(gex_Segment_QueryCData(segment) == &argc);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    one(tm, rank, rank);
    one(gex_TM_Pair(ep, 0), rank, rank);
  }
  shared();
  table();
  OK(gex_EP_PublishBoundSegment(tm, &ep, 1, 0));
  OK(tessera_gex_finalize(client));
  all_there_is(&argc, &argv);
  return check_result();
}
