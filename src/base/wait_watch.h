/* Reports of waits: of one that lasts longer than TESSERA_WATCHDOG, and of the present one at SIGUSR1. Before a report other units
 * may be asked what they do. Used by base/wait alone. */
#ifndef TSR_BASE_WAIT_WATCH_H
#define TSR_BASE_WAIT_WATCH_H

#include "base/wait.h"

/* Of one wait that sleeps. */
struct tsr_wait_watch {
  uint32_t begun_tick; /* 0: no process ticks */
  uint64_t begun_ns;   /* without ticks */
  bool reported;
  bool has_asked; /* other units, for the report */
};

/* What all waits of the process use; it stays where it is. */
void tsr_wait_watch_use(const struct tsr_wait_env *env);

/* The watchdog's time begins. With ticks a wait reads no clock, and its sleeps have no time-outs, because the kernel takes longer
 * for a sleep with one. */
void tsr_wait_watch_begin(struct tsr_wait_watch *watch);
/* After each sleep: reports what is due. */
void tsr_wait_watch_check(struct tsr_wait_watch *watch, const struct tsr_wait_why *why);
/* The same for SIGUSR1 alone. */
void tsr_wait_watch_answer(const struct tsr_wait_why *why);
/* Whether other units have answered: the wait does not sleep before it has checked again. */
bool tsr_wait_watch_has_answer(void);
/* The longest sleep of a wait that nothing else wakes by the clock; TSR_UNTIMED: ticks or events wake it. */
uint64_t tsr_wait_watch_sleep_ns(const struct tsr_wait_watch *watch);
/* The wait has ended. */
void tsr_wait_watch_end(void);

#endif
