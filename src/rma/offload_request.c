#include "rma/offload_request.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/copy.h"
#include "base/freelist.h"
#include "base/slab.h"
#include "base/wait.h"
#include "core/agent.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/post.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "net/net.h"
#include "node/attach.h"
#include "rma/offload.h"
#include "rma/rma.h"

/* One request, or several adjacent ones that are one transfer with one completion. Its pieces are started in order. A
 * piece of private memory of another process has a buffer. Pieces may end in any thread that polls. The thread that ends
 * the last one reports the completion, so that a waiting unit, which polls, does not wait for the agent. */
enum { JOINED_MAX = TSR_RING_INLINE_BYTES / sizeof(uint64_t) /* as many as a completion has room for */ };
struct transfer {
  struct tsr_offload_request offload; /* the first request, with the bytes of all */
  uint64_t ops[JOINED_MAX];
  uint32_t ops_n;
  uint64_t started_bytes;
  _Atomic uint32_t parts_n; /* pieces in progress, and 1 until all pieces are started */
  _Atomic enum { UNDER_WAY, UNREPORTED, OVER } state;
  struct transfer *next;
};

/* A piece in progress. */
struct piece {
  struct transfer *transfer;
  uint64_t at;
  size_t bytes;
  char *data; /* copy of private memory of another process; NULL: none */
};

enum {
  STEP_BYTES = 256 << 10, /* most bytes of one copy within the node; requests are served between two */
  PIECE_BYTES = 1 << 20,  /* most bytes of a piece with a buffer */
  HELD_PIECES = 8         /* most pieces with a buffer at once */
};

static tsr_slab transfer_slab = TSR_SLAB(sizeof(struct transfer)), pieces = TSR_SLAB(sizeof(struct piece));
static tsr_freelist buffers = TSR_FREELIST(HELD_PIECES * PIECE_BYTES);

static struct {
  struct transfer *first, **last, *newest;
  _Atomic int unstarted_n, held_n; /* transfers that are not started completely; pieces with a buffer */
  _Atomic bool short_of_room;      /* a piece could not start; cleared when one ends */
} transfers = {.last = &transfers.first};

static bool can_join(const struct transfer *transfer, const struct tsr_offload_request *offload) {
  const struct tsr_offload_request *before = &transfer->offload;
  bool alike = offload->unit == before->unit && offload->origin == before->origin &&
               offload->is_put == before->is_put && offload->is_private == before->is_private;
  bool goes_on = offload->off == before->off + before->bytes && offload->buffer == before->buffer + before->bytes;
  size_t most = tsr_place_is_local(TSR_UNIT(offload->unit)) ? STEP_BYTES : tsr_net_limits.chunk_bytes;
  return alike && goes_on && transfer->started_bytes == 0 && transfer->ops_n < JOINED_MAX && before->bytes + offload->bytes <= most;
}

static struct transfer *add_transfer(const struct tsr_offload_request *offload) {
  struct transfer *transfer = tsr_slab_take(&transfer_slab);
  if (!transfer)
    tsr_abort(EXIT_FAILURE, "TSR-0607 a progress agent has no private memory for one more transfer; raise TESSERA_OFFLOAD, so "
              "that units make more transfers themselves");
  *transfer = (struct transfer){.offload = *offload};
  atomic_init(&transfer->parts_n, 1);
  *transfers.last = transfer;
  transfers.last = &transfer->next;
  atomic_fetch_add_explicit(&transfers.unstarted_n, 1, memory_order_relaxed);
  return transfer;
}

void tsr_offload_request_take(const struct tsr_ring_record *record) {
  struct tsr_offload_request offload;
  memcpy(&offload, record->payload, sizeof offload);
  bool joins = transfers.newest && can_join(transfers.newest, &offload);
  if (joins) transfers.newest->offload.bytes += offload.bytes;
  else transfers.newest = add_transfer(&offload);
  transfers.newest->ops[transfers.newest->ops_n++] = offload.op;
  tsr_agent_count(joins ? 0 : 1);
}

