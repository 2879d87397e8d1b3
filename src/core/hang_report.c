#include "core/hang_report.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/text.h"
#include "core/hang_query.h"
#include "core/op.h"
#include "core/place.h"
#include "core/sync.h"
#include "core/team.h"

enum { NAMES_MAX = 4 }; /* the others are counted */

static struct tsr_wait_why reason_of(uint32_t local) { return tsr_wait_reason(&tsr_heap_unit(local)->why); }

static bool all_wait(void) {
  uint32_t local = 0;
  while (local < tsr_place_local_units() && reason_of(local).kind != TSR_WAIT_NONE) local++;
  return local == tsr_place_local_units();
}

/* A report about the wait of a unit of this node. */
struct report {
  struct tsr_text *text;
  tsr_unit unit;
};

/* Appends what the unit does, if it is another unit of this node. `link`: text before that. */
static void name_unit(const struct report *about, tsr_unit unit, const char *link) {
  struct tsr_text *report = about->text;
  char text[128];
  tsr_text_print(report, "unit %d", unit.id);
  if (!tsr_place_is_local(unit) || unit.id == about->unit.id) return;
  struct tsr_wait_why why = reason_of((uint32_t)tsr_place_local(unit));
  tsr_wait_describe(&why, text, sizeof text);
  if (why.kind == TSR_WAIT_NONE) tsr_text_print(report, "%s is not inside a Tessera call", link);
  else tsr_text_print(report, "%s waits for %s", link, text);
}

/* Appends the members on this node that have not arrived in a round of the team. */
static void name_members(const struct report *about, const tsr_team *team, enum tsr_sync_sequence sequence, uint64_t round) {
  int32_t missing_n = 0;
  for (int32_t local = 0; local < team->locals_n; local++) {
    if (tsr_sync_has_arrived(team, sequence, local, round) || missing_n++ >= NAMES_MAX) continue;
    tsr_text_print(about->text, missing_n == 1 ? "; missing: " : "; ");
    name_unit(about, tsr_team_unit(team, TSR_MEMBER(team->locals[local])), ", which");
  }
  if (missing_n > NAMES_MAX) tsr_text_print(about->text, "; and %d more", missing_n - NAMES_MAX);
}

/* Collectives that proceed in steps, by their number; a later one replaces an earlier one in the same entry. Any
 * thread writes and reads, so the fields of an entry may be of two collectives; that is good enough for a report. */
enum { NOTES_N = 16 };
static struct {
  _Atomic int32_t unit; /* + 1; 0: none */
  _Atomic int32_t team;
  _Atomic uint64_t number;
} notes[NOTES_N];

void tsr_hang_report_add(int32_t team, uint64_t number, int32_t unit) {
  if (!TSR_INSTRUMENTS) return;
  size_t at = number % NOTES_N;
  atomic_store_explicit(&notes[at].team, team, memory_order_relaxed);
  atomic_store_explicit(&notes[at].number, number, memory_order_relaxed);
  atomic_store_explicit(&notes[at].unit, unit + 1, memory_order_relaxed);
}

static bool is_about(size_t at, int32_t team, uint64_t number) {
  return atomic_load_explicit(&notes[at].team, memory_order_relaxed) == team &&
         atomic_load_explicit(&notes[at].number, memory_order_relaxed) == number;
}

void tsr_hang_report_remove(int32_t team, uint64_t number) {
  if (!TSR_INSTRUMENTS) return;
  size_t at = number % NOTES_N;
  if (is_about(at, team, number)) atomic_store_explicit(&notes[at].unit, 0, memory_order_relaxed);
}

/* Appended when units may have made different calls, so that they wait for each other's messages. */
static void add_doubt(struct tsr_text *report) {
  if (!tsr_config_check()) tsr_text_print(report, ", or some call it differently: TESSERA_CHECK=1 names the calls");
}

/* The unit that the collective of an entry waits for; -1: none. */
static int32_t unit_of_note(size_t at) { return atomic_load_explicit(&notes[at].unit, memory_order_relaxed) - 1; }

/* The unit that the non-blocking collective of an entry waits for; -1: none, or a blocking one waits. */
static int32_t unit_of_started(size_t at) {
  const bool blocks = atomic_load_explicit(&notes[at].number, memory_order_relaxed) & TSR_HANG_REPORT_BLOCKING;
  return blocks ? -1 : unit_of_note(at);
}

