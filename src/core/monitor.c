#include "core/monitor.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/config.h"
#include "base/limit.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/wait.h"
#include "core/monitor_links.h"
#include "core/runtime.h"
#include "core/stats.h"
#include "node/topology.h"

/* The connection over which the unit joined its node. It breaks when the process ends or aborts the job, before the launcher can
 * notice the end and kill other units: the first connection that breaks is that of the cause. */
static int lifeline = -1;
static pid_t owner; /* of the lifeline; a child that the program forks has it, too */

/* What a monitor needs. The first unit keeps it; each monitor has a copy. */
static struct {
  int connections[TSR_NODE_UNITS_MAX]; /* to the units, by local index */
  uint32_t connections_n;              /* 0: not the first unit, or not watched */
  int listener;                        /* for links from other nodes; -1: none */
  struct tsr_monitor_address own, parent;
  int replaced_n;
  /* The monitor's own. */
  int events;                        /* epoll: reports what breaks, in the order in which it broke */
  int processes[TSR_NODE_UNITS_MAX]; /* pidfds of the units, so that a signal reaches the right process or none; -1: not visible */
  uint32_t left_n;                   /* units whose connections have ended */
  bool ended[TSR_NODE_UNITS_MAX];    /* their processes, or the connections of those that are not visible */
  uint32_t ended_n;
  uint64_t abort_due_ns;             /* a unit has aborted the job, which ends by then; 0: none has */
  int32_t aborted;                   /* that unit */
} watched;

enum {
  GRACE_MS = 1500,   /* for the launcher to end the job, before the monitor kills what is left of the node */
  ABORT_MS = 10000,  /* the same, if a unit has asked it to do so */
  GIVE_UP_MS = 5000, /* for the monitor to kill a unit that waits for that, before the unit ends by itself */
  LOST_MS = 1000     /* for a job that is killed node by node, or that ends, to reach this node before another node is reported */
};

static void report_dead(uint32_t dead, int64_t oom_kills_before) {
  struct tsr_node_unit *record = tsr_heap_unit(dead);
  int32_t unit = tsr_place_unit(dead).id, pid = atomic_load(&record->pid), number = atomic_load(&record->last_signal);
  const char *name = number ? tsr_libc_signal_name(number) : NULL;
  char text[256];
  if (number) {
    snprintf(text, sizeof text, "died of signal SIG%s", name ? name : "?");
  } else if (oom_kills_before >= 0 && tsr_topology_oom_kills() > oom_kills_before) {
    snprintf(text, sizeof text, "was killed, most likely by the out-of-memory killer, which has killed processes since the start; "
                                "use less memory, or lower TESSERA_HEAP_LIMIT to get an error instead");
  } else {
    snprintf(text, sizeof text, "was killed (SIGKILL, or another signal that it does not catch), or left by _exit or MPI_Abort "
                                "without ending Tessera");
  }
  if (unit < tsr_place.units_n) tsr_report("TSR-0337 unit %d (process %d of this node) %s; the job ends", unit, pid, text);
  else tsr_report("TSR-0338 an agent (process %d of this node) %s; the job ends", pid, text);
  int32_t locks_n = atomic_load(&record->locks_n);
  if (locks_n > 0)
    tsr_report("TSR-0339 unit %d held %d of the program's locks, which no unit can release now", unit, locks_n);
}

static void report_lost(const struct tsr_link_event *news) {
  int32_t first = tsr_place_first(news->node).id, units_n = tsr_place_node_units(news->node);
  if (news->silent)
    tsr_report("TSR-0340 node %d, host %s (%d units from unit %d on) has not responded for %d s "
               "(TESSERA_NODE_TIMEOUT): its link is cut, or the host is down; the job ends",
               news->node, news->host, units_n, first, tsr_config.node_timeout_s);
  else
    tsr_report("TSR-0341 node %d, host %s (%d units from unit %d on): its monitor and its units were killed, or the host went "
               "down; the job ends", news->node, news->host, units_n, first);
}

/* The waits of the units of this node when the job broke. */
enum { NO_UNIT = -1 };
static void report_waits(int64_t dead) {
  char text[256];
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit(local)->why);
    if (local == dead || watched.ended[local] || why.kind == TSR_WAIT_NONE) continue;
    tsr_wait_describe(&why, text, sizeof text);
    tsr_report("TSR-0342 unit %d was waiting for %s", tsr_place_unit(local).id, text);
  }
}

/* The launcher notices the dead unit, prints pending output and ends the job. If it does not do so in time, the monitor kills the
 * other units of the node, and then the launcher does. Waiting units are woken before that, and print their statistics. */
