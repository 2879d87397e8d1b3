#include "base/log.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/caller.h"
#include "base/hash.h"
#include "base/text.h"

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

/* ---- Numbers in messages ---- */

struct pair {
  const char *plural, *singular;
};

/* A word that is also a verb would be changed wrongly behind a name such as "unit 1". So the list has only nouns that are no
 * verbs in our messages, or that never follow a name. */
static const struct pair nouns[] = {
    {"addresses", "address"},           {"agents", "agent"},                {"arguments", "argument"},
    {"blocks", "block"},                {"bytes", "byte"},                  {"characters", "character"},
    {"children", "child"},              {"counters", "counter"},            {"counts", "count"},
    {"descriptors", "descriptor"},      {"dimensions", "dimension"},        {"elements", "element"},
    {"entries", "entry"},               {"events", "event"},                {"files", "file"},
    {"functions", "function"},          {"handlers", "handler"},            {"handles", "handle"},
    {"images", "image"},                {"levels", "level"},                {"locks", "lock"},
    {"members", "member"},              {"messages", "message"},            {"mutexes", "mutex"},
    {"nodes", "node"},                  {"notifications", "notification"},  {"operations", "operation"},
    {"packages", "package"},            {"pieces", "piece"},                {"places", "place"},
    {"processes", "process"},           {"ranks", "rank"},                  {"requests", "request"},
    {"rows", "row"},                    {"segments", "segment"},            {"sets", "set"},
    {"slots", "slot"},                  {"steps", "step"},                  {"strides", "stride"},
    {"tags", "tag"},                    {"targets", "target"},              {"teams", "team"},
    {"transfers", "transfer"},          {"units", "unit"},                  {"words", "word"},
};
static const struct pair verbs[] = {{"are", "is"}, {"have", "has"}, {"were", "was"}, {"wait", "waits"}, {"want", "wants"}};

/* The pair whose plural is the word that begins here; NULL: none. */
static const struct pair *find_pair(const struct pair pairs[], size_t pairs_n, const char *word) {
  size_t length = 0;
  while (isalpha((unsigned char)word[length])) length++;
  for (size_t i = 0; i < pairs_n; i++) {
    if (strlen(pairs[i].plural) == length && strncmp(pairs[i].plural, word, length) == 0) return &pairs[i];
  }
  return NULL;
}

/* Returns the text behind the word. The singular is at most one letter longer than the plural, as in `waits`. */
static char *replace_word(char *word, const struct pair *pair) {
  char *rest = word + strlen(pair->plural);
  size_t length = strlen(pair->singular);
  memmove(word + length, rest, strlen(rest) + 1);
  memcpy(word, pair->singular, length);
  return word + length;
}

/* Formats say "%d units": puts the nouns that follow a 1 into the singular, with the verb right behind them ("1 bytes are" becomes
 * "1 byte is"), in place. */
static void fix_plurals(char *text) {
  for (char *at = text; (at = strstr(at, "1 "));) {
    bool is_whole = at == text || strchr(" (:=\"", at[-1]);
    at += 2;
    const struct pair *noun = is_whole ? find_pair(nouns, sizeof nouns / sizeof nouns[0], at) : NULL;
    if (!noun) continue;
    at = replace_word(at, noun); /* the text is at least one letter shorter now: a verb may become longer */
    const struct pair *verb = *at == ' ' ? find_pair(verbs, sizeof verbs / sizeof verbs[0], at + 1) : NULL;
    if (verb) at = replace_word(at + 1, verb);
  }
}

/* Replaces control characters by blanks, and "(nil)", which %p prints for a null pointer, by "NULL"; corrects plurals. */
static void clean_text(char *text) {
  static const char nil[] = "(nil)", null[] = "NULL";
  for (char *at = text; *at; at++) {
    if ((unsigned char)*at < ' ') *at = ' ';
  }
  for (char *at = text; (at = strstr(at, nil)); at += sizeof null - 1) {
    memcpy(at, null, sizeof null - 1);
    memmove(at + sizeof null - 1, at + sizeof nil - 1, strlen(at + sizeof nil - 1) + 1);
  }
  fix_plurals(text);
}

static void write_caller(void) {
  char line[LINE_BYTES], caller[LINE_BYTES - PREFIX_BYTES];
  if (!tsr_caller_describe(caller, sizeof caller)) return;
  int bytes = snprintf(line, sizeof line - 1, "%scalled %s", prefix, caller);
  if (bytes > (int)sizeof line - 2) bytes = sizeof line - 2;
  line[bytes++] = '\n';
  tsr_write_all(STDERR_FILENO, line, (size_t)bytes);
}

enum caller { WITHOUT_CALLER, WITH_CALLER };

