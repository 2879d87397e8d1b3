#include "net/mpi/acks.h"

#include <stdlib.h>
#include <string.h>

#include "net/mpi/receive_ring.h"
#include "net/mpi/delay.h"
#include "net/mpi/pending.h"
#include "net/mpi/requests.h"

enum { RECEIVES_N = 2, SLOTS_N = 60, DELAYED_N = 16 /* at most 16 acknowledgements are delayed, so that the origin keeps
                                                     * free slots */ };

/* The content of a message. */
struct bundle {
  uint16_t magic, n;
  int32_t rank; /* of the endpoint */
  uint16_t slots[SLOTS_N];
};
_Static_assert(sizeof(struct bundle) == 2 * TSR_MPI_ALIGN, "two cache lines");

/* A bundle that is being filled, for one origin, or that MPI is sending. */
struct outgoing {
  struct outgoing *next, *next_made;
  int rank;
  bool delayed;
  struct bundle bundle;
};

static struct {
  struct outgoing *filling, *free, *made;
  struct tsr_mpi_receive_ring ring;
  struct bundle bundles[RECEIVES_N];
  int own_rank;
} acks;

void tsr_mpi_acks_open(void) {
  MPI_Comm_rank(tsr_mpi.requests, &acks.own_rank);
  acks.ring = (struct tsr_mpi_receive_ring){
      .what = "acknowledgements", .tag = TSR_MPI_TAG_ACK, .n = RECEIVES_N, .most = sizeof(struct bundle)};
  for (int i = 0; i < RECEIVES_N; i++) acks.ring.inboxes[i].message = &acks.bundles[i];
  tsr_mpi_receive_ring_open(&acks.ring);
}

void tsr_mpi_acks_stop(void) {
  tsr_mpi_receive_ring_close(&acks.ring);
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
  struct tsr_mpi_pending pending = {.done = on_sent, .arg = one, .what = "acknowledgements", .rank = one->rank,
                                    .bytes = offsetof(struct bundle, slots) + one->bundle.n * sizeof one->bundle.slots[0],
                                    .tag = TSR_MPI_TAG_ACK};
  tsr_mpi_pending_send(tsr_mpi.requests, &one->bundle, pending);
}

void tsr_mpi_acks_send(bool all) {
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
    if (!one) tsr_mpi_fatal("TSR-0200 no private memory to acknowledge a request of rank %d", rank);
    one->next_made = acks.made;
    acks.made = one;
  }
  one->rank = rank;
  one->delayed = true;
  one->bundle.magic = TSR_MPI_MAGIC;
  one->bundle.rank = acks.own_rank;
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

void tsr_mpi_ack(int rank, uint16_t slot, bool delayed) {
  struct outgoing *one = *filling_for(rank);
  if (!one) one = begin_bundle(rank);
  one->bundle.slots[one->bundle.n++] = slot;
  one->delayed = one->delayed && delayed && one->bundle.n < DELAYED_N;
  if (one->bundle.n < SLOTS_N) return;
  *filling_for(rank) = one->next;
  send_bundle(one);
}

size_t tsr_mpi_acks_piggyback(int rank, void *slots) {
  struct outgoing **link = &acks.filling;
  while (*link && (*link)->rank != rank) link = &(*link)->next;
  struct outgoing *one = *link;
  if (!one || one->bundle.n > TSR_MPI_PIGGYBACKED_MAX) return 0;
  size_t bytes = one->bundle.n * sizeof one->bundle.slots[0];
  memcpy(slots, one->bundle.slots, bytes);
  *link = one->next;
  release_bundle(one);
  return bytes;
}

static void apply_bundle(const struct bundle *bundle) {
  for (int i = 0; i < bundle->n; i++) tsr_mpi_request_acked(bundle->rank, bundle->slots[i]);
}

static void take_late(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  apply_bundle(arg);
  free(arg);
}

/* The bundle is copied, so that its buffer can receive the next one. */
static void delay_bundle(const struct bundle *bundle) {
  struct bundle *copy = malloc(sizeof *copy);
  if (!copy) tsr_mpi_fatal("TSR-0201 no private memory to delay a message; unset TESSERA_WIRE_DELAY_US");
  *copy = *bundle;
  tsr_mpi_delay(take_late, copy, sizeof *copy);
}

static void validate_bundle(const struct bundle *bundle, int rank, size_t bytes) {
  size_t head = offsetof(struct bundle, slots);
  if (bytes >= head && bundle->magic == TSR_MPI_MAGIC && bundle->rank == rank && bundle->n <= SLOTS_N &&
      bytes == head + bundle->n * sizeof bundle->slots[0]) return;
  tsr_mpi_fatal("TSR-0202 a message of %zu bytes from rank %d acknowledges no requests of ours; " TSR_MPI_ONE_BUILD, bytes,
                rank);
}

static void take_or_delay(const struct bundle *bundle) {
  if (tsr_mpi_delay_wanted()) delay_bundle(bundle);
  else apply_bundle(bundle);
}

void tsr_mpi_acks_take_piggybacked(int rank, const void *slots, size_t bytes) {
  struct bundle bundle = {TSR_MPI_MAGIC, (uint16_t)(bytes / sizeof bundle.slots[0]), rank, {0}};
  memcpy(bundle.slots, slots, bytes);
  take_or_delay(&bundle);
}

int tsr_mpi_acks_poll(void) {
  int taken_n = 0;
  struct tsr_mpi_inbox *inbox;
  for (; (inbox = tsr_mpi_receive_ring_oldest(&acks.ring)); taken_n++) {
    validate_bundle(inbox->message, inbox->rank, inbox->bytes);
    take_or_delay(inbox->message);
    tsr_mpi_receive_ring_taken(&acks.ring, false);
  }
  return taken_n;
}
