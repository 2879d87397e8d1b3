/* Long messages between many short ones, received in every order that a program may choose: a receive never waits for a
 * message that is received later, although both may need the sender's few bounce buffers.
 * Group: core_calls
 */
#include <tessera/coll.h>
#include <tessera/message.h>

#include "check.h"

#include <stdlib.h>
#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

/* In private memory, so that both sides use the sender's bounce buffers. */
enum { SHORT = 20000, LONG = 300000, SHORTS_N = 12, LONGS_N = 7, MOST = 64, UNITS_MAX = 8 };
enum { TAG_SHORT = 1, TAG_LONG, TAG_SAME };

static int32_t me, units_n, next, before;
static unsigned char *sent, *got;
static tessera_request_t requests[MOST];
static size_t requests_n;

/* The content identifies the message of a unit. */
static unsigned char key_of(int32_t who, int number) { return (unsigned char)(who * 50 + number + 1); }

static unsigned char *fresh(int number, size_t bytes) {
  unsigned char *data = sent;
  sent += bytes;
  memset(data, key_of(me, number), bytes);
  return data;
}

typedef tessera_status_t (*send_fn)(const void *, size_t, int32_t, int32_t, tessera_request_t *);
static tessera_status_t send_buffered_nb(const void *data, size_t bytes, int32_t unit, int32_t tag,
                                         tessera_request_t *request) {
  request->id = 0;
  return tessera_send_buffered(data, bytes, unit, tag);
}
static const send_fn ways[] = {tessera_send_nb, tessera_send_sync_nb, send_buffered_nb};
enum { WAYS_N = sizeof ways / sizeof *ways };

static void start(send_fn send, int number, size_t bytes, int32_t unit, int32_t tag) {
  OK(send(fresh(number, bytes), bytes, unit, tag, &requests[requests_n++]));
}
static void start_shorts(send_fn send, int32_t unit, int32_t tag) {
  for (int i = 0; i < SHORTS_N; i++) start(send, i, SHORT, unit, tag);
}

static void check_data(const tessera_message_t *message, const unsigned char *data, int number, size_t bytes) {
  size_t wrong = 0;
  for (size_t i = 0; i < bytes; i++) wrong += data[i] != key_of(message->unit, number);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(message->bytes, bytes);
}
static void receive(int number, size_t bytes, int32_t unit, int32_t tag) {
  tessera_message_t message;
  memset(got, 0, LONG);
  OK(tessera_receive(got, LONG, unit, tag, &message));
  CHECK_EQ(message.unit, unit);
  check_data(&message, got, number, bytes);
}
static void receive_shorts(int32_t unit, int32_t tag) {
  for (int i = 0; i < SHORTS_N; i++) receive(i, SHORT, unit, tag);
}

static void finish(unsigned char *first) {
  OK(tessera_wait_all(requests, requests_n));
  requests_n = 0;
  sent = first;
}

/* A long message, and short ones behind it that are sent before it is received: around a ring. */
static void in_order(send_fn send) {
  start(send, 20, LONG, next, TAG_SAME);
  start_shorts(send, next, TAG_SAME);
  receive(20, LONG, before, TAG_SAME);
  receive_shorts(before, TAG_SAME);
}

/* Short messages to one neighbour, a long one to the other; all units receive the same one first. */
static void other_way(send_fn send) {
  start_shorts(send, next, TAG_SHORT);
  start(send, 20, LONG, before, TAG_LONG);
  receive(20, LONG, next, TAG_LONG);
  OK(tessera_barrier(tessera_team_world()));
  receive_shorts(before, TAG_SHORT);
}

/* The sender waits for the long one while the short ones are pending. */
static void waits_for_the_last(send_fn send) {
  tessera_message_t message;
  start_shorts(send, next, TAG_SHORT);
  OK(tessera_receive_nb(got, LONG, before, TAG_LONG, &message, &requests[requests_n++]));
  OK((send == tessera_send_sync_nb ? tessera_send_sync : tessera_send)(fresh(20, LONG), LONG, next, TAG_LONG));
  OK(tessera_wait(&requests[SHORTS_N]));
  check_data(&message, got, 20, LONG);
  receive_shorts(before, TAG_SHORT);
}

/* More long messages than can be sent at once, received from the last to the first. */
static void backwards(send_fn send) {
  for (int i = 0; i < LONGS_N; i++) start(send, i, LONG, next, TAG_SAME + i);
  start_shorts(send, next, TAG_SHORT);
  for (int i = LONGS_N - 1; i >= 0; i--) receive(i, LONG, before, TAG_SAME + i);
  receive_shorts(before, TAG_SHORT);
}

/* All units send to the last one, itself included, which receives by wildcard, and from each source in order. */
static void to_one(send_fn send) {
  int taken_n[UNITS_MAX][2] = {0};
  for (int i = 0; i < 6; i++) start(send, i, i % 3 ? SHORT : LONG, units_n - 1, TAG_SAME + i % 2);
  for (int i = 0; me == units_n - 1 && i < 6 * units_n; i++) {
    tessera_message_t message, found;
    OK(tessera_probe(TESSERA_ANY_UNIT, TESSERA_ANY_TAG, &found));
    OK(tessera_receive(got, LONG, found.unit, found.tag, &message));
    int slot = found.tag - TAG_SAME, number = 2 * taken_n[found.unit][slot]++ + slot;
    check_data(&message, got, number, number % 3 ? SHORT : LONG);
  }
  OK(tessera_barrier(tessera_team_world())); /* later messages must not match another unit's wildcard */
}

int main(int argc, char **argv) {
  OK(tessera_init(&argc, &argv));
  me = tessera_unit();
  units_n = tessera_units();
  next = (me + 1) % units_n;
  before = (me + units_n - 1) % units_n;
  unsigned char *memory = sent = malloc(LONGS_N * LONG + SHORTS_N * SHORT + 2 * LONG);
  got = malloc(LONG);
  for (int way = 0; way < WAYS_N; way++) {
    static void (*const orders[])(send_fn) = {in_order, other_way, waits_for_the_last, backwards, to_one};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
      orders[i](ways[way]);
      finish(memory);
    }
  }
  OK(tessera_exit());
  free(memory);
  free(got);
  return check_result();
}
