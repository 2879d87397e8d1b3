/* Options, measuring and verification of wire_ga.c and wire_mpi.c. */
#include "wire.h"

#include "../rows.h"
#include "../options.h"

enum { BYTES_MOST = 64 << 20, SAMPLES_MAX = 1000, FULL_COUNT_BYTES = 16 << 10 };

static long samples_n = 9, repeat = 50;
static long sizes[OPTION_LIST_MAX] = {8, 1024, 16384, 131072, 1048576};
static int sizes_n = 5;
static const char *works = "get,stream,puts";

/* One way to move data. `per` is what the time of one repetition is divided by. */
struct work {
  const char *name, *row;
  void (*run)(const struct wire *w);
  long per;
  int places;      /* on each side */
  size_t most;     /* bytes of one transfer */
  bool to_target;
};

static const struct work all_works[] = {
    {"get", "wire.get", wire_get, 1, 1, BYTES_MOST, false},
    {"stream", "wire.stream", wire_stream, WIRE_STREAM_N, WIRE_STREAM_N, BYTES_MOST, false},
    {"puts", "wire.puts", wire_puts, WIRE_PUTS_N, WIRE_PUTS_N, WIRE_PUT_MOST, true},
};
enum { WORKS_N = sizeof all_works / sizeof *all_works };

/* Neighbouring bytes differ, and so do the places of a stream of any size. */
static char value_at(size_t i, int seed) { return (char)(i % 251 + i / 251 % 13 + (size_t)seed); }

static void fill(char *data, size_t bytes, int seed) {
  for (size_t i = 0; i < bytes; i++) data[i] = value_at(i, seed);
}

static long wrong_bytes(const char *data, size_t bytes, size_t place, int seed) {
  long wrong = 0;
  for (size_t i = 0; i < bytes; i++) wrong += data[i] != value_at(i % place, seed);
  return wrong;
}

static void *room(size_t bytes) {
  char *data = malloc(bytes);
  if (!data) {
    fprintf(stderr, "wire: no memory for %zu bytes; pass smaller --bytes\n", bytes);
    abort();
  }
  return data;
}

/* Seconds of one transfer, on process 0. The first batch warms up, and is thrown away. */
static void measure(const struct work *work, const struct wire *w, double *samples) {
  for (long i = -1; i < samples_n; i++) {
    wire_sync();
    const double begun = study_now();
    work->run(w);
    if (i >= 0) samples[i] = (study_now() - begun) / (double)(w->count * work->per);
  }
  wire_sync();
}

static void print(const struct work *work, const struct wire *w, double *samples) {
  const bool is_stream = work->run == wire_stream;
  for (long i = 0; i < samples_n; i++) samples[i] = is_stream ? 1e-9 * (double)w->bytes / samples[i] : 1e6 * samples[i];
  study_row(work->row, "plain", (long)w->bytes, w->processes, is_stream ? "GB/s" : "us", (int)samples_n, samples);
}

/* Gets read the same place over and over; puts go to a place each. The data differ from those of the work before. */
static void prepare(const struct work *work, const struct wire *w, char *part, int seed) {
  const size_t moved = (size_t)work->places * w->bytes;
  if (w->me == 0) {
    if (work->to_target) fill(w->local, moved, seed);
    else memset(w->local, 0, moved);
  }
  wire_own_begin();
  if (part) {
    if (work->to_target) memset(part, 0, moved);
    else fill(part, w->bytes, seed);
  }
  wire_own_end();
}

static long check(const struct work *work, const struct wire *w, const char *part, int seed) {
  const size_t moved = (size_t)work->places * w->bytes;
  long wrong = 0;
  wire_own_begin();
  if (work->to_target && part) wrong = wrong_bytes(part, moved, moved, seed);
  if (!work->to_target && w->me == 0) wrong = wrong_bytes(w->local, moved, w->bytes, seed);
  wire_own_end();
  return wire_sum(wrong);
}

/* Returns the number of wrong bytes. */
static long run(const struct work *work, struct wire *w, char *part) {
  static int seed;
  double samples[SAMPLES_MAX];
  const size_t moved = w->bytes * (size_t)work->places;
  w->count = moved <= FULL_COUNT_BYTES ? repeat : (long)((size_t)repeat * FULL_COUNT_BYTES / moved) + 1;
  prepare(work, w, part, ++seed);
  measure(work, w, samples);
  const long wrong = check(work, w, part, seed);
  if (w->me != 0) return wrong;
  if (!wrong) print(work, w, samples);
  else fprintf(stderr, "wrong result: %s: %ld bytes\n", work->row, wrong);
  return wrong;
}

/* Whether the works are to be run with this size. */
static bool is_wanted(const struct work *work, size_t bytes) {
  return option_has(works, work->name) && bytes <= work->most;
}

/* Bytes that the works read and write on either side. */
static size_t room_needed(void) {
  size_t most = WIRE_WORD;
  for (int k = 0; k < WORKS_N; k++)
    for (int i = 0; i < sizes_n; i++) {
      const size_t bytes = (size_t)sizes[i] * (size_t)all_works[k].places;
      if (is_wanted(&all_works[k], (size_t)sizes[i]) && bytes > most) most = bytes;
    }
  return most;
}

static int run_all(struct wire *w) {
  const size_t most = room_needed();
  long wrong = 0;
  char *part = wire_open(w, most);
  w->local = w->me == 0 ? room(most) : NULL;
  for (int k = 0; k < WORKS_N; k++)
    for (int i = 0; i < sizes_n; i++) {
      w->bytes = (size_t)sizes[i];
      if (is_wanted(&all_works[k], w->bytes)) wrong += run(&all_works[k], w, part);
    }
  wire_close();
  free(w->local);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Sizes are whole words, because Global Arrays moves elements. */
static bool sizes_fit(const char *program, bool speaks) {
  for (int i = 0; i < sizes_n; i++)
    if (sizes[i] % WIRE_WORD) {
      if (speaks) fprintf(stderr, "%s: --bytes needs multiples of %d, got %ld\n", program, WIRE_WORD, sizes[i]);
      return false;
    }
  return true;
}

int wire_run(const char *program, int me, int processes, int argc, char **argv) {
  static const char *const names[WORKS_N] = {"get", "stream", "puts"};
  const struct option options[] = {{"works", 0, 0, NULL, NULL, &works},
                                   {"bytes", WIRE_WORD, BYTES_MOST, sizes, &sizes_n, NULL},
                                   {"repeat", 1, 1000000, &repeat, NULL, NULL},
                                   {"samples", 1, SAMPLES_MAX, &samples_n, NULL, NULL}};
  struct wire w = {me, processes, processes - 1, 0, 0, NULL};
  if (!option_read(program, argc, argv, me == 0, sizeof options / sizeof *options, options)) return WRONG_OPTIONS;
  if (!option_known(program, works, me == 0, WORKS_N, names) || !sizes_fit(program, me == 0)) return WRONG_OPTIONS;
  if (processes == 1) {
    fprintf(stderr, "%s: a transfer needs at least 2 processes\n", program);
    return WRONG_OPTIONS;
  }
  return run_all(&w);
}
