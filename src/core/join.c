#include "core/join.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/config.h"
#include "base/log.h"
#include "base/status.h"
#include "core/place.h"
#include "core/runtime.h"
#include "core/watch.h"
#include "node/share.h"

/* What is known while the nodes form. */
struct joining {
  MPI_Comm units;    /* all */
  MPI_Comm proposal; /* whom MPI believes to be on our host (or on our pretended node) */
  MPI_Comm node;     /* who received the same descriptor */
  int proposal_rank, proposal_n, node_rank, node_n;
  int fd;            /* of the node's memory */
  unsigned slice_order;
};

/* What the first of a proposal tells the others. */
struct invitation {
  struct tsr_share_ticket ticket;
  uint64_t nonce;
  uint32_t slice_order;
  int32_t valid;
};

static uint64_t random_number(void) {
  uint64_t number = 0;
  while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number) continue;
  return number;
}

static int all_units_agree(MPI_Comm comm, int ok) {
  int all = 0;
  MPI_Allreduce(&ok, &all, 1, MPI_INT, MPI_MIN, comm);
  return all;
}

static void propose(struct joining *j) {
  MPI_Comm block = j->units;
  int rank, size;
  MPI_Comm_rank(j->units, &rank);
  MPI_Comm_size(j->units, &size);
  int blocks_n = tsr_config.virtual_nodes < size ? tsr_config.virtual_nodes : size;
  if (blocks_n > 1) MPI_Comm_split(j->units, (int)((int64_t)rank * blocks_n / size), rank, &block);
  MPI_Comm_split_type(block, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &j->proposal);
  if (block != j->units) MPI_Comm_free(&block);
  MPI_Comm_rank(j->proposal, &j->proposal_rank);
  MPI_Comm_size(j->proposal, &j->proposal_n);
}

/* The memory starts with the nonce: who reads it there has the right memory. */
static int make_memory(struct joining *j, uint32_t units_n, uint64_t nonce) {
  int fd = tsr_heap_make(units_n, j->slice_order);
  if (fd >= 0 && pwrite(fd, &nonce, sizeof nonce, 0) == (ssize_t)sizeof nonce) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

static bool holds_nonce(int fd, uint64_t nonce) {
  uint64_t found = 0;
  return pread(fd, &found, sizeof found, 0) == (ssize_t)sizeof found && found == nonce;
}

/* The first unit offers; the return value says whether its memory exists. */
static bool offer_memory(struct joining *j) {
  struct invitation invitation = {.nonce = random_number(), .slice_order = tsr_heap_slice_order((uint32_t)j->proposal_n)};
  int socket = -1, callers_n = 0;
  j->slice_order = invitation.slice_order;
  j->fd = make_memory(j, (uint32_t)j->proposal_n, invitation.nonce);
  if (j->fd >= 0 && j->proposal_n > 1) socket = tsr_share_offer(&invitation.ticket, j->proposal_n - 1);
  invitation.valid = socket >= 0;
  MPI_Bcast(&invitation, (int)sizeof invitation, MPI_BYTE, 0, j->proposal);
  int none = 0;
  MPI_Reduce(&none, &callers_n, 1, MPI_INT, MPI_SUM, 0, j->proposal);
  if (socket >= 0) tsr_share_serve(socket, &invitation.ticket, j->fd, callers_n, NULL);
  return j->fd >= 0;
}

/* The others receive. A unit that cannot is a node of its own: false. */
static bool receive_memory(struct joining *j) {
  struct invitation invitation;
  MPI_Bcast(&invitation, (int)sizeof invitation, MPI_BYTE, 0, j->proposal);
  int connection = invitation.valid ? tsr_share_connect(&invitation.ticket) : -1;
  int connected = connection >= 0, unused = 0;
  MPI_Reduce(&connected, &unused, 1, MPI_INT, MPI_SUM, 0, j->proposal);
  if (!connected) return false;
  j->slice_order = invitation.slice_order;
  pid_t offerer;
  int fd = tsr_share_receive(connection, &invitation.ticket, j->proposal_rank - 1, &offerer);
  if (fd >= 0 && !holds_nonce(fd, invitation.nonce)) {
    close(fd);
    fd = -1;
  }
  j->fd = fd;
  return fd >= 0;
}

static tessera_status_t share_memory(struct joining *j) {
  j->fd = -1;
  bool together = j->proposal_rank == 0 ? offer_memory(j) : receive_memory(j);
  MPI_Comm_split(j->proposal, together || j->proposal_rank == 0 ? 0 : 1 + j->proposal_rank, j->proposal_rank, &j->node);
  MPI_Comm_rank(j->node, &j->node_rank);
  MPI_Comm_size(j->node, &j->node_n);
  if (!together && j->proposal_rank != 0) {
    tsr_info("shares no memory with the other units that MPI sees on this host: a node of its own");
    j->slice_order = tsr_heap_slice_order(1);
    j->fd = make_memory(j, 1, random_number());
  }
  return j->fd >= 0 ? TESSERA_OK : TESSERA_ERR_SYSTEM;
}

/* Address ranges where the heaps lie in all units alike, when they are free in all. */
static void *const bases[] = {(void *)0x100000000000, (void *)0x200000000000, (void *)0x300000000000, NULL};

static bool map_everywhere(struct joining *j, void *base) {
  tessera_status_t status = tsr_heap_map(j->fd, (uint32_t)j->node_n, j->slice_order, (uint32_t)j->node_rank, base);
  if (all_units_agree(j->units, status == TESSERA_OK)) return true;
  if (status == TESSERA_OK) tsr_heap_unmap();
  return false;
}

/* Slices are equal in the whole job, so that an offset means the same everywhere; they shrink until all fit. */
static tessera_status_t map_memory(struct joining *j) {
  unsigned order = j->slice_order;
  MPI_Allreduce(MPI_IN_PLACE, &order, 1, MPI_UNSIGNED, MPI_MIN, j->units);
  for (j->slice_order = order; j->slice_order >= TSR_HEAP_SLICE_ORDER_MIN; j->slice_order--) {
    for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
      if (!map_everywhere(j, bases[i])) continue;
      if (j->slice_order < order) tsr_info("heaps were halved to 2^%u bytes each to fit the address space", j->slice_order);
      return TESSERA_OK;
    }
  }
  return tsr_fail(TESSERA_ERR_MEMORY, "no address range for %d heaps; set TESSERA_HEAP_SIZE to a smaller value or raise ulimit -v",
                  j->node_n);
}

