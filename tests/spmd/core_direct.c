/* Short collectives of private memory that the kernel does not copy try direct copies once, and then not for some rounds; a
 * member that fails a call does not part from the others in this. Data is right with any buffers.
 * Units: 2 3 4 */
#include "check.h"

#include <dash/dart/if/dart.h>

#include <stdlib.h>
#include <string.h>

#include "coll/coll.h"
#include "core/place.h"
#include "core/sync.h"

/* On any machine they are long enough for a try: also where the units have no core each. */
enum { BYTES = 8 << 10, COLLECTED = 16 << 10, MOST_UNITS = 4, AGAIN_AFTER_ROUNDS = 1000 };

static char *heap_send, *heap_receive;
static char own_send[MOST_UNITS * COLLECTED], own_receive[MOST_UNITS * COLLECTED];

static char value_of(int32_t from, int32_t to, int call) { return (char)(from * 29 + to * 7 + call); }

/* Returns how many rounds the call took. */
static uint64_t exchange(char *send, char *receive) {
  static int call;
  const int32_t n = tsr_place.units_n, self = tsr_place.self;
  call++;
  for (int32_t to = 0; to < n; to++) memset(send + to * BYTES, value_of(self, to, call), BYTES);
  uint64_t before = tsr_sync_next(tsr_team_world);
  CHECK_EQ(dart_alltoall(send, receive, BYTES, DART_TYPE_BYTE, DART_TEAM_ALL), DART_OK);
  for (int32_t from = 0; from < n; from++)
    CHECK(receive[from * BYTES] == value_of(from, self, call) && receive[(from + 1) * BYTES - 1] == value_of(from, self, call));
  return tsr_sync_next(tsr_team_world) - before;
}

static uint64_t collect(char *send, char *receive) {
  uint64_t before = tsr_sync_next(tsr_team_world);
  memset(send, value_of(tsr_place.self, 0, 0), COLLECTED);
  CHECK_EQ(dart_allgather(send, receive, COLLECTED, DART_TYPE_BYTE, DART_TEAM_ALL), DART_OK);
  for (int32_t from = 0; from < tsr_place.units_n; from++) CHECK_EQ(receive[from * COLLECTED], value_of(from, 0, 0));
  return tsr_sync_next(tsr_team_world) - before;
}

static void fail_a_call(void) {
  void *receive = tsr_place.self == 0 ? NULL : own_receive;
  CHECK(dart_alltoall(own_send, receive, BYTES, DART_TYPE_BYTE, DART_TEAM_ALL) != DART_OK);
}

/* Between nodes the rounds on a node are of other calls. */
#define ROUNDS(n, call)                                     \
  do {                                                      \
    const uint64_t rounds_n = call;                         \
    if (tsr_place.nodes_n == 1) CHECK_EQ(rounds_n, n);      \
  } while (0)

int main(int argc, char **argv) {
  setenv("TESSERA_ATTACH", "off", 1);
  CHECK_EQ(dart_init(&argc, &argv), DART_OK);
  dart_gptr_t memory;
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 2 * sizeof own_send, DART_TYPE_BYTE, &memory), DART_OK);
  memory.unitid = tsr_place.self;
  CHECK_EQ(dart_gptr_getaddr(memory, (void **)&heap_send), DART_OK);
  heap_receive = heap_send + sizeof own_send;

  ROUNDS(2, exchange(own_send, own_receive)); /* tried: one round more */
  ROUNDS(1, exchange(own_send, own_receive));
  if (tsr_place.nodes_n == 1) fail_a_call(); /* elsewhere it ends the job */
  ROUNDS(1, exchange(own_send, own_receive));
  ROUNDS(2, collect(own_send, own_receive)); /* each kind of call by itself */
  ROUNDS(1, collect(heap_send, heap_receive));
  ROUNDS(1, exchange(heap_send, heap_receive));
  for (int i = 0; i < AGAIN_AFTER_ROUNDS; i++) CHECK_EQ(dart_barrier(DART_TEAM_ALL), DART_OK);
  ROUNDS(2, exchange(heap_send, heap_receive)); /* tried again, and possible: the second round ends the access */
  ROUNDS(2, exchange(own_send, heap_receive));
  ROUNDS(1, exchange(own_send, heap_receive));

  CHECK_EQ(dart_team_memfree(memory), DART_OK);
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
