/* A unit, of the number in the second argument, calls dart_abort while the others wait for it, and the launcher does not end the
 * job: MPI_Abort does not return (stuck), or ends only the own process (gone). */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dash/dart/if/dart.h>
#include <mpi.h>

static const char *how;

int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  while (!strcmp(how, "stuck")) pause();
  _exit(code);
}

int main(int argc, char **argv) {
  dart_global_unit_t self;
  if (argc < 3 || dart_init(&argc, &argv) != DART_OK) return EXIT_FAILURE;
  how = argv[1];
  dart_myid(&self);
  if (self.id == atoi(argv[2])) dart_abort(7);
  dart_barrier(DART_TEAM_ALL);
  dart_exit();
  return EXIT_SUCCESS;
}
