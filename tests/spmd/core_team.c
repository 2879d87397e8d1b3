/* Teams of the core: any order, created over the parent and by the members alone, numbers, translation, agreement.
 * Group: core_calls
 */
#include "check.h"

#include <pthread.h>
#include <string.h>

#include "coll/coll.h"
#include "core/bootstrap.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/coll_error.h"
#include "core/sync.h"
#include "core/team.h"
#include "net/net.h"
#include "node/heap.h"

/* Fills `list` with every unit whose bit is set, in descending or ascending order. */
static int32_t list_bits(unsigned bits, int descending, tsr_unit list[]) {
  int32_t n = 0;
  for (int32_t i = 0; i < tsr_place.units_n; i++) {
    int32_t unit = descending ? tsr_place.units_n - 1 - i : i;
    if (bits >> unit & 1) list[n++] = TSR_UNIT(unit);
  }
  return n;
}

/* The runs of a node contain exactly its members, in ascending order. */
static void try_iov(const tsr_team *team) {
  int32_t members_n = 0, largest_n = 0;
  for (int32_t node = 0; node < team->nodes_n; node++) {
    int32_t last = -1, n = 0;
    CHECK_EQ(tsr_team_ranges(team, node)->first, team->leaders[node]);
    for (const struct tsr_member_range *run = tsr_team_ranges(team, node); run < tsr_team_ranges_end(team, node); run++) {
      for (int32_t i = 0; i < run->n; i++, n++) {
        int32_t member = run->first + i * run->stride;
        CHECK(member > last && member < team->size);
        CHECK_EQ(tsr_team_find_node(team, tsr_place_node(tsr_team_unit(team, TSR_MEMBER(member))))->number, node);
        last = member;
      }
    }
    members_n += n;
    largest_n = n > largest_n ? n : largest_n;
  }
  CHECK_EQ(members_n, team->size);
  CHECK_EQ(largest_n, team->largest_n);
}

/* A team computes the sum of its members' numbers, and its tables are each other's inverse. */
static void try_team(tsr_team *team, int32_t n, const tsr_unit list[]) {
  CHECK_EQ(team->size, n);
  for (int32_t i = 0; i < n; i++) {
    CHECK_EQ(tsr_team_unit(team, TSR_MEMBER(i)).id, list[i].id);
    CHECK_EQ(tsr_team_member(team, list[i]).id, i);
  }
  CHECK_EQ(tsr_team_unit(team, TSR_MEMBER(team->self)).id, tsr_place.self);
  try_iov(team);
  int64_t v[2] = {tsr_place.self, -tsr_place.self};
  int64_t all[64], highest = list[0].id, lowest = list[0].id;
  for (int round = 0; round < 3; round++) tsr_bootstrap_barrier(team);
  tsr_bootstrap_max(team, v, 2);
  tsr_bootstrap_gather(team, 1000 + tsr_place.self, all);
  for (int32_t i = 0; i < n; i++) {
    highest = list[i].id > highest ? list[i].id : highest;
    lowest = list[i].id < lowest ? list[i].id : lowest;
    CHECK_EQ(all[i], 1000 + list[i].id);
  }
  CHECK_EQ(v[0], highest);
  CHECK_EQ(-v[1], lowest);
}

static void every_subset(int descending, int alone) {
  unsigned full = (1u << tsr_place.units_n) - 1;
  for (unsigned bits = 1; bits <= full; bits++) {
    tsr_unit list[32];
    int32_t n = list_bits(bits, descending, list);
    int member = bits >> tsr_place.self & 1;
    tsr_team *team = NULL;
    if (alone && !member) continue;
    CHECK_EQ(alone ? tsr_team_create_alone(n, list, 0, &team) : tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
    CHECK_EQ(team != NULL, member);
    if (!team) continue;
    try_team(team, n, list);
    CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  }
}

/* Neither ascending nor regular: 1 0 3 2 5 4 ... */
static void shuffled(void) {
  tsr_unit list[64];
  int32_t n = tsr_place.units_n;
  for (int32_t i = 0; i < n; i++) list[i] = TSR_UNIT((i ^ 1) < n ? i ^ 1 : i);
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
  try_team(team, n, list);
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
}

/* A team's number is reused only after all others were used, and is equal on all members. */
static void numbers(void) {
  tsr_unit list[32];
  int32_t n = list_bits(~0u, 0, list), before = -1;
  for (int i = 0; i < 300; i++) {
    tsr_team *team = NULL;
    CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
    int64_t v[2] = {team->id, -team->id};
    tsr_bootstrap_max(team, v, 2);
    CHECK_EQ(v[0], -v[1]);
    CHECK(team->id != before);
    CHECK(tsr_team_find(team->id) == team);
    before = team->id;
    CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
    CHECK(tsr_team_find(before) == NULL);
  }
}

/* Overlapping teams at work at once, in different orders: no unit waits for a team that it does not use. */
static void overlapping(void) {
  int32_t n = tsr_place.units_n;
  if (n < 3) return;
  tsr_team *pairs[64] = {0};
  for (int32_t i = 0; i + 1 < n; i++) {
    tsr_unit list[2] = {TSR_UNIT(i), TSR_UNIT(i + 1)};
    CHECK_EQ(tsr_team_create(tsr_team_world, 2, list, &pairs[i]), TESSERA_OK);
  }
  for (int round = 0; round < 50; round++) {
    for (int32_t i = 0; i + 1 < n; i++) {
      if (pairs[i]) tsr_bootstrap_barrier(pairs[i]);
    }
  }
  for (int32_t i = 0; i + 1 < n; i++) {
    if (pairs[i]) CHECK_EQ(tsr_team_destroy(pairs[i]), TESSERA_OK);
  }
}

/* All units, dealt out to `n` lists by their numbers, in reverse: one creation makes as many teams, with one number. */
static void apart(int32_t n) {
  tsr_unit list[64];
  int32_t own_n = 0;
  for (int32_t i = tsr_place.units_n; i-- > 0;) {
    if (i % n == tsr_place.self % n) list[own_n++] = TSR_UNIT(i);
  }
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create(tsr_team_world, own_n, list, &team), TESSERA_OK);
  int64_t v[2] = {team->id, -team->id};
  tsr_bootstrap_max(tsr_team_world, v, 2);
  CHECK_EQ(v[0], -v[1]);
  try_team(team, own_n, list);
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
}

