#include "core/retry.h"

#include "core/stats.h"

_Atomic int tsr_retries_n;

/* Another thread may take the room first. */
tessera_status_t tsr_retry(const struct tsr_retry *retry) {
  uint64_t begun_ns = tsr_stats_begin();
  tessera_status_t status;
  atomic_fetch_add(&tsr_retries_n, 1);
  do tsr_wait(retry->has_room, retry->arg, retry->why);
  while ((status = retry->start(retry->arg)) == TESSERA_ERR_AGAIN);
  atomic_fetch_sub(&tsr_retries_n, 1);
  if (retry->why.kind == TSR_WAIT_SLOT) tsr_stats_end(TSR_STAT_NO_BUFFER, begun_ns, 0);
  return status;
}
