/* The last unit calls dart_abort with the code of the first argument while the others wait for it. */
#include <stdlib.h>

#include <dash/dart/if/dart.h>

int main(int argc, char **argv) {
  dart_global_unit_t self;
  size_t n;
  if (argc < 2 || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  dart_myid(&self);
  dart_size(&n);
  if (self.id == (dart_unit_t)n - 1) dart_abort(atoi(argv[1]));
  dart_barrier(DART_TEAM_ALL);
  dart_exit();
  return EXIT_SUCCESS;
}