static void name_all_started(const struct report *about) {
  int named_n = 0;
  for (size_t at = 0; at < NOTES_N && named_n < NAMES_MAX; at++) {
    int32_t unit = unit_of_started(at);
    if (unit < 0) continue;
    named_n++;
    tsr_text_print(about->text, "; non-blocking collective %llu of team %d waits for ",
                   (unsigned long long)atomic_load_explicit(&notes[at].number, memory_order_relaxed),
                   atomic_load_explicit(&notes[at].team, memory_order_relaxed));
    name_unit(about, TSR_UNIT(unit), ", which");
  }
  if (named_n) add_doubt(about->text);
}

/* The unit that a wait is for; -1: none, or not one alone. */
static int32_t unit_of_wait(const struct tsr_wait_why *why) {
  static const bool names_unit[TSR_WAIT_KINDS_N] = {
      [TSR_WAIT_REPLY] = true, [TSR_WAIT_MESSAGE] = true, [TSR_WAIT_RECEIVER] = true, [TSR_WAIT_CTRL] = true,
      [TSR_WAIT_LOCK] = true, [TSR_WAIT_ROOM] = true, [TSR_WAIT_NODES] = true, [TSR_WAIT_AM_BLOCK] = true,
      [TSR_WAIT_AM_TAKEN] = true};
  const bool is_one = why->kind < TSR_WAIT_KINDS_N && names_unit[why->kind] && why->who >= 0 && why->who < tsr_place.units_n;
  return is_one ? why->who : -1;
}

/* A member on this node that has not arrived in a round of the team; -1: all have, or the team is not known here. */
static int32_t find_missing(int32_t team_id, enum tsr_sync_sequence sequence, uint64_t round) {
  const tsr_team *team = tsr_team_find(team_id);
  for (int32_t local = 0; team && local < team->locals_n; local++)
    if (!tsr_sync_has_arrived(team, sequence, local, round)) return tsr_team_unit(team, TSR_MEMBER(team->locals[local])).id;
  return -1;
}

/* A unit that this unit's wait depends on; -1: none is known. */
static int32_t find_awaited(const struct tsr_wait_why *why) {
  const size_t at = (uint64_t)why->what % NOTES_N;
  switch (why->kind) {
    case TSR_WAIT_BARRIER: return find_missing(why->who, TSR_SYNC_CALLS, (uint64_t)why->what);
    case TSR_WAIT_SPLIT: return find_missing(why->who, TSR_SYNC_SPLIT, (uint64_t)why->what);
    case TSR_WAIT_INNER:
    case TSR_WAIT_COLLECTIVE: return is_about(at, why->who, (uint64_t)why->what) ? unit_of_note(at) : -1;
    case TSR_WAIT_STARTED:
    case TSR_WAIT_EVENTS:
      for (size_t i = 0; i < NOTES_N; i++)
        if (unit_of_started(i) >= 0) return unit_of_started(i);
      return -1;
    default: return unit_of_wait(why);
  }
}

int32_t tsr_hang_report_follow(int32_t unit, int32_t end, struct tsr_hang_chain *chain) {
  while (unit >= 0 && unit != end && chain->units_n < TSR_HANG_CHAIN_MOST && tsr_place_is_local(TSR_UNIT(unit))) {
    const struct tsr_wait_why why = reason_of((uint32_t)tsr_place_local(TSR_UNIT(unit)));
    chain->units[chain->units_n++] = unit;
    unit = unit_of_wait(&why);
  }
  return unit;
}

/* The unit of another node that a wait of this unit depends on; -1: none is known. */
static int32_t find_remote(const struct tsr_wait_why *why) {
  const int32_t unit = tsr_hang_report_follow(find_awaited(why), tsr_place.self, &(struct tsr_hang_chain){0});
  return unit >= 0 && !tsr_place_is_local(TSR_UNIT(unit)) ? unit : -1;
}

/* The first of a node in each period of the watchdog. */
static bool is_first(_Atomic uint64_t *last_ns) {
  uint64_t last = atomic_load(last_ns), now = tsr_clock_ns(); /* in this order: now is the later */
  if (last && now - last < (uint64_t)tsr_config_watchdog_s() * UINT64_C(1000000000)) return false;
  return atomic_compare_exchange_strong(last_ns, &last, now);
}

static atomic_bool leaves_report; /* another unit of the node has asked, and reports */

void tsr_hang_report_prepare(const struct tsr_wait_why *why, bool at_once) {
  const int32_t unit = find_remote(why);
  const bool asks = at_once || tsr_config.errors == TSR_ERRORS_ALL || is_first(&tsr_heap.memory->hang_asked_ns);
  atomic_store(&leaves_report, !asks);
  if (asks && unit >= 0) tsr_hang_query_ask(unit);
}

