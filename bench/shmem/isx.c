/* isx: integer sort by bucket exchange, as ISx describes it (Hanebutte and Hemstad, 2015).
 *
 * Each PE draws keys, equally distributed over the whole range, and owns one bucket, 2^bits keys of this range. A round
 * sorts the keys by bucket, puts each bucket's keys to its owner, to a place that a fetch-add reserved there, and then
 * each owner counts how often each key has come, which sorts its bucket. Checked: every key is in its owner's bucket
 * and counted, and no key was lost or changed on the way: number and sum of all keys are as before.
 *
 * Options: --keys of each PE, --bits, --rounds. */
#include "bench.h"

static int me, pes;
static long keys_n = 1 << 20, bits = 18, rounds = 10;

static long received_n; /* keys that other PEs have reserved a place for: symmetric, as all static variables are */
static long room;
static int *received; /* symmetric, `room` keys */
static int *keys, *sorted, *counts;
static long *start; /* keys of bucket b are sorted[start[b]] up to sorted[start[b + 1] - 1] */

static int bucket_of(int key) { return key >> bits; }

static void allocate(void) {
  room = keys_n + keys_n / 4 + 4096; /* far more than chance brings */
  received = symmetric_memory((size_t)room, sizeof *received);
  keys = private_memory((size_t)keys_n, sizeof *keys);
  sorted = private_memory((size_t)keys_n, sizeof *sorted);
  counts = private_memory((size_t)1 << bits, sizeof *counts);
  start = private_memory((size_t)pes + 2, sizeof *start);
}

static void draw_keys(long round) {
  uint64_t state = (uint64_t)(round * pes + me) << 32;
  const uint64_t range = (uint64_t)pes << bits;
  for (long i = 0; i < keys_n; i++) keys[i] = (int)((draw(&state) >> 32) * range >> 32);
}

/* A counting sort. While the keys are placed, start[b + 1] is the place for the next key of bucket b. */
static void sort_by_bucket(void) {
  memset(start, 0, ((size_t)pes + 2) * sizeof *start);
  for (long i = 0; i < keys_n; i++) start[bucket_of(keys[i]) + 2]++;
  for (int b = 0; b < pes; b++) start[b + 2] += start[b + 1];
  for (long i = 0; i < keys_n; i++) sorted[start[bucket_of(keys[i]) + 1]++] = keys[i];
}

/* Each PE begins with another owner, so that they do not all put to the same one. */
static void exchange_buckets(void) {
  for (int i = 0; i < pes; i++) {
    const int owner = (me + i) % pes;
    const long n = start[owner + 1] - start[owner];
    const long at = shmem_long_atomic_fetch_add(&received_n, n, owner);
    if (at + n > room) {
      fprintf(stderr, "isx: more than %ld keys for PE %d: the keys are not equally distributed\n", room, owner);
      shmem_global_exit(1);
    }
    shmem_int_put_nbi(received + at, sorted + start[owner], (size_t)n, owner);
  }
  shmem_barrier_all(); /* all puts of all PEs are complete */
}

static void count_keys(void) {
  const int first = me << bits;
  const unsigned width = 1U << bits;
  memset(counts, 0, width * sizeof *counts);
  for (long i = 0; i < received_n; i++) {
    const unsigned key = (unsigned)(received[i] - first);
    if (key < width) counts[key]++;
  }
}

/* Number of errors of this PE. */
static long check(void) {
  static long changes[2], total[2]; /* number of all keys, their sum */
  long counted_n = 0;
  changes[0] = received_n - keys_n;
  changes[1] = 0;
  for (long i = 0; i < 1L << bits; i++) {
    counted_n += counts[i];
    changes[1] += counts[i] * (((long)me << bits) + i);
  }
  for (long i = 0; i < keys_n; i++) changes[1] -= keys[i];
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, total, changes, 2);
  return received_n - counted_n + (total[0] != 0) + (total[1] != 0);
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  long bits_max = 30;
  while ((long)pes << bits_max > 1L << 31) bits_max--; /* a key is an int */
  bits = smaller(bits, bits_max);
  const struct option options[] = {
      {"keys", 1, 1L << 30, &keys_n}, {"bits", 1, bits_max, &bits}, {"rounds", 1, 1000000, &rounds}};
  if (!read_options("isx", argc, argv, 3, options)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  allocate();

  double seconds = 0;
  long errors_n = 0;
  for (long round = 0; round < rounds; round++) {
    draw_keys(round);
    received_n = 0;
    shmem_barrier_all();
    const double since = now();
    sort_by_bucket();
    exchange_buckets();
    count_keys();
    seconds += now() - since;
    errors_n += check();
  }
  const int status = report("isx", seconds, 1e-6 * (double)(rounds * keys_n) * pes, "Mkey", errors_n);
  shmem_free(received);
  free(keys), free(sorted), free(counts), free(start);
  shmem_finalize();
  return status;
}
