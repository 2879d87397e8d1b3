/* GASNet tools: numbers as text, checksums, counts of zero bytes. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gasnet_tools.h>

#include "base/hash.h"
#include "api/gasnet/tools.h"

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

/* The factor of "K", "KB", "KiB" and the like, in either case; 0: unknown. An empty text means `standard`. */
static uint64_t factor_of(const char *text, uint64_t standard) {
  while (isspace((unsigned char)*text)) text++;
  if (!*text) return standard;
  const char *unit = strchr(units, toupper((unsigned char)*text));
  if (!unit) return 0;
  text++;
  if (unit != units && tolower((unsigned char)*text) == 'i') text++;
  if (unit != units && tolower((unsigned char)*text) == 'b') text++;
  while (isspace((unsigned char)*text)) text++;
  return *text ? 0 : UINT64_C(1) << 10 * (unit - units);
}

bool tsr_gex_parse_int(const char *text, uint64_t unit, int64_t *number) {
  const char *digits = text + strspn(text, " \t+-");
  char *end;
  long long whole = strtoll(text, &end, digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x' ? 16 : 10);
  if (end == text) return false;
  if (!unit) {
    *number = whole;
    while (isspace((unsigned char)*end)) end++;
    return !*end;
  }
  double fraction = *end == '.' ? strtod(end, &end) : 0;
  uint64_t factor = factor_of(end, unit);
  *number = whole * (int64_t)factor + (int64_t)((whole < 0 ? -fraction : fraction) * (double)factor);
  return factor != 0;
}

int64_t gasnett_parse_int(const char *text, uint64_t unit) {
  int64_t number;
  if (!tsr_gex_parse_int(text, unit, &number)) gasnett_fatalerror("TSR-4197 gasnett_parse_int: '%s' is no number", text);
  return number;
}

uint64_t gasnett_checksum(const void *data, int bytes) {
  const unsigned char *byte = data;
  uint64_t sum = TSR_HASH_NOTHING;
  for (int i = 0; i < bytes; i++) sum = tsr_hash_add(sum, byte[i]);
  return sum;
}

size_t gasnett_count0s(const void *data, size_t bytes) {
  const unsigned char *byte = data;
  size_t zeros_n = 0;
  for (size_t i = 0; i < bytes; i++) zeros_n += byte[i] == 0;
  return zeros_n;
}

size_t gasnett_count0s_copy(void *restrict to, const void *restrict from, size_t bytes) {
  memcpy(to, from, bytes);
  return gasnett_count0s(from, bytes);
}
