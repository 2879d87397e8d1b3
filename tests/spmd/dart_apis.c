/* DART ends while another interface keeps the runtime active: all objects of DART are freed, all of the other interface
 * stay.
 * Group: dart_calls
 */
#include "dart_says.h"

#include <dash/dart/if/dart_mpi.h>

#include "core/bootstrap.h"
#include "core/place.h"
#include "core/registered.h"
#include "core/segment.h"
#include "p2p/p2p.h"

enum { LIVES = 20, BYTES = 1 << 20, TAG = 5, HELD_N = 64 };

/* The objects of the other interface. */
static struct {
  tsr_team *team;
  tsr_segment *segment;
  uint64_t local;
} other;

static unsigned char *other_memory(tsr_unit unit) {
  tsr_member member = tsr_team_member(other.team, unit);
  return tsr_place_pointer(tsr_segment_address(other.segment, member, 0));
}

static void make_other(void) {
  tsr_unit units[HELD_N];
  for (int32_t i = 0; i < tessera_units(); i++) units[i] = TSR_UNIT(tessera_units() - 1 - i);
  CHECK_EQ(tsr_team_create(tsr_team_world, tessera_units(), units, &other.team), TESSERA_OK);
  CHECK_EQ(tsr_segment_alloc(other.team, BYTES, &other.segment), TESSERA_OK);
  CHECK_EQ(tsr_segment_local_alloc(TSR_API_NATIVE, BYTES, &other.local), TESSERA_OK);
  fill(other_memory(TSR_UNIT(tessera_unit())), (unsigned)tessera_unit(), BYTES);
}

static void other_is_as_it_was(void) {
  tsr_bootstrap_barrier(other.team);
  CHECK_EQ(tsr_team_find(other.team->id) == other.team, true);
  CHECK_EQ(tsr_segment_find(other.team, other.segment->id) == other.segment, true);
  for (int32_t i = 0; i < tessera_units(); i++) {
    const unsigned char *memory = other_memory(TSR_UNIT(i));
    if (memory) CHECK_EQ(wrong(memory, (unsigned)i, BYTES), 0);
  }
  tsr_bootstrap_barrier(other.team);
}

/* The objects that a life of DART left. */
static struct {
  dart_team_t team;
  dart_gptr_t segment, team_segment, local, registered, from_pool;
  dart_allocator_t pool;
  dart_lock_t lock;
} relic;
static char brought[BYTES];

static void leave_things_behind(void) {
  MPI_Comm comm;
  relic.team = team_of(~0u);
  OK(dart_team_comm(relic.team, &comm));
  relic.segment = team_alloc(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE);
  relic.team_segment = team_alloc(relic.team, BYTES, DART_TYPE_BYTE);
  memset(own_part(relic.segment, self), 1, BYTES);
  OK(dart_memalloc(BYTES, DART_TYPE_BYTE, &relic.local));
  OK(dart_team_memregister(DART_TEAM_ALL, BYTES, DART_TYPE_BYTE, brought, &relic.registered));
  OK(dart_allocator_new(BYTES, DART_TEAM_ALL, &relic.pool));
  OK(dart_allocator_alloc(100, DART_TYPE_INT, &relic.from_pool, relic.pool));
  OK(dart_team_lock_init(DART_TEAM_ALL, &relic.lock));
  OK(dart_send("lost", 5, DART_TYPE_BYTE, TAG, DART_GLOBAL_UNIT_ID((self + 1) % units_n)));
  if (self == 0) OK(dart_lock_acquire(relic.lock));
}

static void nothing_is_left(void) {
  int32_t got = 0;
  size_t n = 0;
  void *address = NULL;
  CHECK_EQ(dart_team_size(relic.team, &n), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getaddr(relic.segment, &address), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getaddr(relic.team_segment, &address), DART_ERR_INVAL);
  CHECK_EQ(dart_gptr_getaddr(relic.registered, &address), DART_ERR_INVAL);
  CHECK_EQ(dart_memfree(relic.local), DART_ERR_INVAL);
  CHECK_EQ(dart_allocator_free(&relic.from_pool, relic.pool), DART_ERR_INVAL);
  SAYS("dart_exit", DART_ERR_INVAL, dart_lock_acquire(relic.lock));
  CHECK_EQ(dart_lock_try_acquire(relic.lock, &got), DART_ERR_INVAL);
  CHECK_EQ(dart_lock_release(relic.lock), DART_ERR_INVAL);
  CHECK_EQ(dart_team_lock_destroy(&relic.lock), DART_ERR_INVAL);
  CHECK(!dart_lock_initialized(relic.lock) && got == 0 && relic.lock);
}

static void runtime_has_none_of_it(void) {
  struct tsr_p2p_found found;
  int teams_n = 0;
  for (int id = 0; id < TSR_TEAM_IDS; id++) teams_n += tsr_team_find(id) != NULL;
  CHECK_EQ(teams_n, 2);
  for (int id = 1; id < tsr_team_world->segments_n; id++) CHECK(!tsr_segment_find(tsr_team_world, id));
  CHECK(!tsr_registered_holds(brought, 1));
  CHECK(!tsr_p2p_probe(TSR_UNIT(TSR_ANY_SOURCE), TSR_P2P_DART, TAG, &found));
}

static int64_t held_bytes(void) {
  tsr_bootstrap_barrier(tsr_team_world);
  int64_t bytes = tsr_heap_live_bytes();
  tsr_bootstrap_barrier(tsr_team_world);
  return bytes;
}

int main(int argc, char **argv) {
  int64_t before = 0;
  if (!open_ears()) return 77;
  CHECK_EQ(tessera_init(&argc, &argv), TESSERA_OK);
  make_other();
  for (int life = 0; life < LIVES; life++) {
    start(NULL, NULL);
    if (life) nothing_is_left();
    leave_things_behind();
    OK(dart_exit());
    CHECK(tessera_units() == units_n);
    runtime_has_none_of_it();
    other_is_as_it_was();
    if (life == 1) before = held_bytes();
    if (life > 1) CHECK_EQ(held_bytes(), before);
  }
  CHECK_EQ(tsr_segment_local_free(TSR_API_NATIVE, other.local), TESSERA_OK);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  CHECK_EQ(tessera_units(), -1);
  start(NULL, NULL);
  nothing_is_left();
  return finish();
}
