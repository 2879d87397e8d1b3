/* Blocking messages of the core to units that do not receive yet: more than a ring holds, from both sides at once. A
 * unit that waits for room in a ring must drain its own ring meanwhile, or all units wait for ever.
 * Group: core_calls
 */
#include "check.h"

#include "core/bootstrap.h"
#include "core/message.h"
#include "core/place.h"
#include "node/ring.h"

enum { MAILS_N = 3 * TSR_RING_SLOTS };

/* Messages have every size in turn. */
static size_t bytes_of(int i) { return 8 + (size_t)i % (TSR_CTRL_BYTES - 7); }

static void send_all(tsr_unit to, uint64_t tag) {
  for (int i = 0; i < MAILS_N; i++) {
    uint64_t data[TSR_CTRL_BYTES / 8] = {(uint64_t)i};
    tsr_ctrl_send(to, tag, data, bytes_of(i));
  }
}

static void receive_all(tsr_unit from, uint64_t tag) {
  for (int i = 0; i < MAILS_N; i++) {
    uint64_t data[TSR_CTRL_BYTES / 8] = {0};
    tsr_ctrl_receive(from, tag, data, bytes_of(i));
    CHECK_EQ(data[0], i);
  }
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  int32_t self = tsr_place.self, units_n = tsr_place.units_n;
  tsr_unit next = TSR_UNIT((self + 1) % units_n), before = TSR_UNIT((self + units_n - 1) % units_n);
  tsr_bootstrap_barrier(tsr_team_world);
  send_all(next, 1);
  receive_all(before, 1);
  tsr_bootstrap_barrier(tsr_team_world);
  if (self != 0) send_all(TSR_UNIT(0), 2);
  for (int32_t unit = 1; self == 0 && unit < units_n; unit++) receive_all(TSR_UNIT(unit), 2);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
