/* The last unit passes a wrong root. Without TESSERA_CHECK, units of other nodes cannot be recalled from the call. */
#include <dash/dart/if/dart.h>
#include <stdlib.h>
#include <string.h>

static long numbers[64], out[64];

static dart_ret_t call(const char *what, dart_team_unit_t root) {
  if (strcmp(what, "bcast") == 0) return dart_bcast(out, 1, DART_TYPE_LONG, root, DART_TEAM_ALL);
  if (strcmp(what, "gather") == 0) return dart_gather(numbers, out, 1, DART_TYPE_LONG, root, DART_TEAM_ALL);
  if (strcmp(what, "scatter") == 0) return dart_scatter(numbers, out, 1, DART_TYPE_LONG, root, DART_TEAM_ALL);
  void *wanted = root.id < 0 ? NULL : out;
  if (strcmp(what, "allreduce") == 0)
    return dart_allreduce(numbers, wanted, 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL);
  if (strcmp(what, "allgather") == 0) return dart_allgather(numbers, wanted, 1, DART_TYPE_LONG, DART_TEAM_ALL);
  if (strcmp(what, "allgatherv") == 0) { /* only unit 0 has data */
    size_t counts[64] = {1}, displs[64] = {0};
    dart_global_unit_t me = {0};
    dart_myid(&me);
    return dart_allgatherv(numbers, me.id == 0, DART_TYPE_LONG, out, counts, root.id < 0 ? NULL : displs, DART_TEAM_ALL);
  }
  return dart_alltoall(numbers, wanted, 1, DART_TYPE_LONG, DART_TEAM_ALL);
}

int main(int argc, char **argv) {
  dart_global_unit_t me = {0};
  size_t units_n = 0;
  if (argc < 2 || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_myid(&me);
  dart_size(&units_n);
  dart_team_unit_t good = {0}, bad = {-1};
  call(argv[1], bad); /* all alike, so the job continues */
  if (call(argv[1], good) != DART_OK) return 3;
  call(argv[1], me.id == (int)units_n - 1 ? bad : good);
  dart_exit();
  return EXIT_SUCCESS;
}
