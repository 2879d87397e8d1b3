/* GASNet tools: the environment of this process, and numbers as text. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <gasnet_tools.h>

#include "base/log.h"
#include "api/gasnet/gasnet_api.h"

/* ---- Numbers as text ---- */

static const char units[] = "BKMGTPE"; /* powers of 1024 */

char *gasnett_format_number(int64_t number, char *text, size_t text_bytes, int is_memory_size) {
  int unit = 0;
  if (!is_memory_size) {
    snprintf(text, text_bytes, "%lld", (long long)number);
    return text;
  }
  while (number && number % 1024 == 0 && units[unit + 1]) number /= 1024, unit++;
  snprintf(text, text_bytes, unit ? "%lld %cB" : "%lld %c", (long long)number, units[unit]);
  return text;
}

uint64_t tsr_gex_skip_unit(const char **text, uint64_t standard) {
  const char *at = *text;
  while (isspace((unsigned char)*at)) at++;
  const char *unit = *at ? strchr(units, toupper((unsigned char)*at)) : NULL;
  if (unit) at++;
  if (unit && unit != units && tolower((unsigned char)*at) == 'i') at++;
  if (unit && unit != units && tolower((unsigned char)*at) == 'b') at++;
  while (isspace((unsigned char)*at)) at++;
  *text = at;
  return unit ? UINT64_C(1) << 10 * (unit - units) : standard;
}

/* As gasnett_parse_int. False: the text is not a number. */
static bool parse_int(const char *text, uint64_t unit, int64_t *number) {
  const char *digits = text + strspn(text, " \t+-");
  const bool is_negative = digits > text && digits[-1] == '-'; /* also of "-0.5", whose whole part has no sign */
  char *end;
  long long whole = strtoll(text, &end, digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x' ? 16 : 10);
  if (end == text) return false;
  if (!unit) {
    *number = whole;
    while (isspace((unsigned char)*end)) end++;
    return !*end;
  }
  double fraction = *end == '.' ? strtod(end, &end) : 0;
  const char *rest = end;
  uint64_t factor = tsr_gex_skip_unit(&rest, unit);
  *number = whole * (int64_t)factor + (int64_t)((is_negative ? -fraction : fraction) * (double)factor);
  return !*rest;
}

int64_t gasnett_parse_int(const char *text, uint64_t unit) {
  int64_t number;
  if (!parse_int(text, unit, &number)) gasnett_fatalerror("TSR-4197 gasnett_parse_int: '%s' is no number; pass a number", text);
  return number;
}

bool tsr_gex_lists_word(const char *list, const char *word) {
  size_t bytes = strlen(word);
  for (; *list; list += strcspn(list, ", ")) {
    list += strspn(list, ", ");
    if (!strncmp(list, word, bytes) && strchr(", ", list[bytes])) return true;
  }
  return false;
}

/* ---- The environment ---- */

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
  if (value && !parse_int(value, unit, &number)) gasnett_fatalerror("TSR-4085 %s=%s: set it to a number", name, value);
  gasnett_envint_display(name, number, !value, unit != 0);
  return number;
}

/* A number, or two with a slash between them. */
static bool parse_fraction(const char *text, double *number) {
  char *end, *slash;
  *number = strtod(text, &slash);
  if (slash == text || *slash != '/') return slash != text && !*slash;
  const double divisor = strtod(slash + 1, &end);
  if (end == slash + 1 || *end || divisor == 0) return false;
  *number /= divisor;
  return true;
}

double gasnett_getenv_dbl_withdefault(const char *name, double standard) {
  const char *value = value_of(name);
  double number = standard;
  if (value && !parse_fraction(value, &number))
    gasnett_fatalerror("TSR-4086 %s=%s: set it to a number, or to a fraction such as 1/3", name, value);
  gasnett_envdbl_display(name, number, !value);
  return number;
}
