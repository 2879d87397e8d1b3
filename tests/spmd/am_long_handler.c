/* A unit that runs a handler for long, in the middle of a wait, computes: puts of other nodes reach its memory
 * meanwhile. The handler itself waits for them. The unit is the first of its node, which serves the others.
 * Units: 2 4
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tessera.h>
#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/memory.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { RUN, ROUNDS = 3 };

static _Atomic int32_t ran_n;
static _Atomic int64_t *mine;

/* Not as long as a hang: the test then ends with its own message. */
static void run(const tessera_am_t *message, void *context) {
  const time_t latest = time(NULL) + check_seconds() / 4;
  (void)context;
  while (*mine < message->args[0] && time(NULL) < latest) continue;
  CHECK_EQ(*mine, message->args[0]);
  ran_n++;
}

static bool has_run(const void *wanted) { return ran_n == *(const int32_t *)wanted; }

static bool is_served(void) {
  const char *progress = getenv("TESSERA_PROGRESS");
  return !progress || strcmp(progress, "none") != 0;
}

static void send_round(tessera_memory_t memory, int32_t target, int32_t round) {
  const int64_t value = round;
  OK(tessera_am_request_short(target, RUN, &round, 1, 0));
  OK(tessera_put(tessera_address(memory, target, 0), &value, sizeof value));
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  const int32_t self = tessera_unit(), target = tessera_units() / 2;
  tessera_team_t world = tessera_team_world();
  tessera_memory_t memory;
  OK(tessera_am_register(RUN, run, NULL));
  OK(tessera_memory_allocate(world, sizeof(int64_t), &memory));
  void *own = NULL;
  OK(tessera_address_pointer(tessera_address(memory, self, 0), sizeof(int64_t), &own));
  mine = own;
  *mine = 0;
  OK(tessera_barrier(world));
  for (int32_t round = 1; is_served() && round <= ROUNDS; round++) {
    if (self == 0) send_round(memory, target, round);
    if (self == target) OK(tessera_am_wait(has_run, &round));
    OK(tessera_barrier(world));
  }
  OK(tessera_memory_free(&memory));
  OK(tessera_exit());
  return check_result();
}