/* Preserves errno, which %m prints. The caller has a line of its own, written when the message is out: finding it may fail. */
static void write_line(enum tsr_log_level level, enum caller caller, const char *format, va_list args) {
  static const char *const labels[] = {"error: ", "warning: ", "info: ", "debug: "};
  static const char cut[] = "...";
  int before = errno; /* nothing up to vsnprintf changes it */
  char line[LINE_BYTES];
  char *text = start_line(line, labels[level]);
  size_t room = sizeof line - 1 - (size_t)(text - line); /* without the newline */
  int wanted = vsnprintf(text, room, format, args);
  if (wanted >= (int)room) strcpy(text + room - sizeof cut, cut);
  clean_text(text);
  size_t bytes = strlen(line);
  line[bytes++] = '\n';
  tsr_write_all(STDERR_FILENO, line, bytes);
  if (caller == WITH_CALLER) write_caller();
  errno = before;
}

/* ---- Kinds of messages ---- */

enum { KINDS_N = 1024, KIND_TEXT_BYTES = 240 };

/* A kind is never removed. */
struct kind {
  const char *_Atomic format; /* NULL: the entry is free */
  _Atomic uint64_t lines_n;   /* all of them */
  _Atomic uint64_t counted_n; /* messages that were not printed, but are in a printed count */
  _Atomic pid_t pid;          /* of the process that has stored `text`, the first that was not printed; 0: none */
  char text[KIND_TEXT_BYTES];
};
static struct kind kinds[KINDS_N];

/* NULL: the table is full. */
static struct kind *find_kind(const char *format) {
  uint64_t hash = tsr_hash_add(TSR_HASH_NOTHING, (uintptr_t)format) >> 20;
  for (uint64_t i = 0; i < KINDS_N; i++) {
    struct kind *kind = &kinds[(hash + i) % KINDS_N];
    const char *found = NULL;
    if (atomic_compare_exchange_strong(&kind->format, &found, format) || found == format) return kind;
  }
  return NULL;
}

void (*tsr_log_at_error)(void);
bool tsr_log_all;

void tsr_log_write_list(enum tsr_log_level level, const char *format, va_list args) {
  bool is_counted = level <= TSR_LOG_WARN && !tsr_log_all;
  struct kind *kind = is_counted ? find_kind(format) : NULL;
  uint64_t earlier_n = kind ? atomic_fetch_add(&kind->lines_n, 1) : 0;
  if (earlier_n == TSR_LOG_KIND_LINES) {
    int before = errno;
    vsnprintf(kind->text, sizeof kind->text, format, args);
    clean_text(kind->text);
    atomic_store(&kind->pid, getpid()); /* pairs with the load in print_count */
    errno = before;
  }
  if (earlier_n >= TSR_LOG_KIND_LINES) return;
  write_line(level, level == TSR_LOG_ERROR ? WITH_CALLER : WITHOUT_CALLER, format, args);
  if (level == TSR_LOG_ERROR && tsr_log_at_error) tsr_log_at_error();
}

/* A child of the program leaves the parent's counts to the parent. */
static void print_count(struct kind *kind, pid_t self) {
  if (atomic_load(&kind->pid) != self) return;
  uint64_t all_n = atomic_load(&kind->lines_n) - TSR_LOG_KIND_LINES, n = all_n - atomic_exchange(&kind->counted_n, all_n);
  if (n == 0 || n > all_n) return;
  char line[LINE_BYTES];
  struct tsr_text text = {.data = line, .room = sizeof line - 1};
  tsr_text_add(&text, prefix);
  tsr_text_add_decimal(&text, n);
  tsr_text_add(&text, n == 1 ? " more of this kind was not printed: " : " more of this kind were not printed: ");
  tsr_text_add(&text, kind->text);
  line[text.n++] = '\n';
  tsr_write_all(STDERR_FILENO, line, text.n);
}

__attribute__((destructor)) void tsr_log_counts(void) {
  int before = errno;
  pid_t self = getpid();
  for (int i = 0; i < KINDS_N; i++) print_count(&kinds[i], self);
  errno = before;
}

/* ---- With all their arguments ---- */

void tsr_log_write(enum tsr_log_level level, const char *format, ...) {
  va_list args;
  va_start(args, format);
  tsr_log_write_list(level, format, args);
  va_end(args);
}

void tsr_log_always(enum tsr_log_level level, const char *format, ...) {
  if (level > tsr_log_level) return;
  va_list args;
  va_start(args, format);
  write_line(level, WITHOUT_CALLER, format, args);
  va_end(args);
}

void tsr_log_call(enum tsr_log_level level, const char *format, ...) {
  if (level > tsr_log_level) return;
  va_list args;
  va_start(args, format);
  write_line(level, WITH_CALLER, format, args);
  va_end(args);
}

void tsr_log_last(const char *format, va_list args) { write_line(TSR_LOG_ERROR, WITH_CALLER, format, args); }

void tsr_log_signal_safe(const char *kind, const char *text) {
  int before = errno;
  char line[LINE_BYTES];
  char *end = start_line(line, kind);
  size_t room = sizeof line - 1 - (size_t)(end - line);
  size_t bytes = strnlen(text, room);
  memcpy(end, text, bytes);
  end[bytes] = '\n';
  tsr_write_all(STDERR_FILENO, line, (size_t)(end - line) + bytes + 1);
  errno = before;
}
