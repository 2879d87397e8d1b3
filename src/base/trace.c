#include "base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/write.h"

/* A buffer of our own rather than stdio's, which the exit of a forked child would write a second time. */
enum { BUFFER_BYTES = 64 << 10, EVENT_BYTES = 320 /* with all numbers at their largest */ };

static const char tail[] = "\n]\n";

static struct {
  pthread_mutex_t lock;
  int fd; /* -1: no timeline */
  int32_t unit;
  size_t used;
  char path[PATH_MAX];
  bool continues; /* `path` is a complete file that this process wrote */
  char buffer[BUFFER_BYTES];
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ---- under the lock ---- */

static void give_up(const char *what) {
  tsr_warn("timeline %.1000s: %s: %s; set TESSERA_TRACE to a file in a folder that can be written and has room",
           trace.path, what, strerror(errno));
  if (trace.fd >= 0) close(trace.fd);
  trace.fd = -1;
  trace.continues = false;
}

static void flush(void) {
  if (!tsr_write_all(trace.fd, trace.buffer, trace.used)) give_up("write");
  trace.used = 0;
}

static void add(const char *text, size_t bytes) {
  if (trace.used + bytes > sizeof trace.buffer) flush();
  memcpy(trace.buffer + trace.used, text, bytes);
  trace.used += bytes;
}

/* Goes to the end of the events of a complete file; what follows there is written again when the file is closed. */
static bool reopen(void) {
  trace.fd = open(trace.path, O_WRONLY | O_CLOEXEC);
  if (trace.fd < 0) return false;
  if (lseek(trace.fd, -(off_t)(sizeof tail - 1), SEEK_END) >= 0) return true;
  close(trace.fd);
  return false;
}

static bool create(void) {
  trace.fd = open(trace.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (trace.fd < 0) return false;
  trace.used = (size_t)snprintf(trace.buffer, sizeof trace.buffer,
                                "[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
                                "\"args\":{\"name\":\"unit %d\"}}", trace.unit, trace.unit);
  return true;
}

static bool open_locked(const char *path, int32_t unit) {
  char name[PATH_MAX];
  if (trace.fd >= 0) return true;
  bool fits = snprintf(name, sizeof name, "%s.%d", path, unit) < (int)sizeof name;
  bool goes_on = trace.continues && strcmp(name, trace.path) == 0;
  strcpy(trace.path, name);
  trace.unit = unit;
  trace.used = 0;
  if (!fits) errno = ENAMETOOLONG;
  if (!fits || !((goes_on && reopen()) || create())) give_up("open");
  return trace.fd >= 0;
}

static void close_locked(void) {
  if (trace.fd < 0) return;
  add(tail, sizeof tail - 1);
  if (trace.fd >= 0) flush();
  if (trace.fd < 0) return;
  close(trace.fd);
  trace.fd = -1;
  trace.continues = true;
}

/* ---- any thread ---- */

bool tsr_trace_open(const char *path, int32_t unit) {
  pthread_mutex_lock(&trace.lock);
  bool opened = open_locked(path, unit);
  pthread_mutex_unlock(&trace.lock);
  return opened;
}

void tsr_trace_event(const char *name, uint64_t begun_ns, uint64_t ended_ns, uint64_t bytes, uint64_t remote_bytes) {
  static _Thread_local pid_t thread;
  char event[EVENT_BYTES];
  uint64_t took_ns = ended_ns - begun_ns;
  if (!thread) thread = gettid();
  int length = snprintf(event, sizeof event,
                        ",\n{\"ph\":\"X\",\"name\":\"%.64s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ".%03u,"
                        "\"dur\":%" PRIu64 ".%03u,\"args\":{\"bytes\":%" PRIu64 ",\"remote_bytes\":%" PRIu64 "}}",
                        name, trace.unit, thread, begun_ns / 1000, (unsigned)(begun_ns % 1000), took_ns / 1000,
                        (unsigned)(took_ns % 1000), bytes, remote_bytes);
  pthread_mutex_lock(&trace.lock);
  if (trace.fd >= 0) add(event, (size_t)length);
  pthread_mutex_unlock(&trace.lock);
}

void tsr_trace_close(void) {
  pthread_mutex_lock(&trace.lock);
  close_locked();
  pthread_mutex_unlock(&trace.lock);
}
