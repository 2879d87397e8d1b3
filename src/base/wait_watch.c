#include "base/wait_watch.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/log.h"

static const struct tsr_wait_env *env = &(const struct tsr_wait_env){0};

void tsr_wait_watch_use(const struct tsr_wait_env *with) { env = with; }

static atomic_bool is_asked;      /* by SIGUSR1: the thread that sleeps reports its wait */
static _Atomic uint64_t asked_ns; /* when other units were asked for that report; 0: they were not */

bool tsr_wait_report_soon(void) {
  const struct tsr_wait_why *published = env->why;
  tsr_word *bell = env->bell;
  if (!published || !bell || tsr_wait_reason(published).kind == TSR_WAIT_NONE) return false;
  atomic_store(&is_asked, true);
  tsr_bell_ring(bell);
  return true;
}

static uint32_t current_tick(void) { return env->ticks ? atomic_load_explicit(env->ticks, memory_order_relaxed) : 0; }

void tsr_wait_watch_begin(struct tsr_wait_watch *watch) {
  watch->begun_tick = current_tick();
  watch->begun_ns = tsr_config_watchdog_s() && !watch->begun_tick ? tsr_clock_ns() : 0;
  watch->has_asked = false;
}

static void ask_once(struct tsr_wait_watch *watch, const struct tsr_wait_why *why) {
  if (env->prepares_report && !watch->has_asked) env->prepares_report(why, false);
  watch->has_asked = true;
}

enum { ANSWER_NS = 1000000000 /* a report waits so long for the answer of other units, at most */ };

static bool awaits_answer(void) { return env->awaits_answer && env->awaits_answer(); }

/* Without ticks, or if the wait began before the first one. */
static bool has_taken_long_by_clock(struct tsr_wait_watch *watch, const struct tsr_wait_why *why) {
  const uint64_t limit_ns = (uint64_t)tsr_config_watchdog_s() * 1000000000u, gone_ns = tsr_clock_ns() - watch->begun_ns;
  if (gone_ns < limit_ns) return false;
  ask_once(watch, why);
  return gone_ns >= limit_ns + ANSWER_NS || !awaits_answer();
}

/* Other units are asked one tick before the report, which waits for their answer for ANSWER_TICKS at most. */
static bool has_taken_long(struct tsr_wait_watch *watch, const struct tsr_wait_why *why) {
  enum { ANSWER_TICKS = 2 };
  const uint32_t tick = current_tick();
  if (watch->begun_tick && !tick) tsr_wait_watch_begin(watch); /* the ticks have stopped */
  if (!watch->begun_tick) return has_taken_long_by_clock(watch, why);
  const uint32_t ticks_n = tick - watch->begun_tick;
  if (ticks_n >= TSR_WATCH_TICKS) ask_once(watch, why);
  if (ticks_n <= TSR_WATCH_TICKS) return false;
  return ticks_n > TSR_WATCH_TICKS + ANSWER_TICKS || !awaits_answer();
}

/* A wait is reported once, after TESSERA_WATCHDOG seconds. A unit that need not report checks again after the same time. */
static bool is_long(struct tsr_wait_watch *watch, const struct tsr_wait_why *why) {
  if (!tsr_config_watchdog_s() || watch->reported || !has_taken_long(watch, why)) return false;
  watch->reported = !env->reports_hangs || env->reports_hangs(why);
  tsr_wait_watch_begin(watch);
  return watch->reported;
}

struct report {
  char text[128], missing[1024];
};
static struct report describe_wait(const struct tsr_wait_why *why) {
  struct report report = {"", ""};
  tsr_wait_describe(why, report.text, sizeof report.text);
  if (env->hang_report) env->hang_report(why, report.missing, sizeof report.missing);
  return report;
}

/* For SIGUSR1 other units are asked first. */
static bool waits_for_answer(const struct tsr_wait_why *why) {
  uint64_t since = atomic_load(&asked_ns);
  if (!env->prepares_report) return false;
  if (!since) {
    env->prepares_report(why, true);
    atomic_store(&asked_ns, since = tsr_clock_ns());
  }
  if (env->awaits_answer() && tsr_clock_ns() - since < ANSWER_NS) return true;
  atomic_store(&asked_ns, 0);
  return false;
}

void tsr_wait_watch_answer(const struct tsr_wait_why *why) {
  if (!atomic_load_explicit(&is_asked, memory_order_relaxed) || waits_for_answer(why) || !atomic_exchange(&is_asked, false)) return;
  const struct report report = describe_wait(why);
  tsr_log_call(TSR_LOG_WARN, "TSR-0008 SIGUSR1: waiting for %s%s", report.text, report.missing);
}

void tsr_wait_watch_check(struct tsr_wait_watch *watch, const struct tsr_wait_why *why) {
  tsr_wait_watch_answer(why);
  if (!is_long(watch, why)) return;
  const struct report report = describe_wait(why);
  tsr_log_call(TSR_LOG_WARN, "TSR-0007 waiting for more than %d s for %s%s", tsr_config_watchdog_s(), report.text, report.missing);
}

bool tsr_wait_watch_has_answer(void) {
  return atomic_load_explicit(&asked_ns, memory_order_relaxed) && !env->awaits_answer();
}

uint64_t tsr_wait_watch_sleep_ns(const struct tsr_wait_watch *watch) {
  if (atomic_load_explicit(&asked_ns, memory_order_relaxed)) return ANSWER_NS;
  if (!tsr_config_watchdog_s() || (watch->begun_tick && !env->attends_monitor)) return TSR_UNTIMED;
  return watch->has_asked ? ANSWER_NS : (uint64_t)tsr_config_watchdog_s() * 1000000000u;
}

void tsr_wait_watch_end(void) {
  atomic_store_explicit(&is_asked, false, memory_order_relaxed); /* the question was about this wait */
  atomic_store_explicit(&asked_ns, 0, memory_order_relaxed);
}
