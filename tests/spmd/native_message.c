/* Two-sided messages of the native interface, through the public header only: modes, sizes, any unit and tag, probes, order,
 * requests, wrong arguments, and a receive that the exit ends.
 * Group: core_calls
 */
#include <tessera/coll.h>
#include <tessera/message.h>

#include "check.h"

#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { MOST = 200000, MANY = 50 };

static int32_t me, units_n, next, before;
static unsigned char out[MOST], in[MOST];

static void fill(unsigned char *data, size_t n, int32_t who) {
  for (size_t i = 0; i < n; i++) data[i] = (unsigned char)(i * 7 + (size_t)who);
}
static void check_data(const tessera_message_t *message, size_t n, int32_t who, int32_t tag) {
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += in[i] != (unsigned char)(i * 7 + (size_t)who);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(message->unit, who);
  CHECK_EQ(message->tag, tag);
  CHECK_EQ(message->bytes, n);
  CHECK_EQ(message->status, TESSERA_OK);
}

/* Around the ring, with a request on at least one side. */
static void ring(size_t n) {
  tessera_request_t request = {0};
  tessera_message_t message;
  fill(out, n, me);
  OK(tessera_send_nb(out, n, next, 1, &request));
  OK(tessera_receive(in, MOST, before, 1, &message));
  OK(tessera_wait(&request));
  check_data(&message, n, before, 1);
  OK(tessera_send_sync_nb(out, n, next, 2, &request));
  OK(tessera_probe(TESSERA_ANY_UNIT, 2, &message));
  CHECK_EQ(message.bytes, n);
  OK(tessera_receive(in, n, TESSERA_ANY_UNIT, TESSERA_ANY_TAG, &message));
  OK(tessera_wait(&request));
  check_data(&message, n, before, 2);
  OK(tessera_receive_nb(in, n, before, 3, &message, &request));
  OK(tessera_send_sync(out, n, next, 3));
  OK(tessera_wait(&request));
  check_data(&message, n, before, 3);
  OK(tessera_send_buffered(out, n, next, 4));
  OK(tessera_receive(in, n, before, TESSERA_ANY_TAG, &message));
  check_data(&message, n, before, 4);
  OK(tessera_receive_nb(in, n, TESSERA_ANY_UNIT, 5, &message, &request));
  OK(tessera_send(out, n, next, 5));
  bool done = false;
  while (!done) OK(tessera_test(&request, &done));
  check_data(&message, n, before, 5);
  OK(tessera_send_receive(out, n, next, 6, in, n, before, 6, &message));
  check_data(&message, n, before, 6);
  OK(tessera_send_receive(out, n, next, 6, in, n, before, 6, NULL));
}

static void order(void) {
  int numbers[MANY], got[MANY];
  tessera_request_t requests[2 * MANY];
  for (int i = 0; i < MANY; i++) {
    numbers[i] = i;
    OK(tessera_receive_nb(&got[i], sizeof got[i], before, 7, NULL, &requests[i]));
    OK(tessera_send_nb(&numbers[i], sizeof numbers[i], next, 7, &requests[MANY + i]));
  }
  OK(tessera_wait_all(requests, 2 * MANY));
  for (int i = 0; i < MANY; i++) CHECK_EQ(got[i], i);
}

static void too_long(void) {
  tessera_message_t message;
  tessera_request_t request;
  OK(tessera_send_buffered(out, 100, next, 8));
  CHECK_EQ(tessera_receive(in, 10, before, 8, &message), TESSERA_ERR_ARG);
  CHECK_EQ(message.bytes, 100);
  CHECK_EQ(message.status, TESSERA_ERR_ARG);
  OK(tessera_send_buffered(out, 100, next, 8));
  OK(tessera_receive_nb(in, 10, before, 8, &message, &request));
  OK(tessera_wait(&request));
  CHECK_EQ(message.status, TESSERA_ERR_ARG);
}

static void wrong_arguments(void) {
  tessera_request_t request = {4711};
  bool found = true;
  CHECK_EQ(tessera_send(out, 1, units_n, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_send(out, 1, TESSERA_ANY_UNIT, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_send(out, 1, 0, TESSERA_ANY_TAG), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_send(NULL, 1, 0, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_send_nb(out, 1, 0, 0, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_send_nb(out, 1, -1, 0, &request), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_receive_nb(NULL, 1, 0, 0, NULL, &request), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_receive(in, 1, 0, -1, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_receive(in, 1, -1, 0, NULL), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_send_receive(out, 1, 0, 0, NULL, 1, 0, 0, NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_probe(units_n, 0, NULL), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_probe_now(0, 0, NULL, NULL), TESSERA_ERR_ARG);
  OK(tessera_probe_now(TESSERA_ANY_UNIT, TESSERA_ANY_TAG, &found, NULL));
  CHECK(!found);
  CHECK_EQ(request.id, 4711);
}

static void sizes_beyond_memory(void) {
  static const size_t sizes[] = {(size_t)PTRDIFF_MAX + 1, SIZE_MAX};
  tessera_request_t request = {4711};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t bytes = sizes[i];
    CHECK_EQ(tessera_send(out, bytes, next, 9), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_nb(out, bytes, next, 9, &request), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_sync(out, bytes, next, 9), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_sync_nb(out, bytes, next, 9, &request), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_buffered(out, bytes, next, 9), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_receive(in, bytes, before, 9, NULL), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_receive_nb(in, bytes, before, 9, NULL, &request), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_receive(out, bytes, next, 9, in, 1, before, 9, NULL), TESSERA_ERR_ARG);
    CHECK_EQ(tessera_send_receive(out, 1, next, 9, in, bytes, before, 9, NULL), TESSERA_ERR_ARG);
  }
  CHECK_EQ(request.id, 4711);
  OK(tessera_barrier(tessera_team_world()));
  bool found = true;
  OK(tessera_probe_now(TESSERA_ANY_UNIT, TESSERA_ANY_TAG, &found, NULL));
  CHECK(!found);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 8, 600, 9000, MOST};
  static tessera_message_t never = {7, 0, 0, TESSERA_OK};
  tessera_request_t request;
  CHECK_EQ(tessera_send(out, 1, 0, 0), TESSERA_ERR_STATE);
  OK(tessera_init(&argc, &argv));
  me = tessera_unit();
  units_n = tessera_units();
  next = (me + 1) % units_n;
  before = (me + units_n - 1) % units_n;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) ring(sizes[i]);
  order();
  too_long();
  wrong_arguments();
  sizes_beyond_memory();
  OK(tessera_receive_nb(in, 1, before, 99, &never, &request));
  OK(tessera_exit());
  CHECK_EQ(never.unit, -1);
  return check_result();
}
