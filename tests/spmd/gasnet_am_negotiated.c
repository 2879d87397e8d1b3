/* Negotiated payload: buffers of the caller and of the library, fewer bytes committed than prepared, immediate commits,
 * and messages that are cancelled; requests and replies.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { MEDIUM, LONG, KINDS_N };
enum { REQUEST = 160, REPLY };

/* How a message is made. */
enum { LIBRARY = 1, GROUP = 2, EVENT = 4, SHORTER = 8, IMMEDIATE = 16, CANCELLED = 32, EARLY_PLACE = 64, WAYS_N = 128 };

static const size_t sizes[] = {1, 8, 64, 100, 1000, 5000};
enum { BYTES_MAX = 5000 };

static unsigned char own[BYTES_MAX];
static gex_Event_t own_event;
static volatile int requests_n, replies_n;

/* A handler cannot wait until its data may be reused, so each reply has data of its own until all have been sent. */
static struct answer {
  struct answer *next;
  gex_Event_t event;
  unsigned char data[BYTES_MAX];
} *answers;

static struct answer *add_answer(void) {
  struct answer *answer = (struct answer *)malloc(sizeof *answer);
  if (!answer) abort();
  answer->next = answers;
  answer->event = GEX_EVENT_INVALID;
  return answers = answer;
}

static void free_answers(void) {
  for (struct answer *answer; (answer = answers); free(answer)) {
    gex_Event_Wait(answer->event);
    answers = answer->next;
  }
}

static bool is_possible(int way, bool request) {
  if ((way & LIBRARY) && (way & (GROUP | EVENT))) return false;
  if ((way & GROUP) && ((way & EVENT) || !request)) return false;
  return true;
}

static size_t sent_of(size_t bytes, int way) { return way & SHORTER ? bytes / 2 : bytes; }
static unsigned key_of(int from, size_t bytes, int way) { return (unsigned)from * 41 + (unsigned)bytes + (unsigned)way; }

/* The place of this unit's long messages at a target. */
static char *place(int unit, bool request) {
  return segments[unit] + (size_t)self * 2 * BYTES_MAX + (request ? 0 : BYTES_MAX);
}

static gex_Event_t *lc_of(int way, gex_Event_t *event) {
  if (way & LIBRARY) return way & SHORTER ? GEX_EVENT_NOW : NULL; /* old programs pass NOW, which asks for nothing here */
  return way & GROUP ? GEX_EVENT_GROUP : way & EVENT ? event : GEX_EVENT_NOW;
}

/* Prepares this number of bytes, and fills them. */
static size_t write_into(gex_AM_SrcDesc_t sd, const void *client, size_t bytes, int way) {
  CHECK(sd != GEX_AM_SRCDESC_NO_OP);
  size_t got = gex_AM_SrcDescSize(sd);
  void *data = gex_AM_SrcDescAddr(sd);
  CHECK(got >= sent_of(bytes, way) && got <= bytes);
  if (client) CHECK(data == client);
  else CHECK(data && (uintptr_t)data % 16 == 0);
  size_t sent = sent_of(bytes, way);
  fill(data, key_of(self, bytes, way), sent);
  return sent;
}

/* Not 0: it was cancelled. */
static int send_request(int to, int kind, size_t bytes, int way) {
  const void *client_buf = way & LIBRARY ? NULL : own;
  gex_Rank_t rank = (gex_Rank_t)to;
  size_t least = sent_of(bytes, way);
  gex_AM_Arg_t size = (gex_AM_Arg_t)bytes;
  void *there = place(to, true), *early = way & EARLY_PLACE ? there : NULL;
  gex_Event_t *lc = lc_of(way, &own_event);
  gex_AM_SrcDesc_t sd = kind == LONG ? gex_AM_PrepareRequestLong(all, rank, client_buf, least, bytes, early, lc, 0, 2)
                                     : gex_AM_PrepareRequestMedium(all, rank, client_buf, least, bytes, lc, 0, 2);
  size_t sent = write_into(sd, client_buf, bytes, way);
  if (way & CANCELLED)
    return kind == LONG ? gex_AM_CancelRequestLong(sd, 0), 1 : (gex_AM_CancelRequestMedium(sd, 0), 1);
  int tries = way & IMMEDIATE ? 100 : 0;
  while (tries-- > 0) {
    int refused = kind == LONG
        ? gex_AM_CommitRequestLong2_v2(sd, REQUEST, sent, there, GEX_FLAG_IMMEDIATE, size, way)
        : gex_AM_CommitRequestMedium2_v2(sd, REQUEST, sent, GEX_FLAG_IMMEDIATE, size, way);
    if (!refused) return 0;
  }
  if (kind == LONG) gex_AM_CommitRequestLong2(sd, REQUEST, sent, there, size, way);
  else gex_AM_CommitRequestMedium2(sd, REQUEST, sent, size, way);
  return 0;
}

