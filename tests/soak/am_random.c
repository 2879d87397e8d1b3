/* Random active messages with checksums: all kinds, sizes and numbers of arguments, fixed and negotiated, immediate or
 * not, some cancelled, each answered at random, to units that make no progress at times. For five minutes, or as many
 * seconds as the argument says. */
#include "../spmd/check.h"

#include <string.h>
#include <time.h>

#include <dash/dart/if/dart.h>
#include <tessera/am.h>
#include <tessera/coll.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { ASK, ANSWER };
enum kind { SHORT, MEDIUM, LONG };
enum { SLOTS_N = 48, PART_BYTES = 150000, ARGS_MAX = TESSERA_AM_ARGS_MAX };

static int32_t me, units_n;
static unsigned char *memory; /* SLOTS_N parts for the long requests of each unit; then as many for replies to this one */
static uint64_t base;
static bool busy[SLOTS_N];
static uint64_t sent_n, asked_n, answered_n, again_n, cancelled_n;
static unsigned char buffer[2][PART_BYTES]; /* of requests, of answers */

static uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= UINT64_C(0x7fb5d329728ea185);
  x ^= x >> 27;
  x *= UINT64_C(0x81dadef4bc2dd44d);
  return x ^ x >> 33;
}

static uint64_t state;
static uint64_t next(uint64_t below) {
  state += UINT64_C(0x9e3779b97f4a7c15);
  return mix(state) % below;
}

/* The seed of a message determines its content. */
static uint64_t seed_word(uint32_t seed, size_t i) { return mix((uint64_t)seed << 32 | (uint32_t)i); }
static enum kind kind_of(uint32_t seed) { return (enum kind)(seed_word(seed, 1) % 3); }
static int args_of(uint32_t seed) { return 2 + (int)(seed_word(seed, 2) % (ARGS_MAX - 1)); }

static size_t bytes_of(uint32_t seed) {
  static const size_t below[] = {1, 9, 65, 700, 5000, 20000, 70000, PART_BYTES + 1};
  size_t n = seed_word(seed, 3) % below[seed_word(seed, 4) % 8];
  if (kind_of(seed) == SHORT) return 0;
  return kind_of(seed) == MEDIUM && n > tessera_am_medium_max() ? tessera_am_medium_max() : n;
}

static void fill(unsigned char *data, size_t n, uint32_t seed) {
  for (size_t i = 0; i < n; i += 8) {
    uint64_t word = seed_word(seed, 100 + i);
    memcpy(data + i, &word, n - i < 8 ? n - i : 8);
  }
}

static void fill_args(int32_t args[], int32_t slot, uint32_t seed) {
  for (int i = 2; i < args_of(seed); i++) args[i] = (int32_t)seed_word(seed, 20 + (size_t)i);
  args[0] = slot;
  args[1] = (int32_t)seed;
}

static void check_message(const tessera_am_t *message) {
  uint32_t seed = (uint32_t)message->args[1];
  const unsigned char *data = message->data;
  size_t wrong = 0;
  CHECK_EQ(message->bytes, bytes_of(seed));
  CHECK_EQ(message->args_n, args_of(seed));
  for (int i = 2; i < message->args_n; i++) wrong += message->args[i] != (int32_t)seed_word(seed, 20 + (size_t)i);
  for (size_t i = 0; i < message->bytes; i += 8) {
    uint64_t word = seed_word(seed, 100 + i);
    wrong += memcmp(data + i, &word, message->bytes - i < 8 ? message->bytes - i : 8) != 0;
  }
  CHECK_EQ(wrong, 0);
}

static uint64_t place_of(int32_t sender, int32_t slot, bool is_answer) {
  return base + (uint64_t)((is_answer ? units_n : sender) * SLOTS_N + slot) * PART_BYTES;
}

/* A fixed message; `to` is the request that it answers, or NULL. False: there was no room. */
static bool send_fixed(int32_t unit, const tessera_am_t *to, int32_t slot, uint32_t seed, unsigned flags) {
  int32_t args[ARGS_MAX] = {0};
  size_t n = bytes_of(seed);
  int args_n = args_of(seed);
  unsigned char *data = buffer[to != NULL];
  tessera_status_t status = TESSERA_OK;
  fill_args(args, slot, seed);
  fill(data, n, seed);
  switch (kind_of(seed)) {
    case SHORT:
      status = to ? tessera_am_reply_short(to, ANSWER, args, args_n, flags)
                  : tessera_am_request_short(unit, ASK, args, args_n, flags);
      break;
    case MEDIUM:
      status = to ? tessera_am_reply_medium(to, ANSWER, data, n, args, args_n, flags)
                  : tessera_am_request_medium(unit, ASK, data, n, args, args_n, flags);
      break;
    case LONG:
      status = to ? tessera_am_reply_long(to, ANSWER, data, n, place_of(0, slot, true), args, args_n, flags)
                  : tessera_am_request_long(unit, ASK, data, n, place_of(me, slot, false), args, args_n, flags);
  }
  CHECK(status == TESSERA_OK || (flags && status == TESSERA_ERR_AGAIN));
  return status == TESSERA_OK;
}

