/* Starts and ends the runtime over an MPI whose windows, with the argument "apart", are separate from the memory that
 * the CPU accesses. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera.h>

static int apart;

int MPI_Win_get_attr(MPI_Win win, int key, void *value, int *found) {
  static int separate = MPI_WIN_SEPARATE;
  int code = PMPI_Win_get_attr(win, key, value, found);
  if (apart && key == MPI_WIN_MODEL && *found) *(int **)value = &separate;
  return code;
}

int main(int argc, char **argv) {
  apart = argc > 1 && strcmp(argv[1], "apart") == 0;
  tessera_status_t status = tessera_init(&argc, &argv);
  if (status) {
    printf("refused: %s\n", tessera_status_text(status));
    return EXIT_FAILURE;
  }
  return tessera_exit() ? EXIT_FAILURE : EXIT_SUCCESS;
}