static void end_job(void) {
  atomic_fetch_or(&tsr_heap.memory->monitor, TSR_MONITOR_ENDS_JOB);
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) tsr_bell_ring(&tsr_heap_unit(local)->bell);
  tsr_wait_sleep_ns(GRACE_MS * UINT64_C(1000000));
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    if (watched.processes[local] >= 0) syscall(SYS_pidfd_send_signal, watched.processes[local], SIGKILL, NULL, 0);
  }
}

/* A unit may end after the end of its job, and between exit and init. */
static bool may_be_gone(uint32_t local) { return atomic_load(&tsr_heap_unit(local)->state) != TSR_UNIT_UP; }

static bool watch_fd(int fd, uint32_t local) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = (uint64_t)(uint32_t)fd << 32 | local};
  return fd >= 0 && epoll_ctl(watched.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Detects the end of a unit whose child keeps the connection open, and allows to kill the unit. */
static void watch_process(uint32_t local) {
  struct ucred peer = {0};
  socklen_t bytes = sizeof peer;
  struct pollfd connection = {.fd = watched.connections[local]};
  if (getsockopt(watched.connections[local], SOL_SOCKET, SO_PEERCRED, &peer, &bytes) != 0) peer.pid = 0;
  atomic_store(&tsr_heap_unit(local)->pid, peer.pid); /* 0 also if it is in another PID namespace */
  int process = peer.pid > 0 ? (int)syscall(SYS_pidfd_open, peer.pid, 0) : -1;
  if (process >= 0 && poll(&connection, 1, 0) == 1 && connection.revents & POLLHUP) {
    close(process); /* the unit had ended before this monitor started, and the number may be another process's */
    process = -1;
  }
  watched.processes[local] = process;
  watch_fd(process, local);
}

/* A unit of this node died. If several units of the job died, the node of the first one reports it; of several units of
 * this node, one that has recorded a fatal signal is the cause. */
static void end_for_dead(uint32_t dead, int64_t oom_kills) {
  for (uint32_t local = tsr_heap.units_n; local-- > 0;) {
    if (atomic_load(&tsr_heap_unit(local)->last_signal)) dead = local;
  }
  int32_t unit = tsr_place_unit(dead).id;
  bool own = tsr_monitor_links_verdict(unit) == unit;
  if (own) report_dead(dead, oom_kills);
  report_waits(own ? (int64_t)dead : NO_UNIT);
  end_job();
}

/* A unit has aborted the job, and has reported why. The launcher ends the other processes, so their ends are not reported. */
static void await_launcher(int32_t unit) {
  watched.aborted = unit;
  watched.abort_due_ns = tsr_clock_ns() + ABORT_MS * UINT64_C(1000000);
}

static void end_for_abort(void) {
  uint32_t left = 0;
  while (left + 1 < tsr_heap.units_n && watched.ended[left]) left++;
  tsr_report("TSR-0419 %d s after unit %d has aborted the job, the launcher has not ended %u of the %u processes of this node, "
             "such as process %d; the monitor ends them", ABORT_MS / 1000, watched.aborted,
             tsr_heap.units_n - watched.ended_n, tsr_heap.units_n, atomic_load(&tsr_heap_unit(left)->pid));
  report_waits(NO_UNIT);
  end_job();
}

/* True: an event on another node ends the job here. */
static bool end_for_news(struct tsr_link_event news) {
  if (news.kind == TSR_LINK_NOTHING || watched.abort_due_ns) return false;
  if (news.kind == TSR_LINK_ABORTED) {
    await_launcher(news.unit);
    return false;
  }
  if (news.kind == TSR_LINK_LOST && news.host) {
    bool up = false;
    if (!news.silent) tsr_wait_sleep_ns(LOST_MS * UINT64_C(1000000));
    for (uint32_t local = 0; local < tsr_heap.units_n; local++) up |= !may_be_gone(local);
    if (!up) return false;
    report_lost(&news);
    tsr_monitor_links_tell_lost(news.node);
  }
  report_waits(NO_UNIT);
  end_job();
  return true;
}

/* ---- The watchdog: after each tick, units that sleep in a wait check whether it has become long ---- */

static uint64_t tick_due_ns;

static uint64_t tick_length_ns(void) { return (uint64_t)tsr_config_watchdog_s() * UINT64_C(1000000000) / TSR_WATCH_TICKS; }

/* A monitor that replaces another continues its count. */
static void start_ticks(void) {
  uint32_t none = 0;
  if (!tsr_config_watchdog_s()) return;
  tick_due_ns = tsr_clock_ns() + tick_length_ns();
  atomic_compare_exchange_strong(&tsr_heap.memory->watch_ticks, &none, 1);
}

static void wake_units(void) {
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) tsr_bell_ring(&tsr_heap_unit(local)->bell);
}

/* No monitor will tick: from here on the waits of all units read the clock. */
static void stop_ticks(void) {
  atomic_store(&tsr_heap.memory->watch_ticks, 0);
  wake_units();
}

