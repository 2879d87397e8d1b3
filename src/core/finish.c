#include "core/finish.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"
#include "core/sync.h"
#include "core/handlers.h"
#include "core/launch.h"
#include "core/op.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/team.h"
#include "net/net.h"

static const char *const exits[TSR_APIS_N] = {"tessera_exit", "dart_exit", "ARMCI_Finalize", "gasnet_exit",
                                              "shmem_finalize"};

static bool may_omit_exit[TSR_APIS_N];

void tsr_finish_set_optional(enum tsr_api api, bool is_optional) { may_omit_exit[api] = is_optional; }

static bool is_exit_missing(void) {
  bool is_missing = false;
  for (int api = 0; api < TSR_APIS_N; api++) is_missing |= tsr_api_is_up[api] && !may_omit_exit[api];
  return is_missing;
}

/* The names of the exit functions of the interfaces that are up, such as "dart_exit and ARMCI_Finalize". */
static const char *name_exits(void) {
  static char text[128];
  text[0] = 0;
  for (int api = 0; api < TSR_APIS_N; api++) {
    if (!tsr_api_is_up[api]) continue;
    if (text[0]) strcat(text, " and ");
    strcat(text, exits[api]);
  }
  return text;
}

/* ---- arrivals, counted in the memory of each node and of the first node ---- */

enum news { NODE_CAME /* to the first node */, ALL_CAME };

static void send_news(tsr_unit unit, enum news news) {
  struct tsr_net_request request = {.rank = tsr_place_endpoint((tsr_addr){unit, 0}), .handler = TSR_H_FINISH,
                                    .args = {(uint64_t)news}};
  if (tsr_op_request(tsr_op_implicit(unit), &request, NULL, NULL))
    tsr_abort(EXIT_FAILURE, "TSR-0311 unit %d cannot be notified that the program ends; the line above says why", unit.id);
}

static void apply_news(enum news news) {
  if (news == NODE_CAME) atomic_fetch_add(&tsr_heap.memory->finishing_nodes_n, 1);
  else atomic_fetch_add(&tsr_heap.memory->all_finish, 1);
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) tsr_bell_ring(&tsr_heap_unit(local)->bell);
}

static void on_news(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  apply_news(in->args[0] == NODE_CAME ? NODE_CAME : ALL_CAME);
}

static __attribute__((constructor)) void register_handler(void) { tsr_net_register(TSR_H_FINISH, on_news); }

static struct tsr_node_unit *own_unit(void) { return tsr_heap_unit(tsr_heap.self); }

/* The counts only grow: the n-th end of a unit belongs to the n-th end of every other unit. */
static bool all_came(void) {
  struct tsr_node_memory *memory = tsr_heap.memory;
  const int32_t ends_n = own_unit()->ends_n;
  if (atomic_load(&memory->all_finish) >= ends_n) return true;
  if (tsr_place.self != 0 || atomic_load(&memory->finishing_nodes_n) < tsr_place.nodes_n * ends_n) return false;
  for (int32_t node = 1; node < tsr_place.nodes_n; node++) send_news(tsr_place_first(node), ALL_CAME);
  apply_news(ALL_CAME);
  return true;
}

/* ---- why the end is not reached ---- */

struct reason {
  char text[256];
};

/* Whether another unit of this node is in a collective call, or beyond one, that this unit has not made and will not
 * make. */
static bool is_needed(struct reason *reason) {
  for (uint32_t local = 0; local < tsr_place_local_units(); local++) {
    struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit(local)->why);
    const tsr_team *team = why.kind == TSR_WAIT_BARRIER ? tsr_team_find(why.who) : NULL;
    int32_t unit = tsr_place_unit(local).id, i = 0, n = team ? team->locals_n : 0;
    while (i < n && (i == team->self_local || tsr_team_unit(team, TSR_MEMBER(team->locals[i])).id != unit)) i++;
    if (i == n || !tsr_sync_has_arrived(team, TSR_SYNC_CALLS, i, tsr_sync_next(team))) continue;
    snprintf(reason->text, sizeof reason->text, "unit %d is in a collective call on team %d that this unit has not made", unit,
             team->id);
    return true;
  }
  return false;
}

/* ---- the end ---- */

static const struct tsr_wait_why at_end = {TSR_WAIT_END, 0, 0};

static bool is_late(uint64_t begun_ns) {
  return tsr_clock_ns() - begun_ns >= (uint64_t)tsr_config.exit_timeout_s * UINT64_C(1000000000);
}

/* An end that this unit has come to. */
struct end {
  const char *what; /* what the program did */
  bool waits_on;    /* without limit, since other units may still compute */
  bool is_call;     /* a thread has called the exit function; other threads may be in other calls */
  bool has_warned;
  uint64_t begun_ns;
};

