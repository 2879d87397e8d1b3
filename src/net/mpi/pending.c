#include "net/mpi/pending.h"

#include <stdatomic.h>
#include <stdlib.h>

struct pending {
  struct tsr_wire_message message;
  size_t came_bytes;      /* of what was received */
  int *source;            /* of a receive from any rank; else NULL */
  bool receives, is_long; /* is_long: beyond the eager limit */
};

/* Two parallel arrays, as MPI wants its requests side by side. */
static struct {
  MPI_Request *requests;
  struct pending *pendings;
  int n, capacity;
  _Atomic int long_n; /* of them */
} table;

/* At most this many requests are tested with one call. MPICH polls the network once in each call, and once more for each 8
 * requests, and what the second poll finds is seen by the next call only. */
enum { FIRST_N = 7, LATER_N = 64 };

static bool grow_table(int capacity) {
  MPI_Request *requests = realloc(table.requests, (size_t)capacity * sizeof *requests);
  if (!requests) return false;
  table.requests = requests;
  struct pending *pendings = realloc(table.pendings, (size_t)capacity * sizeof *pendings);
  if (!pendings) return false;
  table.pendings = pendings;
  table.capacity = capacity;
  return true;
}

size_t tsr_mpi_pending_bytes(int n) { return (size_t)n * (sizeof *table.requests + sizeof *table.pendings); }
bool tsr_mpi_pending_start(int n) { return grow_table(n); }

_Noreturn static void fail_pending(int code, const struct pending *pending) {
  if (tsr_mpi_is_truncation(code)) tsr_wire_misfit(&pending->message, TSR_NET_MORE);
  tsr_mpi_failed(code, tsr_wire_describe(&pending->message, pending->receives).line);
}

static void add_pending(MPI_Request request, const struct pending *pending) {
  if (table.n == table.capacity && !grow_table(2 * table.capacity))
    tsr_wire_fatal("TSR-0216 no private memory to follow more than %d messages under way; " TSR_REMEDY_MEMORY, table.n);
  bool is_long = !pending->source && pending->message.bytes > tsr_net_limits.eager_bytes;
  table.requests[table.n] = request;
  table.pendings[table.n] = *pending;
  table.pendings[table.n].is_long = is_long;
  table.n++;
  if (is_long) atomic_fetch_add_explicit(&table.long_n, 1, memory_order_relaxed);
}

bool tsr_mpi_pending_moves(void) { return atomic_load_explicit(&table.long_n, memory_order_relaxed) > 0; }

/* Where MPI matches a message. */
struct match {
  MPI_Comm comm;
  int tag;
};

static struct match match_of(const struct tsr_wire_message *message) {
  static const int first[] = {[TSR_WIRE_REPLY] = TSR_MPI_TAG_REPLY, [TSR_WIRE_BULK] = TSR_MPI_TAG_BULK, [TSR_WIRE_TAGGED] = 0};
  return (struct match){message->kind == TSR_WIRE_TAGGED ? tsr_mpi.tagged : tsr_mpi.requests, first[message->kind] + message->tag};
}

static MPI_Request start_receive(void *data, int rank, struct match match, const struct pending *pending) {
  MPI_Request request;
  int code = MPI_Irecv(data, (int)pending->message.bytes, MPI_BYTE, rank, match.tag, match.comm, &request);
  if (code != MPI_SUCCESS) fail_pending(code, pending);
  return request;
}

void tsr_mpi_pending_receive(void *data, const struct tsr_wire_message *message) {
  struct pending pending = {.message = *message, .receives = true};
  add_pending(start_receive(data, message->rank, match_of(message), &pending), &pending);
}

static MPI_Request start_send(const void *data, struct match match, const struct pending *pending) {
  const struct tsr_wire_message *message = &pending->message;
  MPI_Request request;
  int code = (message->synchronous ? MPI_Issend : MPI_Isend)(data, (int)message->bytes, MPI_BYTE, message->rank, match.tag,
                                                             match.comm, &request);
  if (code != MPI_SUCCESS) fail_pending(code, pending);
  return request;
}

void tsr_mpi_pending_send(const void *data, const struct tsr_wire_message *message) {
  struct pending pending = {.message = *message};
  add_pending(start_send(data, match_of(message), &pending), &pending);
}

MPI_Request tsr_mpi_pending_send_request(int rank, const void *data, size_t bytes) {
  struct pending pending = {.message = {.rank = rank, .bytes = bytes, .what = "a request"}};
  return start_send(data, (struct match){tsr_mpi.requests, TSR_MPI_TAG_REQUEST}, &pending);
}

void tsr_mpi_pending_send_acks(int rank, const void *data, size_t bytes, tsr_net_done_fn done, void *arg) {
  struct pending pending = {
      .message = {.rank = rank, .bytes = bytes, .what = "acknowledgements", .done = done, .arg = arg}};
  add_pending(start_send(data, (struct match){tsr_mpi.requests, TSR_MPI_TAG_ACK}, &pending), &pending);
}

