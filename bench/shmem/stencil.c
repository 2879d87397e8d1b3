/* stencil: see stencil.h. Each side of the halo is one put with signal. Checked: every element of `out` has the value
 * that follows from the number of rounds.
 *
 * Options: --order, --rounds. */
#include "stencil.h"

/* What has arrived from each side, in two places that are used in turns: a neighbour can be a round ahead, but not two,
 * as it needs this PE's halo for the next one. */
static double *arrived;             /* symmetric */
static uint64_t arrived_set[SIDES]; /* the round of the last halo; symmetric, as all static variables are */

static double *place(uint64_t round, int side) { return arrived + (round % 2 * SIDES + (size_t)side) * side_max(); }

static void send_halo(uint64_t round) {
  for (int side = 0; side < SIDES; side++) {
    if (neighbour[side] < 0) continue;
    pack_side(side);
    shmem_double_put_signal_nbi(place(round, side ^ 1), leaving[side], side_n(side), &arrived_set[side ^ 1], round,
                                SHMEM_SIGNAL_SET, neighbour[side]);
  }
}

static void receive_halo(uint64_t round) {
  for (int side = 0; side < SIDES; side++) {
    if (neighbour[side] < 0) continue;
    shmem_signal_wait_until(&arrived_set[side], SHMEM_CMP_GE, round);
    unpack_side(side, place(round, side));
  }
}

static void complete_halo(void) { shmem_quiet(); }

int main(int argc, char **argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  if (!read_stencil_options("stencil", argc, argv)) {
    shmem_finalize();
    return WRONG_ARGUMENTS;
  }
  open_grid();
  arrived = symmetric_memory(2 * SIDES * side_max(), sizeof *arrived);
  const double seconds = time_rounds(rounds, stencil_round);
  const int status = report("stencil", seconds, megaflops(), "Mflop", wrong_elements());
  shmem_free(arrived);
  close_grid();
  shmem_finalize();
  return status;
}
