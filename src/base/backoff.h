/* How long to sleep between two polls. */
#ifndef TSR_BASE_BACKOFF_H
#define TSR_BASE_BACKOFF_H

#include <stdint.h>

/* Time to sleep for a waiter that no doorbell wakes: 0 for the first `yields_n` times, then increasing while nothing
 * arrives. */
struct tsr_backoff {
  unsigned yields_n;
  uint64_t begun_ns;
};
static inline void tsr_backoff_begin(struct tsr_backoff *backoff, unsigned yields_n) {
  *backoff = (struct tsr_backoff){yields_n, 0};
}
uint64_t tsr_backoff_next(struct tsr_backoff *backoff);

#endif
