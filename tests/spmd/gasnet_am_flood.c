/* All units flood all: requests of all kinds that are answered, by handlers that run wherever their process polls: in
 * sends, transfers or barriers.
 * Group: gasnet_calls
 */
#include "gasnet_am.h"

enum { SHORT = 170, DATA, ANSWER, ANSWER_DATA };
enum { ROUNDS = 60, BYTES = 3000 };

static volatile long requests_n, answers_n;
static long sum_sent, sum_came;
static unsigned char data[BYTES];

static void answer_short(gex_Token_t token, gex_AM_Arg_t value) {
  (void)token;
  sum_came += value;
  answers_n = answers_n + 1;
}
static void answer_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t value) {
  CHECK_EQ(wrong(buffer, (unsigned)value, bytes), 0);
  answer_short(token, value);
}
static void request_short(gex_Token_t token, gex_AM_Arg_t value) {
  requests_n = requests_n + 1;
  CHECK_EQ(gex_AM_ReplyShort1(token, ANSWER, 0, value), 0);
}
static void request_data(gex_Token_t token, void *buffer, size_t bytes, gex_AM_Arg_t value) {
  requests_n = requests_n + 1;
  CHECK_EQ(wrong(buffer, (unsigned)value, bytes), 0);
  CHECK_EQ(gex_AM_ReplyMedium1(token, ANSWER_DATA, buffer, bytes < 512 ? bytes : 512, GEX_EVENT_NOW, 0, value), 0);
}

/* A place for each long message that may be outstanding. */
static char *place(int unit, int round) { return segments[unit] + ((size_t)self * ROUNDS + (size_t)round) * BYTES; }

static void send(int to, int round) {
  gex_Rank_t rank = (gex_Rank_t)to;
  gex_AM_Arg_t value = round * 100 + self;
  size_t bytes = (size_t)(round * 53 + self * 7) % BYTES;
  fill(data, (unsigned)value, bytes);
  sum_sent += 3 * (long)value;
  gex_AM_RequestShort1(all, rank, SHORT, 0, value);
  gex_AM_RequestMedium1(all, rank, DATA, data, bytes, GEX_EVENT_NOW, 0, value);
  gex_AM_RequestLong1(all, rank, DATA, data, bytes, place(to, round), GEX_EVENT_NOW, 0, value);
}

static void all_to_all(void) {
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < units_n; i++) send((self + i) % units_n, round);
  GASNET_BLOCKUNTIL(answers_n == 3L * ROUNDS * units_n);
  CHECK_EQ(sum_came, sum_sent);
  barrier();
  CHECK_EQ(requests_n, 3L * ROUNDS * units_n);
  barrier(); /* before others send more */
}

/* One message at a time, back and forth. */
static void ping_pong(void) {
  for (int round = 0; round < 200; round++) {
    long goal = answers_n + 1;
    gex_AM_RequestShort1(all, (gex_Rank_t)((self + 1) % units_n), SHORT, 0, round);
    GASNET_BLOCKUNTIL(answers_n == goal);
  }
  barrier();
}

/* All except one wait in a barrier, where they answer its requests; then in a loop of blocking gets. */
static void while_waiting(void) {
  for (int asker = 0; asker < units_n; asker++) {
    if (self == asker) {
      long goal = answers_n + units_n;
      for (int to = 0; to < units_n; to++) gex_AM_RequestShort1(all, (gex_Rank_t)to, SHORT, 0, 1);
      GASNET_BLOCKUNTIL(answers_n == goal);
    }
    barrier();
  }
  long goal = answers_n + 50;
  for (int i = 0; i < 50; i++) {
    char byte = 1;
    gex_Rank_t to = (gex_Rank_t)((self + i) % units_n);
    gex_AM_RequestShort1(all, to, SHORT, 0, i);
    gex_RMA_GetBlocking(all, &byte, to, segments[to], 1, 0);
    gex_Event_Wait(gex_RMA_GetNB(all, &byte, to, segments[to], 1, 0));
    gex_RMA_GetNBI(all, &byte, to, segments[to], 1, 0);
    gex_NBI_Wait(GEX_EC_ALL, 0);
  }
  GASNET_BLOCKUNTIL(answers_n == goal);
  barrier();
}

int main(int argc, char **argv) {
  gex_AM_Entry_t table[] = {
      {SHORT, (gex_AM_Fn_t)request_short, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REQUEST, 1, NULL, NULL},
      {DATA, (gex_AM_Fn_t)request_data, GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQUEST, 1, NULL, NULL},
      {ANSWER, (gex_AM_Fn_t)answer_short, GEX_FLAG_AM_SHORT | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
      {ANSWER_DATA, (gex_AM_Fn_t)answer_data, GEX_FLAG_AM_MEDIUM | GEX_FLAG_AM_REPLY, 1, NULL, NULL},
  };
  start(&argc, &argv, table, LENGTH(table), (size_t)ROUNDS * BYTES);
  all_to_all();
  ping_pong();
  while_waiting();
  return finish();
}
