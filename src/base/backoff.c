#include "base/backoff.h"

#include "base/clock.h"

/* The backoff is a part of the time waited so far, so that a sleep that outlasts the event adds little to it: a quarter up to
 * SOON_NS, and later a four-hundredth. One poll takes some ten microseconds, most of them in MPI. */
uint64_t tsr_backoff_next(struct tsr_backoff *backoff) {
  enum { FIRST_NS = 1600, SOON_NS = 100000, LATER_NS = 400000, MUCH_LATER_NS = 100000000, PART = 400 };
  const uint64_t later_ns = 10000000000u;
  if (backoff->yields_n > 0) {
    backoff->yields_n--;
    return 0;
  }
  uint64_t now = tsr_clock_ns();
  if (!backoff->begun_ns) backoff->begun_ns = now;
  const uint64_t waited_ns = now - backoff->begun_ns, part_ns = waited_ns / PART, first_ns = FIRST_NS + waited_ns / 4;
  if (part_ns < SOON_NS) return first_ns < SOON_NS ? first_ns : SOON_NS;
  const uint64_t most_ns = waited_ns < later_ns ? LATER_NS : MUCH_LATER_NS;
  return part_ns < most_ns ? part_ns : most_ns;
}
