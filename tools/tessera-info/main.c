/* tessera-info: prints the version of Tessera, the hardware, every variable that it reads, and what a job would find here. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "info.h"

static int print_help(void);

static const struct {
  const char *name, *help;
  int (*run)(void);
  int words_n; /* words that may follow the option */
} options[] = {
  {"--version", "print the version of Tessera, and the MPI that it is for", info_version, 0},
  {"--json", "print version, machine, limits and variables as one JSON object", info_json, 0},
  {"--man", "print the variables as a section of a manual page (roff)", info_man, 0},
  {"--complete", "print the names of the variables, one per line", info_names, 0},
  {"--memory", "UNITS NODES: print the memory of each unit of such a job, by formula", info_memory, 2},
  {"--explain", "print what carries messages between nodes, why, and what to set to change it", info_explain, 0},
  {"--explain", "FROM TO BYTES: under mpiexec, print the path of a transfer between two units, and its time", info_path, 3},
  {"--topology", "draw packages, NUMA nodes, caches and cores; under mpiexec of all nodes, with the units", info_topology, 0},
  {"--check", "start and end the runtime, as one unit or under mpiexec, and tell what limits it on each node", info_check, 0},
  {"--help", "print this text", print_help, 0},
};
enum { OPTIONS_N = sizeof options / sizeof *options };

const char *info_words[INFO_WORDS_MAX];

int32_t info_number(const char *text, int32_t least) {
  char *end = NULL;
  long number = text ? strtol(text, &end, 10) : -1;
  return text && *text && !*end && number >= least && number <= INT32_MAX ? (int32_t)number : -1;
}

void info_require(const char *call, tessera_status_t status) {
  if (!status) return;
  fprintf(stderr, "tessera-info: %s: %s: %s; %s\n", call, tessera_status_name(status), tessera_status_text(status),
          tessera_status_remedy(status));
  exit(EXIT_FAILURE);
}

void info_start(void) { info_require("tessera_init", tessera_init(NULL, NULL)); }

int info_end(void) {
  fflush(stdout);
  info_require("tessera_exit", tessera_exit());
  return EXIT_SUCCESS;
}

static int print_help(void) {
  printf("usage: tessera-info [OPTION]\n"
         "Prints version, MPI, topology, limits, and all TESSERA_* variables with their values.\n");
  for (int i = 0; i < OPTIONS_N; i++) printf("  %-12s %s\n", options[i].name, options[i].help);
  return EXIT_SUCCESS;
}

/* An option itself reports missing words, unless it also works without them: then it has two rows. */
static int run(int argc, char **argv) {
  if (argc <= 1) return info_all();
  int most_n = -1; /* words that may follow it; -1: no such option */
  for (int i = 0; i < OPTIONS_N; i++) {
    if (strcmp(argv[1], options[i].name) != 0) continue;
    most_n = options[i].words_n > most_n ? options[i].words_n : most_n;
    if (argc > 2 + options[i].words_n) continue;
    for (int k = 0; k < argc - 2; k++) info_words[k] = argv[2 + k];
    return options[i].run();
  }
  if (most_n < 0) fprintf(stderr, "tessera-info: unknown option '%s'; see tessera-info --help\n", argv[1]);
  else if (most_n == 0) fprintf(stderr, "tessera-info: nothing may follow %s; see tessera-info --help\n", argv[1]);
  else fprintf(stderr, "tessera-info: %s takes up to %d words, not %d; see tessera-info --help\n", argv[1], most_n, argc - 2);
  return 2;
}

int main(int argc, char **argv) {
  int code = run(argc, argv);
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  perror("tessera-info: standard output");
  return EXIT_FAILURE;
}
