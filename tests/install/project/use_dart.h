/* The outside program, as C and as C++: all that it knows of Tessera is the published interface. */
#include <dash/dart/if/dart.h>
#include <tessera.h>

#include <stdio.h>

int main(int argc, char **argv) {
  size_t size = 0;
  if (dart_init(&argc, &argv) != DART_OK) return 1;
  if (dart_size(&size) != DART_OK) return 1;
  dart_global_unit_t self;
  if (dart_myid(&self) != DART_OK) return 1;
  if (self.id == 0) printf("size %zu\n", size);
  if (tessera_units() != (int32_t)size) return 1;
  return dart_exit() == DART_OK ? 0 : 1;
}
