/* The library's private memory after the start, compared with the formula of tessera-info --memory. It is counted in the library's
 * allocations, since the MPI has its own; /proc/self/status shows that nothing else grows by much. What requests to another unit
 * add stays below the formula for a peer.
 * Then requests of several kinds to another node: once as many were outstanding as ever will be, none allocates memory.
 * Units: 6 64
 * Nodes: 3 8 */
#include "check.h"
#include "own_memory.h"

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

#include <tessera/am.h>

#include "am/am.h"
#include "am/remote.h"
#include "base/config.h"
#include "core/bootstrap.h"
#include "core/footprint.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"
#include "rma/atomic.h"
#include "rma/offload.h"
#include "rma/rma.h"
#include "vis/strided.h"
#include "vis/vector.h"

/* So that MPI has allocated the memory that it needs for its first messages. */
static void use_mpi(void) {
  MPI_Comm copy;
  int units_n, *all;
  MPI_Comm_size(MPI_COMM_WORLD, &units_n);
  all = malloc((size_t)units_n * sizeof *all);
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Allgather(&units_n, 1, MPI_INT, all, 1, MPI_INT, copy);
  MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, copy);
  MPI_Comm_free(&copy);
  free(all);
}

/* Of the kinds after the first AT_ONCE are outstanding at most. */
enum { ROUNDS_N = 400, OTHERS_N = 96, LONG_N = 64, AT_ONCE = 16, FEW = 40, LONG_BYTES = 16 << 10 };

/* Puts without a wait, puts and gets with one, and sums. */
static void send_requests(tsr_addr there) {
  static int64_t data[64], old;
  for (int i = 0; i < ROUNDS_N; i++) {
    CHECK_EQ(tsr_put(there, data, sizeof data, tsr_op_implicit(there.unit)), TESSERA_OK);
    if (i % 8) continue;
    CHECK_EQ(tsr_put_wait(there, data, sizeof data), TESSERA_OK);
    CHECK_EQ(tsr_get_wait(data, there, sizeof data), TESSERA_OK);
    tsr_op op = {0};
    CHECK_EQ(tsr_fetch(there, TSR_I64, TSR_SUM, &data[0], &old, &op), TESSERA_OK);
    tsr_op_wait_remote(&op, there.unit);
    tsr_op_flush(there.unit);
  }
}

static void ignore_message(const tessera_am_t *message, void *context) { (void)message, (void)context; }

/* The library copies the data, since the call returns before it was sent. */
static void send_messages(tsr_addr there) {
  static char data[400];
  for (int i = 0; i < OTHERS_N; i++) {
    CHECK_EQ(tessera_am_request_medium(there.unit.id, 1, data, sizeof data, NULL, 0, 0), TESSERA_OK);
    while (i % AT_ONCE == AT_ONCE - 1 && tsr_am_remote_n(there.unit)) tsr_am_poll();
  }
}

static void get_strided(tsr_addr there) {
  static char data[64 * 24];
  const tsr_layout theirs = tsr_layout_strided(8, 64, 16), ours = tsr_layout_strided(8, 64, 24);
  for (int i = 0; i < OTHERS_N; i++) {
    CHECK_EQ(tsr_get_layout(data, &ours, there, &theirs, tsr_op_implicit(there.unit)), TESSERA_OK);
    if (i % AT_ONCE == AT_ONCE - 1) tsr_op_flush(there.unit);
  }
}

/* Of pieces with irregular distances. */
static void get_iov(tsr_addr there) {
  static char data[1024];
  static const ptrdiff_t their_offs[] = {0, 24, 200}, our_offs[] = {16, 100, 300};
  static const size_t their_bytes[] = {8, 100, 12}, our_bytes[] = {20, 40, 60};
  const tsr_iov theirs = {.offs = their_offs, .bytes = their_bytes, .n = 3, .times = 1};
  const tsr_iov ours = {.offs = our_offs, .bytes = our_bytes, .n = 3, .times = 1};
  for (int i = 0; i < OTHERS_N; i++) {
    CHECK_EQ(tsr_get_iov(data, &ours, there, &theirs, tsr_op_implicit(there.unit)), TESSERA_OK);
    if (i % AT_ONCE == AT_ONCE - 1) tsr_op_flush(there.unit);
  }
}

