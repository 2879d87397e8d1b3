#include "core/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "core/runtime.h"
#include "node/topology.h"

/* The local index that a unit says when it connects. A connection breaks when its process ends, before the launcher can have
 * noticed anything and killed others for it: the first one to break is the cause. */
static int lifeline = -1;

/* Guardian: the units' processes, by local index; -1: not seen. A signal reaches the one that was meant, or nobody. */
static int *processes;

/* How long the launcher gets to end the job before the guardian kills what is left of the node. */
enum { GRACE_MS = 1500 };

/* One sentence on how the unit ended. */
static void describe_death(const struct tsr_node_unit *unit, int64_t oom_kills_before, char *text, size_t bytes) {
  int number = atomic_load(&unit->last_signal);
  const char *name = number ? sigabbrev_np(number) : NULL;
  if (number) {
    snprintf(text, bytes, "died of signal SIG%s", name ? name : "?");
  } else if (oom_kills_before >= 0 && tsr_topology_oom_kills() > oom_kills_before) {
    snprintf(text, bytes, "was killed, most likely by the out-of-memory killer, which struck since the start; use less "
                          "memory, or lower TESSERA_HEAP_LIMIT to get an error instead");
  } else {
    snprintf(text, bytes, "was killed (SIGKILL), or left by _exit or MPI_Abort without ending Tessera");
  }
}

static void report(uint32_t dead, int64_t oom_kills_before) {
  char text[256];
  describe_death(tsr_heap_unit(dead), oom_kills_before, text, sizeof text);
  tsr_error("unit %d (process %d of this node) %s; the job ends", tsr_place_unit(dead).id,
            atomic_load(&tsr_heap_unit(dead)->pid), text);
  int32_t locks_n = atomic_load(&tsr_heap_unit(dead)->locks_n);
  if (locks_n > 0)
    tsr_error("unit %d held %d of the program's locks, which nobody can release now", tsr_place_unit(dead).id, locks_n);
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    struct tsr_wait_why why = tsr_heap_unit(local)->why;
    if (local == dead || why.kind == TSR_WAIT_NONE) continue;
    tsr_wait_describe(&why, text, sizeof text);
    tsr_error("unit %d was waiting for %s", tsr_place_unit(local).id, text);
  }
}

/* The launcher ends the job when it misses the unit, and shows what was written. Where it does not, the rest of the node is killed,
 * and then it does. */
static void end_job(uint32_t dead) {
  atomic_store(&tsr_heap.memory->doomed, (int32_t)dead + 1);
  tsr_wait_nap(GRACE_MS * UINT64_C(1000000));
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    if (processes[local] >= 0) syscall(SYS_pidfd_send_signal, processes[local], SIGKILL, NULL, 0);
  }
}

/* A unit that has said good-bye may go; one that is between exit and init may end as it likes. */
static bool may_be_gone(uint32_t local) { return atomic_load(&tsr_heap_unit(local)->state) != TSR_UNIT_UP; }

/* Of several that may be the cause, the one that said what it died of. */
static uint32_t cause(uint32_t first) {
  for (uint32_t local = 0; local < tsr_heap.units_n; local++) {
    if (atomic_load(&tsr_heap_unit(local)->last_signal)) return local;
  }
  return first;
}

/* The guardian's name among local sockets, which lives no longer than it does. */
static socklen_t make_address(struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  int length = snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "tessera-guard-%016llx",
                        (unsigned long long)tsr_heap.memory->nonce);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

static int listen_for_units(void) {
  struct sockaddr_un address;
  socklen_t bytes = make_address(&address);
  int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (listener < 0) return -1;
  if (bind(listener, (struct sockaddr *)&address, bytes) == 0 && listen(listener, (int)tsr_heap.units_n) == 0) return listener;
  close(listener);
  return -1;
}

static void watch_fd(int events, int fd, uint32_t local) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = (uint64_t)(uint32_t)fd << 32 | local};
  if (fd >= 0) epoll_ctl(events, EPOLL_CTL_ADD, fd, &event);
}

static void take_in(int events, int connection, uint32_t local, pid_t pid) {
  atomic_store(&tsr_heap_unit(local)->pid, pid);
  processes[local] = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
  watch_fd(events, connection, local);
  watch_fd(events, processes[local], local); /* in case a child of it keeps the connection open */
}

