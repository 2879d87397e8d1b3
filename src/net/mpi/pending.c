#include "net/mpi/pending.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "net/mpi/delay.h"

/* Two parallel arrays, as MPI wants its requests side by side. */
static struct {
  MPI_Request *requests;
  struct tsr_mpi_pending *pendings;
  int n, capacity;
  _Atomic int long_n; /* of them */
} table;

/* So many are tested with one call. MPICH polls the network once in each call, and once more for each 8 requests, and what the
 * second poll finds is seen by the next call only. */
enum { FIRST_WINDOW = 7, WINDOW = 64 };

static bool grow_table(int capacity) {
  MPI_Request *requests = realloc(table.requests, (size_t)capacity * sizeof *requests);
  if (!requests) return false;
  table.requests = requests;
  struct tsr_mpi_pending *pendings = realloc(table.pendings, (size_t)capacity * sizeof *pendings);
  if (!pendings) return false;
  table.pendings = pendings;
  table.capacity = capacity;
  return true;
}

size_t tsr_mpi_pending_bytes(int n) { return (size_t)n * (sizeof *table.requests + sizeof *table.pendings); }
bool tsr_mpi_pending_start(int n) { return grow_table(n); }

struct text {
  char line[160];
};
static struct text describe_pending(const struct tsr_mpi_pending *pending) {
  struct text text;
  snprintf(text.line, sizeof text.line, "%s %s %s rank %d (tag %d, %zu bytes)", pending->receives ? "receiving" : "sending",
           pending->what, pending->receives ? "from" : "to", pending->rank, pending->tag, pending->bytes);
  return text;
}

_Noreturn static void fail_size(const struct tsr_mpi_pending *pending, size_t came_bytes) {
  if (pending->exact) tsr_net_misfit(pending->rank, pending->tag, pending->bytes, came_bytes);
  tsr_mpi_fatal("TSR-0215 %s: what comes is %s; " TSR_MPI_ONE_BUILD, describe_pending(pending).line,
                came_bytes > pending->bytes ? "longer" : "shorter");
}

_Noreturn static void fail_pending(int code, const struct tsr_mpi_pending *pending) {
  if (tsr_mpi_is_truncation(code)) fail_size(pending, TSR_NET_MORE);
  tsr_mpi_failed(code, describe_pending(pending).line);
}

static void add_pending(MPI_Request request, const struct tsr_mpi_pending *pending) {
  if (table.n == table.capacity && !grow_table(2 * table.capacity))
    tsr_mpi_fatal("TSR-0216 no private memory to follow more than %d messages under way", table.n);
  bool is_long = !pending->source && pending->bytes > tsr_net_limits.eager_bytes;
  table.requests[table.n] = request;
  table.pendings[table.n] = *pending;
  table.pendings[table.n].is_long = is_long;
  table.n++;
  if (is_long) atomic_fetch_add_explicit(&table.long_n, 1, memory_order_relaxed);
}

bool tsr_mpi_pending_moves(void) { return atomic_load_explicit(&table.long_n, memory_order_relaxed) > 0; }

MPI_Request tsr_mpi_pending_post(MPI_Comm comm, void *data, struct tsr_mpi_pending pending) {
  MPI_Request request;
  pending.receives = true;
  int code = MPI_Irecv(data, (int)pending.bytes, MPI_BYTE, pending.rank, pending.tag, comm, &request);
  if (code != MPI_SUCCESS) fail_pending(code, &pending);
  return request;
}

void tsr_mpi_pending_receive(MPI_Comm comm, void *data, struct tsr_mpi_pending pending) {
  pending.receives = true;
  add_pending(tsr_mpi_pending_post(comm, data, pending), &pending);
}

static MPI_Request start_send(MPI_Comm comm, const void *data, const struct tsr_mpi_pending *pending) {
  MPI_Request request;
  int code = (pending->synchronous ? MPI_Issend : MPI_Isend)(data, (int)pending->bytes, MPI_BYTE, pending->rank,
                                                             pending->tag, comm, &request);
  if (code != MPI_SUCCESS) fail_pending(code, pending);
  return request;
}

void tsr_mpi_pending_send(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending) {
  pending.receives = false;
  add_pending(start_send(comm, data, &pending), &pending);
}

MPI_Request tsr_mpi_pending_send_answered(MPI_Comm comm, const void *data, struct tsr_mpi_pending pending) {
  pending.receives = false;
  return start_send(comm, data, &pending);
}

