#include "net/common/acks.h"

#include <stdlib.h>
#include <string.h>

#include "net/common/delay.h"
#include "net/common/requests.h"

enum { SLOTS_N = 60, DELAYED_N = 16 /* at most 16 acknowledgements are delayed, so that the origin keeps
                                                     * free slots */ };

/* The content of a message. */
struct bundle {
  uint16_t magic, n;
  int32_t rank; /* of the endpoint */
  uint16_t slots[SLOTS_N];
};
_Static_assert(sizeof(struct bundle) == TSR_WIRE_ACKS_MOST, "two cache lines");

/* A bundle that is being filled, for one origin, or that MPI is sending. */
struct outgoing {
  struct outgoing *next, *next_made;
  int rank;
  bool delayed;
  struct bundle bundle;
};

static struct {
  struct outgoing *filling, *free, *made;
} acks;

void tsr_wire_acks_stop(void) {
  acks.filling = acks.free = NULL;
  for (struct outgoing *one; (one = acks.made);) {
    acks.made = one->next_made;
    free(one);
  }
}

static void release_bundle(struct outgoing *one) {
  one->next = acks.free;
  acks.free = one;
}

static void on_sent(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  release_bundle(arg);
}

static void send_bundle(struct outgoing *one) {
  size_t bytes = offsetof(struct bundle, slots) + one->bundle.n * sizeof one->bundle.slots[0];
  tsr_wire->send_acks(one->rank, &one->bundle, bytes, on_sent, one);
}

void tsr_wire_acks_send(bool all) {
  for (struct outgoing **link = &acks.filling, *one; (one = *link);) {
    if (one->delayed && !all) {
      link = &one->next;
      continue;
    }
    *link = one->next;
    send_bundle(one);
  }
}

static struct outgoing *begin_bundle(int rank) {
  struct outgoing *one = acks.free;
  if (one) {
    acks.free = one->next;
  } else {
    one = malloc(sizeof *one);
    if (!one) tsr_wire_fatal("TSR-0200 no private memory to acknowledge a request of rank %d", rank);
    one->next_made = acks.made;
    acks.made = one;
  }
  one->rank = rank;
  one->delayed = true;
  one->bundle.magic = TSR_WIRE_MAGIC;
  one->bundle.rank = tsr_wire_rank;
  one->bundle.n = 0;
  one->next = acks.filling;
  acks.filling = one;
  return one;
}

/* Few bundles are being filled: one for each origin that was served lately. */
static struct outgoing **filling_for(int rank) {
  struct outgoing **link = &acks.filling;
  while (*link && (*link)->rank != rank) link = &(*link)->next;
  return link;
}

void tsr_wire_ack(int rank, uint16_t slot, bool delayed) {
  struct outgoing *one = *filling_for(rank);
  if (!one) one = begin_bundle(rank);
  one->bundle.slots[one->bundle.n++] = slot;
  one->delayed = one->delayed && delayed && one->bundle.n < DELAYED_N;
  if (one->bundle.n < SLOTS_N) return;
  *filling_for(rank) = one->next;
  send_bundle(one);
}

size_t tsr_wire_acks_piggyback(int rank, void *slots) {
  struct outgoing **link = &acks.filling;
  while (*link && (*link)->rank != rank) link = &(*link)->next;
  struct outgoing *one = *link;
  if (!one || one->bundle.n > TSR_WIRE_PIGGYBACKED_MAX) return 0;
  size_t bytes = one->bundle.n * sizeof one->bundle.slots[0];
  memcpy(slots, one->bundle.slots, bytes);
  *link = one->next;
  release_bundle(one);
  return bytes;
}

static void apply_bundle(const struct bundle *bundle) {
  for (int i = 0; i < bundle->n; i++) tsr_wire_request_acked(bundle->rank, bundle->slots[i]);
}

static void take_late(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  apply_bundle(arg);
  free(arg);
}

/* The bundle is copied, so that its buffer can receive the next one. */
static void delay_bundle(const struct bundle *bundle) {
  struct bundle *copy = malloc(sizeof *copy);
  if (!copy) tsr_wire_fatal("TSR-0201 no private memory to delay a message; unset TESSERA_WIRE_DELAY_US");
  *copy = *bundle;
  tsr_wire_delay(take_late, copy, sizeof *copy);
}

static void validate_bundle(const struct bundle *bundle, int rank, size_t bytes) {
  size_t head = offsetof(struct bundle, slots);
  if (bytes >= head && bundle->magic == TSR_WIRE_MAGIC && bundle->rank == rank && bundle->n <= SLOTS_N &&
      bytes == head + bundle->n * sizeof bundle->slots[0]) return;
  tsr_wire_fatal("TSR-0202 a message of %zu bytes from rank %d acknowledges no requests of ours; " TSR_WIRE_ONE_BUILD, bytes,
                rank);
}

static void take_or_delay(const struct bundle *bundle) {
  if (tsr_wire_delay_wanted()) delay_bundle(bundle);
  else apply_bundle(bundle);
}

void tsr_wire_acks_take_piggybacked(int rank, const void *slots, size_t bytes) {
  struct bundle bundle = {TSR_WIRE_MAGIC, (uint16_t)(bytes / sizeof bundle.slots[0]), rank, {0}};
  memcpy(bundle.slots, slots, bytes);
  take_or_delay(&bundle);
}

void tsr_wire_acks_arrived(const void *message, int rank, size_t bytes) {
  validate_bundle(message, rank, bytes);
  take_or_delay(message);
}