/* The origin's buffer in this process; NULL: only the kernel can access it. */
static char *buffer_at(const struct tsr_offload_request *offload, uint64_t at) {
  if (!offload->is_private) return tsr_heap.base + offload->buffer + at;
  return offload->origin == tsr_heap.self ? (char *)(uintptr_t)offload->buffer + at : NULL;
}

/* Copies between private memory of the origin and memory of this process. */
static void copy_attached(const struct tsr_offload_request *offload, enum tsr_attach_way way, uint64_t at, void *ours,
                          size_t bytes) {
  void *theirs = (void *)(uintptr_t)(offload->buffer + at);
  struct tsr_attach_side local_addr = tsr_attach_one(ours, bytes), remote_addr = tsr_attach_one(theirs, bytes);
  if (tsr_attach_copy(offload->origin, way, &local_addr, &remote_addr))
    tsr_abort(EXIT_FAILURE, "TSR-0608 %zu bytes at %p of unit %d, the buffer of a non-blocking transfer, cannot be %s; it must "
              "stay allocated until the transfer is complete", bytes, theirs, tsr_place_unit(offload->origin).id,
              way == TSR_ATTACH_GET ? "read" : "written");
}

/* Copies a part, within the node. */
static int copy_some(struct transfer *transfer) {
  const struct tsr_offload_request *offload = &transfer->offload;
  uint64_t at = transfer->started_bytes;
  size_t bytes = tsr_min_size(offload->bytes - at, STEP_BYTES);
  char *heap = tsr_place_pointer((tsr_addr){TSR_UNIT(offload->unit), offload->off + at}),
       *buffer = buffer_at(offload, at);
  if (!buffer) copy_attached(offload, offload->is_put ? TSR_ATTACH_GET : TSR_ATTACH_PUT, at, heap, bytes);
  else if (offload->is_put) tsr_copy(heap, buffer, bytes);
  else tsr_copy(buffer, heap, bytes);
  transfer->started_bytes += bytes;
  return 1;
}

/* False: the origin's ring is full. The unit of this process needs no record. */
static bool report_completion(const struct transfer *transfer) {
  if (transfer->offload.origin == tsr_heap.self) {
    for (uint32_t i = 0; i < transfer->ops_n; i++) tsr_offload_end(transfer->ops[i]);
    return true;
  }
  struct tsr_post out;
  uint32_t bytes = transfer->ops_n * (uint32_t)sizeof transfer->ops[0];
  if (tsr_post_try(&out, tsr_post_box_of(transfer->offload.origin), TSR_RECORD_OFFLOAD_DONE, bytes)) return false;
  memcpy(out.record.payload, transfer->ops, bytes);
  tsr_post_send(&out);
  return true;
}

/* The transfer may be freed after this. */
static void end_part(struct transfer *transfer) {
  if (atomic_fetch_sub(&transfer->parts_n, 1) > 1) return;
  bool is_reported = report_completion(transfer);
  atomic_store(&transfer->state, is_reported ? OVER : UNREPORTED);
  if (!is_reported) tsr_agent_wake();
}

static struct piece *make_piece(struct transfer *transfer, size_t bytes, bool held) {
  struct piece *piece = tsr_slab_take(&pieces);
  char *data = piece && held ? tsr_freelist_take(&buffers, bytes) : NULL;
  if (!piece || (held && !data))
    tsr_abort(EXIT_FAILURE, "TSR-0609 a progress agent has no private memory for a piece of %zu bytes of a transfer of unit %d; "
              "raise TESSERA_OFFLOAD, so that units make more transfers themselves", bytes,
              tsr_place_unit(transfer->offload.origin).id);
  *piece = (struct piece){.transfer = transfer, .at = transfer->started_bytes, .bytes = bytes, .data = data};
  if (held) atomic_fetch_add(&transfers.held_n, 1);
  return piece;
}

