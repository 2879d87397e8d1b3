/* Options, verification and measuring of collectives_native.c and collectives_mpi.c. */
#include "collectives.h"

#include "../options.h"
#include "../rows.h"
#include "addresses.h"
#include "messages.h"

enum { BYTES_MOST = 64 << 20, SAMPLES_MAX = 1000, ROUNDS = 4 /* that are verified */, WARM_UP_N = 2 };

int me, units_n;

static long samples_n = 9, milliseconds = 100;
static long sizes[OPTION_LIST_MAX] = {128 << 10, 512 << 10, 2 << 20};
static int sizes_n = 3;
static const char *works = "barrier,bcast,allreduce,allgather,alltoall";

static double *from, *to; /* in shared memory: what a unit gives, and what it gets; a broadcast's data is in `to` */
static double *room;      /* private */

/* ---- one call of each, of `bytes`; a broadcast from `root` ---- */

static size_t length(size_t bytes) { return bytes / sizeof(double); }

static void run_barrier_library(size_t bytes, int root) { (void)bytes, (void)root, library_barrier(); }
static void run_barrier_messages(size_t bytes, int root) { (void)bytes, (void)root, messages_barrier(); }
static void run_barrier_addresses(size_t bytes, int root) { (void)bytes, (void)root, addresses_barrier(); }

static void run_bcast_library(size_t bytes, int root) { library_bcast(to, bytes, root); }
static void run_bcast_binomial(size_t bytes, int root) { messages_bcast_binomial(to, bytes, root); }
static void run_bcast_scattered(size_t bytes, int root) { messages_bcast_scattered(to, bytes, root); }
static void run_bcast_addresses(size_t bytes, int root) { addresses_bcast(to, bytes, root); }

static void run_allreduce_library(size_t bytes, int root) { (void)root, library_allreduce(from, to, length(bytes)); }
static void run_allreduce_doubling(size_t bytes, int root) {
  (void)root, messages_allreduce_doubling(from, to, length(bytes), room);
}
static void run_allreduce_ring(size_t bytes, int root) { (void)root, messages_allreduce_ring(from, to, length(bytes), room); }
static void run_allreduce_addresses(size_t bytes, int root) { (void)root, addresses_allreduce(from, to, length(bytes), room); }

static void run_allgather_library(size_t bytes, int root) { (void)root, library_allgather(from, to, bytes); }
static void run_allgather_ring(size_t bytes, int root) { (void)root, messages_allgather(from, to, bytes); }
static void run_allgather_addresses(size_t bytes, int root) { (void)root, addresses_allgather(from, to, bytes); }

static void run_alltoall_library(size_t bytes, int root) { (void)root, library_alltoall(from, to, bytes); }
static void run_alltoall_pairs(size_t bytes, int root) { (void)root, messages_alltoall(from, to, bytes); }
static void run_alltoall_addresses(size_t bytes, int root) { (void)root, addresses_alltoall(from, to, bytes); }

/* ---- verification ---- */

/* Small whole numbers, whose sums are exact in any order. */
static double value_at(int unit, size_t i, int round) { return (double)((i * 7 + (size_t)unit * 31 + (size_t)round * 3) % 1009); }

static double sum_at(int unit, size_t i, int round) {
  double sum = 0;
  (void)unit;
  for (int u = 0; u < units_n; u++) sum += value_at(u, i, round);
  return sum;
}

/* Element i of block `unit` of an alltoall is that of the unit's block for the caller. */
static size_t block_n;
static double sent_to_me(int unit, size_t i, int round) { return value_at(unit, (size_t)me * block_n + i, round); }

static long wrong_block(const double *block, size_t n, double (*right)(int, size_t, int), int unit, int round) {
  long wrong = 0;
  for (size_t i = 0; i < n; i++) wrong += block[i] != right(unit, i, round);
  return wrong;
}

static long wrong_blocks(double (*right)(int, size_t, int), int round) {
  long wrong = 0;
  for (int unit = 0; unit < units_n; unit++) wrong += wrong_block(to + (size_t)unit * block_n, block_n, right, unit, round);
  return wrong;
}

