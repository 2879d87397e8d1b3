/* TESSERA_WIRE_DELAY_US: each message from another node, request or reply, takes effect after this delay. Only lower
 * bounds are checked, so a slow machine does no harm.
 * Units: 4 */
#include "dart_check.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "core/place.h"
#include "core/progress.h"

enum { DELAY_US = 5000, ROUNDS = 3, ROOM = 256 << 10 };
static const uint64_t delay_ns = DELAY_US * UINT64_C(1000);

static dart_gptr_t base;
static dart_unit_t partner;
static uint64_t begun_ns;

static void begin(void) { begun_ns = tsr_clock_ns(); }
static uint64_t so_far(void) { return tsr_clock_ns() - begun_ns; }
static bool is_far(void) { return !tsr_place_is_local(TSR_UNIT(partner)); }
static uint64_t both_ways(void) { return is_far() ? 2 * delay_ns : 0; }

/* Request and reply. */
static void blocking(void) {
  static char data[ROOM];
  long one = 1, before = 0, seen = 0;
  for (size_t bytes = 8; bytes <= ROOM; bytes *= ROOM / 8) {
    begin();
    OK(dart_put_blocking(at(base, partner, 64), data, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    CHECK(so_far() >= both_ways());
    begin();
    OK(dart_get_blocking(data, at(base, partner, 0), bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    CHECK(so_far() >= both_ways());
  }
  begin();
  OK(dart_fetch_and_op(at(base, partner, 0), &one, &before, DART_TYPE_LONG, DART_OP_SUM));
  OK(dart_flush(at(base, partner, 0)));
  CHECK(so_far() >= both_ways());
  begin();
  OK(dart_compare_and_swap(at(base, partner, 0), &one, &one, &seen, DART_TYPE_LONG));
  OK(dart_flush(at(base, partner, 0)));
  CHECK(so_far() >= both_ways());
  barrier();
}

/* However often the unit polls, and in every thread. */
static void tested(void) {
  long value = 7;
  int32_t is_done = 0;
  dart_handle_t handle = DART_HANDLE_NULL;
  begin();
  OK(dart_put_handle(at(base, partner, 8), &value, 1, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  while (!is_done) {
    OK(dart_test(&handle, &is_done));
    if (is_far()) CHECK(!is_done || so_far() >= 2 * delay_ns);
  }
  barrier();
}

/* One way: the data is the time of the put. All nodes of a test have the same clock. */
static void one_way(void) {
  uint64_t now, came = 0;
  _Atomic uint64_t *word = (void *)own_part(base, self);
  atomic_store(word, 0);
  barrier();
  now = tsr_clock_ns();
  OK(dart_put(at(base, partner, 0), &now, 1, DART_TYPE_ULONG, DART_TYPE_ULONG));
  OK(dart_flush(base));
  while (!atomic_load(word)) tsr_progress();
  CHECK(tsr_clock_ns() - atomic_load(word) >= both_ways() / 2);
  now = tsr_clock_ns();
  OK(dart_send(&now, 1, DART_TYPE_ULONG, 5, DART_GLOBAL_UNIT_ID(partner)));
  OK(dart_recv(&came, 1, DART_TYPE_ULONG, 5, DART_GLOBAL_UNIT_ID(partner)));
  CHECK(came > 0 && tsr_clock_ns() - came >= both_ways() / 2);
  barrier();
}

int main(int argc, char **argv) {
  setenv("TESSERA_WIRE_DELAY_US", "5000", 1);
  start(&argc, &argv);
  partner = (self + units_n / 2) % units_n;
  base = team_alloc(DART_TEAM_ALL, 2 * ROOM, DART_TYPE_BYTE);
  memset(own_part(base, self), 0, 2 * ROOM);
  barrier();
  for (int round = 0; round < ROUNDS; round++) {
    blocking();
    tested();
    one_way();
  }
  OK(dart_team_memfree(base));
  return finish();
}
