/* spmv-armci: spmv.h describes the computation, README.md of the parent folder how to run it.
 *
 * Usage: spmv-armci [--repeat N] INPUT
 *       spmv-armci [--repeat N] [--seed S] --generate ROWS NONZEROS
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "spmv.h"

enum { MESSAGE_BYTES = 512, REPEAT_MAX = 1000000 };

typedef struct {
  const char *input;
  long rows, entries; /* of a generated matrix; 0: none */
  long seed, repeat;
  bool help;
} options;

void require(int result, const char *call)
{
  if (result == 0) return;
  fprintf(stderr, "spmv-armci: %s failed with code %d\n", call, result);
  ARMCI_Error("spmv-armci cannot go on", 1);
}

void *memory(size_t n, size_t bytes)
{
  void *made = calloc(n + !n, bytes);
  if (!made) ARMCI_Error("spmv-armci: no memory left", 1);
  return made;
}

static bool refuse(char wrong[MESSAGE_BYTES], const char *rule, const char *given)
{
  snprintf(wrong, MESSAGE_BYTES, "%s, got '%s'", rule, given);
  return false;
}

static bool parse_whole(const char *option, const char *text, long least, long most, long *out,
                        char wrong[MESSAGE_BYTES])
{
  char *end, rule[MESSAGE_BYTES / 2];
  errno = 0;
  *out = strtol(text, &end, 10);
  if (end != text && !*end && !errno && *out >= least && *out <= most) return true;
  snprintf(rule, sizeof rule, "%s needs a whole number from %ld to %ld", option, least, most);
  return refuse(wrong, rule, text);
}

/* Reads the option at argv[i] with its values. Returns the number of values, or -1. */
static int parse_option(char **argv, int left, options *out, char wrong[MESSAGE_BYTES])
{
  const char *first = left > 1 ? argv[1] : "", *second = left > 2 ? argv[2] : "";
  if (strcmp(argv[0], "--repeat") == 0)
    return parse_whole("--repeat", first, 1, REPEAT_MAX, &out->repeat, wrong) ? 1 : -1;
  if (strcmp(argv[0], "--seed") == 0) return parse_whole("--seed", first, 0, LONG_MAX, &out->seed, wrong) ? 1 : -1;
  if (strcmp(argv[0], "--generate") == 0) {
    if (!parse_whole("--generate: ROWS", first, 1, ROWS_MAX, &out->rows, wrong)) return -1;
    const long most = out->rows < ENTRIES_MAX / out->rows ? out->rows * out->rows : ENTRIES_MAX;
    return parse_whole("--generate: NONZEROS", second, 0, most, &out->entries, wrong) ? 2 : -1;
  }
  refuse(wrong, "--repeat, --generate, --seed and --help are the known options", argv[0]);
  return -1;
}

/* On an error stores its description in `wrong` and returns false. The same result on every unit. */
static bool parse_options(int argc, char **argv, options *out, char wrong[MESSAGE_BYTES])
{
  *out = (options){.seed = 1, .repeat = 20};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      out->help = true;
      return true;
    }
    if (argv[i][0] != '-') {
      if (out->input) return refuse(wrong, "one input file is enough", argv[i]);
      out->input = argv[i];
      continue;
    }
    const int values = parse_option(argv + i, argc - i, out, wrong);
    if (values < 0) return false;
    i += values;
  }
  if (out->input && out->rows) return refuse(wrong, "--generate needs no input file", out->input);
  return out->input || out->rows ||
         refuse(wrong, "an input file is needed, such as examples/spmv-armci/input/utm300.rua", "");
}

/* Unit 0 reads or generates the matrix; all units learn whether it succeeded. */
static bool read_matrix(const options *o, matrix *whole)
{
  int good = 1;
  if (armci_msg_me() == 0 && o->input) good = input_read(o->input, whole);
  if (armci_msg_me() == 0 && !o->input) {
    good = matrix_generate((int)o->rows, o->entries, (unsigned long)o->seed, whole);
    if (!good) fprintf(stderr, "spmv-armci: no memory for %ld rows with %ld entries; pass less\n", o->rows, o->entries);
  }
  armci_msg_igop(&good, 1, "min");
  return good;
}

static void report(const options *o, const problem *p, const int remote[2], const cost costs[WAYS])
{
  const double n = (double)o->repeat;
  printf("spmv-armci: %s: %d x %d, %ld entries, on %d unit%s; elements of x that a unit fetches: %d to %d\n",
         o->input ? o->input : "generated", p->rows, p->columns, p->entries, p->units, p->units == 1 ? "" : "s", -remote[0],
         remote[1]);
  printf("%-12s %16s %16s %8s %12s\n", "way", "s per product", "of that fetching", "gain", "of fetching");
  for (int w = 0; w < WAYS; w++)
    printf("%-12s %16.9f %16.9f %8.2f %12.2f   %s\n", ways[w].name, costs[w].whole / n, costs[w].fetch / n,
           costs[0].whole / costs[w].whole, costs[0].fetch / costs[w].fetch, ways[w].help);

  double all = 0.0; /* for bench/compare */
  for (int w = 0; w < WAYS; w++) all += costs[w].whole;
  printf("spmv-armci: %.6f s: ", all);
  for (int w = 0; w < WAYS; w++) printf("%s%s %.6f", w ? ", " : "", ways[w].name, costs[w].whole);
  printf("; %ld products in each way\n", o->repeat);
}

static bool run(const options *o, const matrix *whole)
{
  problem p;
  plan f;
  cost costs[WAYS];
  double sum = 0.0;
  problem_make(whole, &p);
  plan_make(&p, &f);
  int remote[2] = {-plan_remote(&f), plan_remote(&f)};
  armci_msg_igop(remote, 2, "max");

  const bool same = product_repeat(&p, &f, (int)o->repeat, costs);
  const bool right = product_check(&p, whole, (int)o->repeat, &sum);
  if (p.unit == 0) {
    report(o, &p, remote, costs);
    if (!same) printf("spmv-armci: not all ways give the same\n");
    if (!right) printf("spmv-armci: the product differs from that of unit 0 alone\n");
    printf("spmv-armci: sum of |y| %.12e\n", sum);
    printf("spmv-armci: check %s\n", same && right ? "passed" : "FAILED");
  }
  plan_free(&f);
  problem_free(&p);
  return same && right;
}

int main(int argc, char **argv)
{
  static const char usage[] = "usage: spmv-armci [--repeat N] INPUT\n"
                              "       spmv-armci [--repeat N] [--seed S] --generate ROWS NONZEROS\n";
  char wrong[MESSAGE_BYTES];
  options o;
  matrix whole = {0};
  MPI_Init(&argc, &argv); /* some ARMCI implementations do not start MPI */
  if (ARMCI_Init_args(&argc, &argv) != 0) return 1;

  bool good = parse_options(argc, argv, &o, wrong);
  if (armci_msg_me() == 0 && !good) fprintf(stderr, "spmv-armci: %s\n%s", wrong, usage);
  if (armci_msg_me() == 0 && good && o.help) fputs(usage, stdout);
  if (good && !o.help) {
    good = read_matrix(&o, &whole) && run(&o, &whole);
    matrix_free(&whole);
  }
  ARMCI_Finalize();
  MPI_Finalize();
  return good ? 0 : 1;
}
