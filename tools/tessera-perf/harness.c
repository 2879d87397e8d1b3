#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES_MAX = 1000, PAGE_BYTES = 4096 };

/* ---- command line ---- */

static bool chosen(const struct perf *p, const char *name) {
  for (int i = 0; i < p->wanted_n; i++) {
    size_t n = strlen(p->wanted[i]);
    if (!strcmp(p->wanted[i], "all")) return true;
    if (!strncmp(p->wanted[i], name, n) && (name[n] == '\0' || name[n] == '.')) return true;
  }
  return false;
}

static int count_works(const struct perf *p, const struct perf_work *const *groups) {
  int n = 0;
  for (; *groups; groups++)
    for (const struct perf_work *w = *groups; w->name; w++) n += chosen(p, w->name);
  return n;
}

static bool known(const struct perf_work *const *groups, char *word) {
  return count_works(&(struct perf){.wanted = &word, .wanted_n = 1}, groups) > 0;
}

static void print_list(const struct perf_work *const *groups) {
  for (; *groups; groups++)
    for (const struct perf_work *w = *groups; w->name; w++) printf("%-22s %s\n", w->name, w->help);
}

static void print_help(const struct perf *p) {
  printf("usage: mpiexec -n UNITS %s WORK... [--json | --csv] [--bytes LIST] [--seconds S] [--reps N]\n"
         "                        [--target U] [--no-limit] [--progress]\n"
         "  WORK         a measurement: a name from `%s list`, the part of a name before a dot, or `all`\n"
         "  --json       print one JSON object per line\n"
         "  --csv        print a line of headings, then comma-separated values\n"
         "  --bytes      sizes, such as 8,4K,1M (default: each measurement's own)\n"
         "  --seconds    time per point (default 0.2)\n"
         "  --reps       batches per point; their median is printed (default 9)\n"
         "  --target     the unit that unit 0 accesses (default 1)\n"
         "  --no-limit   do not measure the machine's own limit next to each operation\n"
         "  --progress   print which work runs to standard error; on a terminal this is always printed\n"
         "  --complete   print what `list` prints; tessera-perf does not start MPI for it\n"
         "  --help       print this text\n",
         p->program, p->program);
}

static bool parse_size(const char **text, size_t *bytes) {
  char *end;
  errno = 0;
  if (**text < '0' || **text > '9') return false;
  unsigned long long value = strtoull(*text, &end, 10);
  int shift = *end == 'K' || *end == 'k' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  if (shift) end++;
  if (errno || value == 0 || value > SIZE_MAX >> shift >> 1) return false;
  *text = end;
  *bytes = (size_t)value << shift;
  return true;
}

static bool parse_bytes(struct perf *p, const char *text) {
  for (p->bytes_n = 0; p->bytes_n < PERF_BYTES_MAX; text++) {
    if (!parse_size(&text, &p->bytes[p->bytes_n])) return false;
    p->bytes_n++;
    if (*text == '\0') return p->bytes_given = true;
    if (*text != ',') return false;
  }
  return false;
}

static bool parse_int(const char *text, int low, int high, int *value) {
  char *end;
  long parsed = strtol(text, &end, 10);
  if (end == text || *end || parsed < low || parsed > high) return false;
  *value = (int)parsed;
  return true;
}

static bool parse_seconds(const char *text, double *value) {
  char *end;
  double parsed = strtod(text, &end);
  if (end == text || *end || !(parsed > 0 && parsed <= 3600)) return false;
  *value = parsed;
  return true;
}

/* NULL: the value is valid. Otherwise returns a description of valid values; "" for an unknown option. */
static const char *parse_option(struct perf *p, const char *name, const char *value) {
  if (!strcmp(name, "--bytes")) return parse_bytes(p, value) ? NULL : "positive sizes such as 8,4K,1M";
  if (!strcmp(name, "--seconds")) return parse_seconds(value, &p->seconds) ? NULL : "a positive number up to 3600";
  if (!strcmp(name, "--reps"))
    return parse_int(value, 1, BATCHES_MAX, &p->batches_n) ? NULL : "a whole number from 1 to 1000";
  if (!strcmp(name, "--target"))
    return parse_int(value, 0, p->units - 1, &p->target) ? NULL : "the number of a unit of this job";
  return "";
}

static int mistake(const struct perf *p, const char *word, const char *remedy) {
  if (p->unit == 0) fprintf(stderr, "%s: %s: %s\n", p->program, word, remedy);
  return 2;
}