/* Whether this unit stops waiting for the others. If it goes on waiting, it warns once. */
static bool gives_up(struct end *end, struct reason *reason) {
  if (!is_late(end->begun_ns) || end->has_warned || (end->waits_on && !tsr_config.exit_timeout_s)) return false;
  const int32_t units_n = (int32_t)tsr_place_local_units(), n = own_unit()->ends_n;
  const int32_t came_n = atomic_load(&tsr_heap.memory->finishing_n) - (n - 1) * units_n;
  const char *nodes = came_n == units_n ? ", and not all units of other nodes did" : "";
  if (!end->waits_on) {
    snprintf(reason->text, sizeof reason->text, "in %d s (TESSERA_EXIT_TIMEOUT) %d of the %d units of its node reached the end%s",
             tsr_config.exit_timeout_s, came_n, units_n, nodes);
    return true;
  }
  tsr_warn("TSR-0268 %s on this unit, and in %d s %d of the %d units of this node reached the end%s; this unit waits for "
           "the others; to limit the wait of a program that ends without an exit call, set TESSERA_EXIT_TIMEOUT to a number of "
           "seconds", end->what, tsr_config.exit_timeout_s, came_n, units_n, nodes);
  end->has_warned = true;
  return false;
}

/* Waits until all units have arrived. False: not all of them will arrive, as far as this unit can tell. */
static bool await_all(struct end *end, struct reason *reason) {
  struct tsr_timed_sleep timed_sleep = {.begun_ns = 0};
  end->begun_ns = tsr_clock_ns();
  const int32_t all_n = (int32_t)tsr_place_local_units() * ++own_unit()->ends_n;
  const bool is_last = atomic_fetch_add(&tsr_heap.memory->finishing_n, 1) + 1 == all_n;
  if (is_last && tsr_place.node == 0) apply_news(NODE_CAME);
  else if (is_last) send_news(TSR_UNIT(0), NODE_CAME);
  while (!all_came()) {
    const bool may_need = !end->is_call || !tsr_threads;
    /* Once all have come, another unit may already be in a collective call of the end. */
    if ((may_need && is_needed(reason)) || gives_up(end, reason)) return all_came();
    tsr_wait_timed(&timed_sleep, at_end);
  }
  return true;
}

static int started_n(void) {
  int n = tsr_handles_under_way();
  for (int32_t id = 0; id < tsr_teams_end; id++) n += tsr_teams[id] ? (int)atomic_load(&tsr_teams[id]->going_n) : 0;
  return n;
}

/* Waits for what this unit has started. It completes, since all units make progress meanwhile, unless other units have
 * not started their parts. */
static bool await_started(struct reason *reason) {
  uint64_t begun_ns = tsr_clock_ns();
  struct tsr_timed_sleep timed_sleep = {.begun_ns = 0};
  for (int n; (n = started_n()) > 0; tsr_wait_timed(&timed_sleep, at_end)) {
    if (!is_late(begun_ns)) continue;
    snprintf(reason->text, sizeof reason->text, "%d operation%s that this unit has started %s incomplete; wait for what is "
             "started", n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
    return false;
  }
  return true;
}

/* Programs of OpenSHMEM may all end without a call, and some of their units may still compute: the end waits for them, as
 * shmem_finalize does. */
static bool waits_for_all(void) { return tsr_api_is_up[TSR_API_SHMEM] && !tsr_config_is_set("TESSERA_EXIT_TIMEOUT"); }

static bool all_arrived; /* inside tsr_finish: the exit functions that it calls need not wait for all units again */

void tsr_finish(const char *what) {
  struct reason reason = {""};
  struct end end = {.what = what, .waits_on = waits_for_all()};
  if (tsr_wait_goes_on()) strcpy(reason.text, "a thread of this unit waits in a call");
  else if (tsr_place.nodes_n > 1 && !tsr_launch_may_call_mpi()) strcpy(reason.text, "this thread may not call MPI");
  else if (tsr_config.exit_timeout_s == 0) strcpy(reason.text, "TESSERA_EXIT_TIMEOUT=0 allows no wait for the others");
  if (*reason.text || !await_all(&end, &reason) || !await_started(&reason))
    tsr_abort(EXIT_FAILURE, "TSR-0312 %s without ending Tessera, and %s; let every unit call %s first", what, reason.text,
              name_exits());
  if (tsr_place.self == 0 && is_exit_missing())
    tsr_warn("TSR-0313 %s without %s; all units have come to the end and nothing was under way, so the library has ended itself; "
             "let every unit call %s first", what, name_exits(), name_exits());
  all_arrived = true;
  tsr_runtime_finish();
  all_arrived = false;
}

void tsr_finish_await_all(const char *call) {
  struct reason reason;
  struct end end = {.what = call, .waits_on = true, .is_call = true};
  if (!all_arrived && !await_all(&end, &reason))
    tsr_abort(EXIT_FAILURE, "TSR-0401 %s, but %s; let all units make the same collective calls before it", call, reason.text);
}

void tsr_finish_failed(int status) {
  const int code = status & 0xff; /* what the launcher can see */
  tsr_abort(code ? code : EXIT_FAILURE, "TSR-0314 the program ended without ending Tessera, with exit code %d; let every unit call "
            "%s before it ends", status, name_exits());
}