/* The agent of the node makes them, if there is one: it copies private memory of other processes. */
static void put_long(tsr_addr there) {
  static char data[LONG_BYTES];
  for (int i = 0; i < LONG_N && tsr_offload_wants(there.unit, LONG_BYTES); i++) {
    tsr_op op = {0};
    CHECK_EQ(tsr_offload_put(there, data, LONG_BYTES, &op), TESSERA_OK);
    tsr_op_wait_remote(&op, there.unit);
  }
}

/* The allocation of the first requests is what the formula says at most. */
static void check_peer(int64_t before) {
  const int64_t grown = atomic_load(&own_bytes) - before, said = (int64_t)tsr_footprint_peer_bytes();
  if (grown <= said) return;
  fprintf(stderr, "unit %d: a peer takes %lld bytes, the formula says %lld\n", tsr_place.self, (long long)grown, (long long)said);
  check_failures++;
}

static void check_requests(void) {
  static const struct {
    const char *name;
    void (*send)(tsr_addr there);
  } kinds[] = {{"puts, gets and sums", send_requests}, {"medium messages", send_messages}, {"strided gets", get_strided},
               {"gets of pieces", get_iov}, {"long puts", put_long}};
  tsr_segment *segment = NULL;
  int32_t to = (tsr_place.self + tsr_place.units_n / 2) % tsr_place.units_n;
  if (tsr_segment_alloc(tsr_team_world, LONG_BYTES, &segment)) exit(EXIT_FAILURE);
  CHECK_EQ(tessera_am_register(1, ignore_message, NULL), TESSERA_OK);
  tsr_bootstrap_barrier(tsr_team_world);
  tsr_addr there = tsr_segment_address(segment, TSR_MEMBER(to), 0);
  const int64_t without_peers = atomic_load(&own_bytes);
  for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
    int64_t before = 0;
    for (int again = 0; again < 2; again++) {
      before = atomic_load(&own_allocations_n);
      kinds[kind].send(there);
      tsr_op_flush_all();
      if (kind + again == 0) check_peer(without_peers);
      tsr_bootstrap_barrier(tsr_team_world);
      tsr_am_quiesce();
    }
    int64_t taken_n = atomic_load(&own_allocations_n) - before;
    if (taken_n <= FEW) continue;
    fprintf(stderr, "unit %d: %lld allocations for %s\n", tsr_place.self, (long long)taken_n, kinds[kind].name);
    check_failures++;
  }
}

int main(int argc, char **argv) {
  int level;
  if (!OWN_COUNTS) return 77;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  use_mpi();
  atomic_store(&own_is_counted, true);
  int64_t before = own_private_bytes();
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  int64_t ours = atomic_load(&own_bytes), grown = own_private_bytes() - before;
  struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N];
  tsr_footprint(tsr_place.units_n, tsr_place.nodes_n, false, rows);
  int64_t said = (int64_t)tsr_footprint_bytes(rows, false);
  enum { SMALL_THINGS = 24 << 10, OF_MPI = 8 << 20 };
  if (ours < said - said / 8 || ours > said + said / 8 + SMALL_THINGS) {
    fprintf(stderr, "unit %d: the library has %lld bytes, the formula says %lld\n", tsr_place.self, (long long)ours,
            (long long)said);
    check_failures++;
  }
  if (grown > said + OF_MPI) {
    fprintf(stderr, "unit %d: the process has grown by %lld bytes, the formula says %lld\n", tsr_place.self, (long long)grown,
            (long long)said);
    check_failures++;
  }
  if (tsr_place.self == 0)
    printf("formula %lld, allocated %lld, /proc/self %lld\n", (long long)said, (long long)ours, (long long)grown);
  check_requests();
  tessera_exit();
  atomic_store(&own_is_counted, false);
  MPI_Finalize();
  return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