static int wrong_value(const struct perf *p, const char *option, const char *given, const char *must_be) {
  if (p->unit == 0) fprintf(stderr, "%s: %s is \"%s\" but must be %s\n", p->program, option, given, must_be);
  return 2;
}

/* An option without a value. */
static bool take_flag(struct perf *p, const char *word) {
  if (!strcmp(word, "--json")) p->format = PERF_JSON;
  else if (!strcmp(word, "--csv")) p->format = PERF_CSV;
  else if (!strcmp(word, "--no-limit")) p->limits = false;
  else if (!strcmp(word, "--progress")) p->progress = true;
  else return false;
  return true;
}

static void set_defaults(struct perf *p) {
  static const size_t sizes[] = {8, 64, 512, 4096, 64 << 10, 1 << 20, 4 << 20};
  p->limits = true;
  p->seconds = 0.2;
  p->batches_n = 9;
  p->target = p->units > 1;
  p->bytes_n = sizeof sizes / sizeof *sizes;
  memcpy(p->bytes, sizes, sizeof sizes);
}

int perf_parse(struct perf *p, const struct perf_work *const *groups, int argc, char **argv) {
  set_defaults(p);
  p->wanted = argv + 1; /* the names move to the front of argv, over the options already read */
  for (int i = 1; i < argc; i++) {
    const bool is_help = !strcmp(argv[i], "--help");
    if (is_help || !strcmp(argv[i], "list") || !strcmp(argv[i], "--complete")) {
      if (p->unit == 0) is_help ? print_help(p) : print_list(groups);
      return 0;
    }
    if (take_flag(p, argv[i])) continue;
    if (argv[i][0] == '-') {
      const char *value = i + 1 < argc ? argv[i + 1] : "";
      const char *must_be = parse_option(p, argv[i], value);
      if (must_be && !*must_be) return mistake(p, argv[i], "unknown option; --help names them");
      if (must_be) return wrong_value(p, argv[i], value, must_be);
      i++;
    } else if (strcmp(argv[i], "all") && !known(groups, argv[i])) {
      return mistake(p, argv[i], "unknown work; `list` names them");
    } else {
      p->wanted[p->wanted_n++] = argv[i];
    }
  }
  if (p->wanted_n == 0) return mistake(p, "no work given", "name one, or `all`; `list` names them");
  p->works_n = count_works(p, groups);
  return -1;
}

/* ---- measuring ---- */

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Returns the time of n operations, measured by unit 0. If several units take part, all of them get it, so that they
 * decide alike. Units that take no part in a lone operation return at once. */
static uint64_t batch_ns(const struct perf *p, const struct perf_op *op, uint64_t n) {
  bool joint = op->takers_n > 1;
  if (joint) p->barrier();
  double start = now_ns();
  if (p->unit < op->takers_n) op->loop(op->arg, n);
  if (op->closing) p->barrier();
  uint64_t elapsed = (uint64_t)(now_ns() - start) + 1;
  if (joint) p->share(&elapsed);
  return elapsed;
}

static bool concerned(const struct perf *p, const struct perf_op *op) {
  return op->takers_n > 1 || p->unit == 0;
}

/* If the first batch is long, the shorter time of two batches: this process may have lost its core during the first. */
static double quiet_batch_ns(const struct perf *p, const struct perf_op *op, uint64_t n, double long_ns) {
  double first = (double)batch_ns(p, op, n), second = first >= long_ns ? (double)batch_ns(p, op, n) : first;
  return second < first ? second : first;
}