/* Stores the other units of a cycle of waits that this unit is in. False: it is in none that is known. */
static bool find_cycle(const struct tsr_wait_why *why, struct tsr_hang_chain *chain) {
  *chain = (struct tsr_hang_chain){0};
  int32_t unit = tsr_hang_report_follow(unit_of_wait(why), tsr_place.self, chain);
  if (unit >= 0 && !tsr_place_is_local(TSR_UNIT(unit))) unit = tsr_hang_query_follow(unit, chain);
  return unit == tsr_place.self && chain->units_n > 0;
}

static void add_cycle(struct tsr_text *report, const struct tsr_wait_why *why) {
  struct tsr_hang_chain chain;
  if (!find_cycle(why, &chain)) return;
  tsr_text_print(report, "; a cycle: unit %d waits for", tsr_place.self);
  for (int32_t i = 0; i < chain.units_n; i++) tsr_text_print(report, " unit %d, which waits for", chain.units[i]);
  tsr_text_print(report, " unit %d", tsr_place.self);
}

/* A cycle with a unit of the first node is reported there. */
static bool is_in_own_cycle(const struct tsr_wait_why *why) {
  struct tsr_hang_chain chain;
  if (!find_cycle(why, &chain)) return false;
  for (int32_t i = 0; i < chain.units_n; i++)
    if (tsr_place_node(TSR_UNIT(chain.units[i])) == 0) return false;
  return true;
}

bool tsr_hang_report_is_due(const struct tsr_wait_why *why) {
  if (tsr_config.errors == TSR_ERRORS_ALL) return true;
  if (atomic_exchange(&leaves_report, false) || (tsr_place.node > 0 && all_wait() && !is_in_own_cycle(why))) return false;
  return is_first(&tsr_heap.memory->hang_reported_ns);
}

/* Disjoint teams may have the same number. What this process knows of started collectives does not hold for another unit. */
static void name_awaited(const struct report *about, const struct tsr_wait_why *why) {
  const tsr_team *team;
  size_t at = (uint64_t)why->what % NOTES_N;
  const bool is_own = about->unit.id == tsr_place.self;
  int32_t unit = unit_of_note(at);
  switch (why->kind) {
    case TSR_WAIT_BARRIER:
    case TSR_WAIT_SPLIT:
      team = tsr_team_find(why->who);
      if (!team || tsr_team_member(team, about->unit).id < 0) break;
      name_members(about, team, why->kind == TSR_WAIT_SPLIT ? TSR_SYNC_SPLIT : TSR_SYNC_CALLS, (uint64_t)why->what);
      break;
    case TSR_WAIT_INNER:
    case TSR_WAIT_COLLECTIVE:
      if (!is_own || unit < 0 || !is_about(at, why->who, (uint64_t)why->what)) break;
      tsr_text_print(about->text, ", which waits for ");
      name_unit(about, TSR_UNIT(unit), ", which");
      add_doubt(about->text);
      break;
    case TSR_WAIT_STARTED:
    case TSR_WAIT_EVENTS:
      if (is_own) name_all_started(about);
      break;
    case TSR_WAIT_MESSAGE:
    case TSR_WAIT_RECEIVER:
    case TSR_WAIT_CTRL:
    case TSR_WAIT_REPLY: /* the other unit of a message or transfer, if it is on this node */
      if (why->who < 0 || why->who == about->unit.id || !tsr_place_is_local(TSR_UNIT(why->who))) break;
      tsr_text_print(about->text, "; ");
      name_unit(about, TSR_UNIT(why->who), "");
      break;
    case TSR_WAIT_NODES:
    case TSR_WAIT_SEVERAL_NODES: add_doubt(about->text); break;
    default: break;
  }
}

void tsr_hang_report_unit(tsr_unit unit, struct tsr_text *report) {
  const struct tsr_wait_why why = reason_of((uint32_t)tsr_place_local(unit));
  char text[128];
  tsr_wait_describe(&why, text, sizeof text);
  if (why.kind == TSR_WAIT_NONE) tsr_text_print(report, "unit %d is not inside a Tessera call", unit.id);
  else tsr_text_print(report, "unit %d waits for %s", unit.id, text);
  name_awaited(&(struct report){report, unit}, &why);
}

void tsr_hang_report_describe(const struct tsr_wait_why *why, char *text, int text_bytes) {
  struct tsr_text report = {.data = text, .room = (size_t)text_bytes};
  text[0] = 0;
  name_awaited(&(struct report){&report, TSR_UNIT(tsr_place.self)}, why);
  tsr_hang_query_describe(find_remote(why), &report);
  add_cycle(&report, why);
  int others_n = tsr_handles_under_way();
  if (others_n > 0)
    tsr_text_print(&report, "; %d other non-blocking operation%s of this unit %s under way", others_n, others_n > 1 ? "s" : "",
             others_n > 1 ? "are" : "is");
}
