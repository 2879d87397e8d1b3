#include "core/listener.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/limit.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/layers.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/progress_thread.h"
#include "core/runtime.h"
#include "net/net.h"

/* The descriptor of the transport is one-shot in the set: an event disarms it, so that the listener does not wake for each message
 * that its polling unit takes. It is armed again when nothing is left: by the unit before that sleeps, else by the listener. */
static struct {
  bool runs;
  pthread_t thread;
  int set, call_fd; /* call_fd: an eventfd, by which this process wakes the listener */
  _Atomic bool armed; /* what comes wakes the listener; else it checks its unit by the clock */
  _Atomic unsigned taken_n; /* polls that have found something */
  _Atomic bool over;
  unsigned seen_n; /* calls of the unit, at the last check */
} listener = {.set = -1, .call_fd = -1};

enum { AWAY_MS = 1, AWAY_MOST_MS = 2 }; /* requests that are held back wait for a check, too */

bool tsr_listener_runs(void) { return listener.runs; }

static void wake_listener(void) {
  const uint64_t one = 1;
  while (write(listener.call_fd, &one, sizeof one) < 0 && errno == EINTR) continue;
}

/* Called when another thread may have taken what the listener was armed for. epoll_wait checks the descriptor again before it
 * returns: if it is empty by then, the listener sleeps on. */
static void disarm(void) {
  if (atomic_load(&listener.armed) && atomic_exchange(&listener.armed, false)) wake_listener();
}

void tsr_listener_overtaken(void) {
  atomic_fetch_add(&listener.taken_n, 1); /* partner: the exchange in tsr_listener_arm */
  disarm();
}

/* Two threads may arm at once, which does no harm. What comes after the transport was armed wakes the listener, unless a poll takes
 * it before the listener is armed, too; the poll is then in taken_n. A failed attempt to arm may take an event itself. */
bool tsr_listener_arm(void) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = tsr_net->event_fd};
  const unsigned before_n = atomic_load(&listener.taken_n);
  if (!tsr_net->arm()) {
    disarm();
    return false;
  }
  if (atomic_exchange(&listener.armed, true)) return true; /* before the event can come */
  epoll_ctl(listener.set, EPOLL_CTL_MOD, tsr_net->event_fd, &event);
  if (atomic_load(&listener.taken_n) != before_n) disarm();
  return true;
}

/* Checks the unit. True: it polls, since it waits and neither sleeps nor runs a handler, or it has made a call since the last
 * check. A handler is told from a poll only by the clock: after an event it may be a moment since the last check. */
static bool unit_polls(bool by_clock) {
  unsigned calls_n = atomic_load_explicit(&tsr_progress_calls_n, memory_order_relaxed), seen_n = listener.seen_n;
  listener.seen_n = calls_n;
  if (atomic_load(&tsr_heap_unit(tsr_heap.self)->bell)) return false; /* asleep; partner: the exchange in tsr_listener_arm */
  return calls_n != seen_n || (tsr_wait_goes_on() && !(by_clock && tsr_wait_polls()));
}

/* Serves until nothing is left, and the descriptor is armed. */
static void serve_requests(void) {
  enum { DELAYED_NS = 20000 };
  for (;;) {
    int done_n = 0;
    for (; tsr_progress_aside(); done_n++) tsr_wait_nudge(); /* layers may have gone on, too */
    if (atomic_load_explicit(&listener.over, memory_order_relaxed) || tsr_listener_arm()) return;
    if (!done_n) tsr_wait_sleep_ns(DELAYED_NS); /* a test delays what has come */
  }
}

/* Whether there is something to do that the descriptor does not report. Non-blocking collectives wait for units of the node, too,
 * and those units ring the doorbells only of units that wait. */
static bool needs_clock(void) { return atomic_load(&tsr_progress_thread_pending_n) > 0 || tsr_layers_need_clock(); }

static void *run_listener(void *unused) {
  int away_ms = AWAY_MS;
  (void)unused;
  prctl(PR_SET_NAME, "tessera-listen");
  tsr_topology_use_cpus(&tsr_heap.memory->cpus);
  while (!atomic_load(&listener.over)) {
    struct epoll_event events[2]; /* of the transport, and of call_fd */
    const bool sleeps = atomic_load(&listener.armed) && !needs_clock();
    int found_n = epoll_wait(listener.set, events, 2, sleeps ? -1 : away_ms);
    if (found_n > 0) atomic_store(&listener.armed, false);
    else if (atomic_load(&listener.armed) && !needs_clock()) continue; /* the unit has gone to sleep meanwhile */
    const bool polls = unit_polls(found_n == 0), grows = polls && found_n == 0 && tsr_wait_goes_on();
    away_ms = !grows ? AWAY_MS : away_ms < AWAY_MOST_MS ? 2 * away_ms : away_ms;
    if (!polls) serve_requests();
  }
  return NULL;
}

static void close_descriptors(void) {
  if (listener.set >= 0) close(listener.set);
  if (listener.call_fd >= 0) close(listener.call_fd);
  listener.set = listener.call_fd = -1;
}

static bool open_descriptors(void) {
  struct epoll_event call = {.events = EPOLLIN | EPOLLET}, event = {.events = EPOLLONESHOT}; /* each write is an event */
  listener.set = epoll_create1(EPOLL_CLOEXEC);
  listener.call_fd = eventfd(0, EFD_CLOEXEC);
  return listener.set >= 0 && listener.call_fd >= 0 && epoll_ctl(listener.set, EPOLL_CTL_ADD, listener.call_fd, &call) == 0 &&
         epoll_ctl(listener.set, EPOLL_CTL_ADD, tsr_net->event_fd, &event) == 0;
}

static int start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); /* the program's handlers run in its own threads */
  int error = pthread_create(&listener.thread, NULL, run_listener, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error;
}

static void set_running(bool runs) {
  listener.runs = runs;
  atomic_store(&tsr_net_is_polled, runs);
  tsr_progress_install_waits();
}

void tsr_listener_start(void) {
  if (tsr_net->event_fd < 0 || !tsr_place.shared_endpoints || tsr_place.agents_n) return;
  atomic_store(&listener.over, false);
  atomic_store(&listener.armed, false);
  set_running(true); /* the thread reads what this changes */
  int error = open_descriptors() ? start_thread() : errno;
  if (!error) return;
  set_running(false);
  close_descriptors();
  tsr_warn("TSR-0400 no listener could start (%s): waits of this unit poll the other nodes by the clock; %s", strerror(error),
           tsr_limit_remedy(error));
}

void tsr_listener_stop(void) {
  if (!listener.runs) return;
  atomic_store(&listener.over, true);
  wake_listener();
  pthread_join(listener.thread, NULL);
  set_running(false);
  close_descriptors();
}
