/* The bare wire: the transfers of wire_ga.c as messages. A get is a short request and an answer with the data, so the target
 * calls MPI for each of them. That is the least that an MPI without hardware for remote access can do.
 *
 * Options (wire.c): --works of get,stream,puts; --bytes of one transfer, a list; --repeat; --samples. At least 2 processes. */
#include "wire.h"

#include <mpi.h>
#include <stdlib.h>

#include "../../peers/mpi/end.h"

enum { TAG_REQUEST, TAG_DATA };

static char *part; /* of the target */
static MPI_Status statuses[WIRE_PUTS_N]; /* MPICH's constant for no statuses makes gcc warn */

char *wire_open(const struct wire *w, size_t bytes) {
  if (w->me == w->target && !(part = malloc(bytes))) MPI_Abort(MPI_COMM_WORLD, 1);
  return part;
}

void wire_close(void) { free(part); }

void wire_own_begin(void) { wire_sync(); }
void wire_own_end(void) { wire_sync(); }

/* Start a message of w->bytes between process 0 and the target. */
static void data_send(const struct wire *w, const char *data, int to, MPI_Request *request) {
  MPI_Isend(data, (int)w->bytes, MPI_BYTE, to, TAG_DATA, MPI_COMM_WORLD, request);
}
static void data_receive(const struct wire *w, char *buffer, int from, MPI_Request *request) {
  MPI_Irecv(buffer, (int)w->bytes, MPI_BYTE, from, TAG_DATA, MPI_COMM_WORLD, request);
}

static void request_send(int to) { MPI_Send(NULL, 0, MPI_BYTE, to, TAG_REQUEST, MPI_COMM_WORLD); }
static void request_receive(int from) { MPI_Recv(NULL, 0, MPI_BYTE, from, TAG_REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

void wire_get(const struct wire *w) {
  const int bytes = (int)w->bytes;
  for (long n = 0; n < w->count; n++) {
    if (w->me == 0) {
      request_send(w->target);
      MPI_Recv(w->local, bytes, MPI_BYTE, w->target, TAG_DATA, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (w->me == w->target) {
      request_receive(0);
      MPI_Send(part, bytes, MPI_BYTE, 0, TAG_DATA, MPI_COMM_WORLD);
    }
  }
}

void wire_stream(const struct wire *w) {
  MPI_Request requests[WIRE_STREAM_N];
  if (w->me != 0 && w->me != w->target) return;
  for (long n = 0; n < w->count; n++) {
    if (w->me != 0) request_receive(0);
    for (int i = 0; i < WIRE_STREAM_N; i++)
      if (w->me == 0) data_receive(w, w->local + (size_t)i * w->bytes, w->target, &requests[i]);
      else data_send(w, part, 0, &requests[i]);
    if (w->me == 0) request_send(w->target);
    MPI_Waitall(WIRE_STREAM_N, requests, statuses);
  }
}

/* The target's answer tells that all have arrived, as a fence does. */
void wire_puts(const struct wire *w) {
  MPI_Request requests[WIRE_PUTS_N];
  if (w->me != 0 && w->me != w->target) return;
  for (long n = 0; n < w->count; n++) {
    for (int i = 0; i < WIRE_PUTS_N; i++)
      if (w->me == 0) data_send(w, w->local + (size_t)i * w->bytes, w->target, &requests[i]);
      else data_receive(w, part + (size_t)i * w->bytes, 0, &requests[i]);
    MPI_Waitall(WIRE_PUTS_N, requests, statuses);
    if (w->me == 0) request_receive(w->target);
    else request_send(0);
  }
}

void wire_sync(void) { MPI_Barrier(MPI_COMM_WORLD); }

long wire_sum(long value) {
  long sum;
  MPI_Allreduce(&value, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int me, processes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  const int code = wire_run("wire_mpi", me, processes, argc, argv);
  end_mpi();
  return code;
}
