#include "core/bootstrap.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/coll_error.h"
#include "core/conflict.h"
#include "core/message.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/sync.h"

static tsr_unit leader_of(const tsr_team *team, int32_t node) {
  return tsr_team_unit(team, TSR_MEMBER(team->leaders[node]));
}

static void raise_to(int64_t v[], const int64_t other[], int n) {
  for (int i = 0; i < n; i++) v[i] = v[i] > other[i] ? v[i] : other[i];
}

/* The maximum among the leaders of the team's nodes, by dissemination, which suits any operation that may count a value
 * twice. */
static void leaders_max(const tsr_team *team, int64_t v[], int64_t theirs[], int n) {
  int32_t nodes_n = team->nodes_n;
  size_t bytes = (size_t)n * sizeof v[0];
  for (int32_t distance = 1; distance < nodes_n; distance *= 2) {
    tsr_unit to = leader_of(team, (team->self_node + distance) % nodes_n);
    tsr_unit from = leader_of(team, (team->self_node - distance + nodes_n) % nodes_n);
    tsr_exchange exchange;
    tsr_exchange_begin(&exchange, TSR_TAG_TEAM + team->id);
    tsr_exchange_receive(&exchange, from, theirs, bytes);
    tsr_exchange_send(&exchange, to, v, bytes);
    tsr_exchange_end(&exchange);
    raise_to(v, theirs, n);
  }
}

/* Copies all[0..n) of the leader to all members on the node, `step_bytes` per round. */
static bool spread_numbers(tsr_team *team, int64_t all[], int32_t n, size_t step_bytes) {
  const int32_t step = (int32_t)(step_bytes / sizeof all[0]);
  for (int32_t at = 0; at < n; at += step) {
    size_t bytes = (size_t)(n - at < step ? n - at : step) * sizeof all[0];
    if (tsr_leads(team)) {
      memcpy(tsr_sync_mine(team, bytes), all + at, bytes);
      tsr_sync_signal(team);
      continue;
    }
    if (!tsr_sync_wait_root(team, 0)) return false;
    memcpy(all + at, tsr_sync_theirs(team, 0, bytes), bytes);
  }
  return true;
}

/* In rounds whose parts need no bounce buffer. */
static bool max_of_node(tsr_team *team, int64_t v[], int n) {
  const int step = (int)(tsr_sync_part_bytes(team) / sizeof v[0]);
  for (int at = 0; at < n; at += step) {
    int now = n - at < step ? n - at : step;
    size_t bytes = (size_t)now * sizeof v[0];
    memcpy(tsr_sync_mine(team, bytes), v + at, bytes);
    if (!tsr_sync_barrier(team)) return false;
    for (int32_t i = 0; i < team->locals_n; i++) raise_to(v + at, tsr_sync_theirs(team, i, bytes), now);
  }
  return true;
}

static bool max_of_all(tsr_team *team, int64_t v[], int n) {
  int64_t theirs[TSR_BOOTSTRAP_MAX_N];
  if (!max_of_node(team, v, n)) return false;
  if (team->nodes_n == 1) return true;
  if (tsr_leads(team)) leaders_max(team, v, theirs, n);
  return spread_numbers(team, v, n, tsr_sync_part_bytes(team));
}

/* Sets the call of the rounds below; the number of words distinguishes these calls. */
static void set_call(tsr_team *team, int words_n) {
  tsr_conflict_sync();
  tsr_sync_set_call(team, TSR_CALL_SETUP, (uint64_t)words_n, -1, 0);
}

bool tsr_bootstrap_try_max(tsr_team *team, int64_t v[], int n) {
  set_call(team, n);
  return max_of_all(team, v, n);
}

static _Noreturn void end_for_others(const tsr_team *team) {
  tsr_abort(EXIT_FAILURE, "TSR-0302 team %d: since the previous barrier unit %d (last collective call: number %llu, %s) and "
            "another member have made calls that differ in kind, size, root or order; run with TESSERA_CHECK=1, which names both "
            "calls", team->id, tsr_place.self, (unsigned long long)team->calls_n,
            team->last_call ? team->last_call : "failed or none");
}

/* Messages of equal size between nodes do not show which call they belong to. So each barrier compares digests of the
 * calls made since the last one: the maximum and the minimum, which is found as the maximum of the complements. */
static bool barrier_of_nodes(tsr_team *team) {
  int64_t own = team->calls_digest, v[2] = {own, own == TSR_CALLS_FAILED ? own : ~own};
  if (!max_of_all(team, v, 2)) return false;
  if (v[0] != ~v[1] && v[0] != TSR_CALLS_FAILED) {
    if (own == TSR_CALLS_FAILED) tsr_coll_error_misfit(team->id); /* a message of the call that this member has failed */
    end_for_others(team);
  }
  team->calls_digest = 0;
  return true;
}

bool tsr_bootstrap_try_barrier(tsr_team *team) { return team->nodes_n == 1 ? tsr_sync_barrier(team) : barrier_of_nodes(team); }

/* No member fails these calls, so a failed round means that a member has failed another call. */
static void require_success(const tsr_team *team, bool good) {
  if (!good)
    tsr_abort(EXIT_FAILURE, "TSR-0303 team %d: unit %d sets something up in a collective call, while another member left another "
              "call with an error, which a line of that unit describes; let all members make the same calls in the same order",
              team->id, tsr_place.self);
}

void tsr_bootstrap_barrier(tsr_team *team) {
  set_call(team, 0);
  require_success(team, tsr_bootstrap_try_barrier(team));
}

void tsr_bootstrap_max(tsr_team *team, int64_t v[], int n) { require_success(team, tsr_bootstrap_try_max(team, v, n)); }

/* Leaders complete a list in which each has stored its own numbers, and INT64_MIN otherwise; then the members of each node copy
 * it. */
static void complete_list(tsr_team *team, int64_t all[], int32_t n) {
  if (tsr_leads(team) && team->nodes_n > 1) {
    int64_t *theirs = malloc((size_t)n * sizeof *theirs);
    if (!theirs) tsr_abort(1, "TSR-0304 no private memory to collect %d numbers of the members of a team; " TSR_REMEDY_MEMORY, n);
    leaders_max(team, all, theirs, n);
    free(theirs);
  }
  require_success(team, spread_numbers(team, all, n, TSR_BOUNCE_BYTES));
}

void tsr_bootstrap_gather(tsr_team *team, int64_t mine, int64_t all[]) {
  for (int32_t i = 0; i < team->size; i++) all[i] = INT64_MIN;
  set_call(team, -1);
  memcpy(tsr_sync_mine(team, sizeof mine), &mine, sizeof mine);
  require_success(team, tsr_sync_barrier(team));
  for (int32_t i = 0; i < team->locals_n; i++)
    memcpy(&all[team->locals[i]], tsr_sync_theirs(team, i, sizeof mine), sizeof mine);
  if (team->nodes_n > 1) complete_list(team, all, team->size);
}

void tsr_bootstrap_gather_nodes(tsr_team *team, int64_t mine, int64_t all[]) {
  for (int32_t i = 0; i < team->nodes_n; i++) all[i] = INT64_MIN;
  all[team->self_node] = mine;
  set_call(team, -2);
  complete_list(team, all, team->nodes_n);
}