static long wrong_bcast(int root, int round) { return wrong_block(to, block_n, value_at, root, round); }
static long wrong_allreduce(int root, int round) { return wrong_block(to, block_n, sum_at, root, round); }
static long wrong_allgather(int root, int round) { return (void)root, wrong_blocks(value_at, round); }
static long wrong_alltoall(int root, int round) { return (void)root, wrong_blocks(sent_to_me, round); }

/* ---- the table of works ---- */

struct work {
  const char *name;    /* as in --works */
  const char *row;
  void (*run)(size_t bytes, int root);
  long (*wrong)(int root, int round); /* elements of the caller; NULL: a barrier, which has no data */
  bool by_addresses;
  bool has_blocks; /* `bytes` are those of one block, of which there is one for each unit */
};

static const struct work all_works[] = {
    {"barrier", "barrier.library", run_barrier_library, NULL, false, false},
    {"barrier", "barrier.messages", run_barrier_messages, NULL, false, false},
    {"barrier", "barrier.addresses", run_barrier_addresses, NULL, true, false},
    {"bcast", "bcast.library", run_bcast_library, wrong_bcast, false, false},
    {"bcast", "bcast.binomial", run_bcast_binomial, wrong_bcast, false, false},
    {"bcast", "bcast.scattered", run_bcast_scattered, wrong_bcast, false, false},
    {"bcast", "bcast.addresses", run_bcast_addresses, wrong_bcast, true, false},
    {"allreduce", "allreduce.library", run_allreduce_library, wrong_allreduce, false, false},
    {"allreduce", "allreduce.doubling", run_allreduce_doubling, wrong_allreduce, false, false},
    {"allreduce", "allreduce.ring", run_allreduce_ring, wrong_allreduce, false, false},
    {"allreduce", "allreduce.addresses", run_allreduce_addresses, wrong_allreduce, true, false},
    {"allgather", "allgather.library", run_allgather_library, wrong_allgather, false, true},
    {"allgather", "allgather.ring", run_allgather_ring, wrong_allgather, false, true},
    {"allgather", "allgather.addresses", run_allgather_addresses, wrong_allgather, true, true},
    {"alltoall", "alltoall.library", run_alltoall_library, wrong_alltoall, false, true},
    {"alltoall", "alltoall.pairs", run_alltoall_pairs, wrong_alltoall, false, true},
    {"alltoall", "alltoall.addresses", run_alltoall_addresses, wrong_alltoall, true, true},
};
enum { WORKS_N = sizeof all_works / sizeof *all_works };

/* Each round has other data and another root. */
static long verify_data(const struct work *work, size_t bytes) {
  const size_t given_n = length(bytes) * (work->has_blocks ? (size_t)units_n : 1);
  long wrong = 0;
  block_n = length(bytes);
  for (int round = 0; round < ROUNDS; round++) {
    const int root = units_n * round / ROUNDS;
    for (size_t i = 0; i < given_n; i++) from[i] = value_at(me, i, round);
    if (me == root) memcpy(to, from, bytes);
    else memset(to, 0, bytes);
    work->run(bytes, root);
    wrong += work->wrong(root, round);
  }
  return wrong;
}

/* Each unit stores the round before the barrier, one of them late; after it, no unit may be in an earlier round. It is read in
 * shared memory, so not verified without. */
static long verify_barrier(const struct work *work) {
  long wrong = 0;
  if (!heap_is_shared()) return 0;
  from[0] = -1;
  tell_all(from, from);
  await_all();
  for (int round = 0; round < ROUNDS; round++) {
    const double late = study_now() + (me == units_n * round / ROUNDS ? 2e-3 : 0);
    while (study_now() < late) continue;
    from[0] = round;
    work->run(0, 0);
    for (int i = 1; i < units_n; i++) {
      const double *round_of_other = heap_view(unit_after(me, i), FIRST, 0, sizeof *from, room);
      wrong += *round_of_other < round;
    }
  }
  signal_all();
  await_all();
  return wrong;
}

/* ---- measuring ---- */

