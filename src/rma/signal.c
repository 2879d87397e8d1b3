#include "rma/signal.h"

#include "base/poison.h"
#include "base/wait.h"
#include "core/conflict.h"
#include "core/handlers.h"
#include "core/runtime.h"
#include "net/net.h"
#include "rma/rma.h"

/* The doorbell of this unit would not wake its other threads, which wait for the thread that polls; tsr_wait_nudge wakes them. */
void tsr_signal_local(uint32_t local, uint64_t off, enum tsr_signal how, uint64_t value) {
  uint64_t *word = tsr_heap_at(local, off);
  tsr_conflict_sync();
  tsr_order_release(tsr_heap_unit(local)); /* partner: the acquire in tsr_rma_seen() */
  if (how == TSR_SIGNAL_ADD) __atomic_fetch_add(word, value, __ATOMIC_SEQ_CST);
  else __atomic_exchange_n(word, value, __ATOMIC_SEQ_CST);
  if (local == tsr_heap.self) tsr_wait_nudge();
  else tsr_bell_ring_fenced(&tsr_heap_unit(local)->bell);
}

tessera_status_t tsr_signal(tsr_addr word, enum tsr_signal how, uint64_t value, tsr_op *op) {
  int32_t local = tsr_place_local(word.unit);
  if (local >= 0) {
    tsr_signal_local((uint32_t)local, word.off, how, value);
    return TESSERA_OK;
  }
  atomic_thread_fence(memory_order_release); /* partner: the acquire of the load that sees the value */
  struct tsr_net_request request = {.rank = tsr_place_endpoint(word),
                                    .handler = TSR_H_SIGNAL,
                                    .args = {(uint64_t)word.unit.id, word.off, (uint64_t)how, value}};
  return tsr_op_request(op, &request, NULL, NULL);
}

static void serve_signal(const struct tsr_net_in *in, struct tsr_net_out *out) {
  (void)out;
  tsr_serve_range(in, in->args[1], sizeof(uint64_t));
  if (in->args[1] % sizeof(uint64_t) || in->args[1] >= TSR_ADDR_OUTSIDE || in->args[2] > TSR_SIGNAL_ADD)
    tsr_abort(1, "TSR-0613 a request of rank %d asks for signal %llu at offset %llu, which do not exist; " TSR_REMEDY_ONE_BUILD,
              in->rank, (unsigned long long)in->args[2], (unsigned long long)in->args[1]);
  uint32_t local = (uint32_t)tsr_place_local(TSR_UNIT((int32_t)in->args[0]));
  tsr_signal_local(local, in->args[1], (enum tsr_signal)in->args[2], in->args[3]);
}

__attribute__((constructor)) static void register_handlers(void) { tsr_net_register(TSR_H_SIGNAL, serve_signal); }
