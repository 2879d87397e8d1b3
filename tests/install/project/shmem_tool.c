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

/* Names that also select other functions by type. */
void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync) { pshmem_sync(PE_start, logPE_stride, PE_size, pSync); }
void shmem_wait_until(long *ivar, int cmp, long value) { pshmem_wait_until(ivar, cmp, value); }

void shmem_finalize(void) {
  if (pshmem_my_pe() == 0) printf("p %d, quiet %d, ctx_put %d\n", p_calls, quiet_calls, ctx_put_calls);
  pshmem_finalize();
}