/* Seconds of one call, on the slowest unit. The root changes from call to call, so that a root cannot run ahead of the others. */
static double batch(const struct work *work, size_t bytes, long count) {
  library_barrier();
  const double begun = study_now();
  for (long i = 0; i < count; i++) work->run(bytes, (int)(i % units_n));
  return library_greatest((study_now() - begun) / (double)count);
}

static void measure(const struct work *work, size_t bytes, double *samples) {
  const double one = batch(work, bytes, WARM_UP_N), wanted = 1e-3 * (double)milliseconds / (double)samples_n;
  const long count = one < wanted ? (long)(wanted / one) : 1;
  for (long i = 0; i < samples_n; i++) samples[i] = batch(work, bytes, count);
}

/* A barrier's time; else the bytes that each unit gives or gets, by time. */
static void print(const struct work *work, size_t bytes, double *samples) {
  const double moved = (double)bytes * (work->has_blocks ? units_n : 1);
  for (long i = 0; i < samples_n; i++) samples[i] = work->wrong ? 1e-9 * moved / samples[i] : 1e6 * samples[i];
  study_row(work->row, "plain", (long)bytes, units_n, work->wrong ? "GB/s" : "us", (int)samples_n, samples);
}

/* Returns whether the result is right on all units. */
static bool run(const struct work *work, size_t bytes) {
  double samples[SAMPLES_MAX];
  const double wrong = library_greatest((double)(work->wrong ? verify_data(work, bytes) : verify_barrier(work)));
  if (wrong > 0) {
    if (me == 0) fprintf(stderr, "wrong result: %s, %zu bytes: %g errors on one unit\n", work->row, bytes, wrong);
    return false;
  }
  measure(work, bytes, samples);
  if (me == 0) print(work, bytes, samples);
  return true;
}

static bool run_sizes(const struct work *work) {
  bool right = true;
  if (!work->wrong) return run(work, 0);
  for (int i = 0; i < sizes_n; i++) right = run(work, (size_t)sizes[i]) && right;
  return right;
}

/* ---- the program ---- */

static void allocate(void) {
  size_t most = VIEW_N * sizeof(double);
  for (int i = 0; i < sizes_n; i++) most = (size_t)sizes[i] > most ? (size_t)sizes[i] : most;
  const bool has_blocks = option_has(works, "allgather") || option_has(works, "alltoall");
  const size_t each = most * (has_blocks ? (size_t)units_n : 1);
  from = heap_open(2 * each);
  to = from + length(each);
  room = malloc(most);
  if (!room) {
    fprintf(stderr, "collectives: no memory for %zu bytes; pass smaller --bytes\n", most);
    abort();
  }
}

static int run_all(void) {
  bool right = true;
  allocate();
  for (int i = 0; i < WORKS_N; i++) {
    const bool is_possible = heap_is_shared() || !all_works[i].by_addresses;
    if (is_possible && option_has(works, all_works[i].name)) right = run_sizes(&all_works[i]) && right;
  }
  heap_close();
  free(room);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool sizes_fit(const char *program) {
  for (int i = 0; i < sizes_n; i++)
    if (sizes[i] % (long)sizeof(double)) {
      if (me == 0) fprintf(stderr, "%s: --bytes needs multiples of %zu, got %ld\n", program, sizeof(double), sizes[i]);
      return false;
    }
  return true;
}

int collectives_run(const char *program, int argc, char **argv) {
  static const char *const names[] = {"barrier", "bcast", "allreduce", "allgather", "alltoall"};
  const struct option options[] = {{"works", 0, 0, NULL, NULL, &works},
                                   {"bytes", sizeof(double), BYTES_MOST, sizes, &sizes_n, NULL},
                                   {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL},
                                   {"milliseconds", 1, 100000, &milliseconds, NULL, NULL}};
  if (!option_read(program, argc, argv, me == 0, sizeof options / sizeof *options, options)) return WRONG_OPTIONS;
  if (!option_known(program, works, me == 0, sizeof names / sizeof *names, names) || !sizes_fit(program)) return WRONG_OPTIONS;
  return run_all();
}
