/* The last unit makes as many wrong calls as the first argument says, all at one place; with a second argument one
 * before the start, too. Then all units report that they continue, and end normally. "threads": eight threads of
 * the last unit call dart_abort at once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>

static void call_wrongly(void) {
  long value = 1;
  dart_gptr_t nowhere = DART_GPTR_NULL;
  if (dart_put_blocking(nowhere, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK) exit(EXIT_FAILURE);
}

static pthread_barrier_t all_ready;
static void *end_job(void *none) {
  pthread_barrier_wait(&all_ready);
  dart_abort(9);
  return none;
}

static void end_at_once(void) {
  enum { THREADS_N = 8 };
  pthread_t threads[THREADS_N];
  pthread_barrier_init(&all_ready, NULL, THREADS_N);
  for (int i = 0; i < THREADS_N; i++) pthread_create(&threads[i], NULL, end_job, NULL);
  pthread_join(threads[0], NULL);
}

int main(int argc, char **argv) {
  if (argc < 2) return EXIT_FAILURE;
  if (argc > 2) call_wrongly();
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_global_unit_t self;
  size_t n;
  dart_myid(&self);
  dart_size(&n);
  if (!strcmp(argv[1], "threads") && self.id == (dart_unit_t)n - 1) end_at_once();
  for (long i = 0; self.id == (dart_unit_t)n - 1 && i < atol(argv[1]); i++) call_wrongly();
  dart_barrier(DART_TEAM_ALL);
  fprintf(stderr, "unit %d goes on\n", self.id);
  dart_exit();
  return EXIT_SUCCESS;
}
