/* Puts and gets through a window of MPI-3, or with TESSERA_UCX_RMA=on by UCX: they use the window, with pieces of all sizes, many
 * at once, and every kind of completion; those of UCX also while the target makes no call.
 *
 * Units: 1 2 4
 * Wire: mpi
 */
#include <mpi.h>

#include "dart_check.h"

#include "base/config.h"
#include "core/place.h"
#include "net/net.h"

enum { ROUNDS = 300, MANY_N = 1000 };
#define ROOM ((size_t)40 << 20) /* more than one piece */

static dart_gptr_t base;
static unsigned char *own;

static dart_unit_t right(void) { return (self + 1) % units_n; }
static dart_unit_t left(void) { return (self + units_n - 1) % units_n; }

static void all_sizes(void) {
  static const size_t sizes[] = {1, 7, 8, 4096, 70001, (16 << 20) + 3, ROOM};
  unsigned char *mine = private_buffer(ROOM);
  for (unsigned k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    size_t bytes = sizes[k];
    if (check_is_brief() && bytes > 1 << 20 && bytes < ROOM) continue;
    fill(mine, k + (unsigned)self, bytes);
    OK(dart_put_blocking(at(base, right(), 0), mine, bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    barrier();
    CHECK_EQ(wrong(own, k + (unsigned)left(), bytes), 0);
    memset(mine, 0, bytes);
    OK(dart_get_blocking(mine, at(base, left(), 0), bytes, DART_TYPE_BYTE, DART_TYPE_BYTE));
    CHECK_EQ(wrong(mine, k + (unsigned)((self + 2 * units_n - 2) % units_n), bytes), 0);
    barrier();
  }
  free(mine);
}

/* More than there are slots, completed by one flush. */
static void many_at_once(void) {
  static int values[MANY_N], back[MANY_N];
  for (int i = 0; i < MANY_N; i++) {
    values[i] = self * MANY_N + i;
    OK(dart_put(at(base, right(), 4 * i), &values[i], 1, DART_TYPE_INT, DART_TYPE_INT));
  }
  OK(dart_flush(base));
  OK(dart_flush_all(base));
  for (int i = 0; i < MANY_N; i++) OK(dart_get(&back[i], at(base, right(), 4 * i), 1, DART_TYPE_INT, DART_TYPE_INT));
  OK(dart_flush_local_all(base));
  CHECK_EQ(memcmp(values, back, sizeof values), 0);
  barrier();
  for (int i = 0; i < MANY_N; i++) CHECK_EQ(((int *)own)[i], left() * MANY_N + i);
  barrier();
}

/* A unit that only tests completes its puts, too. */
static void tested(void) {
  int mine = 17 + self;
  dart_handle_t handle = DART_HANDLE_NULL;
  OK(dart_put_handle(at(base, right(), 0), &mine, 1, DART_TYPE_INT, DART_TYPE_INT, &handle));
  int32_t is_done = 0;
  while (!is_done) OK(dart_test(&handle, &is_done));
  barrier();
  CHECK_EQ(*(int *)own, 17 + left());
  barrier();
}

/* A completed put takes effect before an atomic that starts afterwards, though they use different ways. */
static void before_an_atomic(void) {
  long *words = (long *)own;
  words[0] = words[1] = 0;
  barrier();
  for (long i = 1; i <= ROUNDS; i++) {
    long one = 1, before = -1, seen = -1;
    OK(dart_put_blocking(at(base, right(), 8), &i, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    OK(dart_fetch_and_op(at(base, right(), 0), &one, &before, DART_TYPE_LONG, DART_OP_SUM));
    OK(dart_flush(at(base, right(), 0)));
    CHECK_EQ(before, i - 1);
    OK(dart_get_blocking(&seen, at(base, right(), 8), 1, DART_TYPE_LONG, DART_TYPE_LONG));
    CHECK_EQ(seen, i);
  }
  barrier();
}

/* Each unit in turn blocks in MPI, and has no other thread that serves requests, until its left neighbour has read what it
 * wrote. */
static void target_is_away(void) {
  for (int turn = 0; turn < units_n && units_n > 1; turn++) {
    long mine = 1000 + turn, seen = -1;
    barrier();
    if (self == turn) MPI_Recv(&seen, 1, MPI_LONG, left(), 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (right() != turn) continue;
    OK(dart_put_blocking(at(base, turn, 64), &mine, 1, DART_TYPE_LONG, DART_TYPE_LONG));
    OK(dart_get_blocking(&seen, at(base, turn, 64), 1, DART_TYPE_LONG, DART_TYPE_LONG));
    CHECK_EQ(seen, mine);
    MPI_Send(&mine, 1, MPI_LONG, turn, 1, MPI_COMM_WORLD);
  }
  barrier();
}

int main(int argc, char **argv) {
  const bool by_ucx = getenv("TESSERA_UCX_RMA") != NULL;
  if (!by_ucx) setenv("TESSERA_NET_RMA", "mpi3", 1);
  start(&argc, &argv);
  CHECK_EQ(tsr_net->has_window, tsr_place.nodes_n > 1);
  base = team_alloc(DART_TEAM_ALL, ROOM, DART_TYPE_BYTE);
  own = own_part(base, self);
  all_sizes();
  many_at_once();
  tested();
  before_an_atomic();
  if (by_ucx) target_is_away();
  OK(dart_team_memfree(base));
  return finish();
}
