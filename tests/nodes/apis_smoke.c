/* A little of each interface, on any number of units, in a time that grows with their number: each unit deals with the next one and
 * with one a quarter of the units away. The argument names the part: start, p2p, dart, armci, gasnet, coll. For
 * tests/soak/many_hosts.sh. */
#include "../spmd/dart_check.h"

#include <armci.h>

#define GASNET_PAR 1
#include <gasnetex.h>

enum { SHORT_N = 8, LONG_N = 8192, LIVES_N = 3 };

/* The two that a unit deals with, and the two that deal with it. */
enum { PEERS_N = 2 };
static dart_unit_t step(int i) { return i == 0 || units_n < 4 ? 1 : units_n / 4; }
static dart_unit_t peer(int i) { return (self + step(i)) % units_n; }
static dart_unit_t caller(int i) { return (self - step(i) + units_n) % units_n; }

static int64_t number(dart_unit_t unit, int i, int word) { return unit * 1000000L + i * 100000L + word; }

static void fill_words(int64_t *words, int i, int n) {
  for (int word = 0; word < n; word++) words[word] = number(self, i, word);
}

static void check_words(const int64_t *words, dart_unit_t unit, int i, int n) {
  int wrong_n = 0;
  for (int word = 0; word < n; word++) wrong_n += words[word] != number(unit, i, word);
  CHECK_EQ(wrong_n, 0);
}

static void try_start(int *argc, char ***argv) {
  for (int life = 0; life < LIVES_N; life++) {
    start(argc, argv);
    barrier();
    OK(dart_exit());
  }
}

/* Eager messages, and by rendezvous. */
static void try_p2p(void) {
  static int64_t said[LONG_N], heard[LONG_N];
  for (int i = 0; i < PEERS_N; i++) {
    for (int n = SHORT_N; n <= LONG_N; n *= LONG_N / SHORT_N) {
      fill_words(said, i, n);
      OK(dart_sendrecv(said, (size_t)n, DART_TYPE_LONG, i, DART_GLOBAL_UNIT_ID(peer(i)), heard, (size_t)n, DART_TYPE_LONG, i,
                       DART_GLOBAL_UNIT_ID(caller(i))));
      check_words(heard, caller(i), i, n);
    }
  }
}

static void try_dart(void) {
  static int64_t words[LONG_N], got[LONG_N];
  const int64_t one = 1;
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, PEERS_N * LONG_N + 1, DART_TYPE_LONG);
  int64_t *own = own_part(base, self);
  memset(own, 0, (PEERS_N * LONG_N + 1) * sizeof *own);
  barrier();
  for (int i = 0; i < PEERS_N; i++) {
    dart_gptr_t there = at(base, peer(i), i * LONG_N * (int64_t)sizeof one);
    fill_words(words, i, LONG_N);
    OK(dart_put_blocking(there, words, LONG_N, DART_TYPE_LONG, DART_TYPE_LONG));
    OK(dart_get_blocking(got, there, LONG_N, DART_TYPE_LONG, DART_TYPE_LONG));
    check_words(got, self, i, LONG_N);
    OK(dart_accumulate(at(base, peer(i), PEERS_N * LONG_N * (int64_t)sizeof one), &one, 1, DART_TYPE_LONG, DART_OP_SUM));
  }
  OK(dart_flush_all(base));
  barrier();
  for (int i = 0; i < PEERS_N; i++) check_words(own + i * LONG_N, caller(i), i, LONG_N);
  CHECK_EQ(own[PEERS_N * LONG_N], PEERS_N);
  barrier();
  OK(dart_team_memfree(base));
}

