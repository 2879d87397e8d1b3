/* DART's variable for the log: valid values, invalid ones, and the priority of Tessera's own variable.
 * Units: 1 3 */
#include "dart_check.h"

#include <sys/mman.h>
#include <unistd.h>

static int capture;

/* The output of a life of DART with this environment. */
static const char *written_with(const char *level, const char *own) {
  static char text[4096];
  int before = dup(STDERR_FILENO);
  level ? setenv("DART_LOG_LEVEL", level, 1) : unsetenv("DART_LOG_LEVEL");
  own ? setenv("TESSERA_LOG", own, 1) : unsetenv("TESSERA_LOG");
  if (before < 0 || ftruncate(capture, 0) || lseek(capture, 0, SEEK_SET)) abort();
  dup2(capture, STDERR_FILENO);
  int argc = 0;
  char **argv = NULL;
  start(&argc, &argv);
  OK(dart_exit());
  dup2(before, STDERR_FILENO);
  close(before);
  ssize_t n = pread(capture, text, sizeof text - 1, 0);
  text[n > 0 ? n : 0] = '\0';
  return text;
}

int main(void) {
  static const char *const levels[] = {"ERROR", "WARN", "error", "Warn"}; /* the others enable the log */
  dart_config_t *config = NULL;
  capture = memfd_create("stderr", 0);
  if (capture < 0) return 77;
  dart_config(&config);
  CHECK(config && config->log_enabled == 1);
  dart_config(NULL);
  for (int i = 0; i < 4; i++) CHECK(!strstr(written_with(levels[i], NULL), "DART_LOG_LEVEL"));
  CHECK(!strstr(written_with("INFO", NULL), "DART_LOG_LEVEL"));
  CHECK(!strstr(written_with("DEBUG", NULL), "DART_LOG_LEVEL"));
  CHECK(!strstr(written_with("TRACE", NULL), "DART_LOG_LEVEL"));
  const char *text = written_with("LOUD", NULL);
  CHECK(self != 0 || (strstr(text, "DART_LOG_LEVEL=LOUD") && strstr(text, "error|warn|info|debug|trace")));
  CHECK(self == 0 || !strstr(text, "DART_LOG_LEVEL"));
  CHECK(!strstr(written_with("LOUD", "error"), "DART_LOG_LEVEL"));
  CHECK(!strstr(written_with(NULL, NULL), "DART_LOG_LEVEL"));
  return check_result();
}
