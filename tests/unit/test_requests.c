/* Requests to one endpoint that queue up share messages, over a wire that only notes what it is to send. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net/common/requests.h"

enum { TARGET = 1, RANKS_N = 2, SLOTS_N = 16, EAGER = 1024, HANDLER = 3, HEADER = sizeof(struct tsr_wire_header) };

static struct {
  int n;
  size_t bytes[SLOTS_N];
} sent;

static tsr_wire_send note_request(int rank, const void *message, size_t bytes) {
  (void)message;
  assert_int_equal(rank, TARGET);
  assert_true(sent.n < SLOTS_N);
  sent.bytes[sent.n++] = bytes;
  return 0;
}
static void ignore(tsr_wire_send send) { (void)send; }

static const struct tsr_wire wire = {.name = "notes", .send_request = note_request, .answered = ignore, .abandon = ignore};

static void start(size_t at_once_bytes) {
  const long long limits[TSR_WIRE_LIMITS_N] = {EAGER, 16 * EAGER, (long long)at_once_bytes};
  sent.n = 0;
  tsr_wire = &wire;
  tsr_wire_ranks_n = RANKS_N;
  tsr_wire_adopt_limits(limits);
  assert_true(tsr_wire_requests_start(SLOTS_N));
  atomic_store(&tsr_net_is_polled, true);
}

static void request(size_t bytes) {
  static char payload[EAGER];
  const struct tsr_net_request request = {.rank = TARGET, .handler = HANDLER, .payload = payload, .payload_bytes = bytes};
  struct tsr_wire_slot *slot = tsr_wire_request_take(&request);
  assert_non_null(slot);
  tsr_wire_request_fill(slot, &request);
  tsr_wire_request_send(slot, &request);
}

/* The first request goes at once; the next ones wait for a poll, or until their message is full. */
static void send_four(size_t at_once_bytes) {
  start(at_once_bytes);
  request(8);
  assert_int_equal(sent.n, 1);
  for (int i = 0; i < 4; i++) request(EAGER / 2);
  tsr_wire_requests_flush();
}

static void message_is_twice_the_eager_limit(void **state) {
  (void)state;
  send_four(8 * EAGER);
  /* Three fit with their headers: those of all but the first count. */
  assert_int_equal(sent.n, 3);
  assert_int_equal(sent.bytes[1], 3 * (HEADER + EAGER / 2));
  assert_int_equal(sent.bytes[2], HEADER + EAGER / 2);
  tsr_wire_requests_stop();
}

/* Where the wire does not send twice as much at once. */
static void message_is_the_eager_limit(void **state) {
  (void)state;
  send_four(2 * EAGER);
  assert_int_equal(sent.n, 5);
  for (int i = 1; i < sent.n; i++) assert_int_equal(sent.bytes[i], HEADER + EAGER / 2);
  tsr_wire_requests_stop();
}

/* No message is longer than the room that its receiver has for it. */
static void longest_message_fits(void **state) {
  (void)state;
  start(8 * EAGER);
  request(8);
  request(EAGER - HEADER);
  request(EAGER);
  tsr_wire_requests_flush();
  assert_int_equal(sent.n, 2);
  assert_int_equal(sent.bytes[1], tsr_wire_message_most() - TSR_WIRE_PIGGYBACKED_MOST);
  tsr_wire_requests_stop();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(message_is_twice_the_eager_limit),
                                     cmocka_unit_test(message_is_the_eager_limit), cmocka_unit_test(longest_message_fits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
