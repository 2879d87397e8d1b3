/* OpenSHMEM: large variables that -mcmodel=medium puts into a data segment of their own, beside the ordinary one.
 * Units: 1 2 3
 */
#include "shmem_check.h"

enum { LARGE_N = 100000 }; /* more than 64 KiB */
static int filled[LARGE_N] = {[LARGE_N / 2] = 5}, empty[LARGE_N], small = 3, zero;

int main(void) {
  start();
  CHECK_EQ(shmem_int_g(&filled[LARGE_N / 2], next), 5);
  CHECK_EQ(shmem_int_g(&small, next), 3);
  shmem_barrier_all();
  shmem_int_p(&filled[LARGE_N - 1], me + 1, next);
  shmem_int_p(&empty[LARGE_N - 1], me + 2, next);
  shmem_int_p(&small, me + 3, next);
  shmem_int_p(&zero, me + 4, next);
  shmem_barrier_all();
  CHECK(filled[LARGE_N - 1] == previous + 1 && empty[LARGE_N - 1] == previous + 2 && small == previous + 3 && zero == previous + 4);
  return finish();
}
