/* A DASH program knows the headers of DART and the name of one library. */
#include <dash/dart/if/dart.h>

#include <cstdio>

int main(int argc, char **argv) {
  std::size_t size = 0;
  if (dart_init(&argc, &argv) != DART_OK || dart_size(&size) != DART_OK) return 1;
  dart_global_unit_t self;
  if (dart_myid(&self) != DART_OK) return 1;
  if (self.id == 0) std::printf("size %zu\n", size);
  return dart_exit() == DART_OK ? 0 : 1;
}
