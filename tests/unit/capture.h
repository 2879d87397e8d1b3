/* Catches what this process writes to standard error, one record per write(2). */
#ifndef TSR_TESTS_UNIT_CAPTURE_H
#define TSR_TESTS_UNIT_CAPTURE_H

#include <sys/socket.h>
#include <unistd.h>

static struct {
  int before, reader;
  char record[8192];
} capture;

static inline int capture_begin(void **state) {
  int ends[2];
  (void)state;
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  capture.before = dup(STDERR_FILENO);
  capture.reader = ends[0];
  dup2(ends[1], STDERR_FILENO);
  return close(ends[1]);
}

static inline int capture_end(void **state) {
  (void)state;
  dup2(capture.before, STDERR_FILENO);
  close(capture.before);
  return close(capture.reader);
}

/* Returns the text of the next write(2), valid until the next call; "" if there was none. */
static inline const char *capture_next(void) {
  ssize_t bytes = recv(capture.reader, capture.record, sizeof capture.record - 1, MSG_DONTWAIT);
  capture.record[bytes > 0 ? bytes : 0] = '\0';
  return capture.record;
}

#endif
