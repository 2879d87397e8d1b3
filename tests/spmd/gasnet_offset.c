/* GASNet-EX: GEX_FLAG_PEER_SEG_OFFSET and GEX_FLAG_SELF_SEG_OFFSET: addresses are offsets into the segment, in puts,
 * gets, VIS transfers, atomics and messages. They include the start of the segment, whose offset looks like NULL.
 * Units: 3 4 */
#include "gasnet_check.h"

#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

enum { WORDS_N = 512, BYTES = WORDS_N * 8 };
#define BOTH (GEX_FLAG_PEER_SEG_OFFSET | GEX_FLAG_SELF_SEG_OFFSET)

static int64_t *mine;
static gex_Rank_t to, from;

/* The offset of a word, and of the half of the segment from which this unit sends. */
static void *at(int word) { return (void *)(uintptr_t)(word * 8); }
static void *own(int word) { return at(WORDS_N / 2 + word); }

static int64_t value_of(gex_Rank_t rank, int word) { return (int64_t)(rank + 1) * 1000 + word; }

static void clear(void) {
  barrier();
  for (int i = 0; i < WORDS_N / 2; i++) mine[i] = -1;
  for (int i = WORDS_N / 2; i < WORDS_N; i++) mine[i] = value_of(self, i - WORDS_N / 2);
  barrier();
}

/* The peer's words from `first` on have arrived, and nothing else has changed. */
static void came(int first, int n, int sent_from) {
  barrier();
  for (int i = 0; i < WORDS_N / 2; i++) {
    bool inside = i >= first && i < first + n;
    CHECK_EQ(mine[i], inside ? value_of(from, sent_from + i - first) : -1);
  }
  clear();
}

static void contiguous(void) {
  static const int places[] = {0, 1, 77};
  for (int k = 0; k < 3; k++) {
    CHECK_EQ(gex_RMA_PutBlocking(tm, to, at(places[k]), own(k), 5 * 8, BOTH), 0);
    came(places[k], 5, k);
    gex_Event_Wait(gex_RMA_PutNB(tm, to, at(places[k]), mine + WORDS_N / 2 + k, 5 * 8, GEX_EVENT_NOW, GEX_FLAG_PEER_SEG_OFFSET));
    came(places[k], 5, k);
    CHECK_EQ(gex_RMA_PutNBI(tm, to, base(to) + places[k] * 8, own(k), 5 * 8, GEX_EVENT_DEFER, GEX_FLAG_SELF_SEG_OFFSET), 0);
    gex_NBI_Wait(GEX_EC_PUT, 0);
    came(places[k], 5, k);
    CHECK_EQ(gex_RMA_PutBlockingVal(tm, to, at(places[k]), (gex_RMA_Value_t)value_of(self, 0), 8, BOTH), 0);
    came(places[k], 1, 0);
    /* from the left unit's half for sending, to the start of the segment */
    CHECK_EQ(gex_RMA_GetBlocking(tm, at(places[k]), from, own(k), 3 * 8, BOTH), 0);
    came(places[k], 3, k);
    gex_Event_Wait(gex_RMA_GetNB(tm, at(places[k]), from, own(k), 3 * 8, BOTH));
    came(places[k], 3, k);
    CHECK_EQ((int64_t)gex_RMA_GetBlockingVal(tm, from, own(k), 8, BOTH), value_of(from, k));
    barrier();
  }
}

