#include "core/hang_report.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/text.h"
#include "core/sync.h"
#include "core/op.h"
#include "core/place.h"
#include "core/team.h"

enum { NAMES_MAX = 4 }; /* the others are counted */

static struct tsr_wait_why reason_of(uint32_t local) { return tsr_wait_reason(&tsr_heap_unit(local)->why); }

static bool all_wait(void) {
  uint32_t local = 0;
  while (local < tsr_place_local_units() && reason_of(local).kind != TSR_WAIT_NONE) local++;
  return local == tsr_place_local_units();
}

/* Appends what the unit does, if it is another unit of this node. `link`: text before that. */
static void name_unit(struct tsr_text *report, tsr_unit unit, const char *link) {
  char text[128];
  tsr_text_print(report, "unit %d", unit.id);
  if (!tsr_place_is_local(unit) || unit.id == tsr_place.self) return;
  struct tsr_wait_why why = reason_of((uint32_t)tsr_place_local(unit));
  tsr_wait_describe(&why, text, sizeof text);
  if (why.kind == TSR_WAIT_NONE) tsr_text_print(report, "%s is not inside a Tessera call", link);
  else tsr_text_print(report, "%s waits for %s", link, text);
}

/* Appends the members on this node that have not arrived in a round of the team. */
static void name_members(struct tsr_text *report, const tsr_team *team, enum tsr_sync_lane lane, uint64_t round) {
  int32_t missing_n = 0;
  for (int32_t local = 0; local < team->locals_n; local++) {
    if (tsr_sync_has_arrived(team, lane, local, round) || missing_n++ >= NAMES_MAX) continue;
    tsr_text_print(report, missing_n == 1 ? "; missing: " : "; ");
    name_unit(report, tsr_team_unit(team, TSR_MEMBER(team->locals[local])), ", which");
  }
  if (missing_n > NAMES_MAX) tsr_text_print(report, "; and %d more", missing_n - NAMES_MAX);
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
static int32_t awaited_unit(size_t at) { return atomic_load_explicit(&notes[at].unit, memory_order_relaxed) - 1; }

static void name_all_started(struct tsr_text *report) {
  int named_n = 0;
  for (size_t at = 0; at < NOTES_N && named_n < NAMES_MAX; at++) {
    int32_t unit = awaited_unit(at);
    if (unit < 0) continue;
    named_n++;
    tsr_text_print(report, "; non-blocking collective %llu of team %d waits for ",
             (unsigned long long)atomic_load_explicit(&notes[at].number, memory_order_relaxed),
             atomic_load_explicit(&notes[at].team, memory_order_relaxed));
    name_unit(report, TSR_UNIT(unit), ", which");
  }
  if (named_n) add_doubt(report);
}

/* The unit of this node that a wait is for; -1: none, or not one alone. */
static int32_t awaited_local(const struct tsr_wait_why *why) {
  static const bool names_unit[TSR_WAIT_KINDS_N] = {[TSR_WAIT_REPLY] = true, [TSR_WAIT_MESSAGE] = true, [TSR_WAIT_RECEIVER] = true,
                                                    [TSR_WAIT_CTRL] = true, [TSR_WAIT_LOCK] = true, [TSR_WAIT_ROOM] = true,
                                                    [TSR_WAIT_AM_BLOCK] = true, [TSR_WAIT_AM_TAKEN] = true};
  if (why->kind >= TSR_WAIT_KINDS_N || !names_unit[why->kind] || why->who < 0 || why->who >= tsr_place.units_n) return -1;
  return tsr_place_local(TSR_UNIT(why->who));
}

/* Stores the other units of a cycle of waits that this unit is in. Returns how many; 0: it is in none. */
enum { CYCLE_MAX = 8 };
static int32_t find_cycle(const struct tsr_wait_why *why, int32_t locals[CYCLE_MAX]) {
  int32_t at = awaited_local(why), n = 0;
  while (at >= 0 && at != (int32_t)tsr_heap.self && n < CYCLE_MAX) {
    const struct tsr_wait_why next = reason_of((uint32_t)at);
    locals[n++] = at;
    at = awaited_local(&next);
  }
  return at == (int32_t)tsr_heap.self ? n : 0;
}

static void add_cycle(struct tsr_text *report, const struct tsr_wait_why *why) {
  int32_t locals[CYCLE_MAX];
  const int32_t n = find_cycle(why, locals);
  if (n == 0) return;
  tsr_text_print(report, "; a cycle: unit %d waits for", tsr_place.self);
  for (int32_t i = 0; i < n; i++) tsr_text_print(report, " unit %d, which waits for", tsr_place_unit((uint32_t)locals[i]).id);
  tsr_text_print(report, " unit %d", tsr_place.self);
}

bool tsr_hang_report_is_due(const struct tsr_wait_why *why) {
  if (tsr_config.errors == TSR_ERRORS_ALL) return true;
  if (tsr_place.node > 0 && all_wait() && !find_cycle(why, (int32_t[CYCLE_MAX]){0})) return false;
  uint64_t last = atomic_load(&tsr_heap.memory->hang_reported_ns), now = tsr_clock_ns(); /* in this order: now is the later */
  if (last && now - last < (uint64_t)tsr_config_watchdog_s() * UINT64_C(1000000000)) return false;
  return atomic_compare_exchange_strong(&tsr_heap.memory->hang_reported_ns, &last, now);
}

static void name_awaited(struct tsr_text *report, const struct tsr_wait_why *why) {
  const tsr_team *team;
  size_t at = (uint64_t)why->what % NOTES_N;
  int32_t unit = awaited_unit(at);
  switch (why->kind) {
    case TSR_WAIT_BARRIER:
    case TSR_WAIT_SPLIT:
      if (!(team = tsr_team_find(why->who))) break;
      name_members(report, team, why->kind == TSR_WAIT_SPLIT ? TSR_SYNC_SPLIT : TSR_SYNC_CALLS, (uint64_t)why->what);
      break;
    case TSR_WAIT_COLLECTIVE:
      if (unit < 0 || !is_about(at, why->who, (uint64_t)why->what)) break;
      tsr_text_print(report, ", which waits for ");
      name_unit(report, TSR_UNIT(unit), ", which");
      add_doubt(report);
      break;
    case TSR_WAIT_STARTED:
    case TSR_WAIT_EVENTS: name_all_started(report); break;
    case TSR_WAIT_MESSAGE:
    case TSR_WAIT_RECEIVER:
    case TSR_WAIT_CTRL:
    case TSR_WAIT_REPLY: /* the other unit of a message or transfer, if it is on this node */
      if (why->who < 0 || why->who == tsr_place.self || !tsr_place_is_local(TSR_UNIT(why->who))) break;
      tsr_text_print(report, "; ");
      name_unit(report, TSR_UNIT(why->who), "");
      break;
    case TSR_WAIT_NODES: add_doubt(report); break;
    default: break;
  }
}

void tsr_hang_report_describe(const struct tsr_wait_why *why, char *text, int text_bytes) {
  struct tsr_text report = {.data = text, .room = (size_t)text_bytes};
  text[0] = 0;
  name_awaited(&report, why);
  add_cycle(&report, why);
  int others_n = tsr_handles_under_way();
  if (others_n > 0)
    tsr_text_print(&report, "; %d other non-blocking operation%s of this unit %s under way", others_n, others_n > 1 ? "s" : "",
             others_n > 1 ? "are" : "is");
}
