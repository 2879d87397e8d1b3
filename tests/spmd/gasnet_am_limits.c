/* The limits of messages: the same result before the start, right after it, with a segment and without, however small
 * the pieces between nodes are; and messages of this length work. */
#include "gasnet_am.h"

enum { TAKE = 130, MODES_N = 3 };
static const gex_Flags_t modes[MODES_N] = {0, GEX_FLAG_AM_PREPARE_LEAST_CLIENT, GEX_FLAG_AM_PREPARE_LEAST_ALLOC};
static size_t medium, longest, least[MODES_N];
static volatile size_t came;

static void take(gex_Token_t token, void *buffer, size_t bytes) {
  CHECK_EQ(wrong(buffer, (unsigned)source_of(token), bytes), 0);
  came = came + bytes;
}

static void ask(void) {
  CHECK_EQ(gex_AM_LUBRequestMedium(), medium);
  CHECK_EQ(gex_AM_LUBReplyMedium(), medium);
  CHECK_EQ(gex_AM_LUBRequestLong(), longest);
  CHECK_EQ(gex_AM_LUBReplyLong(), longest);
}

static void ask_of(gex_TM_t team, gex_Rank_t rank, unsigned args_n) {
  ask();
  for (int i = 0; i < MODES_N; i++) {
    if (!least[i]) least[i] = gex_AM_MaxRequestMedium(team, rank, GEX_EVENT_NOW, modes[i], args_n);
    CHECK_EQ(gex_AM_MaxRequestMedium(team, rank, GEX_EVENT_NOW, modes[i], args_n), least[i]);
    CHECK_EQ(gex_AM_MaxReplyMedium(team, rank, GEX_EVENT_NOW, modes[i], args_n), least[i]);
    CHECK(least[i] >= medium);
    CHECK(gex_AM_MaxRequestLong(team, rank, GEX_EVENT_NOW, modes[i], args_n) >= longest || modes[i]);
    CHECK(gex_AM_MaxReplyLong(team, rank, GEX_EVENT_NOW, modes[i], args_n) >= longest || modes[i]);
  }
}

static void ask_all(gex_TM_t team) {
  ask_of(team, GEX_RANK_INVALID, 0);
  for (gex_Rank_t rank = 0; rank < (gex_Rank_t)units_n; rank++) ask_of(team, rank, rank % (gex_AM_MaxArgs() + 1));
}

int main(int argc, char **argv) {
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1); /* the minimum */
  medium = gex_AM_LUBRequestMedium();
  longest = gex_AM_LUBRequestLong();
  CHECK(medium >= 512 && longest >= 512);
  ask();
  gex_AM_Entry_t table[] = {{TAKE, (gex_AM_Fn_t)take, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REQUEST, 0, NULL, NULL}};
  if (gex_Client_Init(&client, &ep, &all, "TEST", &argc, &argv, 0)) return 1;
  self = (int)gex_System_QueryJobRank();
  units_n = (int)gex_System_QueryJobSize();
  ask_all(all);
  ask_all(gex_TM_Pair(ep, 0));
  CHECK_EQ(gex_EP_RegisterHandlers(ep, table, 1), GASNET_OK);
  CHECK_EQ(gex_Segment_Attach(&segment, all, GASNET_PAGESIZE), GASNET_OK);
  ask_all(all);
  void *data = malloc(medium);
  if (!data) abort();
  fill(data, (unsigned)self, medium);
  for (int to = 0; to < units_n; to++)
    CHECK_EQ(gex_AM_RequestMedium0(all, (gex_Rank_t)to, TAKE, data, medium, GEX_EVENT_NOW, 0), 0);
  GASNET_BLOCKUNTIL(came == (size_t)units_n * medium);
  free(data);
  return finish();
}