static struct pending pending_of(const struct tsr_mpi_arrival *arrival) {
  return (struct pending){.message = {.kind = TSR_WIRE_BULK, .rank = MPI_ANY_SOURCE, .tag = arrival->tag,
                                      .bytes = arrival->most, .done = arrival->done, .arg = arrival->arg,
                                      .what = arrival->what},
                          .source = arrival->source,
                          .receives = true};
}

MPI_Request tsr_mpi_pending_post(void *data, const struct tsr_mpi_arrival *arrival) {
  struct pending pending = pending_of(arrival);
  return start_receive(data, MPI_ANY_SOURCE, (struct match){tsr_mpi.requests, arrival->tag}, &pending);
}

_Noreturn static void fail_tests(int code, int first, int n, const int which[], const MPI_Status statuses[]) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  for (int i = 0; kind == MPI_ERR_IN_STATUS && i < n; i++) {
    int one = statuses[i].MPI_ERROR;
    if (one == MPI_SUCCESS || one == MPI_ERR_PENDING) continue;
    struct pending *pending = &table.pendings[first + which[i]];
    table.requests[first + which[i]] = MPI_REQUEST_NULL; /* MPI has taken it back, but only some say so */
    if (pending->source) pending->message.rank = statuses[i].MPI_SOURCE;
    fail_pending(one, pending);
  }
  tsr_mpi_failed(code, "MPI_Testsome");
}

/* Stores sender and size of the message that has arrived. */
static void store_arrival(struct pending *pending, const MPI_Status *status) {
  int bytes = 0;
  MPI_Get_count(status, MPI_BYTE, &bytes);
  if (pending->source) *pending->source = status->MPI_SOURCE;
  pending->came_bytes = (size_t)bytes;
}

/* Tests some of the table; what is complete has MPI_REQUEST_NULL there afterwards. Returns how many. */
static int test_some(int first, int tested_n) {
  int which[LATER_N], n = 0;
  MPI_Status statuses[LATER_N];
  int code = MPI_Testsome(tested_n, table.requests + first, &n, which, statuses);
  if (code != MPI_SUCCESS) fail_tests(code, first, n, which, statuses);
  if (n == MPI_UNDEFINED) return 0;
  for (int i = 0; i < n; i++) {
    struct pending *pending = &table.pendings[first + which[i]];
    if (pending->receives) store_arrival(pending, &statuses[i]);
  }
  return n;
}

void tsr_mpi_pending_forget(MPI_Request request) {
  add_pending(request, &(struct pending){.message = {.rank = MPI_PROC_NULL, .what = "a request that was answered"}});
}

/* Not `receives`: the status of a transfer has no number of bytes. */
void tsr_mpi_pending_follow_transfer(MPI_Request request, const struct tsr_wire_message *message) {
  add_pending(request, &(struct pending){.message = *message});
}

static void end_pending(const struct pending *pending) {
  const struct tsr_wire_message *message = &pending->message;
  if (pending->receives && !pending->source) tsr_wire_received(message, pending->came_bytes);
  else if (message->done) message->done(message->arg, TSR_NET_LOCAL, pending->receives ? pending->came_bytes : message->bytes);
}

/* Whether the receive is complete, and then ended. */
static bool end_at_once(MPI_Request *request, struct pending *pending) {
  MPI_Status status;
  int over = 0, code = MPI_Test(request, &over, &status);
  if (code != MPI_SUCCESS) {
    pending->message.rank = status.MPI_SOURCE;
    fail_pending(code, pending);
  }
  if (!over) return false;
  store_arrival(pending, &status);
  end_pending(pending);
  return true;
}

void tsr_mpi_pending_follow(MPI_Request request, const struct tsr_mpi_arrival *arrival, bool at_once) {
  struct pending pending = pending_of(arrival);
  if (!at_once || !end_at_once(&request, &pending)) add_pending(request, &pending);
}

/* Callbacks may add to the table, which may move it, but nothing leaves it meanwhile. Returns how many it has reported; what was
 * only to be freed does not count. */
static int complete_pending(int n) {
  int done_n = 0;
  for (int i = 0; i < n; i++) {
    if (table.requests[i] != MPI_REQUEST_NULL) continue;
    struct pending over = table.pendings[i];
    done_n += over.receives || over.message.done;
    if (over.is_long) atomic_fetch_sub_explicit(&table.long_n, 1, memory_order_relaxed);
    end_pending(&over);
  }
  return done_n;
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
  for (int first = 0, tested_n; first < n; first += tested_n) {
    int most = first ? LATER_N : FIRST_N;
    tested_n = n - first < most ? n - first : most;
    done_n += test_some(first, tested_n);
  }
  if (!done_n) return 0;
  done_n = complete_pending(n);
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
