/* Writing all of a text to a file descriptor. */
#ifndef TSR_BASE_WRITE_H
#define TSR_BASE_WRITE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* One write(2) where the kernel takes everything at once, as it does up to PIPE_BUF bytes. False: errno says why; part
 * may have been written. Changes errno. Usable in a signal handler. */
static inline bool tsr_write_all(int fd, const char *text, size_t bytes) {
  while (bytes > 0) {
    ssize_t written = write(fd, text, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text += written;
    bytes -= (size_t)written;
  }
  return true;
}

#endif