static tessera_status_t prepare(tessera_am_room_t *room, int32_t unit, const tessera_am_t *to, int32_t slot, uint32_t seed,
                                unsigned flags) {
  size_t n = bytes_of(seed), most = n + seed_word(seed, 5) % 3000;
  if (kind_of(seed) == MEDIUM)
    return to ? tessera_am_prepare_reply_medium(room, to, n, most, flags)
              : tessera_am_prepare_medium(room, unit, n, most, flags);
  uint64_t place = place_of(me, slot, to != NULL);
  most = most < PART_BYTES ? most : PART_BYTES;
  return to ? tessera_am_prepare_reply_long(room, to, place, n, most, flags)
            : tessera_am_prepare_long(room, unit, place, n, most, flags);
}

static bool send_negotiated(int32_t unit, const tessera_am_t *to, int32_t slot, uint32_t seed, unsigned flags) {
  int32_t args[ARGS_MAX] = {0};
  tessera_am_room_t room;
  tessera_status_t status = prepare(&room, unit, to, slot, seed, flags);
  CHECK(status == TESSERA_OK || (flags && status == TESSERA_ERR_AGAIN));
  if (status) return false;
  memset(room.data, 0x5a, room.bytes);
  bool cancels = next(8) == 0;
  if (!cancels) {
    fill_args(args, slot, seed);
    fill(room.data, bytes_of(seed), seed);
    status = tessera_am_commit(&room, to ? ANSWER : ASK, bytes_of(seed), args, args_of(seed), flags);
    CHECK(status == TESSERA_OK || (flags && status == TESSERA_ERR_AGAIN));
    if (!status) return true;
  }
  cancelled_n++;
  OK(tessera_am_cancel(&room));
  return false;
}

static bool send(int32_t unit, const tessera_am_t *to, int32_t slot, uint32_t seed, unsigned flags) {
  bool negotiates = kind_of(seed) != SHORT && bytes_of(seed) <= tessera_am_room_max() && seed_word(seed, 6) % 2;
  return negotiates ? send_negotiated(unit, to, slot, seed, flags) : send_fixed(unit, to, slot, seed, flags);
}

static void ask(const tessera_am_t *message, void *context) {
  (void)context;
  uint32_t seed = (uint32_t)next(UINT32_MAX);
  asked_n++;
  check_message(message);
  while (!send(message->unit, message, message->args[0], seed, next(4) ? 0 : TESSERA_AM_IMMEDIATE)) again_n++;
}

static void answer(const tessera_am_t *message, void *context) {
  (void)context;
  check_message(message);
  int32_t slot = message->args[0];
  CHECK(busy[slot]);
  if (kind_of((uint32_t)message->args[1]) == LONG) CHECK(message->data == memory + (place_of(0, slot, true) - base));
  busy[slot] = false;
  answered_n++;
}

static bool one_is_free(const void *slot) { return !busy[*(const int32_t *)slot]; }
static bool all_are_answered(const void *unused) {
  (void)unused;
  return answered_n == sent_n;
}

static void one_request(void) {
  int32_t slot = (int32_t)next(SLOTS_N), unit = (int32_t)next((uint64_t)units_n);
  OK(tessera_am_wait(one_is_free, &slot));
  busy[slot] = true;
  for (;;) {
    uint32_t seed = (uint32_t)next(UINT32_MAX);
    if (send(unit, NULL, slot, seed, next(3) ? 0 : TESSERA_AM_IMMEDIATE)) break;
    again_n++;
    if (next(2)) OK(tessera_am_poll());
  }
  sent_n++;
  if (next(2000) == 0) nanosleep(&(struct timespec){.tv_nsec = (long)next(3000000)}, NULL);
}

int main(int argc, char **argv) {
  if (dart_init(&argc, &argv) != DART_OK || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  me = tessera_unit();
  units_n = tessera_units();
  state = (uint64_t)me + 1;
  dart_gptr_t all;
  void *start;
  size_t bytes = (size_t)(units_n + 1) * SLOTS_N * PART_BYTES;
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, bytes, DART_TYPE_BYTE, &all), DART_OK);
  dart_gptr_setunit(&all, dart_create_team_unit(me));
  CHECK_EQ(dart_gptr_getaddr(all, &start), DART_OK);
  memory = start;
  OK(tessera_am_place(memory, &base));
  OK(tessera_am_register(ASK, ask, NULL));
  OK(tessera_am_register(ANSWER, answer, NULL));
  OK(tessera_barrier(tessera_team_world()));
  time_t over = time(NULL) + (argc > 1 ? atoi(argv[1]) : 300);
  while (time(NULL) < over && !check_failures) one_request();
  OK(tessera_am_wait(all_are_answered, NULL));
  OK(tessera_barrier(tessera_team_world()));
  uint64_t sums[2] = {sent_n, asked_n};
  CHECK_EQ(dart_allreduce((uint64_t[]){sent_n, asked_n}, sums, 2, DART_TYPE_ULONG, DART_OP_SUM, DART_TEAM_ALL), DART_OK);
  CHECK_EQ(sums[0], sums[1]);
  if (me == 0)
    printf("%llu requests by all; by unit 0: %llu, %llu times none was sent, %llu of them cancelled\n",
           (unsigned long long)sums[0], (unsigned long long)sent_n, (unsigned long long)again_n,
           (unsigned long long)cancelled_n);
  CHECK_EQ(dart_team_memfree(all), DART_OK);
  OK(tessera_exit());
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
