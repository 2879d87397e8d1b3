/* Collectives by messages and by address exchange on MPI, beside its own collectives.
 *
 * The memory of all ranks of a node is one shared window, so an address is an offset in a rank's part of it, and a rank copies
 * by plain loads. Ranks tell each other an address by storing it, and then a count, into a mailbox in the window. On several
 * nodes there is no such memory, and no address exchange.
 *
 * Options (collectives.c): --works of barrier,bcast,allreduce,allgather,alltoall; --bytes, a list; --samples; --milliseconds
 * for each row. Any number of ranks. */
#include "collectives.h"

#include <mpi.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../peers/mpi/end.h"

/* ---- messages ---- */

enum { TAG };

void link_send(const void *data, size_t bytes, int to) { MPI_Send(data, (int)bytes, MPI_BYTE, to, TAG, MPI_COMM_WORLD); }

void link_receive(void *buffer, size_t bytes, int from) {
  MPI_Recv(buffer, (int)bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void link_exchange(const void *data, size_t send_bytes, int to, void *buffer, size_t receive_bytes, int from) {
  MPI_Sendrecv(data, (int)send_bytes, MPI_BYTE, to, TAG, buffer, (int)receive_bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

/* ---- memory that other ranks can read ---- */

enum { POLLS_N = 200 /* before a rank gives up its core, which the awaited one may need */ };

/* What one rank has told another, in the mailbox of the latter: two cache lines, so that no two senders share one. */
struct slot {
  uint64_t told[2];       /* offsets in the sender's part */
  _Atomic uint64_t count; /* of what it has told and signalled so far */
  char unused[104];
};

static bool is_shared;
static MPI_Win window;
static char **parts_of;  /* of each rank: its mailbox, with a slot for each sender, and then the memory for data */
static uint64_t shown[2]; /* what the caller tells */
static uint64_t *awaited; /* for each sender, of its count */

static void find_whether_shared(void) {
  MPI_Comm node;
  int ranks;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
  MPI_Comm_size(node, &ranks);
  MPI_Comm_free(&node);
  is_shared = ranks == units_n;
}

bool heap_is_shared(void) { return is_shared; }

static void *zeros(size_t n, size_t bytes) {
  void *memory = calloc(n, bytes);
  if (!memory) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  return memory;
}

void *heap_open(size_t bytes) {
  const size_t slots_bytes = (size_t)units_n * sizeof(struct slot);
  MPI_Aint size = (MPI_Aint)(slots_bytes + bytes);
  int unit_bytes;
  MPI_Info info;
  parts_of = zeros((size_t)units_n, sizeof *parts_of);
  awaited = zeros((size_t)units_n, sizeof *awaited);
  if (!is_shared) return parts_of[me] = zeros((size_t)size, 1);
  MPI_Info_create(&info);
  MPI_Info_set(info, "alloc_shared_noncontig", "true"); /* each part begins with a page */
  MPI_Win_allocate_shared(size, 1, info, MPI_COMM_WORLD, &parts_of[me], &window);
  MPI_Info_free(&info);
  for (int i = 0; i < units_n; i++) MPI_Win_shared_query(window, i, &size, &unit_bytes, &parts_of[i]);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  memset(parts_of[me], 0, slots_bytes);
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD); /* all counts are 0 before the first rank tells something */
  return parts_of[me] + slots_bytes;
}

void heap_close(void) {
  if (is_shared) {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  } else {
    free(parts_of[me]);
  }
  free(parts_of);
  free(awaited);
}

static struct slot *slot(int owner, int sender) { return (struct slot *)(void *)parts_of[owner] + sender; }

void heap_signal(int unit) { atomic_fetch_add_explicit(&slot(unit, me)->count, 1, memory_order_release); }

void heap_show(const void *first, const void *second) {
  shown[FIRST] = (uint64_t)((const char *)first - parts_of[me]);
  shown[SECOND] = (uint64_t)((const char *)second - parts_of[me]);
}

void heap_tell(int unit) {
  memcpy(slot(unit, me)->told, shown, sizeof shown);
  heap_signal(unit);
}

/* MPI has no wait for a store, so this is a loop. */
void heap_await(int unit) {
  const uint64_t wanted = ++awaited[unit];
  for (long i = 1; atomic_load_explicit(&slot(me, unit)->count, memory_order_acquire) < wanted; i++)
    if (i > POLLS_N) sched_yield();
}

const void *heap_view(int unit, enum told which, size_t offset, size_t bytes, void *room) {
  (void)bytes, (void)room;
  return parts_of[unit] + slot(me, unit)->told[which] + offset;
}

void heap_fetch(void *to, int unit, enum told which, size_t offset, size_t bytes) {
  memcpy(to, heap_view(unit, which, offset, bytes, NULL), bytes);
}

void heap_complete(void) {}

/* ---- the library's own collectives ---- */

void library_barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
void library_bcast(void *data, size_t bytes, int root) { MPI_Bcast(data, (int)bytes, MPI_BYTE, root, MPI_COMM_WORLD); }

void library_allreduce(const double *from, double *to, size_t n) {
  MPI_Allreduce(from, to, (int)n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void library_allgather(const void *from, void *to, size_t bytes) {
  MPI_Allgather(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

void library_alltoall(const void *from, void *to, size_t bytes) {
  MPI_Alltoall(from, (int)bytes, MPI_BYTE, to, (int)bytes, MPI_BYTE, MPI_COMM_WORLD);
}

double library_greatest(double value) {
  double greatest;
  MPI_Allreduce(&value, &greatest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return greatest;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &units_n);
  find_whether_shared();
  const int code = collectives_run("collectives_mpi", argc, argv);
  end_mpi();
  return code;
}
