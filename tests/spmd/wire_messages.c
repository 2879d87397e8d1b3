/* The number of messages of an operation between nodes, and their memory, counted at the calls of MPI. Units make
 * progress for themselves, so that no other process sends messages.
 * Units: 4
 * Wire: mpi
 */
#include "check.h"

#include <stdbool.h>
#include <string.h>

#include "core/bootstrap.h"
#include "core/op.h"
#include "core/place.h"
#include "core/segment.h"
#include "net/mpi/comms.h"
#include "net/net.h"
#include "rma/atomic.h"
#include "rma/rma.h"
#include "vis/accumulate.h"
#include "vis/strided.h"
#include "vis/vector.h"

/* ---- buffers passed to MPI ---- */

enum { REQUEST, ACK, REPLY, BULK, KINDS_N };
static const char *const names[KINDS_N] = {"requests", "acknowledgements", "replies", "bulk messages"};
static struct {
  int64_t sent_n[KINDS_N];
  const void *sent_bulk, *received[KINDS_N]; /* the buffer of the last message sent, and of the last receive */
} seen;

static int kind_of(int tag) {
  return tag >= TSR_MPI_TAG_BULK ? BULK : tag >= TSR_MPI_TAG_REPLY ? REPLY : tag == TSR_MPI_TAG_ACK ? ACK : REQUEST;
}

static void count(const void *data, int tag, MPI_Comm comm) {
  if (comm != tsr_mpi.requests) return;
  seen.sent_n[kind_of(tag)]++;
  if (kind_of(tag) == BULK) seen.sent_bulk = data;
}

int MPI_Isend(const void *data, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request) {
  count(data, tag, comm);
  return PMPI_Isend(data, n, type, rank, tag, comm, request);
}

int MPI_Irecv(void *data, int n, MPI_Datatype type, int rank, int tag, MPI_Comm comm, MPI_Request *request) {
  if (comm == tsr_mpi.requests) seen.received[kind_of(tag)] = data;
  return PMPI_Irecv(data, n, type, rank, tag, comm, request);
}

/* ---- operations ---- */

enum { ROOM = 256 << 10, PIECE = 65 << 10, BLOCKS_N = 64 };

static tsr_addr there; /* half of the units further */
static char *mine, *own; /* private memory, and memory that others can access */
static size_t eager;
static const double one = 1, two = 2;
static int64_t result;
static tsr_op *op;

static void get_word(void) { tsr_get(mine, there, 8, op); }
static void get_eager(void) { tsr_get(mine, there, eager, op); }
static void get_piece(void) { tsr_get(mine, there, PIECE, op); }
static void put_word(void) { tsr_put(there, mine, 8, op); }
static void put_eager(void) { tsr_put(there, mine, eager, op); }
static void put_more(void) { tsr_put(there, mine, eager + 1, op); }
static void put_pieces(void) { tsr_put(there, mine, 3 * PIECE, op); }
static void get_pieces(void) { tsr_get(mine, there, 3 * PIECE, op); }
static void sum_doubles(void) { tsr_accumulate(there, TSR_F64, TSR_SUM, mine, eager / sizeof one, op); }
static void fetch(void) { tsr_fetch(there, TSR_I64, TSR_SUM, &one, &result, op); }
static void add(void) { tsr_fetch(there, TSR_I64, TSR_SUM, &one, NULL, op); }
static void swap(void) { tsr_swap_if(there, TSR_I64, &one, &two, &result, op); }

static tsr_layout blocks(void) { return tsr_layout_strided(16, BLOCKS_N, 40); }
static tsr_layout line(void) { return tsr_layout_contiguous(16 * BLOCKS_N); }
static void put_blocks(void) {
  tsr_layout theirs = blocks(), ours = line();
  tsr_put_layout(there, &theirs, mine, &ours, op);
}
static void get_blocks(void) {
  tsr_layout theirs = blocks(), ours = line();
  tsr_get_layout(mine, &ours, there, &theirs, op);
}
static void sum_blocks(void) {
  tsr_layout theirs = blocks(), ours = line();
  tsr_acc_layout(there, &theirs, mine, &ours, TSR_F64, TSR_SUM, &two, op);
}

