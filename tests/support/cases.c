/* The program of a group of cases: programs of tests/spmd that run one after the other in one job, each with its own start and
 * end of the library. CMake writes the list CASES, and renames main of each case to case_NAME. A link to this program with the
 * name of a case runs that case alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SKIPPED = 77 };

#define CASE(name) int case_##name(int argc, char **argv);
#include CASES
#undef CASE

static const struct test_case {
  const char *name;
  int (*run)(int argc, char **argv);
} cases[] = {
#define CASE(name) {#name, case_##name},
#include CASES
};
enum { CASES_N = sizeof cases / sizeof cases[0] };

/* The library is down between cases: the launcher's variable tells the rank. */
static const char *rank_text(void) {
  const char *rank = getenv("PMI_RANK");
  if (!rank) rank = getenv("OMPI_COMM_WORLD_RANK");
  return rank ? rank : "0";
}

/* Rank 0 names the case before it begins: after a hang or a crash the last line tells which one ran. */
static int run_case(const struct test_case *the_case, int argc, char **argv) {
  if (strcmp(rank_text(), "0") == 0) fprintf(stderr, "case %s\n", the_case->name);
  return the_case->run(argc, argv);
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/'), *called = slash ? slash + 1 : argv[0];
  int failed_n = 0, skipped_n = 0, codes[CASES_N];
  for (int i = 0; i < CASES_N; i++) {
    if (strcmp(called, cases[i].name) == 0) return cases[i].run(argc, argv);
  }
  for (int i = 0; i < CASES_N; i++) {
    codes[i] = run_case(&cases[i], argc, argv);
    failed_n += codes[i] && codes[i] != SKIPPED;
    skipped_n += codes[i] == SKIPPED;
  }
  for (int i = 0; i < CASES_N; i++) { /* at the end, where a reader of a long output looks */
    if (codes[i] == EXIT_SUCCESS || codes[i] == SKIPPED) continue;
    fprintf(stderr, "case %s failed on rank %s: code %d\n", cases[i].name, rank_text(), codes[i]);
  }
  if (failed_n) return EXIT_FAILURE;
  return skipped_n == CASES_N ? SKIPPED : EXIT_SUCCESS;
}
