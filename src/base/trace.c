#include "base/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"

/* The end of the file is mapped, and each event is stored there: the file has it whatever becomes of the process. Behind the
 * events it holds blanks, then the tail, so that it is complete at any time. */
enum { PART_BYTES = 128 << 10, ALIGN_BYTES = 64 << 10 /* a multiple of every page size */ };
enum { EVENT_BYTES = 320 /* with all numbers at their largest */ };

static const char tail[] = "\n]\n";
enum { TAIL_BYTES = sizeof tail - 1 };

static struct {
  pthread_mutex_t lock;
  int fd; /* -1: no timeline */
  int32_t unit;
  off_t part_at; /* in the file */
  char *part;    /* mapped there; NULL: not yet */
  size_t used;   /* of the mapped part */
  char path[PATH_MAX];
  bool continues; /* `path` is a complete file that this process wrote */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ---- under the lock ---- */

/* Writes the tail behind the events and cuts the file there. False: the file could not be cut, and still has blanks. */
static bool end_part(void) {
  off_t events_end = trace.part_at + (off_t)trace.used;
  memcpy(trace.part + trace.used, tail, TAIL_BYTES);
  munmap(trace.part, PART_BYTES);
  trace.part = NULL;
  return ftruncate(trace.fd, events_end + TAIL_BYTES) == 0;
}

static void give_up(const char *what) {
  tsr_warn("TSR-0006 timeline %.1000s: %s: %s; set TESSERA_TRACE to a file in a folder that can be written and has room",
           trace.path, what, strerror(errno));
  if (trace.part) end_part();
  if (trace.fd >= 0) close(trace.fd);
  trace.fd = -1;
  trace.continues = false;
}

/* Blanks and the tail, from here in the file to the end of the mapped part. A full disk shows here, not when memory is stored. */
static bool fill_blanks(off_t from, size_t bytes) {
  char blanks[4096];
  memset(blanks, ' ', sizeof blanks);
  if (lseek(trace.fd, from, SEEK_SET) < 0) return false;
  for (bytes -= TAIL_BYTES; bytes > 0;) {
    size_t piece = bytes < sizeof blanks ? bytes : sizeof blanks;
    if (!tsr_write_all(trace.fd, blanks, piece)) return false;
    bytes -= piece;
  }
  return tsr_write_all(trace.fd, tail, TAIL_BYTES);
}

/* Moves the mapped part to where the events end in the file. False: the timeline is given up. */
static bool move_part(off_t events_end) {
  off_t at = events_end / ALIGN_BYTES * ALIGN_BYTES;
  size_t used = (size_t)(events_end - at);
  if (!fill_blanks(events_end, PART_BYTES - used)) {
    give_up("write");
    return false;
  }
  void *part = mmap(NULL, PART_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, trace.fd, at);
  if (part == MAP_FAILED) {
    give_up("mmap");
    return false;
  }
  if (trace.part) munmap(trace.part, PART_BYTES);
  trace.part = part;
  trace.part_at = at;
  trace.used = used;
  return true;
}

static void add_event(const char *text, size_t bytes) {
  bool fits = trace.used + bytes + TAIL_BYTES <= PART_BYTES;
  if (!fits && !move_part(trace.part_at + (off_t)trace.used)) return;
  memcpy(trace.part + trace.used, text, bytes);
  trace.used += bytes;
}

/* Opens and locks the file. If a job on another part of the processes has a unit of the same number, that unit holds the lock: then
 * the process id is appended to the name of this file. */
static bool take_file(void) {
  size_t length = strlen(trace.path);
  for (int i = 0; i < 2; i++) {
    trace.fd = open(trace.path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (trace.fd < 0) return false;
    if (flock(trace.fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return ftruncate(trace.fd, 0) == 0;
    close(trace.fd);
    trace.fd = -1;
    snprintf(trace.path + length, sizeof trace.path - length, ".%d", (int)getpid());
  }
  return false;
}

/* Opens a new file, or goes to the end of the events of a complete one. False: the timeline is given up. */
static bool open_file(const char *path, int32_t unit, int32_t node) {
  char name[PATH_MAX], head[EVENT_BYTES];
  bool fits = snprintf(name, sizeof name, "%s.%d", path, unit) < (int)sizeof name;
  bool goes_on = trace.continues && strcmp(name, trace.path) == 0 && access(name, W_OK) == 0;
  strcpy(trace.path, name);
  trace.unit = unit;
  if (!fits) errno = ENAMETOOLONG;
  else if (goes_on) trace.fd = open(trace.path, O_RDWR | O_CLOEXEC);
  bool opened = fits && (goes_on ? trace.fd >= 0 : take_file());
  off_t events_end = opened && goes_on ? lseek(trace.fd, -(off_t)TAIL_BYTES, SEEK_END) : 0;
  if (!opened || events_end < 0) {
    give_up("open");
    return false;
  }
  if (!move_part(events_end)) return false;
  char host[65] = "";
  gethostname(host, sizeof host - 1);
  int length = snprintf(head, sizeof head, "%s\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%d,"
                        "\"args\":{\"name\":\"unit %d\",\"node\":%d,\"host\":\"%s\"}}",
                        goes_on ? "," : "[", unit, unit, node, host);
  add_event(head, (size_t)length);
  return true;
}

/* ---- any thread ---- */

bool tsr_trace_open(const char *path, int32_t unit, int32_t node) {
  pthread_mutex_lock(&trace.lock);
  bool opened = trace.fd >= 0 || open_file(path, unit, node);
  pthread_mutex_unlock(&trace.lock);
  return opened;
}

static void add_line(const char *text, int bytes) {
  pthread_mutex_lock(&trace.lock);
  if (trace.fd >= 0) add_event(text, (size_t)bytes);
  pthread_mutex_unlock(&trace.lock);
}

void tsr_trace_event(const char *name, uint64_t begun_ns, uint64_t ended_ns, uint64_t bytes, int32_t peer) {
  static _Thread_local pid_t thread;
  char event[EVENT_BYTES];
  uint64_t took_ns = ended_ns - begun_ns;
  if (!thread) thread = gettid();
  int length = snprintf(event, sizeof event,
                        ",\n{\"ph\":\"X\",\"name\":\"%.64s\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ".%03u,"
                        "\"dur\":%" PRIu64 ".%03u,\"args\":{\"bytes\":%" PRIu64 ",\"unit\":%d}}",
                        name, trace.unit, thread, begun_ns / 1000, (unsigned)(begun_ns % 1000), took_ns / 1000,
                        (unsigned)(took_ns % 1000), bytes, peer);
  add_line(event, length);
}

void tsr_trace_job(uint64_t number, int32_t units_n, int32_t nodes_n) {
  char event[EVENT_BYTES];
  add_line(event, snprintf(event, sizeof event, ",\n{\"ph\":\"M\",\"name\":\"job\",\"pid\":%d,\"args\":{\"job\":%" PRIu64
                           ",\"units\":%d,\"nodes\":%d}}", trace.unit, number, units_n, nodes_n));
}

void tsr_trace_gap(void) {
  char event[EVENT_BYTES];
  add_line(event, snprintf(event, sizeof event, ",\n{\"ph\":\"M\",\"name\":\"gap\",\"pid\":%d,\"args\":{}}", trace.unit));
}

void tsr_trace_close(void) {
  pthread_mutex_lock(&trace.lock);
  if (trace.fd >= 0) {
    trace.continues = end_part();
    close(trace.fd);
    trace.fd = -1;
  }
  pthread_mutex_unlock(&trace.lock);
}
