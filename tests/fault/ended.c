/* The last unit ends its part of registered memory, and the first unit, on another node, then accesses it in the way
 * that the argument names. With a second argument the memory is of a heap: it stays accessible, as docs/migrate-dart.md says. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <dash/dart/if/dart.h>

static int64_t memory[4];

int main(int argc, char **argv) {
  dart_global_unit_t self;
  size_t units_n;
  dart_gptr_t gptr;
  int64_t value = 1;
  if (argc < 2 || dart_init(&argc, &argv) != DART_OK || dart_myid(&self) != DART_OK || dart_size(&units_n) != DART_OK) return 3;
  void *registered = memory;
  dart_gptr_t block;
  if (argc > 2 && (dart_memalloc(4, DART_TYPE_LONG, &block) != DART_OK || dart_gptr_getaddr(block, &registered) != DART_OK))
    return 3;
  memset(registered, 0, sizeof memory);
  if (dart_team_memregister(DART_TEAM_ALL, 4, DART_TYPE_LONG, registered, &gptr) != DART_OK) return 3;
  gptr.unitid = (int)units_n - 1;
  if (self.id == gptr.unitid && dart_team_memderegister(gptr) != DART_OK) return 3;
  dart_barrier(DART_TEAM_ALL);
  if (self.id == 0 && !strcmp(argv[1], "get")) dart_get_blocking(&value, gptr, 1, DART_TYPE_LONG, DART_TYPE_LONG);
  if (self.id == 0 && !strcmp(argv[1], "put")) dart_put_blocking(gptr, &value, 1, DART_TYPE_LONG, DART_TYPE_LONG);
  if (self.id == 0 && !strcmp(argv[1], "add")) {
    dart_accumulate(gptr, &value, 1, DART_TYPE_LONG, DART_OP_SUM);
    dart_flush(gptr);
  }
  dart_barrier(DART_TEAM_ALL);
  const int64_t expected = argc > 2 && self.id == gptr.unitid, found = *(int64_t *)registered;
  dart_exit();
  return found == expected ? EXIT_SUCCESS : 4;
}