/* Takes in a unit that connects. */
static bool admit(int events, int listener) {
  struct ucred peer = {0};
  socklen_t bytes = sizeof peer;
  uint32_t local;
  int connection = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (connection < 0) return false;
  if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) || peer.uid != geteuid() ||
      recv(connection, &local, sizeof local, 0) != (ssize_t)sizeof local || local >= tsr_heap.units_n) {
    close(connection);
    return false;
  }
  take_in(events, connection, local, peer.pid);
  return true;
}

static void admit_next(int events, int listener, uint32_t *admitted_n) {
  struct epoll_event again = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = (uint64_t)(uint32_t)listener << 32 | tsr_heap.units_n};
  *admitted_n += admit(events, listener);
  epoll_ctl(events, EPOLL_CTL_MOD, listener, &again);
}

/* Sleeps until units end, the first of which is connected from the start. The kernel lists what broke in the order in which it
 * broke. */
static void guard(int listener, int first_connection, pid_t first_pid) {
  int64_t oom_kills = tsr_topology_oom_kills();
  int events = epoll_create1(EPOLL_CLOEXEC);
  if (events < 0) return;
  watch_fd(events, listener, tsr_heap.units_n);
  take_in(events, first_connection, 0, first_pid);
  uint32_t admitted_n = 1;
  for (uint32_t ended_n = 0; ended_n < admitted_n;) {
    struct epoll_event event;
    int n = epoll_wait(events, &event, 1, -1);
    if (n < 0 && errno != EINTR) return;
    if (n < 1) continue;
    uint32_t local = (uint32_t)event.data.u64;
    int fd = (int)(event.data.u64 >> 32);
    if (local == tsr_heap.units_n) {
      admit_next(events, listener, &admitted_n);
    } else if (may_be_gone(local)) {
      ended_n += fd != processes[local]; /* the connection's end counts, not the process's */
    } else {
      report(cause(local), oom_kills);
      end_job(local);
      return;
    }
  }
}

/* Keeps standard error and its own two descriptors: the launcher's others must close when the units do. */
static void close_others(int listener, int connection) {
  int low = listener < connection ? listener : connection, high = listener < connection ? connection : listener;
  close(STDIN_FILENO);
  close(STDOUT_FILENO);
  syscall(SYS_close_range, STDERR_FILENO + 1, low - 1, 0);
  syscall(SYS_close_range, low + 1, high - 1, 0);
  syscall(SYS_close_range, high + 1, ~0u, 0);
}

static void become_guardian(int listener, int connection, pid_t first_pid) {
  char host[256] = "?";
  gethostname(host, sizeof host - 1);
  prctl(PR_SET_NAME, "tessera-guard");
  signal(SIGPIPE, SIG_IGN);
  close_others(listener, connection);
  tsr_log_identity(-1, host);
  processes = malloc(tsr_heap.units_n * sizeof *processes);
  for (uint32_t local = 0; processes && local < tsr_heap.units_n; local++) processes[local] = -1;
  if (processes) guard(listener, connection, first_pid);
}

/* Forks twice: the guardian is nobody's child, so the program never meets it in wait(). */
void tsr_watch_start(void) {
  int pair[2] = {-1, -1}, listener = listen_for_units();
  pid_t self = getpid(), child = -1;
  if (listener >= 0 && socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0) child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) become_guardian(listener, pair[1], self);
    _exit(0);
  }
  if (child < 0) tsr_warn("no guardian: a unit of this node that is killed will not be named (%s)", strerror(errno));
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  lifeline = pair[0];
  if (pair[1] >= 0) close(pair[1]);
  if (listener >= 0) close(listener);
}

void tsr_watch_join(void) {
  struct sockaddr_un address;
  socklen_t bytes = make_address(&address);
  uint32_t self = tsr_heap.self;
  if (self == 0) return; /* connected since it made the guardian */
  lifeline = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (lifeline >= 0 && connect(lifeline, (struct sockaddr *)&address, bytes) == 0 &&
      send(lifeline, &self, sizeof self, MSG_NOSIGNAL) == (ssize_t)sizeof self)
    return;
  tsr_info("no connection to the node's guardian: %s", strerror(errno));
}

void tsr_watch_stand_by(void) {
  for (;;) tsr_wait_nap(UINT64_C(1000000000));
}
