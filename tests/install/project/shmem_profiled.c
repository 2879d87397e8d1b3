/* Calls that shmem_tool.c counts, with and without a type in the name: 5 times p, twice quiet, 3 times put with a context. It
 * counts none that the library makes itself: the barrier completes puts, too. C and C++. */
#include <shmem.h>

#include <stdio.h>

static long received[4], source = 4;

int main(void) {
  shmem_ctx_t ctx = SHMEM_CTX_INVALID;
  shmem_init();
  const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
  shmem_long_p(&received[0], 1, next);
  shmem_p(&received[0], 1L, next);
  shmem_p(&received[0], 1, next);
  shmem_quiet();
  shmem_p(&received[1], 2L, next);
  void (*by_address)(long *, long, int) = shmem_long_p;
  by_address(&received[2], 3, next);
  shmem_quiet();
  int good = shmem_ctx_create(0, &ctx) == 0;
  shmem_ctx_long_put(ctx, &received[3], &source, 1, next);
  shmem_put(ctx, &received[3], &source, 1, next);
  shmem_put(ctx, &received[3], &source, 1, next);
  shmem_ctx_quiet(ctx);
  shmem_ctx_destroy(ctx);
  shmem_barrier_all();
  for (int i = 0; i < 4; i++) good = good && received[i] == i + 1;
  if (!good) fprintf(stderr, "PE %d received other values\n", me);
  shmem_finalize();
  return !good;
}
