#include "base/config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/log.h"

/* The first of each pair means no, the second yes; the first pair is the one that is printed. */
static const char bool_words[] = "no|yes|0|1|off|on|false|true";

enum kind { BYTES, INT, BOOL, ENUM, TEXT };

struct variable {
  const char *name, *help, *words; /* words: BOOL and ENUM */
  enum kind kind;
  size_t at;        /* offset of the field in struct tsr_config */
  int64_t min, max; /* BYTES and INT; the default is allowed besides */
};

static const struct variable variables[] = {
#define ROW(field, kind_, name_, help_, ...) \
  {.name = name_, .help = help_, .kind = kind_, .at = offsetof(struct tsr_config, field), __VA_ARGS__},
#define TSR_CONFIG_BYTES(field, name, def, lo, hi, help) ROW(field, BYTES, name, help, .min = lo, .max = hi)
#define TSR_CONFIG_INT(field, name, def, lo, hi, help) ROW(field, INT, name, help, .min = lo, .max = hi)
#define TSR_CONFIG_BOOL(field, name, def, help) ROW(field, BOOL, name, help, .words = bool_words)
#define TSR_CONFIG_ENUM(field, name, def, choice, help) ROW(field, ENUM, name, help, .words = choice)
#define TSR_CONFIG_TEXT(field, name, def, help) ROW(field, TEXT, name, help, .words = NULL)
#include "base/config_table.h"
#undef TSR_CONFIG_BYTES
#undef TSR_CONFIG_INT
#undef TSR_CONFIG_BOOL
#undef TSR_CONFIG_ENUM
#undef TSR_CONFIG_TEXT
};
enum { VARIABLES_N = sizeof variables / sizeof *variables };

#define TSR_CONFIG_BYTES(field, name, def, lo, hi, help) .field = def,
#define TSR_CONFIG_INT(field, name, def, lo, hi, help) .field = def,
#define TSR_CONFIG_BOOL(field, name, def, help) .field = def,
#define TSR_CONFIG_ENUM(field, name, def, choice, help) .field = def,
#define TSR_CONFIG_TEXT(field, name, def, help) .field = def,
static const struct tsr_config standard = {
#include "base/config_table.h"
};
struct tsr_config tsr_config = {
#include "base/config_table.h"
};

/* ---- fields by description ---- */

static int64_t number_of(const struct variable *v, const struct tsr_config *config) {
  const void *field = (const char *)config + v->at;
  switch (v->kind) {
    case BYTES: return (int64_t)*(const size_t *)field;
    case BOOL: return *(const bool *)field;
    default: return *(const int *)field;
  }
}

/* ---- words: "one|two|three" ---- */

/* -1: not among them. */
static int word_index(const char *words, const char *text) {
  size_t length = strlen(text);
  for (int i = 0;; i++) {
    size_t word_length = strcspn(words, "|");
    if (word_length == length && strncasecmp(words, text, length) == 0) return i;
    if (!words[word_length]) return -1;
    words += word_length + 1;
  }
}

/* ---- printing ---- */

/* Each is 1024 times the one before. */
static const char suffixes[] = "KMGT";

static void print_number(const struct variable *v, int64_t number, char *out, size_t out_bytes) {
  if (v->words) {
    const char *word = v->words;
    for (; number > 0; number--) word = strchr(word, '|') + 1;
    snprintf(out, out_bytes, "%.*s", (int)strcspn(word, "|"), word);
    return;
  }
  int steps = 0;
  for (; v->kind == BYTES && number && number % 1024 == 0 && suffixes[steps]; steps++) number /= 1024;
  char suffix[2] = {steps ? suffixes[steps - 1] : '\0'};
  snprintf(out, out_bytes, "%lld%s", (long long)number, suffix);
}

/* The result is `out`, or the text itself. */
static const char *print_value(const struct variable *v, const struct tsr_config *config, char *out, size_t out_bytes) {
  if (v->kind == TEXT) return *(const char *const *)((const char *)config + v->at);
  print_number(v, number_of(v, config), out, out_bytes);
  return out;
}

void tsr_config_each(tsr_config_row row, void *arg) {
  for (const struct variable *v = variables; v < variables + VARIABLES_N; v++) {
    char value[64], otherwise[64];
    row(v->name, print_value(v, &tsr_config, value, sizeof value), print_value(v, &standard, otherwise, sizeof otherwise), v->help,
        arg);
  }
}

/* ---- parsing ---- */

/* Digits, also a sign, and for bytes a suffix. False: anything else, beyond 64 bits, or outside of the range. */
static bool parse_range(const struct variable *v, const char *text, int64_t *number) {
  bool negative = *text == '-';
  int64_t sum = 0;
  text += negative;
  if (!isdigit((unsigned char)*text)) return false;
  for (; isdigit((unsigned char)*text); text++) {
    if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *text - '0', &sum)) return false;
  }
  if (negative) sum = -sum;
  if (*text) {
    const char *known = v->kind == BYTES ? strchr(suffixes, toupper((unsigned char)*text)) : NULL;
    if (!known || text[1] || __builtin_mul_overflow(sum, (int64_t)1 << (10 * (known - suffixes + 1)), &sum)) return false;
  }
  *number = sum;
  return (sum >= v->min && sum <= v->max) || sum == number_of(v, &standard);
}