_Noreturn static void fail_window(int code, int first, int n, const int which[], const MPI_Status statuses[]) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  for (int i = 0; kind == MPI_ERR_IN_STATUS && i < n; i++) {
    int one = statuses[i].MPI_ERROR;
    if (one == MPI_SUCCESS || one == MPI_ERR_PENDING) continue;
    struct tsr_mpi_pending *pending = &table.pendings[first + which[i]];
    table.requests[first + which[i]] = MPI_REQUEST_NULL; /* MPI has taken it back, but only some say so */
    if (pending->source) pending->rank = statuses[i].MPI_SOURCE;
    fail_pending(one, pending);
  }
  tsr_mpi_failed(code, "MPI_Testsome");
}

/* Notes what has arrived. */
static void note_arrival(struct tsr_mpi_pending *pending, const MPI_Status *status) {
  int bytes = 0;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (pending->exact && (size_t)bytes != pending->bytes) fail_size(pending, (size_t)bytes);
  pending->bytes = (size_t)bytes;
  if (pending->source) *pending->source = status->MPI_SOURCE;
}

/* Tests some of the table; what is complete has MPI_REQUEST_NULL there afterwards. Returns how many. */
static int test_window(int first, int window_n) {
  int which[WINDOW], n = 0;
  MPI_Status statuses[WINDOW];
  int code = MPI_Testsome(window_n, table.requests + first, &n, which, statuses);
  if (code != MPI_SUCCESS) fail_window(code, first, n, which, statuses);
  if (n == MPI_UNDEFINED) return 0;
  for (int i = 0; i < n; i++) {
    struct tsr_mpi_pending *pending = &table.pendings[first + which[i]];
    if (pending->receives) note_arrival(pending, &statuses[i]);
  }
  return n;
}

void tsr_mpi_pending_follow(MPI_Request request, struct tsr_mpi_pending pending) {
  pending.receives = pending.source != NULL; /* the status of another transfer counts nothing */
  add_pending(request, &pending);
}

void tsr_mpi_pending_follow_at_once(MPI_Request request, struct tsr_mpi_pending pending) {
  MPI_Status status;
  int over = 0, code = MPI_Test(&request, &over, &status);
  if (code != MPI_SUCCESS) {
    if (pending.source) pending.rank = status.MPI_SOURCE;
    fail_pending(code, &pending);
  }
  if (!over) {
    tsr_mpi_pending_follow(request, pending);
    return;
  }
  pending.receives = pending.source != NULL;
  if (pending.receives) note_arrival(&pending, &status);
  pending.done(pending.arg, TSR_NET_LOCAL, pending.bytes);
}

/* Callbacks may add to the table, which may move it, but nothing leaves it meanwhile. */
static void complete_pending(int n) {
  for (int i = 0; i < n; i++) {
    if (table.requests[i] != MPI_REQUEST_NULL) continue;
    struct tsr_mpi_pending over = table.pendings[i];
    if (over.is_long) atomic_fetch_sub_explicit(&table.long_n, 1, memory_order_relaxed);
    if (!over.done) continue;
    if (over.receives && !over.source && tsr_mpi_delay_wanted()) tsr_mpi_delay(over.done, over.arg, over.bytes);
    else over.done(over.arg, TSR_NET_LOCAL, over.bytes);
  }
}

static void close_gaps(void) {
  int kept = 0;
  for (int i = 0; i < table.n; i++) {
    if (table.requests[i] == MPI_REQUEST_NULL) continue;
    table.requests[kept] = table.requests[i];
    table.pendings[kept] = table.pendings[i];
    kept++;
  }
  table.n = kept;
}

int tsr_mpi_pending_poll(void) {
  int done_n = 0, n = table.n;
  for (int first = 0, window_n; first < n; first += window_n) {
    int most = first ? WINDOW : FIRST_WINDOW;
    window_n = n - first < most ? n - first : most;
    done_n += test_window(first, window_n);
  }
  if (!done_n) return 0;
  complete_pending(n);
  close_gaps();
  return done_n;
}

void tsr_mpi_pending_stop(void) {
  for (int i = 0; i < table.n; i++) {
    if (table.pendings[i].receives && table.requests[i] != MPI_REQUEST_NULL) MPI_Cancel(&table.requests[i]);
  }
  for (int i = 0; i < table.n; i++) MPI_Wait(&table.requests[i], MPI_STATUS_IGNORE);
  free(table.requests);
  free(table.pendings);
  table.requests = NULL;
  table.pendings = NULL;
  table.n = table.capacity = 0;
  atomic_store_explicit(&table.long_n, 0, memory_order_relaxed);
}