static ptrdiff_t offs[BLOCKS_N];
static tsr_iov scattered(void) { return (tsr_iov){.offs = offs, .each = 16, .n = BLOCKS_N, .times = 1}; }
static void put_list(void) {
  tsr_iov theirs = scattered(), ours = tsr_iov_contiguous(16 * BLOCKS_N);
  tsr_put_iov(there, &theirs, mine, &ours, op);
}
static void get_list(void) {
  tsr_iov theirs = scattered(), ours = tsr_iov_contiguous(16 * BLOCKS_N);
  tsr_get_iov(mine, &ours, there, &theirs, op);
}
static void sum_list(void) {
  tsr_iov theirs = scattered(), ours = tsr_iov_contiguous(16 * BLOCKS_N);
  tsr_acc_iov(there, &theirs, mine, &ours, TSR_F64, TSR_SUM, &two, op);
}
static void nothing(void) {}

/* One operation of the first unit. `straight`: the reply goes directly into the named memory. */
static const struct row {
  const char *name;
  void (*start)(void);
  int64_t sent_n[KINDS_N]; /* by all units; operations without a reply, or with a short one, are acknowledged when needed */
  bool straight;
} rows[] = {
#define ROW(start, requests_n, replies_n, bulk_n, straight) \
  {#start, start, {requests_n, (requests_n) && !(replies_n), replies_n, bulk_n}, straight}
    ROW(nothing, 0, 0, 0, false),     ROW(get_word, 1, 0, 0, false),    ROW(get_eager, 1, 1, 0, true),
    ROW(get_piece, 1, 1, 0, true),    ROW(get_pieces, 3, 3, 0, true),   ROW(put_word, 1, 0, 0, false),
    ROW(put_eager, 1, 0, 0, false),   ROW(put_more, 1, 0, 1, false),    ROW(put_pieces, 3, 0, 3, false),
    ROW(sum_doubles, 1, 0, 0, false), ROW(fetch, 1, 0, 0, false),       ROW(add, 1, 0, 0, false),
    ROW(swap, 1, 0, 0, false),        ROW(put_blocks, 1, 0, 0, false),  ROW(get_blocks, 1, 1, 0, true),
    ROW(sum_blocks, 1, 0, 0, false),  ROW(put_list, 1, 0, 0, false),    ROW(get_list, 1, 1, 0, true),
    ROW(sum_list, 1, 0, 0, false),
};
enum { ROWS_N = sizeof rows / sizeof rows[0] };

static bool lies_in(const void *at, const void *memory, size_t bytes) {
  return (uintptr_t)at - (uintptr_t)memory < bytes;
}

/* Of all units. */
static int64_t sent_by_all(int kind) {
  int64_t all[4], sum = 0;
  tsr_bootstrap_gather(tsr_team_world, seen.sent_n[kind], all);
  for (int32_t unit = 0; unit < tsr_place.units_n; unit++) sum += all[unit];
  return sum;
}

static void check_counts(const struct row *row, bool far) {
  for (int kind = 0; kind < KINDS_N; kind++) {
    int64_t sent_n = sent_by_all(kind), expected_n = far ? row->sent_n[kind] : 0;
    bool good = sent_n == expected_n || (kind == ACK && expected_n && sent_n >= 1 && sent_n <= row->sent_n[REQUEST]);
    if (!good && tsr_place.self == 0)
      fprintf(stderr, "%s: %lld %s, not %lld\n", row->name, (long long)sent_n, names[kind], (long long)expected_n);
    CHECK(good);
  }
}

static void check_places(const struct row *row) {
  if (tsr_place.self == 0 && row->straight)
    CHECK(lies_in(seen.received[REPLY], mine, ROOM) || seen.received[REPLY] == (const void *)&result);
  if (tsr_place.self == 0 && row->sent_n[BULK]) CHECK(lies_in(seen.sent_bulk, mine, ROOM));
  if (tsr_place.self == there.unit.id && row->sent_n[BULK]) CHECK(lies_in(seen.received[BULK], own, ROOM));
}

static void run(const struct row *row) {
  bool far = tsr_place_node(TSR_UNIT(0)) != tsr_place_node(there.unit);
  tsr_op own_op = {0};
  op = &own_op;
  tsr_bootstrap_barrier(tsr_team_world);
  memset(&seen, 0, sizeof seen);
  tsr_bootstrap_barrier(tsr_team_world);
  if (tsr_place.self == 0) {
    row->start();
    tsr_op_wait_remote(op, there.unit);
  }
  tsr_bootstrap_barrier(tsr_team_world);
  check_counts(row, far);
  if (far) check_places(row);
}

/* Puts and gets that queue up share messages, where a thread polls: the first goes at once, the others together. */
static void check_queued(void) {
  enum { MANY = 20 };
  int64_t *words = (int64_t *)(void *)own;
  memset(own, 0, ROOM);
  atomic_store(&tsr_net_is_polled, true);
  tsr_bootstrap_barrier(tsr_team_world);
  memset(&seen, 0, sizeof seen);
  if (tsr_place.self == 0 && tsr_place.nodes_n > 1) {
    tsr_op puts = {0}, gets = {0};
    int64_t sent[MANY], got[MANY];
    for (int i = 0; i < MANY; i++) {
      tsr_addr at = {there.unit, there.off + (uint64_t)i * 8};
      sent[i] = i + 1;
      CHECK_EQ(tsr_put(at, &sent[i], 8, &puts), TESSERA_OK);
      CHECK_EQ(tsr_get(&got[i], at, 8, &gets), TESSERA_OK);
    }
    CHECK_EQ(seen.sent_n[REQUEST], 1);
    tsr_op_wait_remote(&puts, there.unit);
    tsr_op_wait_remote(&gets, there.unit);
    CHECK_EQ(seen.sent_n[REQUEST], 2);
    for (int i = 0; i < MANY; i++) CHECK_EQ(got[i], i + 1); /* the requests keep their order */
  }
  atomic_store(&tsr_net_is_polled, false);
  tsr_bootstrap_barrier(tsr_team_world);
  for (int i = 0; i < MANY && tsr_place.self == there.unit.id && tsr_place.nodes_n > 1; i++) CHECK_EQ(words[i], i + 1);
  tsr_bootstrap_barrier(tsr_team_world);
}

int main(int argc, char **argv) {
  setenv("TESSERA_PROGRESS", "none", 1);
  setenv("TESSERA_WIRE_BUFFER_SIZE", "64K", 1);
  setenv("TESSERA_MPI_EAGER_LIMIT", "0", 1); /* a piece of 65 KiB is one message then */
  if (tessera_init(&argc, &argv)) return EXIT_FAILURE;
  tsr_segment *segment;
  CHECK_EQ(tsr_segment_alloc(tsr_team_world, ROOM, &segment), TESSERA_OK);
  there = tsr_segment_address(segment, TSR_MEMBER(tsr_place.units_n / 2), 0);
  own = tsr_place_pointer(tsr_segment_address(segment, TSR_MEMBER(tsr_place.self), 0));
  mine = calloc(1, ROOM);
  memset(own, 0, ROOM);
  eager = tsr_net_limits.eager_bytes;
  if (tsr_place.nodes_n > 1) CHECK_EQ(tsr_net_limits.chunk_bytes, PIECE);
  for (int i = 0; i < BLOCKS_N; i++) offs[i] = (i * 37 % BLOCKS_N) * 40;
  for (int i = 0; i < ROWS_N; i++) run(&rows[i]);
  check_queued();
  CHECK_EQ(tsr_segment_free(segment), TESSERA_OK);
  free(mine);
  CHECK_EQ(tessera_exit(), TESSERA_OK);
  return check_result();
}
