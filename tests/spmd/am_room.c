/* Active messages with negotiated payload: sizes, fewer bytes sent than prepared, cancelled messages, replies, no room,
 * mistakes.
 * Group: core_calls
 */
#include <dash/dart/if/dart.h>
#include <tessera/am.h>
#include <tessera/coll.h>

#include "check.h"

#include <string.h>

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { TAKE, TAKE_BACK };
enum { PART_BYTES = 200000 };

static int32_t me, units_n;
static long taken_n, back_n, goal;
static uint64_t base;
static unsigned char *memory;

static void fill(unsigned char *data, size_t n, int32_t who) {
  for (size_t i = 0; i < n; i++) data[i] = (unsigned char)(i * 3 + (size_t)who);
}

static void check_data(const tessera_am_t *message) {
  const unsigned char *data = message->data;
  size_t wrong = 0;
  for (size_t i = 0; i < message->bytes; i++) wrong += data[i] != (unsigned char)(i * 3 + (size_t)message->unit);
  CHECK_EQ(wrong, 0);
  CHECK_EQ(message->args[0], message->bytes);
}

/* Odd ones are answered at the second attempt. */
static void take(const tessera_am_t *message, void *context) {
  tessera_am_room_t room;
  (void)context;
  taken_n++;
  check_data(message);
  size_t n = message->bytes;
  if (n % 2) {
    OK(tessera_am_prepare_reply_medium(&room, message, n, n + 5, 0));
    CHECK_EQ(tessera_am_reply_short(message, TAKE_BACK, NULL, 0, 0), TESSERA_ERR_STATE);
    OK(tessera_am_cancel(&room));
  }
  if (message->args[1]) OK(tessera_am_prepare_reply_long(&room, message, base + (uint64_t)me * PART_BYTES, n, n, 0));
  else OK(tessera_am_prepare_reply_medium(&room, message, n, n, 0));
  CHECK(room.bytes == n);
  fill(room.data, n, me);
  OK(tessera_am_commit(&room, TAKE_BACK, n, message->args, 2, 0));
}

static void take_back(const tessera_am_t *message, void *context) {
  (void)context;
  check_data(message);
  if (message->args[1]) CHECK(message->data == memory + (size_t)message->unit * PART_BYTES);
  back_n++;
}

static bool all_back(const void *unused) {
  (void)unused;
  return back_n >= goal;
}

static void prepare(tessera_am_room_t *room, bool is_long, int32_t to, size_t least, size_t most) {
  if (is_long) OK(tessera_am_prepare_long(room, to, base + (uint64_t)(units_n + me) * PART_BYTES, least, most, 0));
  else OK(tessera_am_prepare_medium(room, to, least, most, 0));
  CHECK(room->bytes >= least && room->bytes <= most);
  CHECK_EQ((uintptr_t)room->data % 64, 0);
}

static void exchange(bool is_long, int32_t to, size_t n) {
  tessera_am_room_t room;
  prepare(&room, is_long, to, n, 2 * n + 7);
  memset(room.data, 0xee, room.bytes);
  OK(tessera_am_cancel(&room));
  CHECK_EQ(tessera_am_cancel(&room), TESSERA_ERR_ARG);
  prepare(&room, is_long, to, n, n + n / 3);
  fill(room.data, n, me);
  int32_t args[2] = {(int32_t)n, is_long};
  CHECK_EQ(tessera_am_commit(&room, TAKE, room.bytes + 1, args, 2, 0), TESSERA_ERR_ARG);
  while (tessera_am_commit(&room, TAKE, n, args, 2, TESSERA_AM_IMMEDIATE)) OK(tessera_am_poll());
  CHECK_EQ(tessera_am_commit(&room, TAKE, n, args, 2, 0), TESSERA_ERR_ARG);
  goal++;
}

/* Prepares messages until there is no room; then some are cancelled, and all room can be had again. */
static void until_full(void) {
  enum { MOST = 1000, BYTES = 30000 };
  static tessera_am_room_t rooms[MOST];
  tessera_am_state_t before, state;
  OK(tessera_am_state(me, &before));
  for (int round = 0; round < 3; round++) {
    int n = 0;
    tessera_status_t status = TESSERA_OK;
    while (n < MOST && !(status = tessera_am_prepare_medium(&rooms[n], me, BYTES, BYTES, TESSERA_AM_IMMEDIATE))) n++;
    CHECK_EQ(status, TESSERA_ERR_AGAIN);
    CHECK(n > 3);
    OK(tessera_am_state(me, &state));
    CHECK_EQ(state.blocks, before.blocks + n);
    for (int i = 0; i < n; i++) OK(tessera_am_cancel(&rooms[i]));
  }
  tessera_am_room_t room;
  OK(tessera_am_prepare_medium(&room, me, tessera_am_room_max(), 2 * tessera_am_room_max(), 0));
  memset(room.data, 1, room.bytes);
  OK(tessera_am_cancel(&room));
  OK(tessera_am_state(me, &state));
  CHECK_EQ(state.blocks, before.blocks);
}

static void wrong_arguments(void) {
  tessera_am_room_t room = {0};
  CHECK_EQ(tessera_am_commit(&room, TAKE, 0, NULL, 0, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_cancel(NULL), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_prepare_medium(NULL, me, 0, 1, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_prepare_medium(&room, me, 2, 1, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_prepare_medium(&room, units_n, 0, 1, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_prepare_medium(&room, me, tessera_am_room_max() + 1, SIZE_MAX, 0), TESSERA_ERR_ARG);
  CHECK_EQ(tessera_am_prepare_long(&room, me, UINT64_MAX, 1, 1, 0), TESSERA_ERR_RANGE);
  CHECK_EQ(tessera_am_prepare_reply_medium(&room, NULL, 0, 1, 0), TESSERA_ERR_STATE);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {0, 1, 7, 48, 64, 511, 512, 513, 1000, 4096, 8192, 20001, 65000};
  if (dart_init(&argc, &argv) != DART_OK || tessera_init(&argc, &argv)) return EXIT_FAILURE;
  me = tessera_unit();
  units_n = tessera_units();
  dart_gptr_t all;
  void *start;
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, (size_t)units_n * 2 * PART_BYTES, DART_TYPE_BYTE, &all), DART_OK);
  dart_gptr_setunit(&all, dart_create_team_unit(me));
  CHECK_EQ(dart_gptr_getaddr(all, &start), DART_OK);
  memory = start;
  OK(tessera_am_place(memory, &base));
  OK(tessera_am_register(TAKE, take, NULL));
  OK(tessera_am_register(TAKE_BACK, take_back, NULL));
  OK(tessera_barrier(tessera_team_world()));
  wrong_arguments();
  until_full();
  OK(tessera_barrier(tessera_team_world()));
  for (int is_long = 0; is_long < 2; is_long++) {
    for (int32_t i = 0; i < units_n; i++) {
      for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        exchange(is_long, (me + i) % units_n, sizes[s]);
        if (is_long) OK(tessera_am_wait(all_back, NULL)); /* both use the same place */
      }
    }
  }
  OK(tessera_am_wait(all_back, NULL));
  OK(tessera_barrier(tessera_team_world()));
  CHECK_EQ(taken_n, goal);
  CHECK_EQ(dart_team_memfree(all), DART_OK);
  OK(tessera_exit());
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
