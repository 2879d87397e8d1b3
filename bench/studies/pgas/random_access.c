#include "random_access.h"

#include <stdbool.h>
#include <string.h>

#include "../options.h"
#include "../rows.h"

enum { BITS_MIN = 10, BITS_MAX = 36, REPEAT_MAX = 99, WARM_MAX = 9, UPDATES = 4 /* for each word */ };

void *zeros(size_t n, size_t bytes) {
  void *made = calloc(n ? n : 1, bytes);
  if (made) return made;
  fprintf(stderr, "random_access: no memory for %zu times %zu bytes\n", n, bytes);
  exit(1);
}

/* ---- the sequence ---- */

/* a * b: the sum of a * x^i for each bit i of b, by Horner's rule. */
static uint64_t product(uint64_t a, uint64_t b) {
  uint64_t sum = 0;
  for (int bit = 63; bit >= 0; bit--) sum = random_next(sum) ^ (b >> bit & 1 ? a : 0);
  return sum;
}

uint64_t random_start(uint64_t n) {
  uint64_t power = 1, square = 2; /* x^0, x^1 */
  for (n %= RANDOM_PERIOD; n; n >>= 1, square = product(square, square))
    if (n & 1) power = product(power, square);
  return power;
}

static part part_of(const table *t) {
  const uint64_t unit = (uint64_t)t->unit, units = (uint64_t)t->units;
  const uint64_t first = t->operations / units * unit, behind = unit + 1 < units ? first + t->operations / units : t->operations;
  return (part){random_start(first), behind - first};
}

/* ---- buckets ---- */

buckets buckets_make(int units) {
  return (buckets){units, 0, zeros((size_t)units, sizeof(int)), zeros((size_t)units * AHEAD, sizeof(uint64_t))};
}

void buckets_free(buckets *b) {
  free(b->n);
  free(b->numbers);
}

int buckets_fullest(const buckets *b) {
  int fullest = 0;
  for (int unit = 1; unit < b->units; unit++)
    if (b->n[unit] > b->n[fullest]) fullest = unit;
  return fullest;
}

/* ---- checks: each unit goes through the whole sequence, and looks at its own words ---- */

/* Repeats all updates of the own words. Xor undoes itself, so each word must then be as at first. */
static long wrong_after_updates(const table *t) {
  const uint64_t first = t->first[t->unit], n = words_of(t, t->unit);
  long wrong = 0;
  uint64_t number = random_start(0);
  for (uint64_t i = 0; i < t->operations; i++) {
    number = random_next(number);
    const uint64_t at = word_of(t, number) - first; /* a large number if the word is another unit's */
    if (at < n) t->mine[at] ^= number;
  }
  for (uint64_t i = 0; i < n; i++) wrong += t->mine[i] != first + i;
  return wrong;
}

/* A word that was written has ~r, for some r that names this word; any other word is as at first. */
static long wrong_after_writes(const table *t) {
  const uint64_t first = t->first[t->unit], n = words_of(t, t->unit);
  unsigned char *written = zeros(n, 1);
  long wrong = 0;
  uint64_t number = random_start(0);
  for (uint64_t i = 0; i < t->operations; i++) {
    number = random_next(number);
    const uint64_t at = word_of(t, number) - first;
    if (at < n) written[at] = 1;
  }
  for (uint64_t i = 0; i < n; i++) wrong += (written[i] ? word_of(t, ~t->mine[i]) : t->mine[i]) != first + i;
  free(written);
  return wrong;
}

/* ---- patterns ---- */

typedef struct {
  const table *t;
  const version *v;
  long wrong; /* values that reads found wrong */
} run;

static void do_read(run *r) { r->wrong = r->v->read(r->t, part_of(r->t)); }
static void do_write(run *r) { r->v->write(r->t, part_of(r->t)); }
static void do_atomic(run *r) { r->v->atomic(r->t, part_of(r->t)); }
static void do_hpcc(run *r) { r->v->hpcc(r->t, part_of(r->t)); }
static long no_check(const table *t) { return (void)t, 0; }