static void fill_control_block(struct joining *j) {
  struct tsr_node_memory *memory = tsr_heap.memory;
  if (j->node_rank == 0) {
    tsr_memory_init(memory, (uint32_t)j->node_n, j->slice_order, memory->nonce);
    size_t available = tsr_topology_memory_available();
    memory->limit_bytes = (int64_t)(tsr_config.heap_limit ? tsr_config.heap_limit : available);
    if (j->node_n > 1) tsr_watch_start();
  }
  MPI_Barrier(j->node);
  if (j->node_n > 1) tsr_watch_join();
  struct tsr_node_unit *unit = tsr_heap_unit(tsr_heap.self);
  MPI_Comm_rank(j->units, &unit->unit);
  atomic_store(&unit->state, TSR_UNIT_UP);
  tsr_topology_add_own_cpus(&memory->cpus);
  tsr_topology_add_own_cpus(&unit->cpus);
  unit->cpu = sched_getcpu();
  MPI_Barrier(j->node); /* all records of the node are complete */
}

/* Numbers the nodes in the order of their first units. */
static void fill_place(struct joining *j) {
  int self, size;
  MPI_Comm_rank(j->units, &self);
  MPI_Comm_size(j->units, &size);
  int32_t first = self;
  MPI_Bcast(&first, 1, MPI_INT32_T, 0, j->node);
  int32_t *node_of = malloc((size_t)size * sizeof *node_of), *locals = malloc((size_t)size * sizeof *locals);
  if (!node_of || !locals) tsr_abort(EXIT_FAILURE, "no private memory for tables of %d units", size);
  MPI_Allgather(&first, 1, MPI_INT32_T, node_of, 1, MPI_INT32_T, j->units);
  tsr_place = (struct tsr_place){.self = self, .units_n = size, .first = (uint32_t)first, .count = (uint32_t)j->node_n};
  bool consecutive = true;
  uint32_t local = 0;
  for (int i = 0; i < size; i++) {
    bool here = node_of[i] == first;
    locals[i] = here ? (int32_t)local++ : -1;
    if (here && i - first != locals[i]) consecutive = false;
    node_of[i] = node_of[i] == i ? tsr_place.nodes_n++ : node_of[node_of[i]]; /* leaders come before their nodes' others */
  }
  tsr_place.node = node_of[self];
  if (!consecutive) {
    tsr_place.count = 0;
    tsr_place.locals = locals;
  } else {
    free(locals);
  }
  if (tsr_place.nodes_n > 1) tsr_place.node_of = node_of;
  else free(node_of);
}

tessera_status_t tsr_join(MPI_Comm units) {
  struct joining j = {.units = units, .fd = -1};
  propose(&j);
  tessera_status_t status = share_memory(&j);
  if (!all_units_agree(units, status == TESSERA_OK)) {
    if (status == TESSERA_OK) status = TESSERA_ERR_PEER;
  } else {
    status = map_memory(&j);
  }
  if (status == TESSERA_OK) {
    fill_control_block(&j);
    fill_place(&j);
  }
  if (j.fd >= 0) close(j.fd);
  MPI_Comm_free(&j.proposal);
  if (j.node != MPI_COMM_NULL) MPI_Comm_free(&j.node);
  return status;
}
