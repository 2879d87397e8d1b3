/* stencil_dart: the same kernel (stencil.h) with two interfaces on the same memory, which only Tessera has. The halos
 * travel by DART's puts into memory that DART has allocated. This memory is symmetric for OpenSHMEM, and the signals,
 * which are in it, too, are OpenSHMEM's: they are sent when DART's puts are complete.
 *
 * Options: --order, --rounds. */
#include <dash/dart/if/dart.h>

#include "stencil.h"

/* DART's memory: the halos as in stencil.c, and then the signals. */
static dart_gptr_t base;
static double *arrived;
static uint64_t *arrived_set;

static size_t place(uint64_t round, int side) { return (round % 2 * SIDES + (size_t)side) * side_max(); }

static void must(dart_ret_t result) { require(result == DART_OK, "a call of DART"); } /* DART has printed which one */

static void open_halo(void) {
  const size_t n = 2 * SIDES * side_max();
  void *address;
  must(dart_team_memalloc_aligned(DART_TEAM_ALL, n + SIDES, DART_TYPE_DOUBLE, &base));
  must(dart_gptr_setunit(&base, DART_TEAM_UNIT_ID(me)));
  must(dart_gptr_getaddr(base, &address));
  arrived = address;
  arrived_set = (uint64_t *)address + n;
  memset(arrived_set, 0, SIDES * sizeof *arrived_set);
  shmem_barrier_all();
}

static void put_side(uint64_t round, int side) {
  dart_gptr_t target = base;
  must(dart_gptr_setunit(&target, DART_TEAM_UNIT_ID(neighbour[side])));
  must(dart_gptr_incaddr(&target, (int64_t)(place(round, side ^ 1) * sizeof(double))));
  must(dart_put(target, leaving[side], side_n(side), DART_TYPE_DOUBLE, DART_TYPE_DOUBLE));
}

static void send_halo(uint64_t round) {
  for (int side = 0; side < SIDES; side++) {
    if (neighbour[side] < 0) continue;
    pack_side(side);
    put_side(round, side);
  }
  must(dart_flush_all(base)); /* OpenSHMEM's fence does not know of DART's puts */
  for (int side = 0; side < SIDES; side++) {
    if (neighbour[side] >= 0) shmem_signal_set(&arrived_set[side ^ 1], round, neighbour[side]);
  }
}

static void receive_halo(uint64_t round) {
  for (int side = 0; side < SIDES; side++) {
    if (neighbour[side] < 0) continue;
    shmem_signal_wait_until(&arrived_set[side], SHMEM_CMP_GE, round);
    unpack_side(side, arrived + place(round, side));
  }
}

static void complete_halo(void) {} /* the flush in send_halo has done it */

int main(int argc, char **argv) {
  shmem_init();
  must(dart_init(&argc, &argv));
  me = shmem_my_pe();
  pes = shmem_n_pes();
  int status = WRONG_ARGUMENTS;
  if (read_stencil_options("stencil_dart", argc, argv)) {
    open_grid();
    open_halo();
    const double seconds = time_rounds(rounds, stencil_round);
    status = report("stencil_dart", seconds, megaflops(), "Mflop", wrong_elements());
    must(dart_team_memfree(base));
    close_grid();
  }
  dart_exit();
  shmem_finalize();
  return status;
}
