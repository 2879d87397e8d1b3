/* How figures are measured and printed. tessera-perf and every program in bench/peers share this file and harness.c,
 * so that a difference between two rows is never one of method.
 *
 * Method: an operation is repeated in batches of equal, calibrated length (calibration is the warm-up). The batches
 * of an operation and of its limit are taken in turns. The value is the median of the batches; minimum and maximum
 * are printed with --json and --csv. The harness uses neither Tessera nor a peer: the program provides barrier and
 * share. */
#ifndef PERF_HARNESS_H
#define PERF_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PERF_BYTES_MAX = 64 /* sizes in one --bytes list */, PERF_BANDWIDTH_FROM = 4096 /* bytes */ };

enum perf_format { PERF_TEXT, PERF_JSON, PERF_CSV };

/* One process of the job, and the options of the command line. */
struct perf {
  const char *program;
  int unit, units;
  void (*barrier)(void);           /* over all units; units that take no part in an operation wait in it */
  void (*share)(uint64_t *value);  /* unit 0's value to all units */
  const char *mode;                /* the measured mode of a peer; NULL: it has one mode */

  int target;          /* the unit that unit 0 accesses; unit 0 itself if it is alone */
  enum perf_format format;
  bool progress;       /* print the running work even if standard error is no terminal */
  bool limits;         /* measure the machine's limit next to each operation */
  double seconds;      /* for the batches of one point */
  int batches_n;
  size_t bytes[PERF_BYTES_MAX];
  int bytes_n;
  bool bytes_given;    /* false: a work may choose its own sizes */
  char **wanted;       /* names on the command line: works, or groups (the part before a dot) */
  int wanted_n;

  const char *running; /* the name of the work that runs; NULL: none */
  int begun_n, works_n; /* works begun so far; works of the command line in total */
};

typedef void (*perf_loop)(void *arg, uint64_t n); /* performs one operation n times */

struct perf_work {
  const char *name; /* dotted and stable */
  const char *help;
  void (*run)(struct perf *p, const struct perf_work *work); /* called by every unit */
  perf_loop loop;   /* parameter for works that share a run function */
  int choice;       /* the same; the run function defines the meaning */
};

struct perf_op {
  perf_loop loop;
  void *arg;
  int takers_n; /* 1: unit 0 alone, while the others wait in a barrier; otherwise units 0 to takers_n - 1 together */
  bool closing; /* the operation does not synchronise its units: a batch ends when the last of them has finished */
};

struct perf_sample { double median, min, max; }; /* of the batches; ns per operation */

struct perf_result {
  struct perf_sample value, limit;
  bool has_limit;
};

/* Reads the command line. Returns -1 if there is something to run, otherwise the program's exit code (after `list`,
 * `--help`, or a mistake that unit 0 has reported). groups: arrays of works, each ended by a work without a name;
 * NULL ends the list. argv must outlive p. */
int perf_parse(struct perf *p, const struct perf_work *const *groups, int argc, char **argv);

/* Runs the selected works in the order of the groups, and prints on standard error which one runs. Collective. */
void perf_run(struct perf *p, const struct perf_work *const *groups);

/* Measures op and, unless it is NULL, limit next to it. Collective. Only unit 0 gets the result. */
void perf_measure(const struct perf *p, const struct perf_op *op, const struct perf_op *limit,
                  struct perf_result *result);

/* Runs an operation that copies `bytes` bytes once more, with a pattern in the source, and ends the program if the pattern does not
 * arrive. `source` and `dest`: NULL except on the unit that has them. Collective. */
void perf_check_copy(const struct perf *p, const char *work, const struct perf_op *op, void *source, void *dest, size_t bytes);

/* Print rows, on unit 0 only. A row says whether less or more is better: less for times and memory. Time: ns per operation, and
 * from 4 KiB also GB/s where the operation moves its bytes. Rate: Mop/s, where one operation of the loop counts as `at_once`
 * operations: one of each unit, or a burst. */
void perf_row_time(const struct perf *p, const char *work, const char *variant, size_t bytes,
                   const struct perf_result *result);
void perf_row_copy(const struct perf *p, const char *work, const char *variant, size_t bytes,
                   const struct perf_result *result);
void perf_row_rate(const struct perf *p, const char *work, const char *variant, size_t bytes, int at_once,
                   const struct perf_result *result);

/* Prints one figure that is not a sample of batches: such as "%", "KiB" or a time measured in another way. limit: 0 if there is
 * none. */
void perf_row_figure(const struct perf *p, const char *work, const char *variant, const char *unit, size_t bytes,
                     double value, double limit);

/* Returns page-aligned private memory with every page written. The caller frees it. Ends the process if there is no memory. */
void *perf_buffer(size_t bytes);

/* Writes one byte of every page. */
void perf_touch(void *memory, size_t bytes);

#endif
