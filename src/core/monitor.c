#include "core/monitor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/config.h"
#include "base/limit.h"
#include "base/libc.h"
#include "base/log.h"
#include "base/stats.h"
#include "core/monitor_links.h"
#include "core/runtime.h"
#include "node/topology.h"

/* The connection over which the unit joined its node. It breaks when the process ends, before the launcher can
 * notice the end and kill other units: the first connection that breaks is that of the cause. */
static int lifeline = -1;

/* Descriptors of the monitor; of the first unit until it has made the monitor. */
static struct {
  int events;       /* epoll: reports what breaks, in the order in which it broke */
  int *connections; /* to the units, by local index */
  int *processes;   /* pidfds of the units, so that a signal reaches the right process or none; -1: not visible */
  int listener;     /* for links from other nodes; -1: none */
} post;

/* How long the launcher gets to end the job before the monitor kills what is left of the node. */
enum { GRACE_MS = 1500 };

/* One sentence on how the unit ended. */
static void describe_death(const struct tsr_node_unit *unit, int64_t oom_kills_before, char *text, size_t bytes) {
  int number = atomic_load(&unit->last_signal);
  const char *name = number ? tsr_libc_signal_name(number) : NULL;
  if (number) {
    snprintf(text, bytes, "died of signal SIG%s", name ? name : "?");
  } else if (oom_kills_before >= 0 && tsr_topology_oom_kills() > oom_kills_before) {
    snprintf(text, bytes, "was killed, most likely by the out-of-memory killer, which struck since the start; use less "
                          "memory, or lower TESSERA_HEAP_LIMIT to get an error instead");
  } else {
    snprintf(text, bytes, "was killed (SIGKILL, or another signal that it does not catch), or left by _exit or MPI_Abort without "
             "ending Tessera");
  }
}

static void report_dead(uint32_t dead, int64_t oom_kills_before) {
  char text[256];
  describe_death(tsr_heap_unit(dead), oom_kills_before, text, sizeof text);
  int32_t unit = tsr_place_unit(dead).id, pid = atomic_load(&tsr_heap_unit(dead)->pid);
  if (unit < tsr_place.units_n) tsr_report("TSR-0337 unit %d (process %d of this node) %s; the job ends", unit, pid, text);
  else tsr_report("TSR-0338 an agent (process %d of this node) %s; the job ends", pid, text);
  int32_t locks_n = atomic_load(&tsr_heap_unit(dead)->locks_n);
  if (locks_n > 0)
    tsr_report("TSR-0339 unit %d held %d of the program's locks, which nobody can release now", unit, locks_n);
}

static void report_lost(const struct tsr_link_event *news) {
  int32_t first = tsr_place_first(news->node).id, units_n = tsr_place_node_units(news->node);
  if (news->silent)
    tsr_report("TSR-0340 node %d, host %s (%d units from unit %d on) has given no sign of life for %d s "
               "(TESSERA_NODE_TIMEOUT): its "
              "link is cut, or the host is down; the job ends",
              news->node, news->host, units_n, first, tsr_config.node_timeout_s);
  else
    tsr_report("TSR-0341 node %d, host %s (%d units from unit %d on): all of its processes were killed, or the host went down; "
               "the job "
              "ends", news->node, news->host, units_n, first);
}

/* The waits of the units of this node when the job broke. */
enum { NOBODY = -1 };
static void report_waits(int64_t dead) {
  char text[256];
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    struct tsr_wait_why why = tsr_wait_reason(&tsr_heap_unit(local)->why);
    if (local == dead || why.kind == TSR_WAIT_NONE) continue;
    tsr_wait_describe(&why, text, sizeof text);
    tsr_report("TSR-0342 unit %d was waiting for %s", tsr_place_unit(local).id, text);
  }
}

/* The launcher notices the dead unit, prints pending output and ends the job. If it does not, the other units of
 * the node are killed, and then it does. Waiting units are woken, and print their statistics before that. */
static void end_job(void) {
  atomic_store(&tsr_heap.memory->doomed, 1);
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) tsr_bell_ring(&tsr_heap_unit(local)->bell);
  tsr_wait_sleep_ns(GRACE_MS * UINT64_C(1000000));
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    if (post.processes[local] >= 0) syscall(SYS_pidfd_send_signal, post.processes[local], SIGKILL, NULL, 0);
  }
}

