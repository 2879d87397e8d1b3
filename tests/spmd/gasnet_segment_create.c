/* GASNet-EX: segments that each process creates by itself, of its own memory or of the library's, bound and published.
 * Group: gasnet_calls
 */
#include "gasnet_check.h"

#include <gasnet_mk.h>
#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <stdlib.h>

enum { BYTES = 6 * 4096 - 32, HALF = BYTES / 2, OFF = 16 };

/* ---- Long messages: a request with data for the target's first half, a reply with data for the sender's second ---- */

enum { REQUEST = 200, REPLY = 201 };
static char *own_base;
static int got_n, replies_n;

static void on_request(gex_Token_t token, void *data, size_t bytes, gex_AM_Arg_t from, gex_AM_Arg_t negotiated) {
  CHECK(data == own_base);
  CHECK_EQ(wrong(own_base, (gex_Rank_t)from, bytes), 0);
  got_n++;
  char *there = base((gex_Rank_t)from) + HALF;
  static char answer[HALF];
  fill(answer, self, bytes);
  if (!negotiated) {
    gex_AM_ReplyLong0(token, REPLY, answer, bytes, there, GEX_EVENT_NOW, 0);
    return;
  }
  gex_AM_SrcDesc_t sd = gex_AM_PrepareReplyLong(token, NULL, bytes, bytes, there, NULL, 0, 0);
  memcpy(gex_AM_SrcDescAddr(sd), answer, bytes);
  gex_AM_CommitReplyLong0(sd, REPLY, bytes, there);
}

static void on_reply(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  CHECK(data == own_base + HALF);
  CHECK_EQ(wrong(own_base + HALF, right_of(self), bytes), 0);
  replies_n++;
}

static void send(const char *here, size_t bytes, int negotiated) {
  gex_Rank_t to = right_of(self);
  if (!negotiated) {
    gex_Event_t local = GEX_EVENT_INVALID;
    gex_AM_RequestLong2(tm, to, REQUEST, here, bytes, base(to), bytes % 2 ? &local : GEX_EVENT_NOW, 0, (gex_AM_Arg_t)self, 0);
    gex_Event_Wait(local);
    return;
  }
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestLong(tm, to, NULL, bytes, bytes, base(to), NULL, 0, 2);
  memcpy(gex_AM_SrcDescAddr(sd), here, bytes);
  gex_AM_CommitRequestLong2(sd, REQUEST, bytes, base(to), (gex_AM_Arg_t)self, 1);
}

/* Sizes that fit into a record, into a request, and into neither. */
static void use_messages(void) {
  static const size_t sizes[] = {4, 701, 5001, HALF};
  char here[HALF];
  int sent_n = 0;
  fill(here, self, sizeof here);
  for (int i = 0; i < 8; i++) {
    send(here, sizes[i / 2], i % 2);
    sent_n++;
    GASNET_BLOCKUNTIL(got_n == sent_n && replies_n == sent_n);
    barrier();
  }
}

/* Immediate messages to a program's own memory are never sent at once, and have written nothing when they return. */
static void use_immediate(void) {
  gex_Rank_t to = right_of(self);
  char here[100], before[100], after[100];
  memset(here, 1 + self, sizeof here);
  gex_RMA_GetBlocking(tm, before, to, base(to), sizeof before, 0);
  barrier();
  if (to % 2) {
    CHECK(gex_AM_RequestLong2(tm, to, REQUEST, here, sizeof here, base(to), GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE, 0, 0));
    gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestLong(tm, to, here, sizeof here, sizeof here, base(to), GEX_EVENT_NOW, 0, 2);
    CHECK(gex_AM_CommitRequestLong2_v2(sd, REQUEST, sizeof here, base(to), GEX_FLAG_IMMEDIATE, 0, 0));
    gex_AM_CancelRequestLong(sd, 0);
    gex_RMA_GetBlocking(tm, after, to, base(to), sizeof after, 0);
    CHECK_EQ(memcmp(before, after, sizeof after), 0);
  }
  barrier();
}

/* ---- Atomics: all units on the first two numbers of all, immediate ones until they start ---- */

static void use_atomics(void) {
  gex_AD_t domain = GEX_AD_INVALID;
  gex_AD_Create(&domain, tm, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD | GEX_OP_FCAS | GEX_OP_GET | GEX_OP_SET, 0);
  int64_t *numbers = (int64_t *)(void *)own_base, old = -1, sum = 0;
  numbers[0] = 0;
  numbers[1] = 7;
  barrier();
  for (gex_Rank_t rank = 0; rank < units_n; rank++) {
    int64_t *there = (int64_t *)(void *)base(rank);
    gex_AD_OpNBI_I64(domain, NULL, rank, there, GEX_OP_ADD, 1, 0, 0);
    while (gex_AD_OpNBI_I64(domain, NULL, rank, there, GEX_OP_ADD, 1, 0, GEX_FLAG_IMMEDIATE)) gasnet_AMPoll();
    gex_NBI_Wait(GEX_EC_RMW, 0);
    gex_Event_Wait(gex_AD_OpNB_I64(domain, &old, rank, there, GEX_OP_FADD, 3, 0, 0));
    CHECK(old >= 2 && old <= 5 * (int64_t)units_n - 3);
    gex_Event_Wait(gex_AD_OpNB_I64(domain, &old, rank, there + 1, GEX_OP_FCAS, 7, 100 + (int64_t)self, 0));
    CHECK(old == 7 || (old >= 100 && old < 100 + (int64_t)units_n));
  }
  barrier();
  CHECK_EQ(numbers[0], 5 * (int64_t)units_n);
  gex_Event_Wait(gex_AD_OpNB_I64(domain, &sum, right_of(self), base(right_of(self)), GEX_OP_GET, 0, 0, 0));
  CHECK_EQ(sum, 5 * (int64_t)units_n);
  barrier();
  gex_AD_Destroy(domain);
}