static void free_piece(struct piece *piece) {
  if (piece->data) {
    tsr_freelist_give(&buffers, piece->data, piece->bytes);
    atomic_fetch_sub(&transfers.held_n, 1);
  }
  tsr_slab_give(&pieces, piece);
}

static void on_done(void *arg, enum tsr_net_event event, size_t reply_bytes) {
  (void)reply_bytes;
  struct piece *piece = arg;
  if (event != TSR_NET_REMOTE) return;
  const struct tsr_offload_request *offload = &piece->transfer->offload;
  if (piece->data && !offload->is_put) copy_attached(offload, TSR_ATTACH_PUT, piece->at, piece->data, piece->bytes);
  struct transfer *transfer = piece->transfer;
  free_piece(piece);
  end_part(transfer);
  if (atomic_exchange(&transfers.short_of_room, false)) tsr_agent_wake();
}

/* Sends a piece to another node. False: no room now. */
static bool send_some(struct transfer *transfer) {
  const struct tsr_offload_request *offload = &transfer->offload;
  char *buffer = buffer_at(offload, transfer->started_bytes);
  bool held = !buffer;
  if (held && atomic_load(&transfers.held_n) >= HELD_PIECES) return false;
  size_t bytes = tsr_rma_piece(offload->is_put, offload->bytes, offload->bytes - transfer->started_bytes);
  if (held) bytes = tsr_min_size(bytes, PIECE_BYTES);
  struct piece *piece = make_piece(transfer, bytes, held);
  if (held && offload->is_put) copy_attached(offload, TSR_ATTACH_GET, piece->at, piece->data, bytes);
  tsr_addr remote = {TSR_UNIT(offload->unit), offload->off + piece->at};
  struct tsr_net_request request = tsr_rma_request(offload->is_put, remote, held ? piece->data : buffer, bytes);
  request.done = on_done;
  request.done_arg = piece;
  atomic_fetch_add(&transfer->parts_n, 1);
  if (tsr_net->request(&request)) {
    free_piece(piece);
    atomic_fetch_sub(&transfer->parts_n, 1);
    return false;
  }
  transfer->started_bytes += bytes;
  return true;
}

/* Makes one copy, so that other transfers advance, too; or sends as many pieces to another node as there is room for. */
static int advance_transfer(struct transfer *transfer) {
  const struct tsr_offload_request *offload = &transfer->offload;
  int done = 0;
  if (transfer->started_bytes == offload->bytes) return 0;
  if (tsr_place_is_local(TSR_UNIT(offload->unit))) {
    done = copy_some(transfer);
  } else {
    while (transfer->started_bytes < offload->bytes && send_some(transfer)) done++;
    /* A piece that ended just before this store wakes no agent, but the agent polls again soon. */
    if (transfer->started_bytes < offload->bytes) atomic_store(&transfers.short_of_room, true);
  }
  if (transfer->started_bytes < offload->bytes) return done;
  atomic_fetch_sub_explicit(&transfers.unstarted_n, 1, memory_order_relaxed);
  end_part(transfer);
  return done;
}

static bool is_over(struct transfer *transfer) {
  return atomic_load(&transfer->state) == OVER || (atomic_load(&transfer->state) == UNREPORTED && report_completion(transfer));
}

bool tsr_offload_request_any(void) { return atomic_load_explicit(&transfers.unstarted_n, memory_order_relaxed) > 0; }

int tsr_offload_request_work(void) {
  int done = 0;
  for (struct transfer **link = &transfers.first; *link;) {
    struct transfer *transfer = *link;
    done += advance_transfer(transfer);
    if (!is_over(transfer)) {
      link = &transfer->next;
      continue;
    }
    *link = transfer->next;
    if (!*link) transfers.last = link;
    if (transfer == transfers.newest) transfers.newest = NULL;
    tsr_slab_give(&transfer_slab, transfer);
    done++;
  }
  return done;
}
