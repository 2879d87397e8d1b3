/* More active messages than there is room for: from all units to one that makes no progress for a while, from each unit
 * to itself, and requests with as many replies of the same length. Public headers only.
 * Group: core_calls
 */
#include <tessera/am.h>
#include <tessera/coll.h>

#include "check.h"

#include <string.h>
#include <time.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { COUNT, ECHO_BACK, ECHO };
enum { MANY = 3000, ECHOES = 150, LONGEST = 65536, LINES = 1024 };

static int32_t me, units_n;
static long counted_n, counted_sum, echoed_n, goal;
static unsigned char data[LONGEST];

static void count(const tessera_am_t *message, void *context) {
  (void)context;
  counted_n++;
  counted_sum += message->args[0];
  const unsigned char *bytes = message->data;
  for (size_t i = 0; i < message->bytes; i += 97) CHECK_EQ(bytes[i], message->args[0]);
}

static void echo(const tessera_am_t *message, void *context) {
  (void)context;
  OK(tessera_am_reply_medium(message, ECHO_BACK, message->data, message->bytes, message->args, message->args_n, 0));
}

static void take_echo(const tessera_am_t *message, void *context) {
  (void)context;
  echoed_n++;
  CHECK_EQ(message->args[0], me);
  CHECK_EQ(message->bytes, message->args[1]);
  for (size_t i = 0; i < message->bytes; i += 101) CHECK_EQ(((unsigned char *)message->data)[i], (unsigned char)(me + 1));
}

static bool all_counted(const void *unused) {
  (void)unused;
  return counted_n >= goal;
}
static bool all_echoed(const void *unused) {
  (void)unused;
  return echoed_n >= goal;
}

static void barrier(void) { OK(tessera_barrier(tessera_team_world())); }

static void send_until_taken(int32_t to, int32_t arg, size_t n, unsigned flags) {
  tessera_status_t status;
  memset(data, arg, n);
  while ((status = tessera_am_request_medium(to, COUNT, data, n, &arg, 1, flags)) == TESSERA_ERR_AGAIN)
    OK(tessera_am_poll());
  CHECK_EQ(status, TESSERA_OK);
}

/* All units to one, which starts late. */
static void all_to_one(int32_t one, unsigned flags) {
  counted_n = counted_sum = 0;
  goal = (long)MANY * units_n;
  barrier();
  if (me == one) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  for (int i = 0; i < MANY; i++) send_until_taken(one, i % 7, i % 50 == 0 ? 5000 : i % 10 == 0 ? 300 : 0, flags);
  if (me == one) {
    OK(tessera_am_wait(all_counted, NULL));
    long sum = 0;
    for (int i = 0; i < MANY; i++) sum += i % 7;
    CHECK_EQ(counted_n, goal);
    CHECK_EQ(counted_sum, sum * units_n);
  }
  barrier();
}

/* The unit does not empty its ring meanwhile: it fills up, and the messages run later. */
static void until_full(void) {
  int32_t arg = 1;
  long sent_n = 0;
  counted_n = 0;
  while (sent_n <= LINES && !tessera_am_request_short(me, COUNT, &arg, 1, TESSERA_AM_IMMEDIATE)) sent_n++;
  CHECK(sent_n > LINES / 2 && sent_n <= LINES);
  CHECK_EQ(counted_n, 0);
  tessera_am_state_t state;
  OK(tessera_am_state(me, &state));
  CHECK_EQ(state.requests_queued, sent_n);
  CHECK_EQ(state.queue_lines, LINES);
  goal = sent_n;
  OK(tessera_am_wait(all_counted, NULL));
  CHECK_EQ(counted_n, sent_n);
}

/* Each unit to all, without waiting for replies. */
static void echoes(size_t n) {
  int32_t args[2] = {me, (int32_t)n};
  echoed_n = 0;
  goal = (long)ECHOES * units_n;
  memset(data, me + 1, n);
  barrier();
  for (int i = 0; i < ECHOES; i++) {
    for (int32_t to = 0; to < units_n; to++) OK(tessera_am_request_medium((me + to) % units_n, ECHO, data, n, args, 2, 0));
  }
  OK(tessera_am_wait(all_echoed, NULL));
  CHECK_EQ(echoed_n, goal);
  barrier();
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  me = tessera_unit();
  units_n = tessera_units();
  OK(tessera_am_register(COUNT, count, NULL));
  OK(tessera_am_register(ECHO, echo, NULL));
  OK(tessera_am_register(ECHO_BACK, take_echo, NULL));
  barrier();
  until_full();
  all_to_one(0, 0);
  all_to_one(units_n - 1, TESSERA_AM_IMMEDIATE);
  echoes(0);
  echoes(3000);
  echoes(tessera_am_medium_max() < LONGEST ? tessera_am_medium_max() : LONGEST);
  OK(tessera_exit());
  return check_result();
}
