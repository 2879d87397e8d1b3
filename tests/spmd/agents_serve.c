/* Several agents: each serves some units of its node for other nodes, and moves their transfers. Agents run this
 * program up to its initialisation, so they can write their numbers into the memory that they serve.
 * Units: 12
 */
#include "check.h"
#include "process_state.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/agent.h"
#include "core/bootstrap.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/segment.h"
#include "net/net.h"
#include "rma/rma.h"

enum { AGENTS_N = 2, UNITS_MAX = 16, LONG = 4 << 20 };

static tsr_net_handler_fn serve_put;

/* The second word of the data: the process that has served the put. */
static void sign(const struct tsr_net_in *in, struct tsr_net_out *out) {
  int64_t pid = getpid();
  if (in->payload_bytes == 2 * sizeof pid) memcpy((char *)in->payload + sizeof pid, &pid, sizeof pid);
  serve_put(in, out);
}

static tsr_segment *segment;
struct part {
  int64_t words[UNITS_MAX][2]; /* by origin */
  unsigned char data[LONG], source[LONG];
};

static tsr_addr address(int32_t unit, size_t off) { return tsr_segment_address(segment, TSR_MEMBER(unit), off); }
static struct part *part_of(int32_t unit) { return tsr_place_pointer(address(unit, 0)); }
static void meet(void) { tsr_bootstrap_barrier(tsr_team_world); }
static uint32_t own_agent(void) { return tsr_heap.self % AGENTS_N; }

/* Agents follow the units. The pid is known once the monitor has seen it. */
static pid_t pid_of(uint32_t agent) {
  _Atomic int32_t *pid = &tsr_heap_unit(tsr_place_local_units() + agent)->pid;
  while (!atomic_load(pid)) sched_yield();
  return atomic_load(pid);
}

/* All units to all of other nodes: each unit is served by its agent, whichever unit asks. */
static void serving(void) {
  int64_t words[2] = {tsr_place.self, -1};
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++)
    CHECK_EQ(tsr_put_wait(address(unit, (size_t)tsr_place.self * sizeof words), words, sizeof words), TESSERA_OK);
  meet();
  struct part *part = part_of(tsr_place.self);
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) {
    CHECK_EQ(part->words[unit][0], unit);
    CHECK_EQ(part->words[unit][1], tsr_place_is_local(TSR_UNIT(unit)) ? -1 : pid_of(own_agent()));
  }
  meet();
}

static void stop(pid_t pid) {
  CHECK_EQ(kill(pid, SIGSTOP), 0);
  while (process_state(pid) != 'T') sched_yield();
}

static size_t wrong(const unsigned char *data, int value) {
  size_t n = 0;
  for (size_t i = 0; i < LONG; i++) n += data[i] != (unsigned char)value;
  return n;
}

static int value_of(int32_t unit, int round) { return 16 * unit + round + 1; }

/* A unit's own agent moves its transfers: they proceed while the other agent is stopped, and while its own one is
 * stopped they wait until it continues. */
static void moving(int32_t partner, int round) {
  unsigned char *source = part_of(tsr_place.self)->source;
  tsr_op op = {0};
  pid_t own = pid_of(own_agent()), other = pid_of((own_agent() + 1) % AGENTS_N);
  bool alone = round % 2, far = !tsr_place_is_local(TSR_UNIT(partner));
  memset(source, value_of(tsr_place.self, round), LONG);
  if (!far) stop(alone ? other : own); /* another unit must not stop the target's agent */
  CHECK_EQ(tsr_put_nb(address(partner, offsetof(struct part, data)), source, LONG, &op), TESSERA_OK);
  if (!far && !alone) {
    tsr_progress();
    CHECK(!tsr_op_remote_done(&op));
    CHECK(wrong(part_of(partner)->data, value_of(tsr_place.self, round)) > 0);
    CHECK_EQ(kill(own, SIGCONT), 0);
  }
  tsr_op_wait_remote(&op, TSR_UNIT(partner));
  if (!far && alone) CHECK_EQ(kill(other, SIGCONT), 0);
}

/* One unit at a time. */
static void all_moving(int32_t distance) {
  int32_t self = tsr_place.self, units_n = tsr_place.units_n;
  for (int32_t turn = 0; turn < units_n; turn++) {
    int32_t partner = (turn + distance) % units_n;
    for (int round = 0; round < 2; round++) {
      if (self == turn) moving(partner, round);
      meet();
      if (self == partner) CHECK_EQ(wrong(part_of(self)->data, value_of(turn, round)), 0);
      meet();
    }
  }
}

int main(int argc, char **argv) {
  setenv("TESSERA_PROGRESS", "process:2", 1);
  setenv("TESSERA_OFFLOAD", "64K", 1);
  serve_put = tsr_net_handlers[TSR_H_PUT];
  tsr_net_handlers[TSR_H_PUT] = sign;
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  CHECK_EQ(tsr_place.agents_n, AGENTS_N);
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, sizeof(struct part), &segment), TESSERA_OK);
  memset(part_of(tsr_place.self), 0, sizeof(struct part));
  meet();
  serving();
  all_moving(1);                     /* the next one; on the own node, except for the last unit */
  all_moving(tsr_place.units_n / 2); /* on the other node */
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