static const struct pattern {
  const char *name, *work;
  void (*run)(run *r);
  long (*check)(const table *t);
  int allowed; /* wrong words, in percent */
} patterns[] = {
    {"read", "random_access.read", do_read, no_check, 0},
    {"write", "random_access.write", do_write, wrong_after_writes, 0},
    {"atomic", "random_access.atomic", do_atomic, wrong_after_updates, 0},
    {"hpcc", "random_access.hpcc", do_hpcc, wrong_after_updates, 1},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

/* Returns the rate in Mop/s, or a negative number if the result is wrong. */
static double measure(const table *t, const version *v, const struct pattern *p) {
  run r = {t, v, 0};
  for (uint64_t i = 0; i < words_of(t, t->unit); i++) t->mine[i] = t->first[t->unit] + i;
  v->barrier();
  const double start = study_now();
  p->run(&r);
  v->barrier();
  const double seconds = study_now() - start;
  const long wrong = v->sum(r.wrong + p->check(t)), allowed = (long)(t->words / 100 * (uint64_t)p->allowed);
  v->barrier(); /* no unit fills its block while another reads it */
  if (wrong <= allowed) return 1e-6 * (double)t->operations / seconds;
  if (t->unit == 0)
    fprintf(stderr, "wrong result: %s: %ld of 2^%d words, allowed are %ld\n", p->work, wrong, t->bits, allowed);
  return -1;
}

/* The first `warm` runs are not counted: in a large table most operations of the first run find their page not yet mapped. */
static bool measure_pattern(const table *t, const version *v, const struct pattern *p, int warm, int repeat) {
  double rates[REPEAT_MAX];
  for (int i = -warm; i < repeat; i++) {
    const double rate = measure(t, v, p);
    if (rate < 0) return false;
    if (i >= 0) rates[i] = rate;
  }
  if (t->unit == 0) study_row(p->work, "plain", (long)(t->words * sizeof(uint64_t)), t->units, "Mop/s", repeat, rates);
  return true;
}

/* ---- the program ---- */

typedef struct {
  long bits[OPTION_LIST_MAX], operations, warm, repeat;
  int bits_n;
  const char *patterns;
} choices;

static bool measure_table(int bits, const choices *c, const version *v) {
  const uint64_t units = (uint64_t)v->units, words = UINT64_C(1) << bits, most = (uint64_t)c->operations;
  table t = {.unit = v->unit, .units = v->units, .bits = bits, .words = words, .operations = UPDATES * words};
  if (most && t.operations > most) t.operations = most;
  t.first = zeros(units + 1, sizeof *t.first);
  for (uint64_t u = 0; u <= units; u++) t.first[u] = ((u << bits) + units - 1) / units; /* so that owner_of finds u */
  v->open(&t);
  bool good = true;
  for (int i = 0; good && i < PATTERNS; i++)
    if (option_has(c->patterns, patterns[i].name)) good = measure_pattern(&t, v, &patterns[i], (int)c->warm, (int)c->repeat);
  v->close(&t);
  free(t.first);
  return good;
}

int random_access(int argc, char **argv, const version *v) {
  static const char *const names[] = {"read", "write", "atomic", "hpcc"};
  choices c = {.bits = {20}, .bits_n = 1, .warm = 1, .repeat = 1, .patterns = "read,write,atomic,hpcc"};
  const struct option options[] = {
      {"bits", BITS_MIN, BITS_MAX, c.bits, &c.bits_n, NULL},     /* sizes of the table */
      {"operations", 0, 1L << 40, &c.operations, NULL, NULL},    /* not more than so many; 0: four for each word */
      {"warm", 0, WARM_MAX, &c.warm, NULL, NULL},
      {"repeat", 1, REPEAT_MAX, &c.repeat, NULL, NULL},
      {"patterns", 0, 0, NULL, NULL, &c.patterns},
  };
  if (!option_read("random_access", argc, argv, v->unit == 0, sizeof options / sizeof *options, options) ||
      !option_known("random_access", c.patterns, v->unit == 0, PATTERNS, names))
    return WRONG_OPTIONS;
  for (int i = 0; i < c.bits_n; i++)
    if (!measure_table((int)c.bits[i], &c, v)) return 1;
  return 0;
}
