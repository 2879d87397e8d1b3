#include "net/common/acks.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/config.h"
#include "net/common/delay.h"
#include "net/common/requests.h"

enum {
  DELAYED_N = 16,     /* fewer acknowledgements than this are delayed, and than a quarter of the origin's slots */
  DELAYED_NS = 50000, /* 64 KiB between two hosts over TCP are received within it, as a rule */
  BUSY_POLLS = 256    /* traffic of other origins delays it by at most so many polls */
};

/* One acknowledgement; the reply follows it, rounded up to whole entries. */
struct entry {
  uint16_t slot, bytes;
};
static size_t entry_bytes(size_t reply_bytes) {
  return sizeof(struct entry) + (reply_bytes + sizeof(struct entry) - 1) / sizeof(struct entry) * sizeof(struct entry);
}

/* The content of a message. */
struct bundle {
  uint16_t magic, n;
  int32_t rank; /* of the endpoint */
  char entries[TSR_WIRE_ACKS_MOST - 8];
};
_Static_assert(sizeof(struct bundle) == TSR_WIRE_ACKS_MOST, "no room is lost");

/* A bundle that is being filled, for one origin, or that the wire is sending. */
struct outgoing {
  struct outgoing *next, *next_made;
  int rank;
  bool delayed;
  uint64_t begun_ns; /* of a delayed one */
  int busy_polls_n; /* in which there was something else to do */
  size_t bytes;     /* of the entries */
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
  tsr_wire->send_acks(one->rank, &one->bundle, offsetof(struct bundle, entries) + one->bytes, on_sent, one);
}

/* Whether a delayed bundle goes on waiting. */
static bool stays_delayed(struct outgoing *one, enum tsr_wire_acks_when when) {
  if (when == TSR_WIRE_ACKS_ALL) return false;
  if (when == TSR_WIRE_ACKS_BUSY) return ++one->busy_polls_n < BUSY_POLLS;
  return tsr_clock_ns() - one->begun_ns < DELAYED_NS;
}

void tsr_wire_acks_send(enum tsr_wire_acks_when when) {
  for (struct outgoing **link = &acks.filling, *one; (one = *link);) {
    if (one->delayed && stays_delayed(one, when)) {
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
    if (!one) tsr_wire_fatal("TSR-0200 no private memory to acknowledge a request of rank %d; " TSR_REMEDY_MEMORY, rank);
    one->next_made = acks.made;
    acks.made = one;
  }
  one->rank = rank;
  one->delayed = true;
  one->busy_polls_n = 0;
  one->bundle.magic = TSR_WIRE_MAGIC;
  one->bundle.rank = tsr_wire_rank;
  one->bundle.n = 0;
  one->bytes = 0;
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

/* A bundle with room for so many bytes more. */
static struct outgoing *bundle_for(int rank, size_t bytes) {
  struct outgoing **link = filling_for(rank), *one = *link;
  if (one && one->bytes + bytes > sizeof one->bundle.entries) {
    *link = one->next;
    send_bundle(one);
    one = NULL;
  }
  return one ? one : begin_bundle(rank);
}

static bool has_room_for_delay(int n) { return n < DELAYED_N && n < tsr_config.wire_buffers / 4; }

void tsr_wire_ack(int rank, uint16_t slot, bool delayed, const void *reply, size_t bytes) {
  struct outgoing *one = bundle_for(rank, entry_bytes(bytes));
  char *at = one->bundle.entries + one->bytes;
  memcpy(at, &(struct entry){slot, (uint16_t)bytes}, sizeof(struct entry));
  if (bytes) memcpy(at + sizeof(struct entry), reply, bytes);
  one->bytes += entry_bytes(bytes);
  one->bundle.n++;
  one->delayed = one->delayed && delayed && has_room_for_delay(one->bundle.n);
  if (one->delayed && one->bundle.n == 1) one->begun_ns = tsr_clock_ns();
}

size_t tsr_wire_acks_piggyback(int rank, void *entries) {
  if (!acks.filling) return 0;
  struct outgoing **link = filling_for(rank), *one = *link;
  if (!one || one->bytes > TSR_WIRE_PIGGYBACKED_MOST) return 0;
  memcpy(entries, one->bundle.entries, one->bytes);
  *link = one->next;
  release_bundle(one);
  return one->bytes;
}

/* Returns how many there are; -1: the last does not fit the bytes. */
static int count_entries(const char *entries, size_t bytes) {
  int n = 0;
  for (size_t at = 0; at < bytes; n++) {
    struct entry entry = {0};
    if (bytes - at < sizeof entry) return -1;
    memcpy(&entry, entries + at, sizeof entry);
    if (entry_bytes(entry.bytes) > bytes - at) return -1;
    at += entry_bytes(entry.bytes);
  }
  return n;
}

static void apply_entries(int rank, const char *entries, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    struct entry entry;
    memcpy(&entry, entries + at, sizeof entry);
    tsr_wire_request_acked(rank, entry.slot, entries + at + sizeof entry, entry.bytes);
    at += entry_bytes(entry.bytes);
  }
}

/* A copy, so that the message's buffer can receive the next one. */
struct late {
  int rank;
  size_t bytes;
  char entries[];
};

static void apply_late(void *arg, enum tsr_net_event event, size_t bytes) {
  (void)event, (void)bytes;
  struct late *late = arg;
  apply_entries(late->rank, late->entries, late->bytes);
  free(late);
}

static void apply_or_delay(int rank, const char *entries, size_t bytes) {
  if (!tsr_wire_delay_wanted()) {
    apply_entries(rank, entries, bytes);
    return;
  }
  struct late *late = malloc(sizeof *late + bytes);
  if (!late) tsr_wire_fatal("TSR-0201 no private memory to delay acknowledgements; unset TESSERA_WIRE_DELAY_US");
  late->rank = rank;
  late->bytes = bytes;
  memcpy(late->entries, entries, bytes);
  tsr_wire_delay(apply_late, late, bytes);
}

void tsr_wire_acks_take_piggybacked(int rank, const void *entries, size_t bytes) {
  if (count_entries(entries, bytes) < 0)
    tsr_wire_fatal("TSR-0251 a request from rank %d carries %zu bytes that acknowledge no requests of ours; " TSR_REMEDY_ONE_BUILD,
                   rank, bytes);
  apply_or_delay(rank, entries, bytes);
}

void tsr_wire_acks_arrived(const void *message, int rank, size_t bytes) {
  const struct bundle *bundle = message;
  const size_t head = offsetof(struct bundle, entries);
  if (bytes < head || bundle->magic != TSR_WIRE_MAGIC || bundle->rank != rank ||
      count_entries(bundle->entries, bytes - head) != bundle->n)
    tsr_wire_fatal("TSR-0202 a message of %zu bytes from rank %d acknowledges no requests of ours; " TSR_REMEDY_ONE_BUILD, bytes,
                   rank);
  apply_or_delay(rank, bundle->entries, bytes - head);
}