/* A unit may end after the end of its job, and between exit and init. */
static bool may_be_gone(uint32_t local) { return atomic_load(&tsr_heap_unit(local)->state) != TSR_UNIT_UP; }

/* Several units may be the cause: chooses one that has recorded a fatal signal. */
static uint32_t find_cause(uint32_t first) {
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    if (atomic_load(&tsr_heap_unit(local)->last_signal)) return local;
  }
  return first;
}

static bool watch_fd(int fd, uint32_t local) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = (uint64_t)(uint32_t)fd << 32 | local};
  return fd >= 0 && epoll_ctl(post.events, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Called before the monitor runs: epoll keeps connections in the order in which they break. */
static bool watch_connections(void) {
  post.events = epoll_create1(EPOLL_CLOEXEC);
  bool all = post.events >= 0;
  for (uint32_t local = 0; local < tsr_heap.units_n && all; local++) all = watch_fd(post.connections[local], local);
  return all;
}

/* Detects the end of a unit whose child keeps the connection open, and allows to kill the unit. */
static void watch_process(uint32_t local) {
  struct ucred peer = {0};
  socklen_t bytes = sizeof peer;
  int refused = getsockopt(post.connections[local], SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
  if (refused) peer.pid = 0; /* the process is in another PID namespace, for example */
  atomic_store(&tsr_heap_unit(local)->pid, peer.pid);
  post.processes[local] = peer.pid > 0 ? (int)syscall(SYS_pidfd_open, peer.pid, 0) : -1;
  watch_fd(post.processes[local], local);
}

/* A unit of this node died. If several units of the job died, the node of the first one reports it. */
static void end_for_dead(uint32_t dead, int64_t oom_kills) {
  int32_t unit = tsr_place_unit(dead).id;
  bool own = tsr_monitor_links_verdict(unit) == unit;
  if (own) report_dead(dead, oom_kills);
  report_waits(own ? (int64_t)dead : NOBODY);
  end_job();
}

/* True: an event on another node ends the job here. */
static bool end_for_news(struct tsr_link_event news) {
  if (news.kind == TSR_LINK_NOTHING) return false;
  if (news.kind == TSR_LINK_LOST && news.host) {
    bool up = false;
    for (uint32_t local = 0; local < tsr_heap.units_n; local++) up |= !may_be_gone(local);
    if (!up) return false;
    report_lost(&news);
    tsr_monitor_links_tell_lost(news.node);
  }
  report_waits(NOBODY);
  end_job();
  return true;
}

/* Sleeps until units end. */
static void watch_units(void) {
  int64_t oom_kills = tsr_topology_oom_kills();
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) watch_process(local);
  for (uint32_t ended_n = 0; ended_n < tsr_heap.units_n;) {
    struct epoll_event event;
    int n = epoll_wait(post.events, &event, 1, -1);
    if (n < 0 && errno != EINTR) return;
    if (n < 1) continue;
    uint32_t local = (uint32_t)event.data.u64;
    int fd = (int)(event.data.u64 >> 32);
    if (local == TSR_LINK_EPOLL_MARK) {
      if (end_for_news(tsr_monitor_links_take(fd))) return;
    } else if (may_be_gone(local)) {
      ended_n += fd != post.processes[local]; /* only the end of the connection counts */
    } else {
      end_for_dead(find_cause(local), oom_kills);
      return;
    }
  }
  tsr_monitor_links_end();
}

static int compare_numbers(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* Keeps standard error and the monitor's descriptors. All others belong to the launcher, and must close when the
 * units close them. */
static void close_others(void) {
  size_t kept_n = tsr_heap.units_n + 3u, from = 0;
  int *kept = malloc(kept_n * sizeof *kept);
  if (!kept) return;
  memcpy(kept, post.connections, tsr_heap.units_n * sizeof *kept);
  kept[kept_n - 3] = post.events;
  kept[kept_n - 2] = post.listener >= 0 ? post.listener : post.events;
  kept[kept_n - 1] = STDERR_FILENO;
  qsort(kept, kept_n, sizeof *kept, compare_numbers);
  for (size_t i = 0; i < kept_n; i++) {
    size_t next = (size_t)kept[i];
    if (next > from) syscall(SYS_close_range, from, next - 1, 0);
    if (next >= from) from = next + 1;
  }
  syscall(SYS_close_range, from, ~0u, 0);
  free(kept);
}

/* Each link of a monitor takes a descriptor. */
static void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

static void become_monitor(const struct tsr_monitor_address *own, const struct tsr_monitor_address *parent) {
  prctl(PR_SET_NAME, "tessera-monitor");
  post.processes = malloc(tsr_heap.units_n * sizeof *post.processes);
  if (!post.processes) return;
  tsr_monitor_links_start(own, post.listener, parent, post.events);
  watch_units();
}

/* Set-up that all monitors of the node share. Signals of the launcher are for the units. */
static void become_keeper(void) {
  char host[256] = "?";
  const int ignored[] = {SIGPIPE, SIGTERM, SIGINT, SIGHUP};
  gethostname(host, sizeof host - 1);
  prctl(PR_SET_NAME, "tessera-keeper");
  for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++) signal(ignored[i], SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  raise_descriptor_limit();
  close_others();
  tsr_log_identity(-1, host);
  tsr_log_at_error = NULL; /* a monitor may end the job at any time */
}

/* The connections are added to epoll again, so that it reports those that broke while there was no monitor. */
static bool replace_monitor(pid_t killed, int number) {
  close(post.events);
  if (!watch_connections()) return false;
  tsr_warn("TSR-0343 the monitor of this node (process %d) was killed by signal %d; a new one takes over", (int)killed, number);
  return true;
}

/* A monitor that ends by itself has nothing left to do. One that is killed is replaced. */
static void keep_monitor(const struct tsr_monitor_address *own, const struct tsr_monitor_address *parent) {
  enum { REPLACEMENTS_MAX = 8 };
  become_keeper();
  for (int i = 0; i <= REPLACEMENTS_MAX; i++) {
    int status = 0;
    pid_t monitor = fork();
    if (monitor == 0) {
      become_monitor(own, parent);
      _exit(0);
    }
    while (monitor > 0 && waitpid(monitor, &status, 0) < 0 && errno == EINTR) continue;
    if (monitor < 0 || !WIFSIGNALED(status) || !replace_monitor(monitor, WTERMSIG(status))) return;
  }
}

/* Resource managers that end a job, and account for it, by process groups. They first send signals that monitors
 * ignore. */
static bool has_resource_manager(void) {
  static const char *const jobs[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "COBALT_JOBID", "FLUX_JOB_ID", "SGE_JOB_SPOOL_DIR"};
  size_t i = 0;
  while (i < sizeof jobs / sizeof *jobs && !tsr_config_is_set(jobs[i])) i++;
  return i < sizeof jobs / sizeof *jobs;
}

/* Forks twice: the keeper is no child of the program, so wait() does not return it. */
static bool fork_keeper(const struct tsr_monitor_address *own, const struct tsr_monitor_address *parent) {
  pid_t child = fork();
  if (child == 0) {
    if (!has_resource_manager()) setsid();
    if (fork() == 0) keep_monitor(own, parent);
    _exit(0);
  }
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return child > 0;
}

static void start_monitor(const struct tsr_node_discovery *node, const struct tsr_monitor_address *own,
                           const struct tsr_monitor_address *parent) {
  int pair[2] = {-1, -1};
  post.events = -1;
  post.connections = malloc(tsr_heap.units_n * sizeof *post.connections);
  bool made = post.connections && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0;
  if (made) {
    post.connections[0] = pair[1];
    memcpy(post.connections + 1, node->connections, (size_t)node->connections_n * sizeof *post.connections);
  }
  if (!made || !watch_connections() || !fork_keeper(own, parent))
    tsr_warn("TSR-0344 no monitor: a unit of this node that is killed will not be named (%s); %s", strerror(errno),
             tsr_limit_remedy(errno));
  lifeline = pair[0];
  if (made) close(pair[1]);
  if (post.events >= 0) close(post.events);
  free(post.connections);
}

void tsr_monitor_start(struct tsr_node_discovery *node, const struct tsr_monitor_address *own, int listener,
                     const struct tsr_monitor_address *parent) {
  post.listener = listener;
  if (node->units_n == 1 && tsr_place.nodes_n == 1) return;
  if (node->index == 0) start_monitor(node, own, parent);
  else lifeline = node->connections[--node->connections_n];
}

void tsr_monitor_stop(void) {
  atomic_store(&tsr_heap_unit(tsr_heap.self)->state, TSR_UNIT_GONE);
  if (lifeline >= 0) close(lifeline);
  lifeline = -1;
}

void tsr_monitor_await_end(void) {
  tsr_stats_print(tsr_place.self);
  for (;;) tsr_wait_sleep_ns(UINT64_C(1000000000));
}
