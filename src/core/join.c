#include "core/join.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/bits.h"
#include "base/config.h"
#include "base/hash.h"
#include "base/limit.h"
#include "base/log.h"
#include "base/status.h"
#include "core/node_discovery.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/monitor.h"
#include "net/start.h"

/* Result of mapping a node's memory at an address; the smallest of all units' results counts. */
enum { BROKEN /* the node has no memory to map */, TAKEN /* no room at this address */, MAPPED };

/* The contribution of a process to the exchange between all processes, after its node has formed. */
struct vote {
  int32_t first; /* rank of the first process of its node */
  int32_t verdict;
  struct tsr_monitor_address monitor; /* that of its node, if the process is the first of the node */
};

/* State while the nodes form. */
struct joining {
  MPI_Comm world;
  int32_t self, ranks_n;
  struct tsr_progress_plan progress;
  struct vote *votes; /* of all ranks; stay zero if there is only one node */
  struct tsr_monitor_address monitor; /* where the own monitor listens */
  int monitor_fd;                     /* the descriptor of that listener, or -1 */
  struct tsr_node_discovery node;
};

static void *allocate_table(const struct joining *j, size_t entry_bytes) {
  void *entries = calloc((size_t)j->ranks_n, entry_bytes);
  if (!entries) tsr_abort(EXIT_FAILURE, "TSR-0316 no private memory for a table of %d units; " TSR_REMEDY_MEMORY, j->ranks_n);
  return entries;
}

/* Hash of the host's name as MPI reports it, and of the virtual node. Virtual nodes are blocks of consecutive ranks. */
static uint64_t identify_host(const struct joining *j) {
  char name[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  MPI_Get_processor_name(name, &length);
  int64_t blocks_n = tsr_config.virtual_nodes < j->ranks_n ? tsr_config.virtual_nodes : j->ranks_n;
  return tsr_hash_bytes(TSR_HASH_NOTHING ^ (uint64_t)(j->self * blocks_n / j->ranks_n), name, (size_t)length);
}

static void discover_node(struct joining *j) {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  struct tsr_hello own = {.host = identify_host(j),
                          .slice_order = tsr_heap_slice_order(),
                          .progress = tsr_agent_plan(level == MPI_THREAD_MULTIPLE || tsr_net_prefers_ucx(), j->self == 0)};
  struct tsr_hello *hellos = allocate_table(j, sizeof *hellos);
  int listener = tsr_share_open(&own.credentials, j->ranks_n);
  MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, hellos, (int)sizeof own, MPI_BYTE, j->world);
  j->progress = hellos[0].progress; /* that of rank 0, as far as all processes support it */
  for (int32_t rank = 0; rank < j->ranks_n && j->progress.mode == TSR_PROGRESS_THREAD; rank++) {
    if (hellos[rank].progress.mode == TSR_PROGRESS_NONE) j->progress.mode = TSR_PROGRESS_NONE;
  }
  tsr_node_discover(&j->node, hellos, j->ranks_n, j->self, listener);
  free(hellos);
}

static int32_t least_of_all(struct joining *j, int32_t mine) {
  if (j->node.units_n == j->ranks_n) return tsr_node_discovery_min(&j->node, mine);
  if (j->node.index == 0 && j->monitor_fd < 0) j->monitor_fd = tsr_monitor_links_open(&j->monitor);
  struct vote own = {j->node.first, mine, j->monitor};
  MPI_Allgather(&own, (int)sizeof own, MPI_BYTE, j->votes, (int)sizeof own, MPI_BYTE, j->world);
  int32_t least = mine;
  for (int32_t i = 0; i < j->ranks_n; i++) {
    if (j->votes[i].verdict < least) least = j->votes[i].verdict;
  }
  return least;
}

/* The first unit fills in the common part, each unit its own. No unit reads them before all have agreed to keep the
 * mapping. */
static void fill_control_block(void) {
  struct tsr_node_memory *memory = tsr_heap.memory;
  if (tsr_heap.self == 0) {
    tsr_memory_init(memory, tsr_heap.units_n, tsr_heap.slice_shift, memory->nonce);
    memory->barrier_shift = (uint32_t)tsr_log2_floor((uint64_t)tsr_config.barrier_degree);
    memory->limit_bytes = (int64_t)(tsr_config.heap_limit ? tsr_config.heap_limit : tsr_topology_memory_available());
    memory->limit_from = tsr_config.heap_limit              ? TSR_LIMIT_FROM_VARIABLE
                         : tsr_topology_memory_is_grouped() ? TSR_LIMIT_FROM_GROUP : TSR_LIMIT_FROM_MACHINE;
  }
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  unit->unit = -1;
  atomic_store(&unit->state, TSR_UNIT_UP);
  tsr_topology_add_own_cpus(&memory->cpus);
  tsr_topology_add_own_cpus(&unit->cpus);
  unit->cpu = sched_getcpu();
}

