/* The last unit makes another non-blocking call than the others, or one with a wrong argument. */
#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>
#include <stdlib.h>
#include <string.h>

enum { LONGS_N = 40000 };
static long in[LONGS_N], out[LONGS_N];

int main(int argc, char **argv) {
  dart_global_unit_t me = {0};
  size_t units_n = 0;
  dart_handle_t handle = DART_HANDLE_NULL;
  dart_team_unit_t zero = {0}, one = {1}, bad = {-1};
  if (argc < 2 || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_myid(&me);
  dart_size(&units_n);
  int odd = me.id == (int)units_n - 1;
  const char *what = argv[1];
  dart_ibcast(out, 1, DART_TYPE_LONG, bad, DART_TEAM_ALL, &handle); /* all alike, so nothing is wrong */
  if (dart_ibarrier(DART_TEAM_ALL, &handle) != DART_OK || dart_wait(&handle) != DART_OK) return 3;
  if (!strcmp(what, "root")) dart_ibcast(out, 1, DART_TYPE_LONG, odd ? one : zero, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "size")) dart_iallreduce(in, out, odd ? 2 : 1, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "algorithm")) dart_ibcast(out, odd ? 1 : LONGS_N, DART_TYPE_LONG, zero, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "none")) dart_ibcast(out, odd ? 0 : 1, DART_TYPE_LONG, zero, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "operation"))
    dart_iallreduce(in, out, 1, DART_TYPE_LONG, odd ? DART_OP_MAX : DART_OP_SUM, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "type"))
    dart_iallreduce(in, out, 1, odd ? DART_TYPE_DOUBLE : DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle);
  size_t counts[3] = {1, 1, 1}, others[3] = {0, 2, 1}; /* of three units, as in the test */
  if (!strcmp(what, "counts"))
    dart_ireduce_scatter(in, out, odd ? others : counts, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle);
  size_t kind_n = !strcmp(what, "kind") ? 1 : !strcmp(what, "kind-long") ? LONGS_N / 2 : 0;
  if (kind_n && odd) dart_iallgather(in, out, kind_n, DART_TYPE_LONG, DART_TEAM_ALL, &handle);
  if (kind_n && !odd) dart_ibcast(out, kind_n, DART_TYPE_LONG, zero, DART_TEAM_ALL, &handle);
  const int turned = !strcmp(what, "call-turned");
  if (turned || !strcmp(what, "call")) {
    if (odd != turned) dart_ibarrier(DART_TEAM_ALL, &handle);
    else dart_iallgather(in, out, 1, DART_TYPE_LONG, DART_TEAM_ALL, &handle);
  }
  if (!strcmp(what, "refuse")) dart_iallreduce(in, odd ? NULL : out, 4096, DART_TYPE_LONG, DART_OP_SUM, DART_TEAM_ALL, &handle);
  if (!strcmp(what, "refuse-bcast")) dart_ibcast(odd ? NULL : out, 1, DART_TYPE_LONG, zero, DART_TEAM_ALL, &handle);
  dart_wait(&handle);
  dart_exit();
  return EXIT_SUCCESS;
}
