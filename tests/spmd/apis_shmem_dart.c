/* OpenSHMEM and DART in one program: DART's collective memory is symmetric, and shmem_malloc's can be reached by DART's world. */
#include <dash/dart/if/dart.h>

#include "shmem_check.h"

int main(int argc, char **argv) {
  dart_gptr_t gptr;
  void *address = NULL;
  CHECK_EQ(dart_init(&argc, &argv), DART_OK);
  start();
  CHECK_EQ(dart_team_memalloc_aligned(DART_TEAM_ALL, 4, DART_TYPE_LONG, &gptr), DART_OK);
  dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(me));
  CHECK_EQ(dart_gptr_getaddr(gptr, &address), DART_OK);
  long *words = address;
  words[0] = 0;
  shmem_barrier_all();
  shmem_long_p(&words[1], me + 1, next);
  for (int pe = 0; pe < pes; pe++) {
    const long one = 1;
    shmem_long_atomic_add(words, 1, pe);
    dart_gptr_setunit(&gptr, DART_TEAM_UNIT_ID(pe));
    CHECK_EQ(dart_accumulate(gptr, &one, 1, DART_TYPE_LONG, DART_OP_SUM), DART_OK);
    dart_flush(gptr);
  }
  shmem_barrier_all();
  CHECK_EQ(words[0], 2 * pes);
  CHECK_EQ(words[1], previous + 1);
  shmem_finalize();
  CHECK_EQ(dart_exit(), DART_OK);
  return check_result();
}
