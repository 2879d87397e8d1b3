/* Medium and long messages of all sizes up to the limits, requests and replies, with each way to learn of local completion.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { MEDIUM, LONG, KINDS_N };
enum { NOW, GROUP, EVENT, WAYS_N };
enum { REQUEST = 150, REPLY };

static size_t long_max = (size_t)3 << 20;
static unsigned char *outgoing, *incoming; /* of requests, and of replies that wait for an event */
static gex_Event_t answer_event = GEX_EVENT_INVALID;
static volatile int answered;

static unsigned key_of(int from, int to, size_t bytes) { return (unsigned)from * 31 + (unsigned)to * 17 + (unsigned)bytes; }

/* The first part of a segment is for requests, the second for replies. */
static char *place(int unit, bool request) { return segments[unit] + (request ? 0 : long_max); }

/* The target answers with the same number of bytes, with other content. */
static void request(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t kind, gex_AM_Arg_t way) {
  int source = source_of(token);
  CHECK_EQ((uintptr_t)buffer % 8, 0);
  CHECK_EQ(info_of(token).gex_is_long, kind == LONG);
  CHECK_EQ(wrong(buffer, key_of(source, self, bytes), bytes), 0);
  if (kind == LONG) CHECK(buffer == place(self, true));
  if (bytes > (kind == LONG ? gex_Token_MaxReplyLong(token, GEX_EVENT_NOW, 0, 2)
                            : gex_Token_MaxReplyMedium(token, GEX_EVENT_NOW, 0, 2)))
    CHECK(!"a reply may be as long as its request");
  gex_Event_t *lc = way == EVENT ? &answer_event : GEX_EVENT_NOW;
  fill(incoming, key_of(self, source, bytes), bytes);
  if (kind == LONG) gex_AM_ReplyLong2(token, REPLY, incoming, bytes, place(source, false), lc, 0, kind, way);
  else gex_AM_ReplyMedium2(token, REPLY, incoming, bytes, lc, 0, kind, way);
  if (way != EVENT) memset(incoming, 0xee, bytes);
}

static void reply(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t kind, gex_AM_Arg_t way) {
  (void)way;
  CHECK_EQ((uintptr_t)buffer % 8, 0);
  if (kind == LONG) CHECK(buffer == place(self, false));
  CHECK_EQ(wrong(buffer, key_of(source_of(token), self, bytes), bytes), 0);
  answered = 1;
}

static void send(int to, int kind, int way, size_t bytes) {
  gex_Event_t event = GEX_EVENT_INVALID, *lc = way == NOW ? GEX_EVENT_NOW : way == GROUP ? GEX_EVENT_GROUP : &event;
  gex_Rank_t rank = (gex_Rank_t)to;
  fill(outgoing, key_of(self, to, bytes), bytes);
  answered = 0;
  if (kind == LONG)
    CHECK_EQ(gex_AM_RequestLong2(all, rank, REQUEST, outgoing, bytes, place(to, true), lc, 0, kind, way), 0);
  else CHECK_EQ(gex_AM_RequestMedium2(all, rank, REQUEST, outgoing, bytes, lc, 0, kind, way), 0);
  if (way == GROUP) gex_NBI_Wait(GEX_EC_AM, 0);
  if (way == EVENT) gex_Event_Wait(event);
  memset(outgoing, 0xdd, bytes);
  GASNET_BLOCKUNTIL(answered);
}

/* Pairs: each unit sends to the one that is `turn` further; one pair of a unit at a time has its long messages outstanding. */
static void run(int kind, size_t bytes) {
  for (int way = NOW; way < WAYS_N; way++) {
    for (int asker = 0; asker < units_n; asker++) {
      if (self == asker) send((self + 1) % units_n, kind, way, bytes);
      barrier();
      gex_Event_Wait(answer_event);
      answer_event = GEX_EVENT_INVALID;
    }
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 2, 7, 8, 9, 31, 47, 48, 56, 63, 64, 65, 255, 257, 1000, 4096, 4097, 20000};
  gex_AM_Entry_t table[] = {
      {REQUEST, (gex_AM_Fn_t)request, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, NULL},
      {REPLY, (gex_AM_Fn_t)reply, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 2, NULL, NULL},
  };
  outgoing = malloc(long_max);
  incoming = malloc(long_max);
  if (!outgoing || !incoming) abort();
  start(&argc, &argv, table, LENGTH(table), 2 * long_max);
  size_t medium_max = gex_AM_MaxRequestMedium(all, GEX_RANK_INVALID, GEX_EVENT_NOW, 0, 2);
  CHECK(medium_max >= 512 && medium_max <= long_max);
  for (size_t i = 0; i < LENGTH(sizes); i++)
    for (int kind = MEDIUM; kind < KINDS_N; kind++)
      if (kind == LONG || sizes[i] <= medium_max) run(kind, sizes[i]);
  run(MEDIUM, medium_max - 1);
  run(MEDIUM, medium_max);
  run(LONG, medium_max + 1);
  run(LONG, long_max);
  int code = finish();
  free(outgoing);
  free(incoming);
  return code;
}
