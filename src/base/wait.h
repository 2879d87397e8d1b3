/* Waiting. No other code of the library spins, yields or sleeps.
 *
 * A unit sleeps on its own doorbell: a word in the node's memory, 1 while the unit sleeps or is about to, 0 while it is
 * awake. Waiter: set the word, poll once more, sleep. Producer: store, full fence, read the word, wake. At least one of
 * the two sees the store of the other, so no wake-up is lost, and a producer pays for a system call only if the unit
 * sleeps. The thread that sets the word back to 0 also counts the unit as awake, so that spinning units leave a core to
 * it before it runs. A unit counts once: as asleep when the thread that leads its waits sleeps.
 *
 * If many units wait for one event, they also wait on an eventcount. A signal is one system call. It wakes some
 * waiters, and each of these wakes some more. */
#ifndef TSR_BASE_WAIT_H
#define TSR_BASE_WAIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/backoff.h"
#include "base/futex.h"
#include "base/wait_reason.h"

/* After an atomic exchange: makes it a full fence. On x86 the exchange is one already. */
static inline void tsr_fence_exchanged(void) {
#if !defined(__x86_64__)
  atomic_thread_fence(memory_order_seq_cst);
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* `tsr_bell_ring` contains the full fence; `_fenced` is for a caller that has just made one, for example by an atomic
 * exchange. */
void tsr_bell_wake(tsr_word *bell);
static inline void tsr_bell_ring_fenced(tsr_word *bell) {
  tsr_fence_exchanged();
  if (atomic_load_explicit(bell, memory_order_relaxed)) tsr_bell_wake(bell);
}
static inline void tsr_bell_ring(tsr_word *bell) {
  atomic_thread_fence(memory_order_seq_cst); /* partner: the exchange in prepare_sleep, before the last poll */
  tsr_bell_ring_fenced(bell);
}

/* A broadcast event in memory of the node, zero at first. Producer: store, full fence, signal. Waiter: count itself,
 * read the sequence, poll, sleep while the sequence is unchanged; then wake other waiters, while the last signal has
 * not woken all. */
typedef struct tsr_eventcount {
  tsr_word sequence;                   /* number of signals */
  _Atomic uint32_t acked_sequence;     /* usually that of the last signal that has woken all its sleepers */
  _Atomic uint32_t waiters_n;          /* waiters that sleep or are about to */
  _Atomic uint32_t doorbell_waiters_n; /* waiters for the same event that are woken through their doorbells only */
} tsr_eventcount;
void tsr_eventcount_wake(tsr_eventcount *eventcount);
/* After a full fence. True: some waiters are woken through their doorbells only; the caller rings the doorbells of all
 * units that may wait. */
static inline bool tsr_eventcount_signal_fenced(tsr_eventcount *eventcount) {
  tsr_fence_exchanged();
  if (atomic_load_explicit(&eventcount->waiters_n, memory_order_relaxed)) tsr_eventcount_wake(eventcount);
  return atomic_load_explicit(&eventcount->doorbell_waiters_n, memory_order_relaxed) != 0;
}

/* A mutual exclusion lock on a word in shared memory: 0 free, 1 held, 2 held and another thread sleeps. A thread that
 * holds it waits for nothing else. */
void tsr_word_lock_slow(tsr_word *word);
static inline void tsr_word_lock(tsr_word *word) {
  uint32_t open = 0;
  if (!atomic_compare_exchange_strong_explicit(word, &open, 1, memory_order_acquire, memory_order_relaxed))
    tsr_word_lock_slow(word);
}
static inline bool tsr_word_trylock(tsr_word *word) {
  uint32_t open = 0;
  return atomic_compare_exchange_strong_explicit(word, &open, 1, memory_order_acquire, memory_order_relaxed);
}
static inline void tsr_word_unlock(tsr_word *word) {
  if (atomic_exchange_explicit(word, 0, memory_order_release) == 2) tsr_futex_wake(word, 1);
}

/* In the node's memory: the time until which no wait yields before it sleeps, and the factor between that time and the
 * lost time slice. */
struct tsr_wait_no_yield {
  _Atomic uint64_t until_ns;
  _Atomic uint32_t times;
};

enum { TSR_WATCH_TICKS = 4 };

/* What the waits of this process use; installed when the node's memory exists. Before that a wait has nothing to wait
 * for. */
struct tsr_wait_env {
  tsr_word *bell;              /* own doorbell */
  _Atomic int32_t *awake_n;    /* units of the node that are not asleep */
  struct tsr_wait_no_yield *no_yield;
  struct tsr_wait_why *why;    /* where the reason is published, from the end of the first spin of a wait on */
  /* For the watchdog: counted by another process, TSR_WATCH_TICKS times in TESSERA_WATCHDOG seconds. It rings the doorbells of the
   * units after each. NULL, or 0: no process counts. */
  const _Atomic uint32_t *ticks;
  bool attends_monitor;        /* this unit replaces that process when it is killed: sleeps have time-outs */
  int cores_n;                 /* cores the node's units may use */
  bool oversubscribed;         /* the node has more units than these cores */
  bool polls_net;              /* progress needs polls of the transport: sleeps have time-outs */
  bool (*arm)(void);           /* before a sleep: makes another thread wake this one for what comes from other nodes.
                                * False: something has come already. NULL: not needed */
  bool (*needs_clock)(void);   /* whether this process has something to do for which no thread wakes it: sleeps have
                                * time-outs meanwhile. NULL: never */
  int (*poll)(void);           /* makes progress; returns the number of things done */
  int (*poll_ring)(void);      /* a part of `poll` that takes a few nanoseconds: takes one record from a unit of this
                                * node */
  int (*poll_messages)(void);  /* another such part: takes one active message of each kind */
  bool (*moves)(void);         /* whether polls move long data; NULL: never */
  /* `prepares_report`: asks other units what they do, one tick before a wait is reported (`at_once`: just before it is);
   * `awaits_answer`: whether they have not answered yet. NULL: no unit is asked. */
  void (*prepares_report)(const struct tsr_wait_why *why, bool at_once);
  bool (*awaits_answer)(void);
  /* `reports_hangs`: whether this unit reports a wait that has become long; NULL: yes. `hang_report`: writes which units are
   * missing, as the end of a sentence; NULL: unknown. */
  bool (*reports_hangs)(const struct tsr_wait_why *why);
  void (*hang_report)(const struct tsr_wait_why *why, char *text, int text_bytes);
};
void tsr_wait_install(const struct tsr_wait_env *env); /* NULL: removes it */

typedef bool (*tsr_ready_fn)(const void *arg); /* cheap, no side effects, callable from any thread */

/* `eventcount`: producers signal it, and ring the doorbell if necessary; NULL: they always ring the doorbell. */
void tsr_wait_slow(tsr_ready_fn ready, const void *arg, struct tsr_wait_why why, tsr_eventcount *eventcount);

/* Returns when ready(arg) is true; makes progress meanwhile. Any thread, several at once. Only handlers of active
 * messages may wait: such a wait takes the place of the wait that runs the handler. */
static inline void tsr_wait(tsr_ready_fn ready, const void *arg, struct tsr_wait_why why) {
  if (!ready(arg)) tsr_wait_slow(ready, arg, why, NULL);
}

/* Polls for a fraction of a microsecond without making progress; on an oversubscribed node it returns at once. True:
 * ready. For use before tsr_wait_slow, if stores of other units make the condition true soon. */
bool tsr_wait_briefly(tsr_ready_fn ready, const void *arg);

/* Whether a thread of this process waits now, and so makes progress. */
bool tsr_wait_goes_on(void);
/* Whether the thread that polls for all waits is inside a poll. If that takes long, a handler runs. Any thread. */
bool tsr_wait_polls(void);

/* Makes the thread that sleeps in a wait report what it waits for. False: no thread does. Safe in a signal handler. */
bool tsr_wait_report_soon(void);

/* Whether the node has more units than cores that they may use. The same on all units of the node. */
bool tsr_wait_oversubscribed(void);

/* For a loop that polls and has found nothing: yields once if more units are awake than there are cores. */
void tsr_wait_give_way(void);

/* Sleeps; nothing wakes it earlier. */
void tsr_wait_sleep_ns(uint64_t ns);

/* One step of a wait whose condition the caller polls; the state is zero at first. Makes progress. If there is none to
 * make, it spins as other waits do, and later sleeps until the doorbell rings or the backoff ends; meanwhile the unit shows
 * why it waits. Never call it from a handler. */
struct tsr_timed_sleep {
  struct tsr_backoff backoff;
  uint64_t begun_ns; /* when a step first found nothing */
};
void tsr_wait_timed(struct tsr_timed_sleep *timed_sleep, struct tsr_wait_why why);

/* For a progress thread: sleeps on a doorbell of its own until it is rung, or for `ns` (0: yields once), unless there
 * is work. Counts as awake otherwise. */
void tsr_wait_thread_sleep(tsr_word *bell, uint64_t ns, tsr_ready_fn has_work, const void *arg);

/* To be called when a condition of another waiting thread of this process may have become true without a ring. Cheap if
 * no other thread waits. */
void tsr_wait_nudge(void);
void tsr_wait_nudge_others(void); /* the same, also for calls from the poll of a wait: does nothing in the leading thread */

#endif
