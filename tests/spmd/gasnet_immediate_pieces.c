/* Immediate transfers that take several messages, to a process that sleeps until a signal, with few buffers: each is
 * sent completely, or returns without effect, also one that needs more buffers than there are; none waits for a buffer
 * after it has begun. With threads two of them compete for the last buffers. */
#include "gasnet_am.h"

#include <gasnet_vis.h>

#include <stdlib.h>
#include <unistd.h>
#ifdef GASNET_PAR
#include <pthread.h>
#endif

#include "away.h"

enum { ROUNDS = 3, ELEM = 1000, PITCH = 1024, ELEMS = 100, ELEMS_MANY = 300, LISTED = 4, LISTED_PITCH = 8, LISTED_N = 2000 };
enum { WHOLE = ELEMS_MANY * PITCH, SMALL = 8 };
enum kind { STRIDED_PUT, STRIDED_GET, INDEXED_PUT, VECTOR_GET, TOO_LONG_PUT, PUT, GET, SMALL_PUT, KINDS_N };
enum { N = ROUNDS * KINDS_N };

/* For each unit: its process, data to read, and a place for each transfer. */
struct area {
  int64_t process;
  char source[WHOLE];
  char places[N][WHOLE];
};
static struct area *mine;
static char here[WHOLE], got[N][WHOLE];
static gex_Event_t events[N];
static bool went[N];

static struct area *area_of(gex_Rank_t rank) { return (struct area *)(void *)segments[rank]; }

/* Every round begins with another kind, since the first ones find room. */
static enum kind kind_of(int i) { return (enum kind)((i + 3 * (i / KINDS_N)) % KINDS_N); }
static bool is_get(enum kind kind) { return kind == STRIDED_GET || kind == VECTOR_GET || kind == GET; }

static bool start_event(int i, gex_Event_t event) {
  events[i] = event == GEX_EVENT_NO_OP ? GEX_EVENT_INVALID : event;
  return event != GEX_EVENT_NO_OP;
}

static bool strided_put(gex_Rank_t to, int i, size_t elems_n) {
  const ptrdiff_t pitch[] = {PITCH}, dense[] = {ELEM};
  return start_event(i, gex_VIS_StridedPutNB(all, to, area_of(to)->places[i], pitch, here, dense, ELEM, &elems_n, 1,
                                             GEX_FLAG_IMMEDIATE));
}

static bool strided_get(gex_Rank_t from, int i) {
  const ptrdiff_t pitch[] = {PITCH}, dense[] = {ELEM};
  const size_t elems_n = ELEMS;
  return !gex_VIS_StridedGetNBI(all, got[i], pitch, from, area_of(from)->source, dense, ELEM, &elems_n, 1, GEX_FLAG_IMMEDIATE);
}

static bool indexed_put(gex_Rank_t to, int i) {
  void *there[LISTED_N], *one[] = {here};
  for (int piece = 0; piece < LISTED_N; piece++) there[piece] = area_of(to)->places[i] + piece * LISTED_PITCH;
  return !gex_VIS_IndexedPutNBI(all, to, LISTED_N, there, LISTED, 1, one, (size_t)LISTED_N * LISTED, GEX_FLAG_IMMEDIATE);
}

static bool vector_get(gex_Rank_t from, int i) {
  gex_Memvec_t there[LISTED_N], one[1];
  one[0].gex_addr = got[i];
  one[0].gex_len = (size_t)LISTED_N * LISTED;
  for (int piece = 0; piece < LISTED_N; piece++) {
    there[piece].gex_addr = area_of(from)->source + piece * LISTED_PITCH;
    there[piece].gex_len = LISTED;
  }
  return start_event(i, gex_VIS_VectorGetNB(all, 1, one, from, LISTED_N, there, GEX_FLAG_IMMEDIATE));
}

static bool try_one(gex_Rank_t to, int i) {
  struct area *area = area_of(to);
  const gex_Flags_t flags = GEX_FLAG_IMMEDIATE;
  switch (kind_of(i)) {
  case STRIDED_PUT: return strided_put(to, i, ELEMS);
  case TOO_LONG_PUT: return strided_put(to, i, ELEMS_MANY);
  case STRIDED_GET: return strided_get(to, i);
  case INDEXED_PUT: return indexed_put(to, i);
  case VECTOR_GET: return vector_get(to, i);
  case PUT: return start_event(i, gex_RMA_PutNB(all, to, area->places[i], here, WHOLE, GEX_EVENT_DEFER, flags));
  case GET: return !gex_RMA_GetNBI(all, got[i], to, area->source, WHOLE, flags);
  default: return !gex_RMA_PutNBI(all, to, area->places[i], here, SMALL, GEX_EVENT_DEFER, flags);
  }
}

/* The expected byte of a place where the transfer arrived; elsewhere it is 0. Data to send and data to read have one pattern. */
static char due(enum kind kind, size_t at) {
  const size_t elems_n = kind == TOO_LONG_PUT ? ELEMS_MANY : ELEMS, row = at / PITCH, column = at % PITCH;
  switch (kind) {
  case STRIDED_PUT:
  case TOO_LONG_PUT:
  case STRIDED_GET: return row < elems_n && column < ELEM ? here[row * ELEM + column] : 0;
  case INDEXED_PUT:
    return at < (size_t)LISTED_N * LISTED_PITCH && at % LISTED_PITCH < LISTED
               ? here[at / LISTED_PITCH * LISTED + at % LISTED_PITCH] : 0;
  case VECTOR_GET: return at < (size_t)LISTED_N * LISTED ? here[at / LISTED * LISTED_PITCH + at % LISTED] : 0;
  case SMALL_PUT: return at < SMALL ? here[at] : 0;
  default: return here[at];
  }
}

