#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy.h"
#include "base/status.h"
#include "core/place.h"
#include "core/runtime.h"
#include "node/attach.h"
#include "p2p/inbox.h"
#include "p2p/local.h"

/* Rendezvous descriptors are allocated in blocks; the first of a block only links the blocks.
 *
 * Bounce buffers cannot deadlock. An offer keeps its bounce buffer until it is received, which may be after a message
 * that still needs one. Offers therefore never get the last bounce buffer. Only messages whose receive has started use the
 * last one; each of them ends when its receiver makes progress, whatever the other messages do. A receiver that
 * makes no progress delays only messages to itself: if messages to other units hold all bounce buffers, one more is
 * allocated. */
enum { BLOCK_RNDVS_N = 64, OFFERS_BOUNCES_N = 4, BOUNCES_N = OFFERS_BOUNCES_N + 1 };
enum { BOUNCE_BYTES = TSR_BOUNCE_PIECES_N * TSR_BOUNCE_PIECE_BYTES };
#define NONE UINT64_MAX

/* The lock covers everything below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t blocks = NONE, free_rndvs = NONE, bounces = NONE; /* offsets in this unit's heap */
static bool bounce_in_use[BOUNCES_N];
static bool heap_is_full; /* the heap had no memory for the bounce buffers: offers do not try again */
static bool no_additional; /* the heap had no memory for an additional bounce buffer */
static uint32_t *received_n; /* by local unit: messages to it that took a bounce buffer after their receive had started */

static struct tsr_rndv *rndv_at(uint64_t off) { return tsr_heap_at(tsr_heap.self, off); }
static uint64_t rndv_off(const struct tsr_rndv *rndv) { return (uint64_t)((char *)rndv - (char *)rndv_at(0)); }

static tessera_status_t make_block(void) {
  uint64_t off;
  tessera_status_t status = tsr_heap_alloc(BLOCK_RNDVS_N * sizeof(struct tsr_rndv), TSR_HEAP_INTERNAL, &off);
  if (status) return status;
  rndv_at(off)->next_off = blocks;
  blocks = off;
  for (int i = 1; i < BLOCK_RNDVS_N; i++) {
    uint64_t one = off + (uint64_t)i * sizeof(struct tsr_rndv);
    rndv_at(one)->next_off = free_rndvs;
    free_rndvs = one;
  }
  return TESSERA_OK;
}

/* Called with the lock held. */
static tessera_status_t make_bounces(void) {
  if (!received_n) received_n = calloc(tsr_heap.units_n, sizeof *received_n);
  if (!received_n)
    return tsr_fail(TESSERA_ERR_MEMORY, "TSR-0804 no private memory for the message counters of the units of this "
                    "node; " TSR_REMEDY_MEMORY);
  return bounces == NONE ? tsr_heap_alloc(BOUNCES_N * BOUNCE_BYTES, TSR_HEAP_INTERNAL, &bounces) : TESSERA_OK;
}

/* Takes one of the first n bounce buffers, if one is free. Called with the lock held. */
static bool pick_bounce(tsr_outgoing *out, uint32_t n) {
  for (uint32_t i = 0; i < n && !out->bounce; i++) {
    if (bounce_in_use[i]) continue;
    bounce_in_use[i] = true;
    out->bounce = i + 1;
    out->rndv->bounce_off = bounces + (uint64_t)i * BOUNCE_BYTES;
  }
  return out->bounce > 0;
}

/* Allocates an additional bounce buffer. Called with the lock held. */
static bool make_bounce(tsr_outgoing *out) {
  if (no_additional) return false;
  no_additional = tsr_heap_alloc(BOUNCE_BYTES, TSR_HEAP_INTERNAL, &out->rndv->bounce_off) != TESSERA_OK;
  if (!no_additional) out->bounce = BOUNCES_N + 1;
  return !no_additional;
}

static uint32_t *received_of(const tsr_outgoing *out) { return &received_n[tsr_place_local(out->to)]; }

enum bounce_need {
  BOUNCE_UNUSED,
  BOUNCE_WELCOME, /* the offer takes one if one is free */
  BOUNCE_NEEDED   /* the message may need one later, so the bounce buffers must exist */
};

