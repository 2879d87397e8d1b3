/* A target without attention takes all the room that it can get, and leaves room for messages to other targets.
 * Units: 3 4 7
 * Nodes: 3
 */
#include <stdlib.h>
#include <string.h>

#include <tessera.h>
#include <tessera/am.h>
#include <tessera/coll.h>
#include <tessera/memory.h>

#include "check.h"

#define OK(call) CHECK_EQ(call, TESSERA_OK)

enum { AWAY = 1 /* the unit without attention */, TRIES_N = 1000 /* each one that is refused yields its core */ };

static long hits, sent_n;

static void hit(const tessera_am_t *message, void *context) {
  (void)message, (void)context;
  hits++;
}

/* Until the library refuses it again and again. */
static void fill_target(void) {
  for (int refused_n = 0; refused_n < TRIES_N;) {
    tessera_status_t status = tessera_am_request_short(AWAY, 1, NULL, 0, TESSERA_AM_IMMEDIATE);
    CHECK(status == TESSERA_OK || status == TESSERA_ERR_AGAIN);
    refused_n = status ? refused_n + 1 : 0;
    sent_n += !status;
    OK(tessera_am_poll());
  }
}

static void send_past_it(int32_t me, int32_t units_n, tessera_address_t word) {
  const long back = 1;
  fill_target();
  for (int32_t unit = 0; unit < units_n; unit++) {
    if (unit != AWAY && unit != me) OK(tessera_am_request_short(unit, 1, NULL, 0, TESSERA_AM_IMMEDIATE));
  }
  OK(tessera_put(word, &back, sizeof back));
}

int main(int argc, char **argv) {
  const char *progress = getenv("TESSERA_PROGRESS");
  if (progress && !strcmp(progress, "none")) return check_skip(); /* nothing would write into the memory of a unit that is away */
  OK(tessera_init(&argc, &argv));
  const tessera_team_t world = tessera_team_world();
  const int32_t me = tessera_unit(), units_n = tessera_units();
  tessera_memory_t memory;
  void *word;
  OK(tessera_memory_allocate(world, sizeof(long), &memory));
  OK(tessera_address_pointer(tessera_address(memory, me, 0), sizeof(long), &word));
  volatile long *is_back = word;
  *is_back = 0;
  OK(tessera_am_register(1, hit, NULL));
  OK(tessera_barrier(world));
  if (me == AWAY) {
    while (!*is_back) {}
  } else if (me == 0) {
    send_past_it(me, units_n, tessera_address(memory, AWAY, 0));
  } else {
    while (!hits) OK(tessera_am_poll());
  }
  OK(tessera_barrier(world));
  long all = me == 0 ? sent_n : 0;
  OK(tessera_bcast(world, &all, sizeof all, 0));
  while (me == AWAY && hits < all) OK(tessera_am_poll());
  CHECK_EQ(hits, me == AWAY ? all : me == 0 ? 0 : 1);
  OK(tessera_memory_free(&memory));
  OK(tessera_exit());
  return check_result();
}
