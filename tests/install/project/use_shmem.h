/* A ring over OpenSHMEM: each PE puts its number into a static variable of the next one. */
#include <shmem.h>

#include <stdio.h>

static long received = -1;

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes();
  shmem_long_p(&received, me, (me + 1) % n);
  shmem_barrier_all();
  const int good = received == (me + n - 1) % n;
  if (!good) fprintf(stderr, "PE %d received %ld\n", me, received);
  if (good && me == 0) printf("size %d\n", n);
  shmem_finalize();
  return !good;
}
