/* Non-blocking transfers of lengths around the one from which on an agent moves them, from heap and private memory,
 * many at once, by handle and by flush; also of a unit to itself.
 */
#include "dart_check.h"

enum { THRESHOLD_N = 4096, LONGEST_N = 3 << 18, COUNTS_N = 5, DEEP_N = 40 };
static const size_t counts[COUNTS_N] = {1, THRESHOLD_N - 1, THRESHOLD_N, THRESHOLD_N + 1, LONGEST_N};

static void write_pattern(long *data, size_t n, long seed) {
  for (size_t i = 0; i < n; i++) data[i] = seed * 31 + (long)i;
}

static bool has_pattern(const long *data, size_t n, long seed) {
  for (size_t i = 0; i < n; i++) {
    if (data[i] != seed * 31 + (long)i) return false;
  }
  return true;
}

static void by_handle(dart_gptr_t there, long *out, long *in, size_t n) {
  dart_handle_t handle = DART_HANDLE_NULL;
  write_pattern(out, n, self + (long)n);
  OK(dart_put_handle(there, out, n, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  OK(dart_wait(&handle));
  memset(in, 0, n * sizeof *in);
  OK(dart_get_handle(in, there, n, DART_TYPE_LONG, DART_TYPE_LONG, &handle));
  int32_t done = 0;
  while (!done) OK(dart_test(&handle, &done));
  CHECK(has_pattern(in, n, self + (long)n));
}

static void by_flush(dart_gptr_t there, long *out, long *in, size_t n) {
  write_pattern(out, n, self - (long)n);
  OK(dart_put(there, out, n, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_flush(there));
  memset(in, 0, n * sizeof *in);
  OK(dart_get(in, there, n, DART_TYPE_LONG, DART_TYPE_LONG));
  OK(dart_flush_local(there));
  CHECK(has_pattern(in, n, self - (long)n));
}

/* Pieces of one array, all outstanding at once. */
static void many(dart_gptr_t there, long *out, long *in) {
  dart_handle_t handles[DEEP_N];
  size_t piece_n = LONGEST_N / DEEP_N;
  write_pattern(out, piece_n * DEEP_N, self);
  for (size_t i = 0; i < DEEP_N; i++) {
    dart_gptr_t piece = there;
    OK(dart_gptr_incaddr(&piece, (int64_t)(i * piece_n * sizeof *out)));
    OK(dart_put_handle(piece, out + i * piece_n, piece_n, DART_TYPE_LONG, DART_TYPE_LONG, &handles[i]));
  }
  OK(dart_waitall(handles, DEEP_N));
  OK(dart_get_blocking(in, there, piece_n * DEEP_N, DART_TYPE_LONG, DART_TYPE_LONG));
  CHECK(has_pattern(in, piece_n * DEEP_N, self));
}

static void transfers(dart_gptr_t base, long *out, long *in) {
  for (dart_unit_t step = 0; step < units_n; step++) {
    dart_gptr_t there = at(base, (self + step) % units_n, 0);
    for (int i = 0; i < COUNTS_N; i++) {
      by_handle(there, out, in, counts[i]);
      by_flush(there, out, in, counts[i]);
    }
    many(there, out, in);
    barrier(); /* one origin per target at a time */
  }
}

int main(int argc, char **argv) {
  setenv("TESSERA_OFFLOAD", "32K", 1); /* THRESHOLD_N longs */
  start(&argc, &argv);
  dart_gptr_t base = team_alloc(DART_TEAM_ALL, LONGEST_N, DART_TYPE_LONG);
  long *private[2];
  dart_gptr_t in_heap[2];
  for (int i = 0; i < 2; i++) {
    private[i] = malloc(LONGEST_N * sizeof *private[i]);
    OK(dart_memalloc(LONGEST_N, DART_TYPE_LONG, &in_heap[i]));
  }
  barrier();
  transfers(base, private[0], private[1]);
  void *heap[2];
  for (int i = 0; i < 2; i++) OK(dart_gptr_getaddr(in_heap[i], &heap[i]));
  transfers(base, heap[0], heap[1]);
  for (int i = 0; i < 2; i++) {
    OK(dart_memfree(in_heap[i]));
    free(private[i]);
  }
  OK(dart_team_memfree(base));
  return finish();
}
