/* GASNet tools: the environment of this process. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include <gasnet_tools.h>

#include "base/log.h"
#include "api/gasnet/tools.h"

char *gasnett_getenv(const char *name) { return getenv(name); }
void gasnett_setenv(const char *name, const char *value) { setenv(name, value, 1); }
void gasnett_unsetenv(const char *name) { unsetenv(name); }

/* NULL: not set, or empty. */
static char *value_of(const char *name) {
  char *value = getenv(name);
  return value && *value ? value : NULL;
}

/* 1 or 0; -1: neither yes nor no. */
static int truth_of(const char *text) {
  static const char *const yes[] = {"1", "y", "yes", "on", "true"}, *const no[] = {"0", "n", "no", "off", "false"};
  for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
    if (!strcasecmp(text, yes[i])) return 1;
    if (!strcasecmp(text, no[i])) return 0;
  }
  return -1;
}

int gasnett_verboseenv(void) {
  const char *value = value_of("GASNET_VERBOSEENV");
  return value && truth_of(value) != 0;
}

/* Printed whatever the log level is, since the user has asked for it. */
void gasnett_envstr_display(const char *name, const char *value, int is_standard) {
  if (!gasnett_verboseenv()) return;
  tsr_log_write(TSR_LOG_INFO, "%s = %s%s", name, value ? value : "(not set)", is_standard ? " (default)" : "");
}
void gasnett_envint_display(const char *name, int64_t value, int is_standard, int is_memory_size) {
  char text[32];
  gasnett_envstr_display(name, gasnett_format_number(value, text, sizeof text, is_memory_size), is_standard);
}
void gasnett_envdbl_display(const char *name, double value, int is_standard) {
  char text[32];
  snprintf(text, sizeof text, "%g", value);
  gasnett_envstr_display(name, text, is_standard);
}

char *gasnett_getenv_withdefault(const char *name, const char *standard) {
  char *value = value_of(name);
  gasnett_envstr_display(name, value ? value : standard, !value);
  return value ? value : (char *)(uintptr_t)standard;
}

int gasnett_getenv_yesno_withdefault(const char *name, int standard) {
  const char *value = value_of(name);
  int answer = value ? truth_of(value) : !!standard;
  if (answer < 0) gasnett_fatalerror("TSR-4084 %s=%s: set it to yes or no", name, value);
  gasnett_envstr_display(name, answer ? "yes" : "no", !value);
  return answer;
}

int64_t gasnett_getenv_int_withdefault(const char *name, int64_t standard, uint64_t unit) {
  const char *value = value_of(name);
  int64_t number = standard;
  if (value && !tsr_gex_parse_int(value, unit, &number)) gasnett_fatalerror("TSR-4085 %s=%s: set it to a number", name, value);
  gasnett_envint_display(name, number, !value, unit != 0);
  return number;
}

double gasnett_getenv_dbl_withdefault(const char *name, double standard) {
  const char *value = value_of(name);
  char *end = NULL;
  double number = value ? strtod(value, &end) : standard;
  if (value && (end == value || *end)) gasnett_fatalerror("TSR-4086 %s=%s: set it to a number", name, value);
  gasnett_envdbl_display(name, number, !value);
  return number;
}