/* False: the field keeps its default. */
static bool parse_value(const struct variable *v, const char *text, struct tsr_config *config) {
  static char *kept[VARIABLES_N]; /* copies, since the program may change its environment; freed at the next value */
  void *field = (char *)config + v->at;
  int64_t number = v->words ? word_index(v->words, text) : 0;
  char *copy = v->kind == TEXT ? strdup(text) : NULL;
  if (v->words ? number < 0 : v->kind == TEXT ? !copy : !parse_range(v, text, &number)) return false;
  switch (v->kind) {
    case BYTES: *(size_t *)field = (size_t)number; break;
    case BOOL: *(bool *)field = number % 2 != 0; break;
    case TEXT:
      free(kept[v - variables]);
      *(const char **)field = kept[v - variables] = copy;
      break;
    default: *(int *)field = (int)number; break;
  }
  return true;
}

/* ---- warnings ---- */

static void warn_value(const struct variable *v, const char *text) {
  char def[32], low[32], high[32], allowed[256];
  if (v->kind == TEXT) {
    tsr_log_always(TSR_LOG_WARN, "TSR-0001 %s is ignored: no private memory for its %zu bytes; shorten it", v->name,
                   strlen(text));
    return;
  }
  int64_t usual = number_of(v, &standard);
  print_number(v, usual, def, sizeof def);
  if (v->words) {
    snprintf(allowed, sizeof allowed, "one of %s", v->words);
  } else {
    print_number(v, v->min, low, sizeof low);
    print_number(v, v->max, high, sizeof high);
    const char *what = v->kind == BYTES ? "size (such as 64K, 2M, 1G)" : "whole number";
    bool outside = usual < v->min || usual > v->max;
    snprintf(allowed, sizeof allowed, "a %s from %s to %s%s%s", what, low, high, outside ? ", or " : "", outside ? def : "");
  }
  tsr_log_always(TSR_LOG_WARN, "TSR-0002 %s=%.80s is ignored and %s is used; set it to %s", v->name, text, def, allowed);
}

static const char family[] = "TESSERA_";
enum { FAMILY_BYTES = sizeof family - 1, NAME_BYTES = 64 };

/* How many letters must be put in, left out or replaced to make one of the other; b is shorter than NAME_BYTES. */
static size_t edit_distance(const char *a, const char *b) {
  size_t row[NAME_BYTES], n = strlen(b);
  for (size_t j = 0; j <= n; j++) row[j] = j;
  for (size_t i = 0; a[i]; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < n; j++) {
      size_t replaced = diagonal + (a[i] != b[j]), shorter = row[j + 1] + 1, longer = row[j] + 1;
      diagonal = row[j + 1];
      row[j + 1] = replaced < shorter ? replaced : shorter;
      if (longer < row[j + 1]) row[j + 1] = longer;
    }
  }
  return row[n];
}

/* The name itself if it is known; NULL: none is near enough to be what was meant. */
static const char *nearest_name(const char *name) {
  const char *found = NULL;
  size_t best = (strlen(name) - FAMILY_BYTES) / 3 + 2; /* one above the largest that counts */
  for (int i = 0; i < VARIABLES_N; i++) {
    size_t here = edit_distance(variables[i].name + FAMILY_BYTES, name + FAMILY_BYTES);
    if (here >= best) continue;
    best = here;
    found = variables[i].name;
  }
  return found;
}

/* UCX reads these: its own variables, in effect for Tessera only. Tessera has a few of this family, too; a name that differs from
 * one of them in a letter is taken for a mistake. */
static const char ucx_family[] = "TESSERA_UCX_";

static void warn_unknown(const char *entry) {
  char name[FAMILY_BYTES + NAME_BYTES];
  size_t length = strcspn(entry, "=");
  if (length >= sizeof name) length = sizeof name - 1;
  memcpy(name, entry, length);
  name[length] = '\0';
  const char *meant = nearest_name(name);
  if (meant && strcmp(meant, name) == 0) return;
  if (strncmp(name, ucx_family, sizeof ucx_family - 1) == 0 && (!meant || edit_distance(meant, name) > 1)) return;
  if (meant)
    tsr_log_always(TSR_LOG_WARN, "TSR-0003 %s is not a Tessera variable and is ignored; did you mean %s?", name, meant);
  else
    tsr_log_always(TSR_LOG_WARN, "TSR-0004 %s is not a Tessera variable and is ignored; tessera-info lists all variables",
                   name);
}

void tsr_config_load(bool report) {
  struct tsr_config fresh = standard;
  for (const struct variable *v = variables; v < variables + VARIABLES_N; v++) {
    const char *text = getenv(v->name);
    if (!text || !*text) continue; /* empty is as good as not set */
    if (!parse_value(v, text, &fresh) && report) warn_value(v, text);
  }
  tsr_config = fresh;
  for (char **entry = environ; report && entry && *entry; entry++) {
    if (strncmp(*entry, family, FAMILY_BYTES) == 0) warn_unknown(*entry);
  }
}

bool tsr_config_is_set(const char *name) {
  const char *text = getenv(name);
  return text && *text;
}

int tsr_config_foreign(const char *name, const char *words, bool report) {
  if (!tsr_config_is_set(name)) return -1;
  int index = word_index(words, getenv(name));
  if (index < 0 && report) tsr_log_always(TSR_LOG_WARN, "TSR-0005 %s=%.80s is ignored; set it to one of %s", name,
                                          getenv(name), words);
  return index;
}

/* Valgrind's launcher puts its libraries into LD_PRELOAD. Processes that this one starts without valgrind have no such list. */
bool tsr_config_under_valgrind(void) {
  const char *libraries = getenv("LD_PRELOAD");
  return libraries && strstr(libraries, "/vgpreload_");
}

const char *tsr_config_foreign_text(const char *name) { return getenv(name); }