static void try_armci(void) {
  static int64_t words[LONG_N], got[LONG_N];
  void **parts = malloc((size_t)units_n * sizeof *parts);
  OK(ARMCI_Init());
  OK(ARMCI_Malloc(parts, (PEERS_N * LONG_N + 1) * sizeof(int64_t)));
  memset(parts[self], 0, (PEERS_N * LONG_N + 1) * sizeof(int64_t));
  ARMCI_Barrier();
  for (int i = 0; i < PEERS_N; i++) {
    int64_t *there = (int64_t *)parts[peer(i)] + i * LONG_N;
    long old = 0;
    fill_words(words, i, LONG_N);
    OK(ARMCI_Put(words, there, sizeof words, peer(i)));
    ARMCI_Fence(peer(i));
    OK(ARMCI_Get(there, got, sizeof got, peer(i)));
    check_words(got, self, i, LONG_N);
    OK(ARMCI_Rmw(ARMCI_FETCH_AND_ADD_LONG, &old, (int64_t *)parts[peer(i)] + PEERS_N * LONG_N, 1, peer(i)));
  }
  ARMCI_Barrier();
  for (int i = 0; i < PEERS_N; i++) check_words((int64_t *)parts[self] + i * LONG_N, caller(i), i, LONG_N);
  CHECK_EQ(((int64_t *)parts[self])[PEERS_N * LONG_N], PEERS_N);
  ARMCI_Barrier();
  OK(ARMCI_Free(parts[self]));
  OK(ARMCI_Finalize());
  free(parts);
}

enum { HANDLER = 222 };
static _Atomic int64_t told_n;

static void on_message(gex_Token_t token, void *data, size_t bytes) {
  (void)token, (void)data;
  CHECK_EQ(bytes, SHORT_N * sizeof(int64_t));
  told_n++;
}

static void try_gasnet(void) {
  static int64_t words[LONG_N], got[LONG_N];
  gex_Client_t client;
  gex_EP_t ep;
  gex_TM_t tm;
  gex_Segment_t segment;
  gex_AM_Entry_t handler = {HANDLER, (gex_AM_Fn_t)on_message, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, "smoke"};
  OK(gex_Client_Init(&client, &ep, &tm, "SMOKE", NULL, NULL, 0));
  OK(gex_Segment_Attach(&segment, tm, PEERS_N * LONG_N * sizeof(int64_t)));
  OK(gex_EP_RegisterHandlers(ep, &handler, 1));
  barrier();
  for (int i = 0; i < PEERS_N; i++) {
    const gex_Rank_t to = (gex_Rank_t)peer(i);
    void *there = NULL;
    gex_Event_Wait(gex_EP_QueryBoundSegmentNB(tm, to, &there, NULL, NULL, 0));
    fill_words(words, i, LONG_N);
    gex_RMA_PutBlocking(tm, to, (int64_t *)there + i * LONG_N, words, sizeof words, 0);
    gex_RMA_GetBlocking(tm, got, to, (int64_t *)there + i * LONG_N, sizeof got, 0);
    check_words(got, self, i, LONG_N);
    gex_AM_RequestMedium0(tm, to, HANDLER, words, SHORT_N * sizeof *words, GEX_EVENT_NOW, 0);
  }
  GASNET_BLOCKUNTIL(told_n == PEERS_N);
  barrier();
  for (int i = 0; i < PEERS_N; i++) check_words((int64_t *)gex_Segment_QueryAddr(segment) + i * LONG_N, caller(i), i, LONG_N);
  barrier();
  OK(tessera_gex_finalize(client));
}

static void try_coll(void) {
  const int64_t mine = self;
  int64_t sum = 0, *all = malloc((size_t)units_n * sizeof *all);
  for (int i = 0; i < 4; i++) {
    static int64_t words[LONG_N];
    const dart_unit_t root = (dart_unit_t)((int64_t)i * (units_n - 1) / 3);
    if (self == root) fill_words(words, i, LONG_N);
    OK(dart_bcast(words, LONG_N, DART_TYPE_LONG, DART_TEAM_UNIT_ID(root), DART_TEAM_ALL));
    check_words(words, root, i, LONG_N);
  }
  OK(dart_allreduce(&mine, &sum, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL));
  CHECK_EQ(sum, (int64_t)units_n * (units_n - 1) / 2);
  OK(dart_allgather(&mine, all, 1, DART_TYPE_LONG, DART_TEAM_ALL));
  for (dart_unit_t unit = 0; unit < units_n; unit++) CHECK_EQ(all[unit], unit);
  free(all);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*run)(void);
  } parts[] = {{"p2p", try_p2p}, {"dart", try_dart}, {"armci", try_armci}, {"gasnet", try_gasnet}, {"coll", try_coll}};
  const char *wanted = argc > 1 ? argv[1] : "start";
  if (strcmp(wanted, "start") == 0) try_start(&argc, &argv);
  start(&argc, &argv);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(wanted, parts[i].name) == 0) parts[i].run();
  }
  barrier();
  return finish();
}