static void answer_request(gex_Token_t token, int to, int kind, size_t bytes, int way) {
  struct answer *answer = add_answer();
  const void *client_buf = way & LIBRARY ? NULL : answer->data;
  size_t least = sent_of(bytes, way);
  gex_AM_Arg_t size = (gex_AM_Arg_t)bytes;
  void *there = place(to, false), *early = way & EARLY_PLACE ? there : NULL;
  gex_Event_t *lc = lc_of(way, &answer->event);
  for (;;) {
    gex_AM_SrcDesc_t sd = kind == LONG ? gex_AM_PrepareReplyLong(token, client_buf, least, bytes, early, lc, 0, 2)
                                       : gex_AM_PrepareReplyMedium(token, client_buf, least, bytes, lc, 0, 2);
    size_t sent = write_into(sd, client_buf, bytes, way);
    if (way & CANCELLED) {
      CHECK_EQ(kind == LONG ? gex_AM_CancelReplyLong(sd, 0) : gex_AM_CancelReplyMedium(sd, 0), 0);
      answer->event = GEX_EVENT_INVALID;
      way &= ~CANCELLED; /* the request may still be answered */
      continue;
    }
    if (kind == LONG) gex_AM_CommitReplyLong2(sd, REPLY, sent, there, size, way);
    else CHECK_EQ(gex_AM_CommitReplyMedium2_v2(sd, REPLY, sent, 0, size, way), 0);
    return;
  }
}

static void check_message(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t size, gex_AM_Arg_t way) {
  CHECK_EQ(bytes, sent_of((size_t)size, way));
  CHECK_EQ(wrong(buffer, key_of(source_of(token), (size_t)size, way), bytes), 0);
}

static void request(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t size, gex_AM_Arg_t way) {
  gex_Token_Info_t info = info_of(token);
  check_message(token, buffer, bytes, size, way);
  requests_n = requests_n + 1;
  if (!is_possible(way, false)) way &= ~GROUP;
  answer_request(token, (int)info.gex_srcrank, info.gex_is_long ? LONG : MEDIUM, (size_t)size, way);
}

static void reply(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t size, gex_AM_Arg_t way) {
  check_message(token, buffer, bytes, size, way);
  replies_n = replies_n + 1;
}

static void ask(int to, int kind, size_t bytes, int way) {
  int goal = replies_n + 1;
  own_event = GEX_EVENT_INVALID;
  if (send_request(to, kind, bytes, way) != 0) {
    own_event = GEX_EVENT_INVALID;
    CHECK_EQ(send_request(to, kind, bytes, way & ~CANCELLED), 0);
  }
  if (way & GROUP) gex_NBI_Wait(GEX_EC_AM, 0);
  if (way & EVENT) gex_Event_Wait(own_event);
  GASNET_BLOCKUNTIL(replies_n == goal);
}

static void limits(void) {
  static const gex_Flags_t which[] = {0, GEX_FLAG_AM_PREPARE_LEAST_CLIENT, GEX_FLAG_AM_PREPARE_LEAST_ALLOC};
  for (size_t i = 0; i < LENGTH(which); i++) {
    CHECK(gex_AM_MaxRequestMedium(all, 0, GEX_EVENT_NOW, which[i], 2) >= 512);
    CHECK(gex_AM_MaxReplyMedium(all, 0, GEX_EVENT_NOW, which[i], 2) >= 512);
    CHECK(gex_AM_MaxRequestLong(all, 0, GEX_EVENT_NOW, which[i], 2) >= 512);
    CHECK(gex_AM_MaxReplyLong(all, 0, GEX_EVENT_NOW, which[i], 2) >= 512);
  }
  size_t most = gex_AM_MaxRequestMedium(all, 0, NULL, GEX_FLAG_AM_PREPARE_LEAST_ALLOC, 2);
  gex_AM_SrcDesc_t sd = gex_AM_PrepareRequestMedium(all, 0, NULL, most, 2 * most, NULL, 0, 2);
  CHECK(gex_AM_SrcDescSize(sd) >= most && gex_AM_SrcDescSize(sd) <= 2 * most);
  memset(gex_AM_SrcDescAddr(sd), 1, most);
  CHECK_EQ(gex_AM_CancelRequestMedium(sd, 0), 0);
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {REQUEST, (gex_AM_Fn_t)request, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 2, NULL, NULL},
      {REPLY, (gex_AM_Fn_t)reply, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REPLY, 2, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), (size_t)2 * BYTES_MAX);
  limits();
  int asked_n = 0;
  for (size_t i = 0; i < LENGTH(sizes); i++) {
    for (int way = 0; way < WAYS_N; way++) {
      if (!is_possible(way, true)) continue;
      int to = (self + way) % units_n;
      ask(to, MEDIUM, sizes[i], way);
      ask(to, LONG, sizes[i], way);
      asked_n += 2;
    }
    barrier();
    free_answers();
  }
  CHECK_EQ(requests_n, asked_n);
  return finish();
}