/* ---- VIS transfers; the lists change as soon as the call has returned ---- */

enum { ELEM = 12, PITCH = 20, PIECES = HALF / PITCH };

static void use_strided(const char *here) {
  ptrdiff_t apart[] = {PITCH}, dense[] = {ELEM};
  size_t n[] = {PIECES};
  static char got[PIECES * ELEM];
  gex_Rank_t to = right_of(self);
  gex_Event_t put = gex_VIS_StridedPutNB(tm, to, base(to), apart, (void *)here, dense, ELEM, n, 1, 0);
  apart[0] = dense[0] = 1, n[0] = 3;
  gex_Event_Wait(put);
  barrier();
  for (int i = 0; i < PIECES; i++) CHECK_EQ(wrong(own_base + i * PITCH, left_of(self) + (gex_Rank_t)i, ELEM), 0);
  apart[0] = PITCH, dense[0] = ELEM, n[0] = PIECES;
  CHECK_EQ(gex_VIS_StridedGetNBI(tm, got, dense, to, base(to), apart, ELEM, n, 1, 0), 0);
  apart[0] = dense[0] = 1, n[0] = 3;
  gex_NBI_Wait(GEX_EC_GET, 0);
  CHECK_EQ(memcmp(got, here, sizeof got), 0);
  barrier();
}

static void use_lists(const char *here) {
  static void *there[PIECES];
  static gex_Memvec_t vector[PIECES];
  static char got[PIECES * ELEM];
  void *one[] = {(void *)here};
  gex_Memvec_t whole;
  gex_Rank_t to = right_of(self);
  for (int i = 0; i < PIECES; i++) {
    there[i] = vector[i].gex_addr = base(to) + HALF + i * PITCH;
    vector[i].gex_len = ELEM;
  }
  whole.gex_addr = got;
  whole.gex_len = sizeof got;
  CHECK_EQ(gex_VIS_IndexedPutNBI(tm, to, PIECES, there, ELEM, 1, one, sizeof got, 0), 0);
  memset((void *)there, 0, sizeof there);
  gex_NBI_Wait(GEX_EC_PUT, 0);
  gex_Event_t get = gex_VIS_VectorGetNB(tm, 1, &whole, to, PIECES, vector, 0);
  memset(vector, 0, sizeof vector);
  whole.gex_addr = NULL;
  gex_Event_Wait(get);
  CHECK_EQ(memcmp(got, here, sizeof got), 0);
  barrier();
}

static void use_pieces(void) {
  static char here[PIECES * ELEM];
  for (int i = 0; i < PIECES; i++) fill(here + i * ELEM, self + (gex_Rank_t)i, ELEM);
  use_strided(here);
  use_lists(here);
}

static void listen(void) {
  gex_AM_Entry_t handlers[] = {
      {REQUEST, (gex_AM_Fn_t)on_request, GEX_FLAG_AM_REQUEST | GEX_FLAG_AM_LONG, 2, NULL, "request"},
      {REPLY, (gex_AM_Fn_t)on_reply, GEX_FLAG_AM_REPLY | GEX_FLAG_AM_LONG, 0, NULL, "reply"}};
  OK(gex_EP_RegisterHandlers(ep, handlers, 2));
}

/* Odd ranks publish their own memory. */
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

/* There is only host memory, and no call creates another kind of memory. */
static void other_kinds(void) {
  static const gex_MK_Class_t classes[] = {GEX_MK_CLASS_HOST, GEX_MK_CLASS_CUDA_UVA, GEX_MK_CLASS_HIP, GEX_MK_CLASS_ZE};
  gex_MK_t kind = GEX_MK_INVALID;
  gex_System_SetVerboseErrors(0);
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    gex_MK_Create_args_t args;
    memset(&args, 0, sizeof args);
    args.gex_class = classes[i];
    CHECK_EQ(gex_MK_Create(&kind, client, &args, 0), GASNET_ERR_BAD_ARG);
  }
  CHECK(kind == GEX_MK_INVALID);
  gex_System_SetVerboseErrors(1);
}

/* The segments of all units, published in two halves by a team that is destroyed afterwards. */
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
#ifdef NO_ATTACH
  setenv("TESSERA_ATTACH", "off", 1);
#endif
  start(&argc, &argv);
  char *own = (char *)take(BYTES + OFF);
  listen();
  other_kinds();
  gex_Segment_t made = make(own);
  OK(gex_EP_PublishBoundSegment(tm, &ep, 1, 0)); /* not published yet */
  OK(gex_EP_BindSegment(ep, made, 0));
  CHECK(gex_EP_QuerySegment(ep) == made);
  own_base = (char *)gex_Segment_QueryAddr(made);
  CHECK(base(self) == gex_Segment_QueryAddr(made));
  publish();
  use((char *)gex_Segment_QueryAddr(made));
  OK(gex_EP_PublishBoundSegment(tm, &ep, 1, 0));
  use((char *)gex_Segment_QueryAddr(made));
  use_messages();
  use_immediate();
  use_atomics();
  use_pieces();
  OK(tessera_gex_finalize(client));
  free(own);
  return check_result();
}