/* Counts a tick that is due. Returns the milliseconds until the next one; -1: there is none. */
static int count_tick(void) {
  enum { NS_PER_MS = 1000000 };
  if (!tsr_config_watchdog_s()) return -1;
  uint64_t now = tsr_clock_ns();
  if (now >= tick_due_ns) {
    tick_due_ns = now + tick_length_ns();
    atomic_fetch_add(&tsr_heap.memory->watch_ticks, 1);
    wake_units();
  }
  return (int)((tick_due_ns - now) / NS_PER_MS) + 1;
}

/* The milliseconds until this monitor has to do something by itself; -1: nothing. After an abort the watchdog's ticks stop. */
static int next_due(void) {
  enum { NS_PER_MS = 1000000 };
  uint64_t now = tsr_clock_ns();
  if (!watched.abort_due_ns) return count_tick();
  return now < watched.abort_due_ns ? (int)((watched.abort_due_ns - now) / NS_PER_MS) + 1 : 0;
}

/* The process of a unit, or its connection, has ended. True: that ends the job. */
static bool end_for_unit(uint32_t local, bool is_process, int64_t oom_kills) {
  const bool ended = is_process || watched.processes[local] < 0;
  watched.left_n += !is_process;
  watched.ended_n += ended;
  watched.ended[local] = watched.ended[local] || ended;
  if (watched.abort_due_ns) return false;
  if (!may_be_gone(local)) {
    end_for_dead(local, oom_kills);
    return true;
  }
  if (atomic_load(&tsr_heap_unit(local)->has_aborted)) {
    const int32_t unit = tsr_place_unit(local).id;
    tsr_monitor_links_tell_aborted(unit);
    await_launcher(unit);
  }
  return false;
}

/* After an abort the node's processes have to end, even if they have left the job. */
static bool all_ended(void) { return (watched.abort_due_ns ? watched.ended_n : watched.left_n) == tsr_heap.units_n; }

/* Sleeps until units end. */
static void watch_units(void) {
  int64_t oom_kills = tsr_topology_oom_kills();
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) watch_process(local);
  start_ticks();
  while (!all_ended()) {
    struct epoll_event event;
    int n = epoll_wait(watched.events, &event, 1, next_due());
    if (n < 0 && errno != EINTR) {
      stop_ticks();
      return;
    }
    if (watched.abort_due_ns && tsr_clock_ns() >= watched.abort_due_ns) {
      end_for_abort();
      return;
    }
    if (n < 1) continue;
    uint32_t local = (uint32_t)event.data.u64;
    int fd = (int)(event.data.u64 >> 32);
    bool ends = local == TSR_LINK_EPOLL_MARK ? end_for_news(tsr_monitor_links_take(fd))
                                             : end_for_unit(local, fd == watched.processes[local], oom_kills);
    if (ends) return;
  }
  tsr_monitor_links_end();
}

/* ---- The process of the monitor ---- */

/* Keeps standard error and the monitor's descriptors. All others belong to the launcher, and must close when the
 * units close them. */
static void close_others(void) {
  for (unsigned from = 0, next; from < UINT_MAX; from = next + 1) {
    const int kept[] = {watched.events, watched.listener, STDERR_FILENO};
    next = UINT_MAX; /* the lowest to keep from `from` on; as unsigned, -1 is none */
    for (uint32_t i = 0; i < watched.connections_n + 3; i++) {
      unsigned fd = (unsigned)(i < 3 ? kept[i] : watched.connections[i - 3]);
      if (fd >= from && fd < next) next = fd;
    }
    if (next > from) syscall(SYS_close_range, from, next - 1, 0);
    if (next == UINT_MAX) return;
  }
}

/* When this process dies, the kernel puts TSR_MONITOR_KILLED into the word that holds the process's number. */
static void register_monitor(void) {
  static struct robust_list entry;
  static struct robust_list_head list;
  tsr_word *word = &tsr_heap.memory->monitor;
  entry.next = &list.list;
  list.list.next = &entry;
  list.futex_offset = (char *)word - (char *)&entry;
  if (syscall(SYS_set_robust_list, &list, sizeof list) == 0) atomic_fetch_or(word, (uint32_t)getpid());
}

/* Signals of the launcher are for the units. */
_Noreturn static void become_monitor(void) {
  const int ignored[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP};
  char host[256] = "?";
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
  register_monitor();
  tsr_limit_raise_descriptors(); /* each link takes one */
  close_others();
  gethostname(host, sizeof host - 1);
  tsr_log_identity(-1, host);
  tsr_log_at_error = NULL; /* a monitor may end the job at any time */
  prctl(PR_SET_NAME, "tessera-monitor");
  tsr_wait_install(&(struct tsr_wait_env){.awake_n = &tsr_heap.memory->awake_n}); /* for doorbells */
  tsr_monitor_links_start(&watched.own, watched.listener, &watched.parent, watched.events);
  watch_units();
  atomic_fetch_and(&tsr_heap.memory->monitor, TSR_MONITOR_ENDS_JOB); /* it is not killed */
  _exit(0);
}