static void check_one(gex_Rank_t to, int i) {
  static char data[WHOLE];
  enum kind kind = kind_of(i);
  long wrong_n = 0;
  if (is_get(kind)) memcpy(data, got[i], WHOLE);
  else gex_RMA_GetBlocking(all, data, to, area_of(to)->places[i], WHOLE, 0);
  for (size_t at = 0; at < WHOLE; at++) wrong_n += data[at] != (went[i] ? due(kind, at) : 0);
  CHECK_EQ(wrong_n, 0);
}

static gex_Rank_t target;

/* Every second transfer is implicit; its region's event waits for it. */
struct half {
  int first;
  gex_Event_t region;
};
static void *flood_half(void *arg) {
  struct half *half = (struct half *)arg;
  gex_NBI_BeginAccessRegion(0);
  for (int i = half->first; i < N; i += 2) went[i] = try_one(target, i);
  half->region = gex_NBI_EndAccessRegion(0);
  return NULL;
}

static void flood_both(struct half halves[2]) {
#ifdef GASNET_PAR
  pthread_t other;
  if (pthread_create(&other, NULL, flood_half, &halves[1])) abort();
  flood_half(&halves[0]);
  pthread_join(other, NULL);
#else
  flood_half(&halves[0]);
  flood_half(&halves[1]);
#endif
}

static bool shares_memory(gex_Rank_t rank) {
  void *local = NULL;
  gex_Event_Wait(gex_EP_QueryBoundSegmentNB(all, rank, NULL, &local, NULL, 0));
  return local != NULL;
}

/* All transfers start within a node; between nodes some do, and those that are too long never do. */
static void check_counts(void) {
  int went_n[KINDS_N] = {0}, all_n = 0;
  for (int i = 0; i < N; i++) {
    went_n[kind_of(i)] += went[i];
    all_n += went[i];
  }
  if (shares_memory(target)) {
    CHECK_EQ(all_n, N);
    return;
  }
  CHECK_EQ(went_n[TOO_LONG_PUT], 0);
  CHECK(all_n > 0);
  if (strcmp(getenv("TESSERA_PROGRESS"), "none") == 0) CHECK(all_n < N - ROUNDS);
}

static void flood(gex_Rank_t to, pid_t process) {
  struct half halves[2] = {{0, GEX_EVENT_INVALID}, {1, GEX_EVENT_INVALID}};
  target = to;
  until_away();
  flood_both(halves);
  check_counts();
  come_back(process);
  gex_Event_WaitAll(events, N, 0);
  gex_Event_Wait(halves[0].region);
  gex_Event_Wait(halves[1].region);
  for (int i = 0; i < N; i++) check_one(to, i);
}

/* A put with a handler returns without effect, and the handler stays for the next put. */
enum { CALLED = 190 };
static volatile int called_n;
static void called(gex_Token_t token, void *data, size_t bytes) {
  (void)token, (void)data, (void)bytes;
  called_n = called_n + 1;
}

static void with_handler(void) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  const ptrdiff_t pitch[] = {PITCH}, dense[] = {ELEM};
  const size_t elems_n = 3;
  char *place = area_of(to)->places[0];
  gex_VIS_SetPeerCompletionHandler(CALLED, here, 5, 0);
  CHECK(gex_VIS_StridedPutBlocking(all, to, place, pitch, here, dense, ELEM, &elems_n, 1, GEX_FLAG_IMMEDIATE));
  CHECK(gex_VIS_StridedPutNB(all, to, place, pitch, here, dense, ELEM, &elems_n, 1, GEX_FLAG_IMMEDIATE) == GEX_EVENT_NO_OP);
  barrier();
  CHECK_EQ(called_n, 0);
  barrier();
  CHECK_EQ(gex_VIS_StridedPutBlocking(all, to, place, pitch, here, dense, ELEM, &elems_n, 1, 0), 0);
  GASNET_BLOCKUNTIL(called_n == 1);
}

static void set_up(int *argc, char ***argv) {
  gex_AM_Entry_t table[] = {{CALLED, (gex_AM_Fn_t)called, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 0, NULL, NULL}};
  setenv("TESSERA_PROGRESS", "none", 0);
  setenv("TESSERA_WIRE_BUFFERS", "16", 1);
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);
  away_prepare();
  start(argc, argv, table, LENGTH(table), sizeof(struct area));
  mine = (struct area *)(void *)segments[self];
  for (int at = 0; at < WHOLE; at++) here[at] = mine->source[at] = (char)(1 + at % 97);
  mine->process = getpid();
  barrier();
}

int main(int argc, char **argv) {
  set_up(&argc, &argv);
  bool away = self % 2 == 1, floods = !away && self + 1 < units_n;
  gex_Rank_t other = (gex_Rank_t)(away ? self - 1 : self + 1);
  int64_t process = 0;
  if (away || floods) gex_RMA_GetBlocking(all, &process, other, &area_of(other)->process, sizeof process, 0);
  barrier();
  if (away) stay_away((pid_t)process);
  if (floods) flood(other, (pid_t)process);
  barrier();
  with_handler();
  return finish();
}
