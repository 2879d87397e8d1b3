/* tessera-tune: measures the message algorithms of the collectives on this machine and writes the fastest into a table for
 * TESSERA_COLL_TABLE. Runs under mpiexec with as many units, on as many nodes, as the rows shall be for. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>

#include "tune.h"

static const char usage[] =
    "usage: mpiexec -n UNITS tessera-tune TABLE [--seconds S]\n"
    "Measures each algorithm of the collectives, S seconds (default 0.02) for each size, and puts rows for\n"
    "teams of up to UNITS members into the file TABLE; its rows for other teams stay. Use it with TESSERA_COLL_TABLE=TABLE.\n";

static void must(tessera_status_t status) {
  if (status) exit(EXIT_FAILURE); /* which has been logged */
}

static _Noreturn void give_up(const char *what, const char *path) {
  fprintf(stderr, "tessera-tune: %s %s: %s\n", what, path, strerror(errno));
  abort();
}

/* Of all kinds that know the algorithm. */
static void measure_all(int algorithm, double seconds, tune_times times) {
  size_t room = tune_sizes[SIZES_N - 1] * (size_t)tessera_units();
  void *send = calloc(1, room), *recv = calloc(1, room);
  if (!send || !recv) give_up("no memory for", "buffers");
  for (int k = 0; k < KINDS_N; k++) {
    const struct tune_kind *kind = &tune_kinds[k];
    if (!tune_knows(kind, tune_algorithms[algorithm]) || (kind->among_leaders && tessera_nodes() == 1)) continue;
    for (int s = 0; s < SIZES_N; s++) {
      if (!kind->has_size && s > 0) break;
      times[algorithm][k][s] = tune_measure(kind, tune_sizes[s], seconds, send, recv);
    }
  }
  free(send);
  free(recv);
}

/* One life of the runtime for each algorithm, since it reads the table when it starts. A life before those tells who is unit
 * 0, which writes. */
static void tune(const char *path, double seconds, int *argc, char ***argv) {
  static tune_times times;
  char single[4096];
  snprintf(single, sizeof single, "%s.tmp", path);
  must(tessera_init(argc, argv));
  bool first = tessera_unit() == 0;
  struct tune_team team = {tessera_units(), tessera_nodes()};
  tessera_exit();
  setenv("TESSERA_COLL_TABLE", single, 1);
  for (int a = 0; a < ALGORITHMS_N; a++) {
    if (first && !tune_write_single(single, tune_algorithms[a])) give_up("cannot write", single);
    must(tessera_init(argc, argv));
    measure_all(a, seconds, times);
    tessera_exit();
  }
  if (!first) return;
  remove(single);
  if (!tune_write(path, &team, times)) give_up("cannot write", path);
  printf("tessera-tune: rows for up to %d units on %s are in %s\n", team.units, team.nodes > 1 ? "several nodes" : "one node",
         path);
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
  tune(argv[1], seconds, &argc, &argv);
  return EXIT_SUCCESS;
}
