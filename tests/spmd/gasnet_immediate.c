/* Immediate puts, gets, VIS transfers, atomics and messages to a process that makes no progress: each starts or returns
 * without effect, and none waits. Operations that started take effect once. Every second unit sleeps until a signal,
 * and there is no progress thread, so that all buffers are used up at some time. */
#include "gasnet_am.h"

#include <gasnet_ratomic.h>
#include <gasnet_vis.h>

#include <stdlib.h>
#include <unistd.h>

#include "away.h"

enum { HIT = 200, N = 3000, BYTES = 24, PIECE = 8, PIECES = 3, PITCH = 16 };
enum kind { PUT_NB, PUT_NBI, GET_NB, STRIDED, INDEXED, VECTOR, ADD, FETCH_ADD, MESSAGE, KINDS_N };

/* For each unit: its process, a sum, the number of messages, and a place for each operation. */
struct area {
  int64_t process;
  int64_t sum, hits;
  char places[N][PIECES * PITCH];
};
static struct area *mine;
static gex_AD_t domain;
static gex_Event_t events[N];
static char here[N][BYTES], got[N][BYTES];
static int64_t old[N];
static bool went[N];
static long went_n[KINDS_N], back_n[KINDS_N];

static struct area *area_of(gex_Rank_t rank) { return (struct area *)(void *)segments[rank]; }

static void hit(gex_Token_t token) {
  (void)token;
  mine->hits++;
}

static const ptrdiff_t pitch_there[] = {PITCH}, pitch_here[] = {PIECE};
static const size_t pieces_n[] = {PIECES};

/* The places of the pieces; the lists stay valid until the end. */
static void *lists[N][PIECES], *sources[N][1];
static gex_Memvec_t vectors[N][PIECES], source_vectors[N][1];
static void make_lists(gex_Rank_t to, int i) {
  sources[i][0] = here[i];
  source_vectors[i][0].gex_addr = here[i];
  source_vectors[i][0].gex_len = BYTES;
  for (int piece = 0; piece < PIECES; piece++) {
    lists[i][piece] = area_of(to)->places[i] + piece * PITCH;
    vectors[i][piece].gex_addr = lists[i][piece];
    vectors[i][piece].gex_len = PIECE;
  }
}

static bool start_event(int i, gex_Event_t event) {
  events[i] = event == GEX_EVENT_NO_OP ? GEX_EVENT_INVALID : event;
  return event != GEX_EVENT_NO_OP;
}

static bool try_one(gex_Rank_t to, int i) {
  struct area *area = area_of(to);
  const gex_Flags_t flags = GEX_FLAG_IMMEDIATE;
  make_lists(to, i);
  switch ((enum kind)(i % KINDS_N)) {
  case PUT_NB:
    return start_event(i, gex_RMA_PutNB(all, to, area->places[i], here[i], BYTES, GEX_EVENT_DEFER, flags));
  case PUT_NBI: return !gex_RMA_PutNBI(all, to, area->places[i], here[i], BYTES, GEX_EVENT_DEFER, flags);
  case GET_NB: return start_event(i, gex_RMA_GetNB(all, got[i], to, area->places[i], BYTES, flags));
  case STRIDED:
    return start_event(i, gex_VIS_StridedPutNB(all, to, area->places[i], pitch_there, here[i], pitch_here, PIECE, pieces_n,
                                               1, flags));
  case INDEXED: return !gex_VIS_IndexedPutNBI(all, to, PIECES, lists[i], PIECE, 1, sources[i], BYTES, flags);
  case VECTOR: return start_event(i, gex_VIS_VectorPutNB(all, to, PIECES, vectors[i], 1, source_vectors[i], flags));
  case ADD: return !gex_AD_OpNBI_I64(domain, NULL, to, &area->sum, GEX_OP_ADD, 1, 0, flags);
  case FETCH_ADD: return start_event(i, gex_AD_OpNB_I64(domain, &old[i], to, &area->sum, GEX_OP_FADD, 1, 0, flags));
  default: return !gex_AM_RequestShort0(all, to, HIT, flags);
  }
}

