/* Functions that the tests of GASNet's VIS transfers share: an area of a peer that one unit uses at a time, its
 * expected content, and the kinds of completion of puts and gets. */
#ifndef GASNET_VIS_TEST_H
#define GASNET_VIS_TEST_H

#include "gasnet_am.h"
#include "gasnet_nbrhd.h"

#include <gasnet_vis.h>

enum { AREA = 12288, GUARD = 64, ROOM = AREA + 2 * GUARD };

/* A generator of the tests' own, so that a seed gives the same numbers on every system. */
static uint64_t random_state;
static inline uint64_t random_next(void) {
  uint64_t x = random_state += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static inline size_t below(size_t n) { return (size_t)(random_next() % n); }
static inline bool chance(unsigned percent) { return below(100) < percent; }

static inline void scribble(char *at, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) at[i] = (char)random_next();
}

/* The peer's area, at its address in the peer: in this round only the caller uses it. */
static inline char *area_of(int unit) { return segments[unit] + GUARD; }

/* The expected content of the peer's area and of the guards around it. */
static char image[ROOM], seen[ROOM];

static inline void write_area(int unit) {
  scribble(image, ROOM);
  gex_RMA_PutBlocking(all, (gex_Rank_t)unit, segments[unit], image, ROOM, 0);
}
static inline bool area_is_as_expected(int unit) {
  gex_RMA_GetBlocking(all, seen, (gex_Rank_t)unit, segments[unit], ROOM, 0);
  return memcmp(seen, image, ROOM) == 0;
}

enum way { BLOCKING, NB, NBI, REGION, NB_LEAF, NBI_LEAF, WAYS_N };
static const char *const way_names[] = {"blocking", "nb", "nbi", "region", "nb, leaf", "nbi, leaf"};

static inline gex_Flags_t flags_of(enum way way, bool puts) {
  return puts && (way == NB_LEAF || way == NBI_LEAF) ? GEX_FLAG_ENABLE_LEAF_LC : 0;
}

/* The event of a transfer of no bytes: complete, and a real event if that of a transfer of bytes is one. */
static inline void check_nothing(int target, gex_Event_t event) {
  gex_Event_t of_one = gex_RMA_PutNB(all, (gex_Rank_t)target, segments[target], segments[self], 0, GEX_EVENT_NOW, 0);
  const bool is_local_unit = shares_memory_with((gex_Rank_t)target);
  CHECK_EQ(event == GEX_EVENT_INVALID, is_local_unit);
  CHECK_EQ(of_one == GEX_EVENT_INVALID, is_local_unit);
  CHECK_EQ(gex_Event_Test(event), GASNET_OK);
  CHECK_EQ(gex_Event_Test(of_one), GASNET_OK);
}

/* Completes the transfer with `target` that `call` started; overwrites the source as soon as that is allowed. */
#define COMPLETE(target, way, puts, source, source_bytes, call_nb, call_nbi, call_blocking) \
  do {                                                                             \
    gex_Event_t event_ = GEX_EVENT_INVALID;                                        \
    switch (way) {                                                                 \
      case BLOCKING: CHECK_EQ(call_blocking, 0); break;                            \
      case NB: case NB_LEAF: event_ = real(call_nb, (gex_Rank_t)(target)); break;  \
      case NBI: case NBI_LEAF: CHECK_EQ(call_nbi, 0); break;                       \
      default:                                                                     \
        gex_NBI_BeginAccessRegion(0);                                              \
        CHECK_EQ(call_nbi, 0);                                                     \
        event_ = gex_NBI_EndAccessRegion(0);                                       \
    }                                                                              \
    bool leaf_ = (puts) && ((way) == NB_LEAF || (way) == NBI_LEAF);                \
    if (leaf_ && (way) == NB_LEAF) gex_Event_Wait(gex_Event_QueryLeaf(event_, GEX_EC_LC)); \
    if (leaf_ && (way) == NBI_LEAF) gex_NBI_Wait(GEX_EC_LC, 0);                    \
    if (leaf_) memset(source, 0x5a, source_bytes);                                 \
    gex_Event_Wait(event_);                                                        \
    if ((way) == NBI || (way) == NBI_LEAF) gex_NBI_Wait((puts) ? GEX_EC_PUT : GEX_EC_GET, 0); \
  } while (0)

static inline void report(const char *what, int round, int target, enum way way) {
  check_failures++;
  fprintf(stderr, "unit %d: round %d, peer %d, %s: wrong data of %s\n", self, round, target, way_names[way], what);
}

#endif
