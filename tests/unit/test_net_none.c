#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "net/none/none.h"

/* The end of the job, as the tests see it. */
static jmp_buf job_end;
static char last_words[256];

static void end_job(const char *what) {
  strncpy(last_words, what, sizeof last_words - 1);
  longjmp(job_end, 1);
}

static int set_up(void **state) {
  (void)state;
  tsr_net_fatal = end_job;
  memset(last_words, 0, sizeof last_words);
  return 0;
}

static void never_called(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)arg, (void)event, (void)bytes;
  fail();
}

static void is_in_use_before_any_start(void **state) {
  (void)state;
  assert_ptr_equal(tsr_net, &tsr_net_none);
  assert_string_equal(tsr_net->name, "none");
  assert_true(tsr_net_limits.eager_bytes > 0);
  assert_true(tsr_net_limits.chunk_bytes >= tsr_net_limits.eager_bytes);
  assert_true(tsr_net_limits.payload_bytes >= tsr_net_limits.eager_bytes);
}

static void has_no_unset_operation(void **state) {
  (void)state;
  assert_non_null(tsr_net_none.finish);
  assert_non_null(tsr_net_none.request);
  assert_non_null(tsr_net_none.has_room);
  assert_non_null(tsr_net_none.reserve);
  assert_non_null(tsr_net_none.unreserve);
  assert_false(tsr_net_none.has_window);
  assert_non_null(tsr_net_none.put);
  assert_non_null(tsr_net_none.get);
  assert_non_null(tsr_net_none.send);
  assert_non_null(tsr_net_none.receive);
  assert_non_null(tsr_net_none.poll);
  assert_non_null(tsr_net_none.outstanding);
  assert_non_null(tsr_net_none.moves);
}

static void has_nothing_to_do(void **state) {
  (void)state;
  assert_int_equal(tsr_net->poll(), 0);
  assert_int_equal(tsr_net->outstanding(-1), 0);
  tsr_net->finish();
  assert_ptr_equal(tsr_net, &tsr_net_none);
}

static void refuses_a_request(void **state) {
  (void)state;
  struct tsr_net_request request = {.rank = 17, .done = never_called};
  if (!setjmp(job_end)) {
    tsr_net->request(&request);
    fail_msg("the request was accepted");
  }
  assert_non_null(strstr(last_words, "no transport: a request to rank 17"));
}

/* A caller that waited for room first would wait for ever. */
static void keeps_nobody_from_being_refused(void **state) {
  (void)state;
  assert_true(tsr_net->has_room(&(struct tsr_net_request){.rank = 17}));
}

static void refuses_a_message(void **state) {
  (void)state;
  if (!setjmp(job_end)) {
    tsr_net->send("x", &(struct tsr_net_message){.rank = 4, .tag = 1, .bytes = 1, .done = never_called});
    fail_msg("the message was accepted");
  }
  assert_non_null(strstr(last_words, "no transport: a message to rank 4"));
}

static void refuses_a_receive(void **state) {
  (void)state;
  char data[1];
  if (!setjmp(job_end)) {
    tsr_net->receive(data, &(struct tsr_net_message){.rank = 5, .tag = 1, .bytes = sizeof data, .done = never_called});
    fail_msg("the receive was accepted");
  }
  assert_non_null(strstr(last_words, "no transport: a receive from rank 5"));
}

static void refuses_a_piece(void **state) {
  (void)state;
  struct tsr_net_piece piece = {.unit = 6, .done = never_called};
  if (!setjmp(job_end)) {
    tsr_net->put(&piece);
    fail_msg("the put was accepted");
  }
  assert_non_null(strstr(last_words, "no transport: a put to the heap of rank 6"));
}

static void handle(const struct tsr_net_in *in, struct tsr_net_out *out) { (void)in, (void)out; }

static void registers_handlers(void **state) {
  (void)state;
  enum { LAST = TSR_NET_HANDLERS_MAX - 1 };
  assert_null(tsr_net_handlers[LAST]);
  assert_null(tsr_net_handlers[LAST - 1]);
  tsr_net_register(LAST, handle);
  assert_ptr_equal(tsr_net_handlers[LAST], handle);
  assert_null(tsr_net_handlers[LAST - 1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(is_in_use_before_any_start, set_up),
      cmocka_unit_test_setup(has_no_unset_operation, set_up),
      cmocka_unit_test_setup(has_nothing_to_do, set_up),
      cmocka_unit_test_setup(refuses_a_request, set_up),
      cmocka_unit_test_setup(keeps_nobody_from_being_refused, set_up),
      cmocka_unit_test_setup(refuses_a_message, set_up),
      cmocka_unit_test_setup(refuses_a_receive, set_up),
      cmocka_unit_test_setup(refuses_a_piece, set_up),
      cmocka_unit_test_setup(registers_handlers, set_up),
  };
  return cmocka_run_group_tests_name("net/none", tests, NULL, NULL);
}
