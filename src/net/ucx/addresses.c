#include "net/ucx/addresses.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/status.h"
#include "net/common/wire.h"
#include "net/mpi/agree.h"
#include "net/mpi/mpi.h"

/* All records have the length of the longest. Nodes come one after the other, and the processes of a node in their order there,
 * which need not be that of the ranks. */
struct record {
  int32_t rank;
  char address[];
};

/* The node's memory has a part that the processes of the node fill in and their first one sends, then what it has received from
 * all nodes, then the number of each rank's record. */
static struct {
  char *own_node, *all;
  int32_t *numbers; /* by rank */
  size_t record_bytes;
  void *private; /* instead of the node's memory */
} addresses;

static struct record *record_at(char *records, size_t number) {
  return (struct record *)(records + number * addresses.record_bytes);
}

static size_t round_record(size_t address_bytes) { return tsr_round_up(sizeof(struct record) + address_bytes, sizeof(int64_t)); }

/* An address has 67 bytes with TCP alone, 240 with all transports of a host with InfiniBand. */
size_t tsr_ucx_addresses_bytes(int ranks_n, int processes_n) {
  enum { ADDRESS_BYTES = 240 };
  size_t each = addresses.record_bytes ? addresses.record_bytes : round_record(ADDRESS_BYTES);
  return ((size_t)processes_n + (size_t)ranks_n) * each + (size_t)ranks_n * sizeof *addresses.numbers;
}

/* The longest address of all ranks. */
static tessera_status_t agree_on_length(MPI_Comm comm, size_t bytes, tessera_status_t status) {
  int most[] = {(int)bytes, status};
  int code = MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, comm);
  if (tsr_net_mpi_failed(code, "MPI_Allreduce of the length of UCX addresses")) return TESSERA_ERR_NET;
  if (most[1]) return status ? status : TESSERA_ERR_PEER;
  addresses.record_bytes = round_record((size_t)most[0]);
  return TESSERA_OK;
}

/* All nodes have equally much memory for the addresses. What a node needs also depends on the number of its processes. */
static tessera_status_t divide_memory(const struct tsr_net_node *node, int ranks_n) {
  const size_t needed = tsr_ucx_addresses_bytes(ranks_n, node->processes_n);
  char *memory = node->memory;
  if (!memory) memory = addresses.private = malloc(needed);
  if (!memory)
    tsr_wire_fatal("TSR-0239 no private memory for the UCX addresses of all processes (%zu bytes); " TSR_REMEDY_MEMORY, needed);
  if (node->memory && needed > node->memory_bytes)
    return tsr_fail(TESSERA_ERR_MEMORY,
                    "TSR-0256 TESSERA_NET=ucx: the UCX addresses of all processes take %zu bytes, up to %zu each, "
                    "and a node has %zu bytes for them; name fewer devices or transports in UCX_NET_DEVICES or UCX_TLS, or set "
                    "TESSERA_NET=mpi",
                    needed, addresses.record_bytes, node->memory_bytes);
  addresses.own_node = memory;
  addresses.all = memory + (size_t)node->processes_n * addresses.record_bytes;
  addresses.numbers = (int32_t *)(addresses.all + (size_t)ranks_n * addresses.record_bytes);
  return TESSERA_OK;
}

static void write_own(MPI_Comm comm, const struct tsr_net_node *node, const void *own, size_t bytes) {
  struct record *record = record_at(addresses.own_node, (size_t)node->index);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  record->rank = rank;
  memcpy(record->address, own, bytes);
}

/* The first processes of all nodes: each one's records to all others. */
static int exchange_between_nodes(MPI_Comm firsts, int own_n) {
  int nodes_n = 0, at = 0;
  MPI_Datatype record_type;
  MPI_Comm_size(firsts, &nodes_n);
  int *counts = malloc(2 * (size_t)nodes_n * sizeof *counts), *starts = counts + nodes_n;
  if (!counts) tsr_wire_fatal("TSR-0257 no private memory for a table of %d nodes; " TSR_REMEDY_MEMORY, nodes_n);
  int code = MPI_Type_contiguous((int)addresses.record_bytes, MPI_BYTE, &record_type);
  if (code == MPI_SUCCESS) code = MPI_Type_commit(&record_type);
  if (code == MPI_SUCCESS) code = MPI_Allgather(&own_n, 1, MPI_INT, counts, 1, MPI_INT, firsts);
  for (int node = 0; node < nodes_n && code == MPI_SUCCESS; at += counts[node++]) starts[node] = at;
  if (code == MPI_SUCCESS)
    code = MPI_Allgatherv(addresses.own_node, own_n, record_type, addresses.all, counts, starts, record_type, firsts);
  if (code == MPI_SUCCESS) code = MPI_Type_free(&record_type);
  for (int32_t number = 0; number < at && code == MPI_SUCCESS; number++)
    addresses.numbers[record_at(addresses.all, (size_t)number)->rank] = number;
  free(counts);
  return code;
}

tessera_status_t tsr_ucx_addresses_gather(MPI_Comm comm, const struct tsr_net_node *node, const void *own, size_t bytes,
                                          tessera_status_t status) {
  MPI_Comm firsts = MPI_COMM_NULL;
  int ranks_n = 0;
  MPI_Comm_size(comm, &ranks_n);
  status = agree_on_length(comm, bytes, status);
  if (status) return status;
  status = tsr_mpi_agree_on_status(comm, divide_memory(node, ranks_n));
  if (status) return status;
  write_own(comm, node, own, bytes);
  /* The new communicator depends on what every rank says here, so all records of the node are written when it is there. */
  atomic_thread_fence(memory_order_seq_cst);
  int code = MPI_Comm_split(comm, node->index == 0 ? 0 : MPI_UNDEFINED, 0, &firsts);
  atomic_thread_fence(memory_order_seq_cst);
  if (code == MPI_SUCCESS && firsts != MPI_COMM_NULL) {
    code = exchange_between_nodes(firsts, node->processes_n);
    MPI_Comm_free(&firsts);
  }
  atomic_thread_fence(memory_order_seq_cst);
  return tsr_net_mpi_failed(code, "MPI_Allgatherv of the UCX addresses") ? TESSERA_ERR_NET : TESSERA_OK;
}

const void *tsr_ucx_address(int rank) { return record_at(addresses.all, (size_t)addresses.numbers[rank])->address; }

void tsr_ucx_addresses_free(void) {
  free(addresses.private);
  memset(&addresses, 0, sizeof addresses);
}
