/* Active messages of the native interface, through the public headers only: every kind, all numbers of arguments and
 * many sizes, from each unit to each, itself included, answered by the same kind.
 * Group: core_calls
 */
#include <dash/dart/if/dart.h>
#include <tessera/am.h>

#include "check.h"

#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { SHORT = 3, MEDIUM, LONG, SHORT_BACK, MEDIUM_BACK, LONG_BACK };
enum { ARGS_MAX = TESSERA_AM_ARGS_MAX, PART_BYTES = 300000 };

static int32_t me, units_n;
static int requests_n, replies_n, expected_n;
static unsigned char *memory, *data; /* memory: for each unit a part for its requests, and one for its replies */
static uint64_t base;

static uint64_t part_of(uint64_t start, int32_t unit, bool is_reply) {
  return start + ((uint64_t)unit * 2 + is_reply) * PART_BYTES;
}

/* The content of a message follows from its sender, its number of arguments and its size. */
static int32_t arg_of(int32_t sender, int i, size_t n) { return sender * 1000003 + i * 7919 + (int32_t)n; }
static unsigned char byte_of(int32_t sender, size_t i, size_t n) { return (unsigned char)(i * 7 + (size_t)sender * 31 + n); }

static void fill_args(int32_t args[], int args_n, size_t n) {
  for (int i = 0; i < args_n; i++) args[i] = arg_of(me, i, n);
}
static void fill(unsigned char *to, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = byte_of(me, i, n);
}

static void check_message(const tessera_am_t *message, bool is_request) {
  size_t wrong = 0;
  const unsigned char *bytes = message->data;
  CHECK_EQ(message->is_request, is_request);
  for (int i = 0; i < message->args_n; i++) wrong += message->args[i] != arg_of(message->unit, i, message->bytes);
  for (size_t i = 0; i < message->bytes; i++) wrong += bytes[i] != byte_of(message->unit, i, message->bytes);
  CHECK_EQ(wrong, 0);
}

/* The context, the address of a known variable, selects the kind of the reply. */
static void answer(const tessera_am_t *message, void *kind) {
  int32_t args[ARGS_MAX] = {0};
  int args_n = ARGS_MAX - message->args_n;
  size_t n = message->bytes;
  check_message(message, true);
  requests_n++;
  fill_args(args, args_n, n);
  if (kind == &requests_n) OK(tessera_am_reply_short(message, SHORT_BACK, args, args_n, 0));
  fill(data, n);
  if (kind == &replies_n) OK(tessera_am_reply_medium(message, MEDIUM_BACK, data, n, args, args_n, 0));
  if (kind == &expected_n)
    OK(tessera_am_reply_long(message, LONG_BACK, data, n, part_of(base, me, true), args, args_n, 0));
  CHECK_EQ(tessera_am_reply_short(message, SHORT_BACK, args, 0, 0), TESSERA_ERR_STATE);
  CHECK_EQ(tessera_am_request_short(0, SHORT, args, 0, 0), TESSERA_ERR_STATE);
}

static void take_answer(const tessera_am_t *message, void *context) {
  check_message(message, false);
  if (context) CHECK(message->data == memory + part_of(0, message->unit, true));
  replies_n++;
}

static bool all_answered(const void *unused) {
  (void)unused;
  return replies_n >= expected_n;
}

static void send_one(int kind, int32_t to, int args_n, size_t n) {
  int32_t args[ARGS_MAX] = {0};
  tessera_request_t request = {0};
  unsigned char *copy = malloc(n + 1);
  fill_args(args, args_n, kind == SHORT ? 0 : n);
  fill(copy, n);
  bool later = (n + (size_t)args_n) % 2;
  if (kind == SHORT) OK(tessera_am_request_short(to, SHORT, args, args_n, 0));
  else if (kind == MEDIUM && !later) OK(tessera_am_request_medium(to, MEDIUM, copy, n, args, args_n, 0));
  else if (kind == MEDIUM) OK(tessera_am_request_medium_nb(to, MEDIUM, copy, n, args, args_n, 0, &request));
  else if (!later) OK(tessera_am_request_long(to, LONG, copy, n, part_of(base, me, false), args, args_n, 0));
  else OK(tessera_am_request_long_nb(to, LONG, copy, n, part_of(base, me, false), args, args_n, 0, &request));
  if (later) OK(tessera_wait(&request));
  memset(copy, 0xee, n);
  free(copy);
  expected_n++;
  OK(tessera_am_wait(all_answered, NULL));
}

