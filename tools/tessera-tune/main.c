/* tessera-tune: measures the message algorithms of the collectives on this machine, and writes the fastest into a
 * table for TESSERA_COLL_TABLE. Run it under mpiexec with the numbers of units and nodes that the rows are for. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tessera.h>

#include "tune.h"

static const char usage[] =
    "usage: mpiexec -n UNITS tessera-tune TABLE [--seconds S]\n"
    "Measures each algorithm of the collectives for S seconds (default 0.02) per size, and writes rows for\n"
    "teams of up to UNITS members to the file TABLE. Rows for other team sizes are kept. To use the table,\n"
    "set TESSERA_COLL_TABLE=TABLE. --help prints this text.\n";

static void must(tessera_status_t status) {
  if (status) exit(EXIT_FAILURE); /* the error was logged */
}

static _Noreturn void give_up(const char *what, const char *path) {
  fprintf(stderr, "tessera-tune: %s %s: %s\n", what, path, strerror(errno));
  exit(EXIT_FAILURE);
}

/* The files that unit 0 writes. */
struct files {
  const char *table;
  char single[4096]; /* a table with one algorithm, for the next start of the runtime */
};

static bool report(bool good, const char *path) {
  if (!good) fprintf(stderr, "tessera-tune: cannot write %s: %s\n", path, strerror(errno));
  return good;
}

/* Returns whether the table can be written, before anything is measured; the table stays unchanged. */
static bool try_table(const char *path) {
  bool is_new = access(path, F_OK) != 0;
  FILE *file = fopen(path, "a");
  bool good = file && fclose(file) == 0;
  if (good && is_new) remove(path);
  return report(good, path);
}

static bool prepare(struct files *files, const char *path) {
  files->table = path;
  if (snprintf(files->single, sizeof files->single, "%s.tmp", path) < (int)sizeof files->single) return true;
  if (tessera_unit() == 0) fprintf(stderr, "tessera-tune: the name of the table has more than %zu bytes\n", sizeof files->single);
  return false;
}

/* Makes the next start of the runtime use this algorithm. Collective. False: unit 0 cannot write the table, and has
 * reported it. */
static bool choose(const struct files *files, int algorithm) {
  int32_t good = 1;
  if (tessera_unit() == 0) {
    fprintf(stderr, "tessera-tune: algorithm %d of %d: %s\n", algorithm + 1, ALGORITHMS_N, tune_algorithms[algorithm]);
    good = report(tune_write_single(files->single, tune_algorithms[algorithm]), files->single);
  }
  must(tessera_bcast(tessera_team_world(), &good, sizeof good, 0));
  return good;
}

/* Measures all collectives that can use the algorithm. */
static void measure_all(int algorithm, double seconds, tune_times times) {
  size_t room = tune_sizes[SIZES_N - 1] * (size_t)tessera_units();
  void *send = calloc(1, room), *recv = calloc(1, room);
  if (!send || !recv) give_up("no memory for", "buffers");
  for (int k = 0; k < KINDS_N; k++) {
    const struct tune_kind *kind = &tune_kinds[k];
    bool needs_nodes = kind->among_leaders || strcmp(tune_algorithms[algorithm], "nodes") == 0;
    if (!tune_knows(kind, tune_algorithms[algorithm]) || (needs_nodes && tessera_nodes() == 1)) continue;
    for (int s = 0; s < SIZES_N; s++) {
      if (!kind->has_size && s > 0) break;
      times[algorithm][k][s] = tune_measure(kind, tune_sizes[s], seconds, send, recv);
    }
  }
  free(send);
  free(recv);
}

/* The first start of the runtime: finds out which process is unit 0, and whether it can write. */
static bool begin(const struct files *files) {
  int32_t good = tessera_unit() != 0 || try_table(files->table);
  must(tessera_bcast(tessera_team_world(), &good, sizeof good, 0));
  return good && choose(files, 0);
}

/* Starts the runtime once per algorithm, because it reads the table at its start; each run writes the table for the
 * next. */
static bool measure_lives(const struct files *files, tune_times times, int *argc, char ***argv, double seconds) {
  bool good = true;
  for (int a = 0; a < ALGORITHMS_N && good; a++) {
    must(tessera_init(argc, argv));
    measure_all(a, seconds, times);
    good = a + 1 == ALGORITHMS_N || choose(files, a + 1);
    tessera_exit();
  }
  return good;
}

/* False: a file cannot be written, which unit 0 has reported. */
static bool tune(const char *path, double seconds, int *argc, char ***argv) {
  static tune_times times;
  struct files files;
  must(tessera_init(argc, argv));
  bool first = tessera_unit() == 0, good = prepare(&files, path) && begin(&files);
  struct tune_team team = {tessera_units(), tessera_nodes()};
  tessera_exit();
  if (!good) return false;
  setenv("TESSERA_COLL_TABLE", files.single, 1);
  good = measure_lives(&files, times, argc, argv, seconds);
  if (!first) return good;
  remove(files.single);
  good = good && report(tune_write(path, &team, times), path);
  if (good)
    printf("tessera-tune: rows for up to %d unit%s on %s are in %s\n", team.units, team.units == 1 ? "" : "s",
           team.nodes > 1 ? "several nodes" : "one node", path);
  return good;
}

int main(int argc, char **argv) {
  double seconds = 0.02;
  bool right = argc == 2 || (argc == 4 && strcmp(argv[2], "--seconds") == 0);
  if (right && argc == 4) {
    char *end = NULL;
    seconds = strtod(argv[3], &end);
    right = *end == '\0' && isfinite(seconds) && seconds > 0;
  }
  if (!right || argv[1][0] == '-') {
    fputs(usage, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
    return argc == 2 && strcmp(argv[1], "--help") == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  return tune(argv[1], seconds, &argc, &argv) ? EXIT_SUCCESS : EXIT_FAILURE;
}
