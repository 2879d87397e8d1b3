/* VIS puts that run a handler at the peer; the handler finds the data.
 * Group: gasnet_calls
 */
#include "gasnet_vis.h"

enum { ARRIVED = 200, OTHER = 201, ROUNDS = 40, PIECES_N = 6, PIECE = 80 };

static int arrived, others, wrong_data;

/* The arguments of the handler: the origin, and the content of the pieces. */
struct notice {
  int from, key;
  char filler[90];
};

static void look(int from, int key) {
  const char *mine = segments[self] + (size_t)from * ROOM;
  for (int i = 0; i < PIECES_N * 2 * PIECE; i++) {
    if (i / PIECE % 2 == 0) wrong_data += mine[i] != (char)(key + i / (2 * PIECE) + i % PIECE);
  }
}

static void on_arrival(gex_Token_t token, void *data, size_t bytes) {
  struct notice notice;
  arrived++;
  CHECK(!is_request(token));
  CHECK_EQ(bytes, sizeof notice);
  memcpy(&notice, data, sizeof notice);
  CHECK_EQ(source_of(token), notice.from);
  CHECK_EQ(notice.filler[89], (char)(notice.key * 3));
  if (notice.key >= 0) look(notice.from, notice.key);
}

static void on_other(gex_Token_t token, void *data, size_t bytes) {
  (void)token;
  (void)data;
  others++;
  CHECK_EQ(bytes, 0);
}

static struct notice notice_of(int key) {
  struct notice notice;
  memset(&notice, 0, sizeof notice);
  notice.from = self;
  notice.key = key;
  notice.filler[89] = (char)(key * 3);
  return notice;
}

static void put(int target, int key) {
  char data[PIECES_N][PIECE];
  gex_Memvec_t to[PIECES_N], from[1];
  void *list[PIECES_N], *whole[1] = {data};
  const ptrdiff_t there[1] = {2 * PIECE}, here[1] = {PIECE};
  const size_t count[1] = {PIECES_N};
  char *base = segments[target] + (size_t)self * ROOM;
  struct notice notice = notice_of(key);
  for (int i = 0; i < PIECES_N; i++) {
    for (int j = 0; j < PIECE; j++) data[i][j] = (char)(key + i + j);
    to[i].gex_addr = list[i] = base + 2 * i * PIECE;
    to[i].gex_len = PIECE;
  }
  from[0].gex_addr = data;
  from[0].gex_len = sizeof data;
  gex_VIS_SetPeerCompletionHandler(ARRIVED, &notice, sizeof notice, 0);
  gex_Event_t event = GEX_EVENT_INVALID;
  switch (key % 4) {
    case 0: event = gex_VIS_VectorPutNB(all, (gex_Rank_t)target, PIECES_N, to, 1, from, 0); break;
    case 1: gex_VIS_IndexedPutNBI(all, (gex_Rank_t)target, PIECES_N, list, PIECE, 1, whole, sizeof data, 0); break;
    case 2: gex_VIS_StridedPutBlocking(all, (gex_Rank_t)target, base, there, data, here, PIECE, count, 1, 0); break;
    default:
      event = gex_VIS_StridedPutNB(all, (gex_Rank_t)target, base, there, data, here, PIECE, count, 1, GEX_FLAG_ENABLE_LEAF_LC);
  }
  gex_Event_Wait(event);
  gex_NBI_Wait(GEX_EC_PUT, 0);
}

static void await(const int *counter, int goal) {
  while (*(const volatile int *)counter < goal) gex_NBI_Wait(GEX_EC_ALL, 0);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[2];
  memset(table, 0, sizeof table);
  table[0].gex_index = ARRIVED, table[0].gex_fnptr = (gex_AM_Fn_t)on_arrival;
  table[1].gex_index = OTHER, table[1].gex_fnptr = (gex_AM_Fn_t)on_other;
  for (int i = 0; i < 2; i++) table[i].gex_flags = GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY;
  start(&argc, &argv, table, 2, ROOM);
  CHECK(GEX_VIS_MAX_PEERCOMPLETION >= 127);
  for (int round = 0; round < ROUNDS; round++) {
    put((self + round) % units_n, round);
    await(&arrived, round + 1);
    barrier();
  }
  CHECK_EQ(wrong_data, 0);
  /* A handler that is cancelled; a transfer of no bytes that runs its handler. A get ignores the handler. */
  gex_Rank_t next = (gex_Rank_t)((self + 1) % units_n);
  struct notice notice = notice_of(-1);
  char eight[8] = "", *mine = segments[self] + (size_t)self * ROOM;
  gex_VIS_SetPeerCompletionHandler(ARRIVED, &notice, sizeof notice, 0);
  gex_VIS_SetPeerCompletionHandler(0, NULL, 0, 0);
  gex_VIS_StridedPutBlocking(all, (gex_Rank_t)self, mine, NULL, eight, NULL, 8, NULL, 0, 0);
  gex_VIS_SetPeerCompletionHandler(OTHER, NULL, 0, 0);
  gex_VIS_StridedGetBlocking(all, eight, NULL, next, segments[next], NULL, 8, NULL, 0, 0);
  gex_VIS_VectorPutBlocking(all, next, 0, NULL, 0, NULL, 0);
  await(&others, 1);
  barrier();
  CHECK_EQ(arrived, ROUNDS);
  CHECK_EQ(others, 1);
  /* A barrier runs the handlers of puts before it, also on a unit that comes last and does not wait. */
  for (int round = 0; round < ROUNDS; round++) {
    gex_VIS_SetPeerCompletionHandler(OTHER, NULL, 0, 0);
    gex_VIS_VectorPutBlocking(all, (gex_Rank_t)self, 0, NULL, 0, NULL, 0);
    gex_Event_Wait(gex_Coll_BarrierNB(all, 0));
    CHECK_EQ(others, 2 + round);
  }
  return finish();
}