/* First the lists overlap: {0} on unit 0, {0, last} on the others. Then all list the last unit, which itself lists unit 0. */
static void overlap(void) {
  int32_t last = tsr_place.units_n - 1;
  tsr_unit list[2] = {TSR_UNIT(0), TSR_UNIT(last)};
  tsr_team *team = (tsr_team *)&team;
  if (last == 0) return;
  CHECK_EQ(tsr_team_create(tsr_team_world, tsr_place.self ? 2 : 1, list, &team), TESSERA_ERR_ARG);
  CHECK_EQ(tsr_team_create(tsr_team_world, 1, tsr_place.self == last ? list : list + 1, &team), TESSERA_ERR_ARG);
  CHECK(team == (tsr_team *)&team);
}

static void bad_lists(void) {
  tsr_unit twice[2] = {TSR_UNIT(0), TSR_UNIT(0)}, outside[1] = {TSR_UNIT(tsr_place.units_n)};
  tsr_team *team = (tsr_team *)&team;
  CHECK_EQ(tsr_team_create(tsr_team_world, 2, twice, &team), TESSERA_ERR_ARG);
  CHECK_EQ(tsr_team_create(tsr_team_world, 1, outside, &team), TESSERA_ERR_RANGE);
  CHECK_EQ(tsr_team_create(tsr_team_world, -1, outside, &team), TESSERA_ERR_ARG);
  CHECK(team == (tsr_team *)&team);
  CHECK_EQ(tsr_team_create(tsr_team_world, 0, NULL, &team), TESSERA_OK);
  CHECK(team == NULL);
  CHECK_EQ(tsr_team_destroy(tsr_team_world), TESSERA_ERR_ARG);
}

/* The progress thread compares errors that other nodes report with the calls of a team, which may end at that moment. */
enum { LIVES_N = 50 };
static atomic_bool lives_are_over;

static void *look_up(void *arg) {
  (void)arg;
  while (!atomic_load(&lives_are_over)) tsr_coll_error_poll();
  return NULL;
}

static void ends_while_looked_up(void) {
  pthread_t thread;
  tsr_unit self = TSR_UNIT(tsr_place.self);
  tsr_team *team = NULL;
  CHECK_EQ(tsr_team_create_alone(1, &self, 0, &team), TESSERA_OK);
  for (int32_t id = team->id; id < team->id + LIVES_N; id++) { /* of a call that no team ever makes */
    const uint64_t args[] = {(uint64_t)id, UINT64_C(1) << 60, 0, 2};
    tsr_net_handlers[TSR_H_COLL_ERROR](&(struct tsr_net_in){.args = args}, NULL);
  }
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  CHECK_EQ(pthread_create(&thread, NULL, look_up, NULL), 0);
  for (int i = 0; i < LIVES_N; i++) {
    CHECK_EQ(tsr_team_create_alone(1, &self, 0, &team), TESSERA_OK);
    CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  }
  atomic_store(&lives_are_over, true);
  pthread_join(thread, NULL);
}

/* A team costs little until a large collective runs on it, and leaves nothing. */
static void memory_grows_with_use(void) {
  enum { AREA_BYTES_MAX = 16 << 10 };
  static char data[1000], big[64 * sizeof data];
  tsr_unit list[64];
  int32_t n = list_bits(~0u, 0, list), locals_n = 0;
  tsr_team *team = NULL;
  CHECK(tsr_sync_area_bytes(64) <= AREA_BYTES_MAX);
  CHECK(4 * tsr_sync_area_bytes(4) <= AREA_BYTES_MAX);
  tsr_bootstrap_barrier(tsr_team_world);
  int64_t before = tsr_heap_live_bytes();
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_team_create(tsr_team_world, n, list, &team), TESSERA_OK);
  locals_n = team->locals_n;
  CHECK_EQ(tsr_bcast(team, data, 8, TSR_MEMBER(0)), TESSERA_OK);
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  CHECK(tsr_heap_live_bytes() - before <= AREA_BYTES_MAX);
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  CHECK_EQ(tsr_allgather(team, data, big, 1000), TESSERA_OK);
  CHECK_EQ(tsr_barrier(team), TESSERA_OK);
  int64_t used = tsr_heap_live_bytes() - before;
  CHECK(locals_n == 1 || used >= locals_n * (int64_t)TSR_SYNC_BOUNCE_BYTES);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_team_destroy(team), TESSERA_OK);
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tsr_heap_live_bytes(), before);
  tsr_bootstrap_barrier(tsr_team_world);
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  if (tsr_place.units_n <= 4) {
    every_subset(0, 0);
    every_subset(1, 0);
    every_subset(0, 1);
    every_subset(1, 1);
  }
  shuffled();
  numbers();
  overlapping();
  for (int32_t n = 2; n <= tsr_place.units_n; n++) apart(n);
  overlap();
  bad_lists();
  ends_while_looked_up();
  memory_grows_with_use();
  tsr_bootstrap_barrier(tsr_team_world);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
