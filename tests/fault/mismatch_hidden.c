/* The others call a barrier; the last unit makes a call that does not look like a collective. Or all make a collective,
 * with other counts or another operation on the last unit. */
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>
#include <dash/dart/if/dart_ext.h>
#include <dash/dart/if/dart_mpi.h>
#include <tessera.h>
#include <tessera/coll.h>

static long in[64], out[64];

static void add(const void *from, void *to, size_t n, void *user_data) {
  (void)user_data;
  for (size_t i = 0; i < n; i++) ((long *)to)[i] += ((const long *)from)[i];
}

/* First all call alike, so that there are objects to free. */
static tessera_team_t team;
static dart_gptr_t memory;

static void create_team(tessera_team_t *made) {
  int32_t list[64];
  for (int32_t i = 0; i < tessera_units(); i++) list[i] = i;
  if (tessera_team_create(tessera_team_world(), list, tessera_units(), made)) exit(3);
}

static void prepare(void) {
  create_team(&team);
  if (dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_LONG, &memory) != DART_OK) exit(3);
}

static void call_otherwise(const char *what) {
  tessera_team_t one_more;
  dart_gptr_t more;
  dart_lock_t lock;
  MPI_Comm comm;
  if (!strcmp(what, "exit")) tessera_exit();
  if (!strcmp(what, "dart-exit")) dart_exit();
  if (!strcmp(what, "create")) create_team(&one_more);
  if (!strcmp(what, "allocate")) dart_team_memalloc_aligned(DART_TEAM_ALL, 8, DART_TYPE_LONG, &more);
  if (!strcmp(what, "free")) dart_team_memfree(memory);
  if (!strcmp(what, "register")) dart_team_memregister(DART_TEAM_ALL, 8, DART_TYPE_LONG, in, &more);
  if (!strcmp(what, "lock")) dart_team_lock_init(DART_TEAM_ALL, &lock);
  if (!strcmp(what, "team-free")) tessera_team_free(&team);
  if (!strcmp(what, "communicator")) dart_team_comm((dart_team_t)team.id, &comm);
}

static void counts_differ(int odd) {
  size_t counts[64], offs[64];
  int units_n = tessera_units();
  for (int i = 0; i < units_n; i++) counts[i] = 2, offs[i] = 2 * (size_t)i;
  if (odd) counts[0] = 1, counts[1] = 3;
  dart_allgatherv(in, 2, DART_TYPE_LONG, out, counts, offs, DART_TEAM_ALL);
}

static void operation_differs(int odd) {
  dart_operation_t own;
  if (dart_op_create(add, NULL, true, DART_TYPE_LONG, false, &own) != DART_OK) exit(3);
  dart_allreduce(in, out, 3, DART_TYPE_LONG, odd ? own : DART_OP_SUM, DART_TEAM_ALL);
}

int main(int argc, char **argv) {
  if (argc < 2 || tessera_init(&argc, &argv) || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  int odd = tessera_unit() == tessera_units() - 1;
  const char *what = argv[1];
  bool of_team = !strcmp(what, "team-free") || !strcmp(what, "communicator");
  prepare();
  if (!strcmp(what, "counts")) counts_differ(odd);
  else if (!strcmp(what, "own")) operation_differs(odd);
  else if (odd) call_otherwise(what);
  else tessera_barrier(of_team ? team : tessera_team_world());
  dart_exit();
  tessera_exit();
  return EXIT_SUCCESS;
}
