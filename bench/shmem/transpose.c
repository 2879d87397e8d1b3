/* transpose: see transpose.h. Checked: every element of B has the value that follows from its place.
 *
 * Options: --order (rounded up to a multiple of the PEs), --rounds. */
#include "transpose.h"

static long wrong_elements(void) {
  long wrong_n = 0;
  for (long j = 0; j < width; j++) {
    for (long i = 0; i < order; i++) wrong_n += b[j * order + i] != expected_from(first_value(me * width + j, i));
  }
  return wrong_n;
}

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  if (!read_transpose_options("transpose", argc, argv)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  open_matrix();
  const double seconds = time_rounds(rounds, transpose_round);
  const int status = report("transpose", seconds, megabytes(), "MB", wrong_elements());
  close_matrix();
  shmem_finalize();
  return status;
}
