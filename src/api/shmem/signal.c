/* Put with signal. */
#include "rma/signal.h"

#include "api/shmem/shmem_api.h"
#include "core/progress.h"
#include "core/stats.h"
#include "rma/atomic.h"
#include "rma/notify.h"

static enum tsr_signal check_sig_op(int sig_op, const char *call) {
  if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
    tsr_shmem_die("TSR-5042 %s: sig_op is %d; pass SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", call, sig_op);
  return sig_op == SHMEM_SIGNAL_ADD ? TSR_SIGNAL_ADD : TSR_SIGNAL_STORE;
}

static tsr_addr find_signal(struct tsr_shmem_ctx *ctx, const uint64_t *sig_addr, int pe, const char *call) {
  if ((uintptr_t)sig_addr % sizeof *sig_addr)
    tsr_shmem_die("TSR-5044 %s: the signal at %p is not aligned to 8 bytes; declare it as uint64_t, in symmetric memory", call,
                  (const void *)sig_addr);
  return tsr_shmem_address(ctx, sig_addr, sizeof *sig_addr, pe, call);
}

/* Updates a signal outside the heaps by an atomic that its owner executes. */
static tessera_status_t signal_outside(tsr_addr signal, enum tsr_signal how, uint64_t value, tsr_op *op) {
  tessera_status_t status = tsr_fetch(signal, TSR_U64, how == TSR_SIGNAL_ADD ? TSR_SUM : TSR_REPLACE, &value, NULL, op);
  tsr_shmem_ring(signal.unit);
  return status;
}

static tessera_status_t send_signal(tsr_addr to, const void *source, size_t bytes, tsr_addr signal, enum tsr_signal how,
                                    uint64_t value, tsr_op *op) {
  if (!tsr_addr_is_outside(to) && !tsr_addr_is_outside(signal)) return tsr_put_notify(to, source, bytes, signal, how, value, op);
  tessera_status_t status = bytes ? tsr_put_wait(to, source, bytes) : TESSERA_OK;
  return status ? status : signal_outside(signal, how, value, op);
}

static void put_signal(shmem_ctx_t handle, void *dest, const void *source, size_t bytes, uint64_t *sig_addr, uint64_t value,
                       int sig_op, int pe, bool waits, const char *call) {
  TSR_SHMEM_ENTER(call);
  const uint64_t begun_ns = tsr_stats_begin();
  struct tsr_shmem_ctx *ctx = tsr_shmem_ctx(handle, call);
  enum tsr_signal how = check_sig_op(sig_op, call);
  tsr_addr signal = find_signal(ctx, sig_addr, pe, call);
  tsr_addr to = bytes ? tsr_shmem_address(ctx, dest, bytes, pe, call) : signal;
  tsr_shmem_require(send_signal(to, source, bytes, signal, how, value, &ctx->op), call);
  tsr_shmem_note_order(ctx, to, bytes);
  if (waits) tsr_op_wait_local(&ctx->op, to.unit);
  tsr_progress_throttled();
  tsr_stats_end_at(TSR_STAT_PUT, begun_ns, bytes, to.unit);
}

#define DEFINE_PUT(name, T, BYTES, WAITS) \
  TSR_SHMEM_DEFINE(void, name, \
         (T * dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
         (dest, source, nelems, sig_addr, signal, sig_op, pe), \
         put_signal(ctx, dest, source, tsr_shmem_bytes(nelems, BYTES, call), sig_addr, signal, sig_op, pe, WAITS, call);)

#define ROW(NAME, T) DEFINE_PUT(NAME##_put_signal, T, sizeof(T), true) DEFINE_PUT(NAME##_put_signal_nbi, T, sizeof(T), false)
SHMEMI_RMA_TYPES(ROW)
#undef ROW
#define ROW(SIZE) DEFINE_PUT(put##SIZE##_signal, void, SIZE / 8, true) DEFINE_PUT(put##SIZE##_signal_nbi, void, SIZE / 8, false)
SHMEMI_SIZES(ROW)
#undef ROW
DEFINE_PUT(putmem_signal, void, 1, true)
DEFINE_PUT(putmem_signal_nbi, void, 1, false)
TSR_SHMEM_DEFINE(void, signal_add, (uint64_t * sig_addr, uint64_t signal, int pe), (sig_addr, signal, pe),
       put_signal(ctx, NULL, NULL, 0, sig_addr, signal, SHMEM_SIGNAL_ADD, pe, true, call);)
TSR_SHMEM_DEFINE(void, signal_set, (uint64_t * sig_addr, uint64_t signal, int pe), (sig_addr, signal, pe),
       put_signal(ctx, NULL, NULL, 0, sig_addr, signal, SHMEM_SIGNAL_SET, pe, true, call);)

uint64_t pshmem_signal_fetch(const uint64_t *sig_addr) {
  tsr_shmem_must_be_up("shmem_signal_fetch");
  tsr_progress_throttled();
  return __atomic_load_n(sig_addr, __ATOMIC_ACQUIRE);
}

uint64_t pshmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value) {
  return tsr_shmem_wait_until(sig_addr, cmp, (struct tsr_shmem_value){cmp_value, sizeof cmp_value, false},
                              "shmem_signal_wait_until");
}

#include "api/shmem/names.h"
#include <shmem/signal.h>
