/* What a start costs and leaves open: time, memory beside the formula of tessera-info --memory, and sockets, also after each unit
 * has put and fetched a word with one unit of the next node. Prints one line of the units' maxima. For tests/soak/many_hosts.sh. */
#include "../spmd/check.h"
#include "../spmd/own_memory.h"

#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "core/bootstrap.h"
#include "core/footprint.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "core/team.h"
#include "net/net.h"
#include "rma/rma.h"

enum { PAGE = 4096, SMALL_THINGS = 24 << 10 /* of the library, besides its tables */ };

static int count_sockets(void) {
  int n = 0;
  DIR *folder = opendir("/proc/self/fd");
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    char to[64] = "";
    if (readlinkat(dirfd(folder), entry->d_name, to, sizeof to - 1) > 0) n += strncmp(to, "socket:", 7) == 0;
  }
  if (folder) closedir(folder);
  return n;
}

/* Bytes of this range of the node's memory that are there. */
static int64_t resident_bytes(void *memory, size_t bytes) {
  const size_t pages_n = (bytes + PAGE - 1) / PAGE;
  unsigned char *pages = malloc(pages_n);
  int64_t n = 0;
  if (pages && mincore(memory, bytes, pages) == 0) {
    for (size_t i = 0; i < pages_n; i++) n += pages[i] & 1;
  }
  free(pages);
  return n * PAGE;
}

static int64_t node_bytes(void) {
  return resident_bytes(tsr_heap.memory, tsr_memory_control_bytes(tsr_heap.units_n)) +
         resident_bytes(tsr_heap_net_memory(), tsr_memory_net_bytes(tsr_heap.ranks_n));
}

/* What is measured, in the order of the line that is printed. */
enum { MPI_MS, OWN_MS, MPI_KIB, GROWN_KIB, OWN_KIB, NODE_KIB, SOCKETS_MPI, SOCKETS_START, SOCKETS_TALK, SOCKETS_TALK_FIRST, ROW_N };
static int64_t row[ROW_N];

/* A unit of the next node, which need not have consecutive numbers. */
static tsr_unit partner(void) {
  const int32_t node = (tsr_place.node + 1) % tsr_place.nodes_n;
  const int32_t index = tsr_place_index(TSR_UNIT(tsr_place.self)) % tsr_place_node_units(node);
  tsr_unit unit = tsr_place_first(node);
  while (tsr_place_node(unit) != node || tsr_place_index(unit) != index) unit.id++;
  return unit;
}

/* Sockets that talking has opened: a connection to the peers' endpoint, and at the first unit of a node, which is one, those of
 * all units of another node. With the MPI as wire it may take two, one for each direction. */
static void check_sockets(const tsr_segment *segment) {
  const tsr_unit to = partner();
  const bool is_endpoint = tsr_place_first(tsr_place.node).id == tsr_place.self;
  tsr_addr there = tsr_segment_address(segment, TSR_MEMBER(to.id), (uint64_t)tsr_place.self * sizeof(int64_t));
  int64_t word = tsr_place.self, got = -1;
  const int before = count_sockets();
  CHECK_EQ(tsr_put_wait(there, &word, sizeof word), TESSERA_OK);
  CHECK_EQ(tsr_get_wait(&got, there, sizeof got), TESSERA_OK);
  CHECK_EQ(got, word);
  if (!is_endpoint) CHECK(count_sockets() - before <= 2);
  row[SOCKETS_TALK] = is_endpoint ? 0 : count_sockets() - before;
  tsr_bootstrap_barrier(tsr_team_world);
  row[SOCKETS_TALK_FIRST] = is_endpoint ? count_sockets() - before : 0;
  const int32_t caller = (tsr_place.node + tsr_place.nodes_n - 1) % tsr_place.nodes_n;
  if (is_endpoint) CHECK(count_sockets() - before <= 2 * (1 + tsr_place_node_units(caller)));
}

static void check_memory(const struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N]) {
  const int64_t said = (int64_t)tsr_footprint_bytes(rows, false), own = atomic_load(&own_bytes);
  const int64_t node_said = (int64_t)tsr_footprint_bytes(rows, true) * (int64_t)tsr_heap.units_n;
  row[OWN_KIB] = own >> 10;
  row[NODE_KIB] = node_bytes() / (int64_t)tsr_heap.units_n >> 10;
  if (OWN_COUNTS) CHECK(own >= said - said / 8 && own <= said + said / 8 + SMALL_THINGS);
  CHECK(node_bytes() <= node_said + PAGE);
}

int main(int argc, char **argv) {
  uint64_t start = tsr_clock_ns();
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  row[MPI_MS] = (int64_t)(tsr_clock_ns() - start) / 1000000;
  MPI_Barrier(MPI_COMM_WORLD);
  row[MPI_KIB] = own_private_bytes() >> 10;
  row[SOCKETS_MPI] = count_sockets();
  atomic_store(&own_is_counted, true);
  start = tsr_clock_ns();
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  row[OWN_MS] = (int64_t)(tsr_clock_ns() - start) / 1000000;
  row[GROWN_KIB] = (own_private_bytes() >> 10) - row[MPI_KIB];
  row[SOCKETS_START] = count_sockets() - (int)row[SOCKETS_MPI];
  struct tsr_footprint_row rows[TSR_FOOTPRINT_ROWS_N];
  tsr_footprint(tsr_place.units_n, tsr_place.nodes_n, false, rows);
  check_memory(rows);
  tsr_segment *segment = NULL;
  if (tsr_segment_alloc(tsr_team_world, (size_t)tsr_place.units_n * sizeof(int64_t), &segment)) return EXIT_FAILURE;
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.nodes_n > 1) check_sockets(segment);
  int64_t most[ROW_N];
  MPI_Reduce(row, most, ROW_N, MPI_INT64_T, MPI_MAX, 0, MPI_COMM_WORLD);
  if (tsr_place.self == 0)
    printf(
        "start-up %d units, %d nodes: MPI %lld ms, Tessera %lld ms; private KiB: MPI %lld, start %lld, library %lld, formula %zu; "
        "node KiB: %lld, formula %zu; sockets: MPI %lld, start %lld, talk %lld, endpoint %lld\n",
        tsr_place.units_n, tsr_place.nodes_n, (long long)most[MPI_MS], (long long)most[OWN_MS], (long long)most[MPI_KIB],
        (long long)most[GROWN_KIB], (long long)most[OWN_KIB], tsr_footprint_bytes(rows, false) >> 10, (long long)most[NODE_KIB],
        tsr_footprint_bytes(rows, true) >> 10, (long long)most[SOCKETS_MPI], (long long)most[SOCKETS_START],
        (long long)most[SOCKETS_TALK], (long long)most[SOCKETS_TALK_FIRST]);
  tessera_exit();
  atomic_store(&own_is_counted, false);
  MPI_Finalize();
  return check_result();
}
