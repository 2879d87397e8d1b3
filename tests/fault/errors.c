/* The last unit makes as many wrong calls as the first argument says, all at one place; with a second argument one
 * before the start, too. Then all units report that they continue, and end normally. */
#include <stdio.h>
#include <stdlib.h>

#include <dash/dart/if/dart.h>

static void call_wrongly(void) {
  long value = 1;
  dart_gptr_t nowhere = DART_GPTR_NULL;
  if (dart_put_blocking(nowhere, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK) exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
  if (argc < 2) return EXIT_FAILURE;
  if (argc > 2) call_wrongly();
  if (dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_global_unit_t self;
  size_t n;
  dart_myid(&self);
  dart_size(&n);
  for (long i = 0; self.id == (dart_unit_t)n - 1 && i < atol(argv[1]); i++) call_wrongly();
  dart_barrier(DART_TEAM_ALL);
  fprintf(stderr, "unit %d goes on\n", self.id);
  dart_exit();
  return EXIT_SUCCESS;
}
