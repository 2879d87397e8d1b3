/* Random interleavings of non-blocking collectives on overlapping teams with blocking ones and messages. All units draw the
 * same calls; each waits for its own in an order of its own.
 * Units: 1 2 3 4 5 7 8 16
 */
#include "check.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "coll/nb.h"
#include "core/place.h"
#include "p2p/p2p.h"

#ifndef SECONDS /* the soak test takes time instead of rounds */
#define SECONDS 0
#endif
enum { ROUNDS_N = 1500, TEAMS_N = 4, SLOTS_N = 48 };

struct draw { uint64_t state; };
static uint32_t next(struct draw *draw, uint32_t below) {
  draw->state = draw->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(draw->state >> 33) % below;
}

static tsr_team *teams[TEAMS_N]; /* NULL: this unit is no member */

/* Everybody; everybody backwards; all but the last; every second one. */
static void make_teams(void) {
  int32_t n = tsr_place.units_n;
  teams[0] = tsr_team_world;
  for (int t = 1; t < TEAMS_N; t++) {
    tsr_unit units[64];
    int32_t units_n = 0;
    for (int32_t i = 0; i < n; i++) {
      if (t == 1) units[units_n++] = TSR_UNIT(n - 1 - i);
      if (t == 2 && (i < n - 1 || n == 1)) units[units_n++] = TSR_UNIT(i);
      if (t == 3 && i % 2 == 0) units[units_n++] = TSR_UNIT(i);
    }
    CHECK_EQ(tsr_team_create(tsr_team_world, units_n, units, &teams[t]), TESSERA_OK);
  }
}

struct slot {
  tsr_op op;
  bool used;
  int64_t *data, *wanted;
  size_t n;
};
static struct slot slots[SLOTS_N];

static int64_t value(int64_t call, int64_t who, size_t at) { return call * 131 + who * 17 + (int64_t)at; }

static void end(struct slot *slot) {
  if (!slot->used) return;
  tsr_op_wait_remote(&slot->op, TSR_UNIT(-1));
  CHECK(memcmp(slot->data, slot->wanted, slot->n * 8) == 0);
  free(slot->data);
  free(slot->wanted);
  slot->used = false;
}

/* Members first to last together. */
static void add_up(int64_t *sum, int64_t call, int32_t first, int32_t last, size_t n) {
  memset(sum, 0, n * 8);
  for (int32_t who = first; who <= last; who++) {
    for (size_t i = 0; i < n; i++) sum[i] += value(call, who, i);
  }
}

static tsr_schedule *make(tsr_team *team, struct slot *slot, int64_t call, uint32_t kind, int32_t root, size_t n) {
  static tsr_reducer sum;
  sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  size_t size = (size_t)team->size, all = kind == 3 ? n * size : n;
  slot->data = malloc(all * 8 + 8);
  slot->wanted = malloc(all * 8 + 8);
  slot->n = all;
  for (size_t i = 0; i < n; i++) slot->data[i] = value(call, team->self, i);
  if (kind == 0) {
    add_up(slot->wanted, call, 0, team->size - 1, n);
    return tsr_nb_allreduce(team, slot->data, slot->data, n, &sum);
  }
  if (kind == 1) {
    add_up(slot->wanted, call, root, root, n);
    return tsr_nb_bcast(team, slot->data, n * 8, TSR_MEMBER(root));
  }
  if (kind == 2) {
    add_up(slot->wanted, call, 0, team->self, n);
    return tsr_nb_scan(team, slot->data, slot->data, n, &sum, false);
  }
  if (kind == 3) {
    memmove(slot->data + (size_t)team->self * n, slot->data, n * 8);
    for (size_t who = 0; who < size; who++) add_up(slot->wanted + who * n, call, (int32_t)who, (int32_t)who, n);
    return tsr_nb_allgather(team, slot->data + (size_t)team->self * n, slot->data, n * 8);
  }
  slot->n = 0;
  return tsr_nb_barrier(team);
}

/* Round a ring of all units. */
static void pass_on(int64_t call, size_t n) {
  int32_t size = tsr_place.units_n, self = tsr_place.self, before = (self - 1 + size) % size;
  int64_t *out = malloc(n * 8 + 8), *in = malloc(n * 8 + 8);
  tsr_outgoing send;
  tsr_incoming receive;
  for (size_t i = 0; i < n; i++) out[i] = value(call, self, i);
  CHECK_EQ(tsr_p2p_send_start(&send, TSR_UNIT((self + 1) % size), TSR_P2P_DART, 3, out, n * 8), TESSERA_OK);
  tsr_p2p_receive(&receive, TSR_UNIT(before), TSR_P2P_DART, 3, in, n * 8);
  tsr_p2p_send_wait(&send);
  for (size_t i = 0; i < n; i++) out[i] = value(call, before, i);
  CHECK(memcmp(in, out, n * 8) == 0);
  free(out);
  free(in);
}

static void blocking(tsr_team *team, int64_t call, size_t n) {
  int64_t *data = malloc(n * 8 + 8), *wanted = malloc(n * 8 + 8);
  tsr_reducer sum = tsr_reducer_make(TSR_I64, TSR_SUM);
  for (size_t i = 0; i < n; i++) data[i] = value(call, team->self, i);
  add_up(wanted, call, 0, team->size - 1, n);
  CHECK_EQ(tsr_allreduce(team, data, data, n, &sum), TESSERA_OK);
  CHECK(memcmp(data, wanted, n * 8) == 0);
  free(data);
  free(wanted);
}

static void one_round(int64_t call, struct draw *common, struct draw *own) {
  uint32_t what = next(common, 10), which = next(common, TEAMS_N), kind = next(common, 5), any_root = next(common, 1 << 20);
  size_t n = next(common, 8) ? next(common, 200) : next(common, 20000);
  tsr_team *team = teams[which];
  if (what == 0) {
    pass_on(call, n);
  } else if (what == 1) {
    if (team) blocking(team, call, n);
  } else if (team) {
    struct slot *slot = &slots[next(own, SLOTS_N)];
    end(slot);
    slot->op = (tsr_op){0};
    tsr_schedule_start(make(team, slot, call, kind, (int32_t)(any_root % (uint32_t)team->size), n), &slot->op, NULL, NULL);
    slot->used = true;
  }
  if (next(own, 4) == 0) end(&slots[next(own, SLOTS_N)]);
}

/* Unit 0 looks at the clock, for all. */
static bool goes_on(int64_t call) {
  static time_t begun;
  if (!SECONDS) return call < ROUNDS_N;
  if (!begun) begun = time(NULL);
  int32_t more = time(NULL) - begun < SECONDS;
  if (call % 1000 == 0) tsr_bcast(tsr_team_world, &more, sizeof more, TSR_MEMBER(0));
  return call % 1000 || more;
}

int main(int argc, char **argv) {
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  make_teams();
  struct draw common = {42}, own = {(uint64_t)tsr_place.self + 1};
  for (int64_t call = 0; goes_on(call); call++) one_round(call, &common, &own);
  for (int i = SLOTS_N - 1; i >= 0; i--) end(&slots[i]);
  for (int t = 1; t < TEAMS_N; t++) {
    if (teams[t]) CHECK_EQ(tsr_team_destroy(teams[t]), TESSERA_OK);
  }
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