/* ---- The units ---- */

/* Whether a resource manager has started the job. Resource managers end a job, and account for it, by process groups. They
 * first send signals that monitors ignore. */
static bool has_resource_manager(void) {
  static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID", "FLUX_JOB_ID", "SGE_JOB_SPOOL_DIR"};
  size_t i = 0;
  while (i < sizeof jobs / sizeof *jobs && !tsr_config_is_set(jobs[i])) i++;
  return i < sizeof jobs / sizeof *jobs;
}

/* Forks twice: the monitor is no child of the program, so wait() does not return it. */
static bool fork_monitor(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    if (!has_resource_manager()) setsid();
    pid_t monitor = fork();
    if (monitor == 0) become_monitor();
    _exit(monitor < 0 ? errno : 0);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status) errno = WEXITSTATUS(status);
  return child > 0 && !status;
}

static void warn_none(void) {
  stop_ticks();
  tsr_warn("TSR-0344 no monitor: a unit of this node that is killed will not be named (%s); %s", strerror(errno),
           tsr_limit_remedy(errno));
}

/* The connections are watched before the monitor runs: epoll keeps them in the order in which they break. */
static void start_monitor(void) {
  watched.events = epoll_create1(EPOLL_CLOEXEC);
  bool is_watched = watched.events >= 0;
  for (uint32_t local = 0; local < watched.connections_n && is_watched; local++)
    is_watched = watch_fd(watched.connections[local], local);
  if (!is_watched || !fork_monitor()) warn_none();
  if (watched.events >= 0) close(watched.events);
}

void tsr_monitor_start(struct tsr_node_discovery *node, const struct tsr_monitor_address *own, int listener,
                       const struct tsr_monitor_address *parent) {
  int pair[2];
  owner = getpid();
  if (node->units_n == 1 && tsr_place.nodes_n == 1) return;
  if (node->index > 0) {
    lifeline = node->connections[--node->connections_n];
    return;
  }
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
    warn_none();
    if (listener >= 0) close(listener);
    return;
  }
  lifeline = pair[0];
  watched.connections[0] = pair[1];
  memcpy(watched.connections + 1, node->connections, (size_t)node->connections_n * sizeof *watched.connections);
  watched.connections_n = 1 + (uint32_t)node->connections_n;
  node->connections_n = 0;
  watched.listener = listener;
  watched.own = *own;
  watched.parent = *parent;
  watched.replaced_n = 0;
  start_monitor();
}

void tsr_monitor_stop(void) {
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
  if (lifeline >= 0) close(lifeline);
  lifeline = -1;
  if (watched.connections_n > 0 && watched.listener >= 0) close(watched.listener);
  while (watched.connections_n > 0) close(watched.connections[--watched.connections_n]);
}

/* A shutdown, and no close: a child of the program may hold the connection open. In one direction only: the monitor sees by the
 * other one whether the process has ended. */
void tsr_monitor_abort(void) {
  if (!tsr_heap.memory || owner != getpid()) return;
  atomic_store(&tsr_heap_unit(tsr_heap.self)->has_aborted, true);
  if (lifeline >= 0) shutdown(lifeline, SHUT_WR);
}

void tsr_monitor_attend(void) {
  enum { REPLACEMENTS_MAX = 8 };
  static atomic_flag is_starting = ATOMIC_FLAG_INIT; /* the new monitor may be killed, too, while a thread still starts it */
  uint32_t killed = TSR_MONITOR_KILLED;
  if (atomic_load(&tsr_heap.memory->monitor) & TSR_MONITOR_ENDS_JOB) {
    tsr_stats_print();
    tsr_wait_sleep_ns(GIVE_UP_MS * UINT64_C(1000000));
    _exit(EXIT_FAILURE); /* the monitor cannot kill a process of another PID namespace */
  }
  if (tsr_heap.self != 0) tsr_bell_ring(&tsr_heap_unit(0)->bell);
  if (tsr_heap.self != 0 || atomic_flag_test_and_set(&is_starting)) return;
  if (atomic_compare_exchange_strong(&tsr_heap.memory->monitor, &killed, 0)) {
    if (watched.replaced_n++ < REPLACEMENTS_MAX) {
      tsr_warn("TSR-0343 the monitor of this node was killed; a new one takes over");
      start_monitor();
    } else {
      stop_ticks();
      tsr_warn("TSR-0398 the monitor of this node was killed, as were %d before it, and is not replaced: a unit of this node that "
               "is killed will not be named; find out what kills processes named tessera-monitor", REPLACEMENTS_MAX);
    }
  }
  atomic_flag_clear(&is_starting);
}