/* Returns the number of operations of a batch. */
static uint64_t calibrate(const struct perf *p, const struct perf_op *op) {
  if (!concerned(p, op)) return 0;
  double wanted = p->seconds * 1e9 / p->batches_n;
  for (uint64_t n = 1;;) {
    double took = quiet_batch_ns(p, op, n, wanted / 2);
    if (took >= wanted / 2 || n >= UINT64_C(1) << 40) {
      double fitting = (double)n * wanted / took;
      return fitting < 1 ? 1 : (uint64_t)fitting;
    }
    n *= took * 16 < wanted ? 8 : 2;
  }
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static struct perf_sample summarise(double *ns, int n) {
  qsort(ns, (size_t)n, sizeof *ns, by_value);
  return (struct perf_sample){(ns[(n - 1) / 2] + ns[n / 2]) / 2, ns[0], ns[n - 1]};
}

void perf_measure(const struct perf *p, const struct perf_op *op, const struct perf_op *limit,
                  struct perf_result *result) {
  double op_ns[BATCHES_MAX], limit_ns[BATCHES_MAX];
  uint64_t op_n = calibrate(p, op), limit_n = limit ? calibrate(p, limit) : 0;
  for (int i = 0; i < p->batches_n; i++) {
    if (concerned(p, op)) op_ns[i] = (double)batch_ns(p, op, op_n) / (double)op_n;
    if (limit && concerned(p, limit)) limit_ns[i] = (double)batch_ns(p, limit, limit_n) / (double)limit_n;
  }
  p->barrier(); /* units that take no part wait here */
  if (p->unit != 0) return;
  result->value = summarise(op_ns, p->batches_n);
  result->has_limit = limit != NULL;
  if (limit) result->limit = summarise(limit_ns, p->batches_n);
}

/* ---- progress ---- */

/* One line on a terminal, which the next one overwrites. Elsewhere, such as under mpiexec, a line for each work, if
 * they were requested. */
static bool on_terminal(void) { return isatty(STDERR_FILENO); }

static void print_progress(const struct perf *p) {
  if (p->unit != 0 || !(on_terminal() || p->progress)) return;
  fprintf(stderr, on_terminal() ? "\r%s: %3d of %d: %-24s" : "%s: %3d of %d: %s\n", p->program, p->begun_n, p->works_n,
          p->running);
}

/* Clears the line, so that a row can be printed in its place. */
static void clear_progress(const struct perf *p) {
  if (p->unit == 0 && p->running && on_terminal()) fprintf(stderr, "\r%60s\r", "");
}

static void run_work(struct perf *p, const struct perf_work *work) {
  p->running = work->name;
  p->begun_n++;
  print_progress(p);
  work->run(p, work);
  clear_progress(p);
  p->running = NULL;
}

void perf_run(struct perf *p, const struct perf_work *const *groups) {
  for (; *groups; groups++)
    for (const struct perf_work *w = *groups; w->name; w++)
      if (chosen(p, w->name)) run_work(p, w);
}

static unsigned char pattern_at(size_t i) { return (unsigned char)(i * 167 + (i >> 8) * 13 + 1); }

static void fill_pattern(unsigned char *memory, size_t bytes, unsigned char flipped) {
  for (size_t i = 0; memory && i < bytes; i++) memory[i] = pattern_at(i) ^ flipped;
}

void perf_check_copy(const struct perf *p, const char *work, const struct perf_op *op, void *source, void *dest, size_t bytes) {
  const bool is_nowhere = source && source == dest; /* unit 0 copies a buffer to itself, and no unit has anything to check */
  const unsigned char *arrived = is_nowhere ? NULL : dest;
  if (!is_nowhere) fill_pattern(source, bytes, 0), fill_pattern(dest, bytes, UINT8_MAX);
  p->barrier();
  if (p->unit == 0 && !is_nowhere) op->loop(op->arg, 1);
  p->barrier();
  for (size_t i = 0; arrived && i < bytes; i++) {
    if (arrived[i] == pattern_at(i)) continue;
    fprintf(stderr, "%s: %s: byte %zu of %zu is wrong after the transfer\n", p->program, work, i, bytes);
    exit(EXIT_FAILURE);
  }
  p->barrier(); /* the next operation may write to the same memory */
}

/* ---- rows ---- */

struct row {
  const char *work, *variant, *unit;
  size_t bytes;
  double value, min, max;
  double limit; /* 0: none */
};

static const char *better(const struct row *r) {
  static const char *const less[] = {"ns", "us", "KiB"};
  for (size_t i = 0; i < sizeof less / sizeof *less; i++)
    if (!strcmp(r->unit, less[i])) return "less";
  return "more";
}

static void print_json(const struct perf *p, const struct row *r) {
  printf("{\"work\":\"%s\",\"variant\":\"%s\",", r->work, r->variant);
  if (p->mode) printf("\"mode\":\"%s\",", p->mode);
  printf("\"bytes\":%zu,\"units\":%d,\"value\":%.6g,\"unit\":\"%s\",\"better\":\"%s\",\"min\":%.6g,\"max\":%.6g",
         r->bytes, p->units, r->value, r->unit, better(r), r->min, r->max);
  if (r->limit > 0) printf(",\"limit\":%.6g,\"ratio\":%.4g", r->limit, r->value / r->limit);
  printf("}\n");
}

/* The variant is quoted, because some have a comma. */
static void print_csv(const struct perf *p, const struct row *r) {
  printf("%s,\"%s\",%s,%zu,%d,%.6g,%s,%s,%.6g,%.6g,", r->work, r->variant, p->mode ? p->mode : "", r->bytes, p->units,
         r->value, r->unit, better(r), r->min, r->max);
  if (r->limit > 0) printf("%.6g,%.4g\n", r->limit, r->value / r->limit);
  else printf(",\n");
}

static void print_text(const struct perf *p, const struct row *r) {
  double scale = 1;
  const char *unit = r->unit;
  if (!strcmp(unit, "ns") && r->value >= 1e4) {
    scale = r->value >= 1e7 ? 1e-6 : 1e-3;
    unit = r->value >= 1e7 ? "ms" : "us";
  }
  char variant[64];
  snprintf(variant, sizeof variant, "%s%s%s", r->variant, p->mode ? "/" : "", p->mode ? p->mode : "");
  printf("%-22s %-18s %10zu %6d %10.2f %-6s %6s", r->work, variant, r->bytes, p->units, r->value * scale, unit,
         better(r));
  if (r->limit > 0) printf(" %10.2f %7.2f", r->limit * scale, r->value / r->limit);
  printf("\n");
}

static void print_headings(enum perf_format format) {
  if (format == PERF_CSV) printf("work,variant,mode,bytes,units,value,unit,better,min,max,limit,ratio\n");
  if (format == PERF_TEXT)
    printf("%-22s %-18s %10s %6s %10s %-6s %6s %10s %7s\n", "work", "variant", "bytes", "units", "value", "unit",
           "better", "limit", "ratio");
}

static void print_row(const struct perf *p, const struct row *r) {
  static void (*const print[])(const struct perf *p, const struct row *r) = {
      [PERF_TEXT] = print_text, [PERF_JSON] = print_json, [PERF_CSV] = print_csv};
  static bool has_headings;
  const bool over_progress = p->running && on_terminal() && isatty(STDOUT_FILENO);
  if (over_progress) clear_progress(p);
  if (!has_headings) print_headings(p->format);
  has_headings = true;
  print[p->format](p, r);
  fflush(stdout); /* a run that is ended because it takes too long keeps the rows printed so far */
  if (over_progress) print_progress(p);
}

void perf_row_figure(const struct perf *p, const char *work, const char *variant, const char *unit, size_t bytes,
                     double value, double limit) {
  if (p->unit != 0) return;
  struct row row = {work, variant, unit, bytes, value, value, value, limit};
  print_row(p, &row);
}

void perf_row_time(const struct perf *p, const char *work, const char *variant, size_t bytes,
                   const struct perf_result *result) {
  if (p->unit != 0) return;
  const struct perf_sample *v = &result->value;
  struct row row = {work, variant, "ns", bytes, v->median, v->min, v->max,
                    result->has_limit ? result->limit.median : 0};
  print_row(p, &row);
}

/* amount / ns is a value in the row's unit. */
static void print_throughput(const struct perf *p, struct row *row, double amount, const struct perf_result *result) {
  row->value = amount / result->value.median;
  row->min = amount / result->value.max;
  row->max = amount / result->value.min;
  row->limit = result->has_limit ? amount / result->limit.median : 0;
  print_row(p, row);
}

void perf_row_copy(const struct perf *p, const char *work, const char *variant, size_t bytes,
                   const struct perf_result *result) {
  if (p->unit != 0) return;
  perf_row_time(p, work, variant, bytes, result);
  struct row row = {.work = work, .variant = variant, .unit = "GB/s", .bytes = bytes};
  if (bytes >= PERF_BANDWIDTH_FROM) print_throughput(p, &row, (double)bytes, result);
}

void perf_row_rate(const struct perf *p, const char *work, const char *variant, size_t bytes, int at_once,
                   const struct perf_result *result) {
  if (p->unit != 0) return;
  struct row row = {.work = work, .variant = variant, .unit = "Mop/s", .bytes = bytes};
  print_throughput(p, &row, 1e3 * at_once, result);
}

/* ---- memory ---- */

void *perf_buffer(size_t bytes) {
  size_t whole = (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
  void *memory = aligned_alloc(PAGE_BYTES, whole);
  if (!memory) {
    fprintf(stderr, "%s: no memory for a buffer of %zu bytes: ask for less with --bytes\n", program_invocation_short_name, bytes);
    exit(1);
  }
  return memset(memory, 1, whole);
}

void perf_touch(void *memory, size_t bytes) {
  for (size_t at = 0; at < bytes; at += PAGE_BYTES) ((volatile char *)memory)[at] = 1;
}