/* The bytes of the operation that should have arrived, in a row. */
static void fetch(gex_Rank_t to, int i, char data[]) {
  enum kind kind = (enum kind)(i % KINDS_N);
  bool whole = kind == PUT_NB || kind == PUT_NBI;
  void *place = area_of(to)->places[i];
  if (whole) gex_RMA_GetBlocking(all, data, to, place, BYTES, 0);
  else gex_VIS_StridedGetBlocking(all, data, pitch_here, to, place, pitch_there, PIECE, pieces_n, 1, 0);
}

static void check_one(gex_Rank_t to, int i) {
  static const char nothing[BYTES];
  char data[BYTES];
  enum kind kind = (enum kind)(i % KINDS_N);
  if (kind == GET_NB) {
    CHECK_EQ(memcmp(got[i], nothing, BYTES) == 0, went[i]);
  } else if (kind < ADD) {
    fetch(to, i, data);
    CHECK_EQ(wrong(data, (unsigned)i, BYTES) == 0, went[i]);
    CHECK_EQ(memcmp(data, nothing, BYTES) == 0, !went[i]);
  } else if (kind == FETCH_ADD) {
    CHECK_EQ(old[i] >= 0, went[i]);
  }
}

static bool shares_memory(gex_Rank_t rank) {
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, NULL, &local, NULL, 0));
  return local != NULL;
}

static void flood(gex_Rank_t to, pid_t process) {
  bool helped = strcmp(getenv("TESSERA_PROGRESS"), "none") != 0, near = shares_memory(to);
  until_away();
  for (int i = 0; i < N; i++) {
    fill(here[i], (unsigned)i, BYTES);
    memset(got[i], 1, BYTES);
    old[i] = -1;
    went[i] = try_one(to, i);
    (went[i] ? went_n : back_n)[i % KINDS_N]++;
  }
  for (int kind = 0; kind < KINDS_N; kind++) {
    CHECK(went_n[kind] > 0 || !near);
    if (near && kind != MESSAGE) CHECK_EQ(back_n[kind], 0);
    if (!near && !helped) CHECK(back_n[kind] > 0);
  }
  come_back(process);
  gex_Event_WaitAll(events, N, 0);
  gex_NBI_Wait(GEX_EC_ALL, 0);
  for (int i = 0; i < N; i++) check_one(to, i);
  int64_t sum = 0;
  gex_RMA_GetBlocking(all, &sum, to, &area_of(to)->sum, sizeof sum, 0);
  CHECK_EQ(sum, went_n[ADD] + went_n[FETCH_ADD]);
  gex_AM_RequestShort0(all, to, HIT, 0);
}

static long messages_due(gex_Rank_t from) {
  int64_t n = 0;
  gex_RMA_GetBlocking(all, &n, from, &area_of(from)->hits, sizeof n, 0);
  return (long)n;
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {{HIT, (gex_AM_Fn_t)hit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  setenv("TESSERA_PROGRESS", "none", 0);
  away_prepare();
  start(&argc, &argv, table, LENGTH(table), sizeof(struct area));
  mine = (struct area *)(void *)segments[self];
  memset(mine, 0, sizeof *mine);
  mine->process = getpid();
  gex_AD_Create(&domain, all, GEX_DT_I64, GEX_OP_ADD | GEX_OP_FADD, 0);
  barrier();
  bool away = self % 2 == 1, floods = !away && self + 1 < units_n;
  gex_Rank_t other = (gex_Rank_t)(away ? self - 1 : self + 1);
  int64_t process = 0;
  if (away || floods) gex_RMA_GetBlocking(all, &process, other, &area_of(other)->process, sizeof process, 0);
  barrier();
  if (away) stay_away((pid_t)process);
  if (floods) {
    flood(other, (pid_t)process);
    mine->hits = went_n[MESSAGE] + 1;
  }
  barrier();
  if (away) {
    long due = messages_due(other);
    GASNET_BLOCKUNTIL(mine->hits >= due);
    CHECK_EQ(mine->hits, due);
  }
  barrier();
  gex_AD_Destroy(domain);
  return finish();
}
