/* Immediate messages never wait: to peers that do not poll, some are sent and others return without effect, and all are
 * counted; each sent message arrives once.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { HIT = 180, HIT_DATA, TOTAL };
enum { MESSAGES = 3000, BYTES = 2048 };

static volatile long hits_n, expected_n = -1, totals_n;
static unsigned char data[BYTES];

static void hit(gex_Token_t token) {
  (void)token;
  hits_n = hits_n + 1;
}
static void hit_data(gex_Token_t token, void *buffer, size_t bytes) {
  CHECK_EQ(wrong(buffer, 5, bytes), 0);
  hit(token);
}
static void total(gex_Token_t token, gex_AM_Arg_t n) {
  (void)token;
  expected_n = (expected_n < 0 ? 0 : expected_n) + n;
  totals_n = totals_n + 1;
}

static int negotiated(gex_Rank_t to) {
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(all, to, NULL, 1, BYTES, NULL, GEX_FLAG_IMMEDIATE, 0);
  if (sd == GEX_AM_SRCDESC_NO_OP) return 1;
  size_t bytes = gex_AM_SrcDescSize(sd);
  fill(gex_AM_SrcDescAddr(sd), 5, bytes);
  if (!gex_AM_CommitRequestMedium0_v2(sd, HIT_DATA, bytes, GEX_FLAG_IMMEDIATE)) return 0;
  gex_AM_CancelRequestMedium(sd, 0);
  return 1;
}

static int send_one(gex_Rank_t to, int i) {
  gex_Event_t event = GEX_EVENT_INVALID;
  int refused;
  switch (i % 6) {
  case 0: return gex_AM_RequestShort0(all, to, HIT, GEX_FLAG_IMMEDIATE);
  case 1: return gex_AM_RequestMedium0(all, to, HIT_DATA, data, BYTES, GEX_EVENT_NOW, GEX_FLAG_IMMEDIATE);
  case 2:
    return gex_AM_RequestLong0(all, to, HIT_DATA, data, BYTES, segments[to] + (size_t)self * BYTES, GEX_EVENT_NOW,
                               GEX_FLAG_IMMEDIATE);
  case 3:
    refused = gex_AM_RequestMedium0(all, to, HIT_DATA, data, BYTES / 2, &event, GEX_FLAG_IMMEDIATE);
    if (!refused) gex_Event_Wait(event);
    return refused;
  case 4: return gex_AM_RequestMedium0(all, to, HIT_DATA, data, 8, GEX_EVENT_GROUP, GEX_FLAG_IMMEDIATE);
  default: return negotiated(to);
  }
}

/* To the next unit, which floods too and seldom polls. */
static void flood(void) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  long sent_n = 0, refused_n = 0;
  for (int i = 0; i < MESSAGES; i++) {
    if (send_one(to, i)) refused_n++;
    else sent_n++;
  }
  CHECK_EQ(sent_n + refused_n, MESSAGES);
  gex_NBI_Wait(GEX_EC_AM, 0);
  gex_AM_RequestShort1(all, to, TOTAL, 0, (gex_AM_Arg_t)sent_n);
  GASNET_BLOCKUNTIL(totals_n >= 1 && hits_n == expected_n);
  barrier();
}

/* A replacement for blocking sends: poll after a failed attempt, and block after some of them. */
static void persistent(void) {
  gex_Rank_t to = (gex_Rank_t)((self + 1) % units_n);
  long goal = expected_n + MESSAGES;
  for (int i = 0; i < MESSAGES; i++) {
    int tries = 0;
    while (gex_AM_RequestMedium0(all, to, HIT_DATA, data, BYTES, GEX_EVENT_NOW, tries < 3 ? GEX_FLAG_IMMEDIATE : 0)) {
      gasnet_AMPoll();
      tries++;
    }
  }
  GASNET_BLOCKUNTIL(hits_n == goal);
  barrier();
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {HIT, (gex_AM_Fn_t)hit, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {HIT_DATA, (gex_AM_Fn_t)hit_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 0, NULL, NULL},
      {TOTAL, (gex_AM_Fn_t)total, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), BYTES);
  fill(data, 5, BYTES);
  flood();
  persistent();
  return finish();
}