/* Address ranges for the heaps, which are the same in all units if they are free in all. */
static void *const bases[] = {(void *)0x100000000000, (void *)0x200000000000, (void *)0x300000000000, NULL};

static int32_t map_everywhere(struct joining *j, unsigned slice_order) {
  const struct tsr_node_discovery *node = &j->node;
  const struct tsr_heap_shape shape = {(uint32_t)node->units_n, slice_order, (uint32_t)j->ranks_n};
  int32_t all = TAKEN;
  for (size_t i = 0; i < sizeof bases / sizeof bases[0] && all == TAKEN; i++) {
    int32_t mine = node->fd < 0 ? BROKEN : MAPPED;
    if (mine && tsr_heap_map(node->fd, &shape, (uint32_t)node->index, bases[i])) mine = TAKEN;
    if (mine == MAPPED) fill_control_block();
    all = least_of_all(j, mine);
    if (mine == MAPPED && all != MAPPED) tsr_heap_unmap();
  }
  return all;
}

/* Shrinks the slices until all fit. */
static tessera_status_t map_memory(struct joining *j) {
  unsigned order = j->node.slice_order;
  int32_t verdict = map_everywhere(j, order);
  while (verdict == TAKEN && order > TSR_HEAP_SLICE_ORDER_MIN) verdict = map_everywhere(j, --order);
  if (verdict == BROKEN) return j->node.fd < 0 ? TESSERA_ERR_SYSTEM : TESSERA_ERR_PEER;
  if (verdict == TAKEN)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0317 no address range for the heaps of the node, %d of %llu bytes each: %s",
                    j->node.units_n, 1ull << order, tsr_limit_has_address_space()
                                       ? "raise the limit of address space (ulimit -v)"
                                       : "raise the limit of address space (ulimit -v) of the unit that has one");
  if (j->self == 0 && tsr_config_under_valgrind() && !tsr_config.heap_size)
    tsr_warn("TSR-0318 valgrind: a unit's heap has %llu MiB of address space only, as the leak check reads all of it; set "
             "TESSERA_HEAP_SIZE where the program needs more", 1ull << order >> 20);
  if (order < j->node.slice_order) tsr_info("heaps were halved to 2^%u bytes each to fit the address space", order);
  return TESSERA_OK;
}

static tessera_status_t fill_place(const struct joining *j) {
  int32_t *first_of = allocate_table(j, sizeof *first_of);
  for (int32_t rank = 0; rank < j->ranks_n; rank++) first_of[rank] = j->votes[rank].first;
  const struct tsr_place_plan plan = {j->ranks_n, j->self, first_of, j->progress.processes_n,
                                      .first_serves = j->progress.mode == TSR_PROGRESS_THREAD};
  tessera_status_t status = tsr_place_fill(&plan);
  free(first_of);
  if (!status) tsr_heap_unit(tsr_heap.self)->unit = tsr_place.self;
  return status;
}

/* From this call on each monitor watches its node and, in a job on several nodes, the other monitors. */
static void start_watch(struct joining *j) {
  struct tsr_monitor_address parent = {.addresses_n = 0};
  int32_t wanted = tsr_place.nodes_n > 1 ? tsr_monitor_links_parent(tsr_place.node) : -1;
  for (int32_t rank = 0, node = 0; wanted >= 0 && node <= wanted; rank++) {
    if (j->votes[rank].first == rank && node++ == wanted) parent = j->votes[rank].monitor;
  }
  tsr_monitor_start(&j->node, &j->monitor, j->monitor_fd, &parent);
}

/* The hello messages are freed before the place of all units is filled in. */
size_t tsr_join_bytes(int32_t units_n) {
  const size_t later = sizeof(int32_t), most = later > sizeof(struct tsr_hello) ? later : sizeof(struct tsr_hello);
  return (size_t)units_n * (sizeof(struct vote) + most);
}

tessera_status_t tsr_join(MPI_Comm world) {
  struct joining j = {.world = world, .monitor_fd = -1};
  MPI_Comm_rank(world, &j.self);
  MPI_Comm_size(world, &j.ranks_n);
  j.votes = allocate_table(&j, sizeof *j.votes);
  discover_node(&j);
  tessera_status_t status = map_memory(&j);
  if (!status) status = fill_place(&j);
  if (!status) start_watch(&j);
  else if (j.monitor_fd >= 0) close(j.monitor_fd);
  tsr_node_discovery_close(&j.node);
  free(j.votes);
  return status;
}
