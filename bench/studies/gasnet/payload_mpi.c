/* payload, MPI version: the same ping-pong with MPI_Send and MPI_Recv. MPI has one way where GASNet-EX has two: the
 * program computes the data in a buffer of its own. Each measurement therefore gives a row beside the fixed and beside the
 * negotiated payload, and beside medium and long messages.
 *
 * Options: as payload_gasnet. */
#include "peer.h"
#include "payload.h"

static char *data;

static void send_data(int to, long bytes, uint32_t key) {
  compose(data, (size_t)bytes, key);
  MPI_Send(data, (int)bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive_data(int from, long bytes, uint32_t key, bool all) {
  MPI_Recv(data, (int)bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  require(is_composed(data, (size_t)bytes, key, all), "the data of a message");
}

/* Ranks that take no part return at once. */
static double round_trips(long bytes, long trips_n, bool check_all) {
  static uint32_t key;
  const double since = study_now();
  for (long i = 0; i < trips_n; i++) {
    key += 2;
    if (job.me == 0) {
      send_data(job.last, bytes, key);
      receive_data(job.last, bytes, key + 1, check_all);
    } else if (job.me == job.last) {
      receive_data(0, bytes, key, check_all);
      send_data(0, bytes, key + 1);
    }
  }
  return study_now() - since;
}

static void print_rows(long bytes, double *samples) {
  static const char *const works[] = {"payload.fixed", "payload.negotiated"}, *const variants[] = {"medium", "long"};
  for (int i = 0; i < 4; i++)
    study_row(works[i / 2], variants[i % 2], bytes, job.n, "GB/s", (int)samples_n, samples);
}

static void measure(long bytes) {
  double samples[SAMPLES_MAX], each = round_trips(bytes, 2, true);
  for (int i = 0; i < TRIALS_N; i++) each = shorter(each, round_trips(bytes, 1, false));
  const long trips_n = of_first(repeats_in(milliseconds, each));
  for (long k = 0; k < samples_n; k++)
    samples[k] = 2e-9 * (double)bytes * (double)trips_n / round_trips(bytes, trips_n, false);
  if (job.me == 0) print_rows(bytes, samples);
}

int main(int argc, char **argv) {
  start("payload_mpi", argc, argv, PAYLOAD_OPTIONS_N, payload_options);
  need_ranks("payload_mpi", 2);
  data = memory_of((size_t)to_bytes);
  for (long bytes = from_bytes / 8 * 8; bytes <= to_bytes; bytes *= 2) measure(bytes);
  barrier();
  free(data);
  leave_with(0);
}
