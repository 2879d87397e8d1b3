/* A profiling tool: it defines functions of OpenSHMEM, counts their calls, and calls those that begin with p. */
#include <pshmem.h>

#include <stdio.h>

static int p_calls, quiet_calls, ctx_put_calls;

void shmem_long_p(long *dest, long value, int pe) {
  p_calls++;
  pshmem_long_p(dest, value, pe);
}

void shmem_quiet(void) {
  quiet_calls++;
  pshmem_quiet();
}

void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) {
  ctx_put_calls++;
  pshmem_ctx_long_put(ctx, dest, source, nelems, pe);
}

void shmem_finalize(void) {
  if (pshmem_my_pe() == 0) printf("p %d, quiet %d, ctx_put %d\n", p_calls, quiet_calls, ctx_put_calls);
  pshmem_finalize();
}
