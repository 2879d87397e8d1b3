#include "net/common/delay.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "net/common/wire.h"

/* All are delayed equally long, so they end in the order of their arrival. */
struct delayed {
  struct delayed *next;
  uint64_t due_ns;
  tsr_net_done_fn done;
  void *arg;
  size_t bytes;
};
static struct delayed *_Atomic first;
static struct delayed *last;

static struct delayed *first_delayed(void) { return atomic_load_explicit(&first, memory_order_relaxed); }

void tsr_wire_delay(tsr_net_done_fn done, void *arg, size_t bytes) {
  struct delayed *one = malloc(sizeof *one);
  if (!one) tsr_wire_fatal("TSR-0205 no private memory to delay a message; unset TESSERA_WIRE_DELAY_US");
  *one = (struct delayed){NULL, tsr_clock_ns() + (uint64_t)tsr_config.wire_delay_us * 1000u, done, arg, bytes};
  if (first_delayed()) last->next = one;
  else atomic_store_explicit(&first, one, memory_order_relaxed);
  last = one;
}

int tsr_wire_delay_poll(void) {
  int done_n = 0;
  for (struct delayed *one; (one = first_delayed()) && one->due_ns <= tsr_clock_ns(); done_n++) {
    struct delayed due = *one;
    atomic_store_explicit(&first, due.next, memory_order_relaxed);
    free(one);
    due.done(due.arg, TSR_NET_LOCAL, due.bytes);
  }
  return done_n;
}

bool tsr_wire_delay_holds(void) { return first_delayed(); }

void tsr_wire_delay_stop(void) {
  for (struct delayed *one; (one = first_delayed());) {
    atomic_store_explicit(&first, one->next, memory_order_relaxed);
    free(one);
  }
}