/* Called with the lock held. */
static tessera_status_t give_bounce_to(tsr_outgoing *out, enum bounce_need need) {
  if (need == BOUNCE_UNUSED || (need == BOUNCE_WELCOME && heap_is_full)) return TESSERA_OK;
  tessera_status_t status = make_bounces();
  heap_is_full = status != TESSERA_OK;
  if (!status && need == BOUNCE_WELCOME) pick_bounce(out, OFFERS_BOUNCES_N);
  return need == BOUNCE_WELCOME ? TESSERA_OK : status;
}

static tessera_status_t take_rndv(tsr_outgoing *out, enum bounce_need need) {
  tessera_status_t status = TESSERA_OK;
  out->bounce = 0;
  out->received = false;
  pthread_mutex_lock(&lock);
  if (free_rndvs == NONE) status = make_block();
  if (!status) {
    out->rndv = rndv_at(free_rndvs);
    status = give_bounce_to(out, need);
  }
  if (!status) free_rndvs = out->rndv->next_off;
  pthread_mutex_unlock(&lock);
  return status;
}

static void give_rndv(struct tsr_rndv *rndv) {
  pthread_mutex_lock(&lock);
  rndv->next_off = free_rndvs;
  free_rndvs = rndv_off(rndv);
  pthread_mutex_unlock(&lock);
}

/* Called if the receiver was expected to read this unit's memory, but could not. */
static void require_bounces(void) {
  pthread_mutex_lock(&lock);
  tessera_status_t status = make_bounces();
  pthread_mutex_unlock(&lock);
  if (status) tsr_abort(1, "TSR-0805 no memory in the heap for the bounce buffers of a message under way; free global memory of "
                        "this unit, or set TESSERA_ATTACH=off");
}

static bool take_bounce(tsr_outgoing *out) {
  if (out->bounce) return true;
  if (bounces == NONE) require_bounces();
  pthread_mutex_lock(&lock);
  bool got = pick_bounce(out, BOUNCES_N) || (*received_of(out) == 0 && make_bounce(out));
  if (got) ++*received_of(out);
  out->received = got;
  pthread_mutex_unlock(&lock);
  return got;
}

static void give_bounce(tsr_outgoing *out) {
  if (!out->bounce) return;
  const bool is_additional = out->bounce > BOUNCES_N;
  if (is_additional) tsr_heap_free(out->rndv->bounce_off, TSR_HEAP_INTERNAL);
  pthread_mutex_lock(&lock);
  if (out->received) --*received_of(out);
  no_additional = false; /* the heap may have room now */
  if (!is_additional) bounce_in_use[out->bounce - 1] = false;
  pthread_mutex_unlock(&lock);
  tsr_work_poll(); /* another send may wait for the bounce buffer */
}

static void signal_filled(tsr_outgoing *out) {
  atomic_store_explicit(&out->rndv->filled, out->moved, memory_order_release); /* partner: step_bounce, step_pushed */
  tsr_work_signal((uint32_t)tsr_place_local(out->to));
}

static void fill_piece(tsr_outgoing *out) {
  size_t left = out->rndv->wanted - out->moved, bytes = left < TSR_BOUNCE_PIECE_BYTES ? left : TSR_BOUNCE_PIECE_BYTES;
  if (bytes) tsr_copy((char *)rndv_at(out->rndv->bounce_off) + out->moved % BOUNCE_BYTES, out->data + out->moved, bytes);
  out->moved += bytes;
}

static enum tsr_work_result fill_bounce(tsr_outgoing *out) {
  struct tsr_rndv *rndv = out->rndv;
  if (!take_bounce(out)) return TSR_WORK_WAITS;
  size_t before = out->moved;
  while (out->moved < rndv->wanted &&
         out->moved - atomic_load_explicit(&rndv->taken, memory_order_acquire) < BOUNCE_BYTES) {
    if (out->moved - before >= TSR_WORK_BYTES) return TSR_WORK_MORE;
    fill_piece(out);
    signal_filled(out);
  }
  return out->moved > before ? TSR_WORK_MOVED : TSR_WORK_WAITS;
}

static enum tsr_work_result push_data(tsr_outgoing *out) {
  struct tsr_rndv *rndv = out->rndv;
  size_t left = rndv->wanted - out->moved, bytes = left < TSR_WORK_BYTES ? left : TSR_WORK_BYTES;
  if (!left) return TSR_WORK_WAITS;
  char *buffer = tsr_heap_at((uint32_t)rndv->buffer.local, rndv->buffer.off);
  tsr_copy(buffer + out->moved, out->data + out->moved, bytes);
  out->moved += bytes;
  if (out->moved < rndv->wanted) return TSR_WORK_MORE;
  signal_filled(out);
  return TSR_WORK_MOVED;
}