static void wrong_arguments(void) {
  int32_t args[1] = {0};
  uint64_t place;
  CHECK_EQ(tessera_am_request_short(units_n, SHORT, NULL, 0, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_request_short(0, 256, NULL, 0, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_request_short(0, SHORT, args, 17, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_request_short(0, SHORT, NULL, 1, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_request_short(0, SHORT, args, 1, 8), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_request_medium(0, MEDIUM, NULL, 1, NULL, 0, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_request_medium(0, MEDIUM, args, tessera_am_medium_max() + 1, NULL, 0, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_request_long(0, LONG, args, 1, UINT64_MAX, NULL, 0, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_reply_short(NULL, SHORT, NULL, 0, 0), TESSERA_ERR_STATE);
  CHECK_EQ(tessera_am_register(256, answer, NULL), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_place(args, &place), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_wait(NULL, NULL), TESSERA_ERR_ARG);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 8, 47, 48, 49, 56, 57, 64, 448, 449, 511, 512, 513, 4096, 8127, 8128, 8129,
                                 8192, 8193, 16384, 65536};
  static const size_t beyond[] = {65537, 100000, PART_BYTES};
  CHECK_EQ(tessera_am_poll(), TESSERA_ERR_STATE);
  if (dart_init(&argc, &argv) != DART_OK || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  me = tessera_unit();
  units_n = tessera_units();
  dart_gptr_t all;
  void *start;
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, (size_t)units_n * 2 * PART_BYTES, DART_TYPE_BYTE, &all), DART_OK);
  dart_gptr_setunit(&all, dart_create_team_unit(me));
  CHECK_EQ(dart_gptr_getaddr(all, &start), DART_OK);
  memory = start;
  data = malloc(PART_BYTES);
  OK(tessera_am_place(memory, &base)); /* a collective allocation has the same offset in all heaps */
  OK(tessera_am_register(SHORT, answer, &requests_n));
  OK(tessera_am_register(MEDIUM, answer, &replies_n));
  OK(tessera_am_register(LONG, answer, &expected_n));
  OK(tessera_am_register(SHORT_BACK, take_answer, NULL));
  OK(tessera_am_register(MEDIUM_BACK, take_answer, NULL));
  OK(tessera_am_register(LONG_BACK, take_answer, &base));
  dart_barrier(DART_TEAM_ALL);
  wrong_arguments();
  int sent_n = 0;
  for (int32_t i = 0; i < units_n; i++) {
    int32_t to = (me + i) % units_n;
    for (int args_n = 0; args_n <= ARGS_MAX; args_n++) {
      send_one(SHORT, to, args_n, 0);
      sent_n++;
      /* Each size with a third of the numbers of arguments. */
      for (size_t s = (size_t)args_n % 3; s < sizeof sizes / sizeof *sizes; s += 3) {
        if (sizes[s] > tessera_am_medium_max()) continue;
        send_one(MEDIUM, to, args_n, sizes[s]);
        send_one(LONG, to, args_n, sizes[s]);
        sent_n += 2;
      }
    }
    for (size_t s = 0; s < sizeof beyond / sizeof *beyond; s++) {
      send_one(LONG, to, (int)s * 6, beyond[s]);
      sent_n++;
    }
  }
  dart_barrier(DART_TEAM_ALL); /* all replies have arrived */
  CHECK_EQ(requests_n, sent_n);
  CHECK_EQ(replies_n, sent_n);
  free(data);
  CHECK_EQ(dart_team_memfree(all), DART_OK);
  OK(tessera_exit());
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