static void pieces(void) {
  gex_Memvec_t there[3] = {{at(0), 16}, {at(2), 0}, {at(2), 24}}, here[2] = {{own(4), 8}, {own(5), 32}};
  CHECK_EQ(gex_VIS_VectorPutBlocking(tm, to, 3, there, 2, here, BOTH), 0);
  came(0, 5, 4);
  gex_Event_Wait(gex_VIS_VectorGetNB(tm, 3, there, from, 2, here, BOTH));
  came(0, 5, 4);
  void *list[4] = {at(3), at(2), at(0), at(1)}, *sources[2] = {own(1), own(3)}, *own_addresses[4];
  for (int i = 0; i < 4; i++) own_addresses[i] = mine + WORDS_N / 2 + i;
  CHECK_EQ(gex_VIS_IndexedGetBlocking(tm, 4, list, 8, from, 2, sources, 16, BOTH), 0);
  barrier();
  CHECK(mine[3] == value_of(from, 1) && mine[2] == value_of(from, 2) && mine[0] == value_of(from, 3) &&
        mine[1] == value_of(from, 4));
  clear();
  CHECK_EQ(gex_VIS_IndexedPutNBI(tm, to, 4, list, 8, 4, own_addresses, 8, GEX_FLAG_PEER_SEG_OFFSET), 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  barrier();
  CHECK(mine[3] == value_of(from, 0) && mine[2] == value_of(from, 1) && mine[0] == value_of(from, 2) &&
        mine[1] == value_of(from, 3));
  clear();
  /* in reverse at the target: the last word goes to the start */
  const ptrdiff_t back[1] = {-8}, forth[1] = {8};
  const size_t count[1] = {6};
  gex_Event_Wait(gex_VIS_StridedPutNB(tm, to, at(5), back, own(0), forth, 8, count, 1, BOTH));
  barrier();
  for (int i = 0; i < 6; i++) CHECK_EQ(mine[i], value_of(from, 5 - i));
  clear();
  CHECK_EQ(gex_VIS_StridedGetBlocking(tm, at(0), forth, from, own(9), forth, 8, count, 1, BOTH), 0);
  came(0, 6, 9);
}

static void atomics(void) {
  gex_AD_t domain;
  gex_AD_Create(&domain, tm, GEX_DT_I64, GEX_OP_FADD | GEX_OP_SET | GEX_OP_ADD, 0);
  mine[WORDS_N / 2] = 10 + (int64_t)self;
  barrier();
  gex_Event_Wait(gex_AD_OpNB_I64(domain, (int64_t *)at(0), to, own(0), GEX_OP_FADD, 5, 0, BOTH));
  CHECK_EQ(mine[0], 10 + (int64_t)to);
  CHECK_EQ(gex_AD_OpNBI_I64(domain, NULL, to, at(1), GEX_OP_SET, 7, 0, GEX_FLAG_PEER_SEG_OFFSET), 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  barrier();
  CHECK_EQ(mine[WORDS_N / 2], 15 + (int64_t)self);
  CHECK_EQ(mine[1], 7);
  gex_AD_Destroy(domain);
  clear();
}

/* ---- Messages ---- */

enum { TAKE_MEDIUM = 200, ANSWER_LONG, TAKE_LONG };
static volatile int taken_n;

static void take_medium(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  CHECK(bytes == 16 && *(int64_t *)data == value_of(from, 6));
  taken_n = taken_n + 1;
}
/* Replies with its own words, to the start of the other unit's segment. */
static void answer_long(gex_Token_t token, void *data, size_t bytes) {
  CHECK(data == mine + 1 && bytes == 24);
  gex_AM_ReplyLong0(token, TAKE_LONG, own(2), 8, at(0), GEX_EVENT_NOW, BOTH);
}
static void take_long(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  CHECK(data == mine + (bytes == 40 ? 8 : 0));
  taken_n = taken_n + 1;
}

static void register_all(void) {
  gex_AM_Entry_t table[] = {
      {TAKE_MEDIUM, (gex_AM_Fn_t)take_medium, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {ANSWER_LONG, (gex_AM_Fn_t)answer_long, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {TAKE_LONG, (gex_AM_Fn_t)take_long, GEX_FLAG_AM_LONG | GEX_FLAG_AM_REQREP, 0, NULL, NULL}};
  OK(gex_EP_RegisterHandlers(ep, table, 3));
}

static void messages(void) {
  taken_n = 0;
  barrier();
  CHECK_EQ(gex_AM_RequestMedium0(tm, to, TAKE_MEDIUM, own(6), 16, GEX_EVENT_NOW, GEX_FLAG_SELF_SEG_OFFSET), 0);
  CHECK_EQ(gex_AM_RequestLong0(tm, to, ANSWER_LONG, own(0), 24, at(1), GEX_EVENT_NOW, BOTH), 0);
  GASNET_BLOCKUNTIL(taken_n == 2);
  barrier();
  CHECK_EQ(mine[0], value_of(to, 2));
  CHECK(mine[1] == value_of(from, 0) && mine[3] == value_of(from, 2) && mine[4] == -1);
  clear();
}

/* The buffer belongs to the program, also at offset 0, or to the library. */
static void negotiated(void) {
  for (int flags = 0; flags < 2; flags++) {
    taken_n = 0;
    for (int i = 0; i < 5; i++) mine[i] = value_of(self, i);
    barrier();
    gex_Flags_t which = flags ? BOTH : GEX_FLAG_PEER_SEG_OFFSET;
    gex_Event_t *lc_opt = flags ? GEX_EVENT_NOW : NULL;
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestLong(tm, to, NULL, 40, 40, flags ? NULL : at(8), lc_opt, which, 0);
    CHECK((gex_AM_SrcDescAddr(sd) == (void *)mine) == (flags == 1));
    for (int i = 0; i < 5 && !flags; i++) ((int64_t *)gex_AM_SrcDescAddr(sd))[i] = value_of(self, i);
    gex_AM_CommitRequestLong0(sd, TAKE_LONG, 40, at(8));
    GASNET_BLOCKUNTIL(taken_n == 1);
    barrier();
    for (int i = 0; i < 5; i++) CHECK_EQ(mine[8 + i], value_of(from, i));
    clear();
  }
}

int main(int argc, char **argv) {
  start(&argc, &argv);
  register_all();
  attach(BYTES);
  mine = (int64_t *)gex_Segment_QueryAddr(segment);
  to = right_of(self);
  from = left_of(self);
  clear();
  contiguous();
  pieces();
  atomics();
  messages();
  negotiated();
  return finish();
}
