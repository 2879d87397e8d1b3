#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/write.h"

/* A line stays below PIPE_BUF, so that lines of several units that share a pipe never mix. */
enum { LINE_BYTES = 2048, PREFIX_BYTES = 300 };

enum tsr_log_level tsr_log_level = TSR_LOG_WARN;

static char prefix[PREFIX_BYTES] = "[tessera] ";

void tsr_log_identity(int32_t unit, const char *node) {
  if (unit < 0 && !node)
    strcpy(prefix, "[tessera] ");
  else if (unit < 0)
    snprintf(prefix, sizeof prefix, "[tessera @%.255s] ", node);
  else
    snprintf(prefix, sizeof prefix, "[tessera unit %d @%.255s] ", unit, node);
}

static char *start_line(char *line, const char *label) { return stpcpy(stpcpy(line, prefix), label); }

static void blank_controls(char *text) {
  for (; *text; text++) {
    if ((unsigned char)*text < ' ') *text = ' ';
  }
}

void tsr_log_write(enum tsr_log_level level, const char *format, ...) {
  static const char *const labels[] = {"error: ", "warning: ", "info: ", "debug: "};
  static const char cut[] = "...";
  int before = errno; /* also what %m prints: nothing up to vsnprintf changes it */
  char line[LINE_BYTES];
  char *text = start_line(line, labels[level]);
  size_t room = sizeof line - 1 - (size_t)(text - line); /* without the newline */

  va_list args;
  va_start(args, format);
  int wanted = vsnprintf(text, room, format, args);
  va_end(args);
  if (wanted >= (int)room) strcpy(text + room - sizeof cut, cut);
  blank_controls(text);
  size_t bytes = strlen(line);
  line[bytes++] = '\n';
  tsr_write_all(STDERR_FILENO, line, bytes);
  errno = before;
}

void tsr_log_signal_safe(const char *text) {
  int before = errno;
  char line[LINE_BYTES];
  char *end = start_line(line, "error: ");
  size_t room = sizeof line - 1 - (size_t)(end - line);
  size_t bytes = strnlen(text, room);
  memcpy(end, text, bytes);
  end[bytes] = '\n';
  tsr_write_all(STDERR_FILENO, line, (size_t)(end - line) + bytes + 1);
  errno = before;
}
