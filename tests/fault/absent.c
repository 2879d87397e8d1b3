/* The last unit stays away from a collective until the others have said that it is missing: a file, their output, has a text.
 *   absent WHAT FILE TEXT    WHAT: barrier, bcast, barrier_nb, allreduce_nb, named
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tessera.h>
#include <tessera/coll.h>

static bool has(const char *file, const char *text) {
  char line[1024];
  bool found = false;
  FILE *in = fopen(file, "r");
  while (in && !found && fgets(line, sizeof line, in)) found = strstr(line, text) != NULL;
  if (in) fclose(in);
  return found;
}

static tessera_status_t finish(tessera_status_t started, tessera_request_t *request) {
  return started ? started : tessera_wait(request);
}

static tessera_status_t call(const char *what) {
  static int64_t one = 1, sum;
  tessera_team_t all = tessera_team_world();
  tessera_request_t request = {0};
  if (!strcmp(what, "barrier")) return tessera_barrier(all);
  if (!strcmp(what, "bcast")) return tessera_bcast(all, &one, sizeof one, tessera_units() - 1);
  if (!strcmp(what, "barrier_nb")) return finish(tessera_barrier_nb(all, &request), &request);
  if (!strcmp(what, "allreduce_nb")) {
    tessera_reduction_t how = tessera_builtin(TESSERA_I64, TESSERA_SUM);
    return finish(tessera_allreduce_nb(all, &one, &sum, 1, how, &request), &request);
  }
  tessera_status_t status = tessera_barrier_notify(all, 7);
  return status ? status : tessera_barrier_wait(all);
}

int main(int argc, char **argv) {
  if (argc < 4 || tessera_init(&argc, &argv) || tessera_barrier(tessera_team_world())) return EXIT_FAILURE;
  bool stays_away = tessera_unit() == tessera_units() - 1;
  while (stays_away && !has(argv[2], argv[3])) nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  if (call(argv[1])) return EXIT_FAILURE;
  return tessera_exit() ? EXIT_FAILURE : EXIT_SUCCESS;
}
