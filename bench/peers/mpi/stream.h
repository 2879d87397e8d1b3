/* Messages, to compare with transfers: round trips, and streams. */
#include "../../../tools/tessera-perf/shapes.h"
#include "window.h"

struct messages {
  char *data; /* PERF_STREAM_N times the bytes */
  int bytes, self, other;
  bool sends; /* in a stream */
};

static void there_and_back(void *arg, uint64_t n) {
  const struct messages *m = arg;
  for (uint64_t i = 0; i < n; i++) {
    if (m->self == 0) MPI_Send(m->data, m->bytes, MPI_BYTE, m->other, 0, MPI_COMM_WORLD);
    MPI_Recv(m->data, m->bytes, MPI_BYTE, m->other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (m->self != 0) MPI_Send(m->data, m->bytes, MPI_BYTE, m->other, 0, MPI_COMM_WORLD);
  }
}

/* The answer tells that all messages have arrived. */
static void many(const struct messages *m, int count) {
  MPI_Request requests[PERF_STREAM_N];
  MPI_Status statuses[PERF_STREAM_N]; /* MPICH's constant for no request makes gcc warn */
  for (int i = 0; i < count; i++) {
    char *data = m->data + (size_t)i * (size_t)m->bytes;
    m->sends ? MPI_Isend(data, m->bytes, MPI_BYTE, m->other, 0, MPI_COMM_WORLD, &requests[i])
             : MPI_Irecv(data, m->bytes, MPI_BYTE, m->other, 0, MPI_COMM_WORLD, &requests[i]);
  }
  MPI_Waitall(count, requests, statuses);
  m->sends ? MPI_Recv(NULL, 0, MPI_BYTE, m->other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
           : MPI_Send(NULL, 0, MPI_BYTE, m->other, 1, MPI_COMM_WORLD);
}

static void in_a_stream(void *arg, uint64_t n) {
  while (n) {
    int count = n < PERF_STREAM_N ? (int)n : PERF_STREAM_N;
    many(arg, count);
    n -= (uint64_t)count;
  }
}

static void nothing(void *arg, uint64_t n) { (void)arg, (void)n; }

/* Between unit 0 and the target. The units between them in number only take part in the collective calls. */
static void measure_messages(struct perf *p, const struct perf_work *work, size_t bytes, size_t places_n) {
  if (bytes > INT32_MAX || p->target == 0) return; /* MPI-3 counts are int; a unit cannot wait for its own message */
  bool self_sends = (p->unit == 0) != (work->choice != 0);
  struct messages m = {perf_buffer(places_n * bytes), (int)bytes, p->unit, p->unit == 0 ? p->target : 0, self_sends};
  bool takes_part = p->unit == 0 || p->unit == p->target;
  struct perf_op op = {takes_part ? work->loop : nothing, &m, p->target + 1, false};
  struct perf_result result;
  perf_measure(p, &op, NULL, &result);
  perf_row_copy(p, work->name, "plain", bytes, &result);
  free(m.data);
}

static void run_trip(struct perf *p, const struct perf_work *work) {
  for (int i = 0; i < p->bytes_n; i++)
    if (p->bytes_given || p->bytes[i] < PERF_BANDWIDTH_FROM) measure_messages(p, work, p->bytes[i], 1);
}

static void run_stream(struct perf *p, const struct perf_work *work) {
  static const size_t usual[] = PERF_STREAM_SIZES;
  const size_t *bytes = p->bytes_given ? p->bytes : usual;
  int bytes_n = p->bytes_given ? p->bytes_n : (int)(sizeof usual / sizeof *usual);
  for (int i = 0; i < bytes_n; i++) measure_messages(p, work, bytes[i], PERF_STREAM_N);
}

static const struct perf_work stream_works[] = {
    {"trip.put", "MPI_Send and MPI_Recv, there and back", run_trip, there_and_back, false},
    {"trip.get", "the same", run_trip, there_and_back, false},
    {"stream.put", "16 times MPI_Isend to the target, then its answer", run_stream, in_a_stream, false},
    {"stream.get", "16 times MPI_Irecv from the target, then the answer", run_stream, in_a_stream, true},
    {0},
};
