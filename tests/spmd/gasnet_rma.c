/* GASNet-EX: puts and gets of all sizes, blocking and with events, between all units; reuse of sources.
 * Group: gasnet_demanding
 */
#include "gasnet_check.h"
#include "gasnet_nbrhd.h"

enum { ROOM = 1 << 20, PARTS = 3 };
static const size_t sizes[] = {0, 1, 2, 3, 4, 8, 24, 100, 512, 4096, 4097, 8192, 65536, 100001, ROOM - 8};

static char *mine, *here, *back;

static void blocking(size_t bytes, size_t off) {
  gex_Rank_t to = right_of(self);
  fill(here, (unsigned)(self + bytes), bytes);
  CHECK_EQ(gex_RMA_PutBlocking(tm, to, base(to) + off, here, bytes, 0), 0);
  memset(back, 0, bytes);
  CHECK_EQ(gex_RMA_GetBlocking(tm, back, to, base(to) + off, bytes, 0), 0);
  CHECK_EQ(wrong(back, (unsigned)(self + bytes), bytes), 0);
  barrier();
  CHECK_EQ(wrong(mine + off, (unsigned)(left_of(self) + bytes), bytes), 0);
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    CHECK_EQ(gex_RMA_GetBlocking(tm, back, rank, base(rank) + off, bytes, 0), 0);
    CHECK_EQ(wrong(back, (unsigned)(left_of(rank) + bytes), bytes), 0);
  }
  barrier();
}

static void real_events(void) {
  enum { N = 1000 };
  gex_Rank_t to = right_of(self);
  static gex_Event_t events[4 * N];
  for (int i = 0; i < N; i++) {
    gex_Event_t *event = &events[4 * i];
    size_t bytes = i % 50 ? 8 : ROOM / 2;
    event[0] = real(gex_RMA_PutNB(tm, to, base(to), here, bytes, i % 2 ? GEX_EVENT_NOW : GEX_EVENT_DEFER, 0), to);
    event[1] = real(gex_RMA_GetNB(tm, back, to, base(to) + ROOM, bytes, 0), to);
    event[2] = real(gex_RMA_PutNBVal(tm, to, base(to) + ROOM - 8, 5, 4, 0), to);
    event[3] = real(gex_RMA_PutNB(tm, to, base(to) + 2 * ROOM - 8, here, 8, GEX_EVENT_NOW, 0), to);
  }
  gex_Event_WaitAll(events, 4 * N, 0);
  gex_Event_Wait(real(gex_RMA_PutNB(tm, to, base(to), here, 0, GEX_EVENT_NOW, 0), to));
  gex_Event_Wait(real(gex_RMA_GetNB(tm, back, to, base(to), 0, 0), to));
  barrier();
}

/* One part for each way in which the source may be reused. */
static void with_events(size_t bytes) {
  gex_Rank_t to = right_of(self);
  char *there = base(to);
  gex_Event_t root[PARTS], leaf = GEX_EVENT_NO_OP;
  for (int i = 0; i < PARTS; i++) fill(here + i * ROOM, (unsigned)(self + bytes + i), bytes);
  root[0] = gex_RMA_PutNB(tm, to, there, here, bytes, GEX_EVENT_NOW, 0);
  memset(here, 0xaa, bytes);
  root[1] = gex_RMA_PutNB(tm, to, there + ROOM, here + ROOM, bytes, &leaf, 0);
  gex_Event_Wait(leaf);
  if (leaf && root[1]) CHECK(leaf == gex_Event_QueryLeaf(root[1], GEX_EC_LC));
  memset(here + ROOM, 0xbb, bytes);
  root[2] = gex_RMA_PutNB(tm, to, there + 2 * ROOM, here + 2 * ROOM, bytes, GEX_EVENT_DEFER, 0);
  gex_Event_WaitAll(root, PARTS, 0);
  for (int i = 0; i < PARTS; i++) CHECK(root[i] == GEX_EVENT_INVALID);
  memset(here + 2 * ROOM, 0xcc, bytes);
  barrier();
  for (int i = 0; i < PARTS; i++) CHECK_EQ(wrong(mine + i * ROOM, (unsigned)(left_of(self) + bytes + i), bytes), 0);
  for (int i = 0; i < PARTS; i++) root[i] = gex_RMA_GetNB(tm, back + i * ROOM, to, there + i * ROOM, bytes, 0);
  for (int i = PARTS - 1; i >= 0; i--) gex_Event_Wait(root[i]);
  for (int i = 0; i < PARTS; i++) CHECK_EQ(wrong(back + i * ROOM, (unsigned)(self + bytes + i), bytes), 0);
  barrier();
}

/* Between nodes an immediate call may return that it was not started; only then it had no effect. */
static void immediate(void) {
  enum { N = 500, BYTES = 64 };
  gex_Rank_t to = right_of(self);
  unsigned started = 0;
  gex_Event_t events[N];
  memset(mine, 0, N * BYTES);
  barrier();
  for (int i = 0; i < N; i++) {
    fill(here + i * BYTES, (unsigned)(self + i), BYTES);
    events[i] = gex_RMA_PutNB(tm, to, base(to) + i * BYTES, here + i * BYTES, BYTES, GEX_EVENT_DEFER, GEX_FLAG_IMMEDIATE);
    if (events[i] != GEX_EVENT_NO_OP) started++;
    else events[i] = gex_RMA_PutNB(tm, to, base(to) + i * BYTES, here + i * BYTES, BYTES, GEX_EVENT_DEFER, 0);
    CHECK(events[i] != GEX_EVENT_NO_OP);
  }
  gex_Event_WaitAll(events, N, 0);
  CHECK(started > 0);
  barrier();
  for (int i = 0; i < N; i++) CHECK_EQ(wrong(mine + i * BYTES, left_of(self) + (unsigned)i, BYTES), 0);
  char got = 0;
  while (gex_RMA_GetBlocking(tm, &got, to, base(to), 1, GEX_FLAG_IMMEDIATE)) barrier_of(tm);
  CHECK_EQ(got, (char)pattern(self, 0));
  barrier();
}

/* The segment's two ends, and data in another part of it. */
static void edges(void) {
  gex_Rank_t to = right_of(self);
  uintptr_t size = gex_Segment_QuerySize(segment);
  fill(here, self, 16);
  gex_RMA_PutBlocking(tm, to, base(to) + size - 16, here, 16, GEX_FLAG_SELF_SEG_UNKNOWN | GEX_FLAG_PEER_SEG_BOUND);
  gex_RMA_PutBlocking(tm, to, base(to), mine, 0, 0);
  gex_RMA_PutBlocking(tm, to, NULL, NULL, 0, 0);
  barrier();
  CHECK_EQ(wrong(mine + size - 16, left_of(self), 16), 0);
  gex_RMA_GetBlocking(tm, mine, to, base(to) + size - 16, 16, 0); /* from segment to segment */
  CHECK_EQ(wrong(mine, self, 16), 0);
  barrier();
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  attach(PARTS * ROOM);
  mine = (char *)gex_Segment_QueryAddr(segment);
  here = (char *)take(PARTS * ROOM);
  back = (char *)take(PARTS * ROOM);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    blocking(sizes[i], 0);
    blocking(sizes[i], 5);
    with_events(sizes[i]);
  }
  immediate();
  real_events();
  edges();
  free(here);
  free(back);
  return finish();
}