static enum tsr_work_result step_send(struct tsr_work *work) {
  tsr_outgoing *out = (tsr_outgoing *)((char *)work - offsetof(tsr_outgoing, work));
  switch ((enum tsr_rndv_answer)atomic_load_explicit(&out->rndv->answer, memory_order_acquire)) {
    case TSR_RNDV_BOUNCE: return fill_bounce(out);
    case TSR_RNDV_PUSH: return push_data(out);
    case TSR_RNDV_TAKEN: break;
    default: return TSR_WORK_WAITS;
  }
  give_bounce(out);
  give_rndv(out->rndv);
  tsr_outgoing_complete(out);
  return TSR_WORK_OVER;
}

struct tsr_place_in_heap tsr_p2p_local_place(const void *data, size_t bytes) {
  uint32_t first, last;
  uint64_t off, end;
  const char *begin = data;
  bool inside = bytes && tsr_heap_contains(begin, &first, &off) && tsr_heap_contains(begin + bytes - 1, &last, &end) &&
                first == last;
  return inside ? (struct tsr_place_in_heap){first, off} : (struct tsr_place_in_heap){-1, 0};
}

/* Whether the receiver is expected to read this unit's memory, so that no bounce buffer is needed. Most likely the receiver can
 * read it if this unit can read the receiver's memory. From 1 MiB on, two concurrent copies through a bounce buffer are faster
 * than one copy by the kernel, and on some machines also below: compare tessera-perf p2p.send with TESSERA_ATTACH=on and off. */
enum { READ_BYTES = 1 << 20 };
static bool receiver_reads(size_t bytes, bool stays) {
  if (stays) return tsr_attach_from == TSR_ATTACH_FROM && bytes < READ_BYTES;
  return bytes >= tsr_attach_from || bytes > TSR_BOUNCE_PIECE_BYTES; /* without progress only one piece is filled */
}

static enum bounce_need need_of(const tsr_outgoing *out, const struct tsr_place_in_heap *place, bool stays) {
  if (place->local >= 0) return BOUNCE_UNUSED;
  if (tsr_attach_works((uint32_t)tsr_place_local(out->to)))
    return receiver_reads(out->bytes, stays) ? BOUNCE_UNUSED : BOUNCE_WELCOME;
  return out->bytes <= BOUNCE_BYTES || stays ? BOUNCE_WELCOME : BOUNCE_NEEDED;
}

tessera_status_t tsr_p2p_local_offer(tsr_outgoing *out, struct tsr_envelope *envelope, bool stays) {
  struct tsr_place_in_heap place = tsr_p2p_local_place(out->data, out->bytes);
  tessera_status_t status = take_rndv(out, need_of(out, &place, stays));
  if (status) return status;
  struct tsr_rndv *rndv = out->rndv;
  rndv->data = place;
  rndv->address = (uintptr_t)out->data;
  rndv->wanted = out->bytes;
  out->moved = 0;
  if (out->bounce) fill_piece(out);
  atomic_init(&rndv->filled, out->moved);
  atomic_init(&rndv->taken, 0);
  atomic_init(&rndv->answer, out->bounce ? TSR_RNDV_BOUNCE : TSR_RNDV_OFFERED);
  out->work.step = step_send;
  tsr_p2p_move_begins(out->context);
  tsr_work_add(&out->work);
  envelope->form = TSR_ENVELOPE_LOCAL;
  envelope->number = rndv_off(rndv);
  return TESSERA_OK;
}

void tsr_p2p_local_stop(void) {
  for (uint64_t off = blocks, next; off != NONE; off = next) {
    next = rndv_at(off)->next_off;
    tsr_heap_free(off, TSR_HEAP_INTERNAL);
  }
  if (bounces != NONE) tsr_heap_free(bounces, TSR_HEAP_INTERNAL);
  blocks = free_rndvs = bounces = NONE;
  memset(bounce_in_use, 0, sizeof bounce_in_use);
  free(received_n);
  received_n = NULL;
  heap_is_full = no_additional = false;
}
