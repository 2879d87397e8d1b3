#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core/place.h"
#include "core/runtime.h"
#include "node/attach.h"
#include "p2p/inbox.h"
#include "p2p/near.h"

/* Desks come in blocks, whose first one only links the blocks. The lock covers taking and giving them, and the stages.
 * An offer keeps its stage until it is received, perhaps after a message that still needs one: so offers never get the
 * last stage. It goes from one message that is being received to the next, and each of those ends without any other, once
 * its receiver calls in. One that computes instead keeps only itself waiting: where messages to other units hold all stages,
 * a message gets one that is made for it. */
enum { BLOCK_DESKS_N = 64, OFFERS_STAGES_N = 4, STAGES_N = OFFERS_STAGES_N + 1 };
enum { STAGE_BYTES = TSR_STAGE_PIECES_N * TSR_STAGE_PIECE_BYTES };
#define NONE UINT64_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t blocks = NONE, free_desks = NONE, stages = NONE; /* offsets in the own heap */
static bool stage_in_use[STAGES_N], stages_refused, more_refused;
static uint32_t *received_n; /* by local unit: messages to it that hold a stage since it receives them */

static struct tsr_desk *desk_at(uint64_t off) { return tsr_heap_at(tsr_heap.self, off); }
static uint64_t desk_off(const struct tsr_desk *desk) { return (uint64_t)((char *)desk - (char *)desk_at(0)); }

static tessera_status_t make_block(void) {
  uint64_t off;
  tessera_status_t status = tsr_heap_alloc(BLOCK_DESKS_N * sizeof(struct tsr_desk), TSR_HEAP_INTERNAL, &off);
  if (status) return status;
  desk_at(off)->next_off = blocks;
  blocks = off;
  for (int i = 1; i < BLOCK_DESKS_N; i++) {
    uint64_t one = off + (uint64_t)i * sizeof(struct tsr_desk);
    desk_at(one)->next_off = free_desks;
    free_desks = one;
  }
  return TESSERA_OK;
}

/* Called with the lock held. */
static tessera_status_t make_stages(void) {
  if (!received_n) received_n = calloc(tsr_heap.units_n, sizeof *received_n);
  if (!received_n) return tsr_fail(TESSERA_ERR_MEMORY, "no private memory for a number for each unit of the node");
  return stages == NONE ? tsr_heap_alloc(STAGES_N * STAGE_BYTES, TSR_HEAP_INTERNAL, &stages) : TESSERA_OK;
}

/* One of the first n. Called with the lock held. */
static bool pick_stage(tsr_outgoing *out, uint32_t n) {
  for (uint32_t i = 0; i < n && !out->stage; i++) {
    if (stage_in_use[i]) continue;
    stage_in_use[i] = true;
    out->stage = i + 1;
    out->desk->stage_off = stages + (uint64_t)i * STAGE_BYTES;
  }
  return out->stage > 0;
}

/* Called with the lock held. */
static bool make_stage(tsr_outgoing *out) {
  if (more_refused) return false;
  more_refused = tsr_heap_alloc(STAGE_BYTES, TSR_HEAP_INTERNAL, &out->desk->stage_off) != TESSERA_OK;
  if (!more_refused) out->stage = STAGES_N + 1;
  return !more_refused;
}

static uint32_t *received_of(const tsr_outgoing *out) { return &received_n[tsr_place_local(out->to)]; }

/* Whether what is offered goes through a stage: never; as soon as there is one; perhaps, so that there must be some. */
enum stage_need { STAGE_UNUSED, STAGE_WELCOME, STAGE_NEEDED };

/* Called with the lock held. Who can do without one does, and does not ask again where the heap had no memory. */
static tessera_status_t give_stage_to(tsr_outgoing *out, enum stage_need need) {
  if (need == STAGE_UNUSED || (need == STAGE_WELCOME && stages_refused)) return TESSERA_OK;
  tessera_status_t status = make_stages();
  stages_refused = status != TESSERA_OK;
  if (!status && need == STAGE_WELCOME) pick_stage(out, OFFERS_STAGES_N);
  return need == STAGE_WELCOME ? TESSERA_OK : status;
}

static tessera_status_t take_desk(tsr_outgoing *out, enum stage_need need) {
  tessera_status_t status = TESSERA_OK;
  out->stage = 0;
  out->received = false;
  pthread_mutex_lock(&lock);
  if (free_desks == NONE) status = make_block();
  if (!status) {
    out->desk = desk_at(free_desks);
    status = give_stage_to(out, need);
  }
  if (!status) free_desks = out->desk->next_off;
  pthread_mutex_unlock(&lock);
  return status;
}

static void give_desk(struct tsr_desk *desk) {
  pthread_mutex_lock(&lock);
  desk->next_off = free_desks;
  free_desks = desk_off(desk);
  pthread_mutex_unlock(&lock);
}

/* The other end, which was thought to read our memory, could not. */
static void require_stages(void) {
  pthread_mutex_lock(&lock);
  tessera_status_t status = make_stages();
  pthread_mutex_unlock(&lock);
  if (status) tsr_abort(1, "no memory in the heap to send a message under way; free some, or set TESSERA_ATTACH=off");
}

static bool take_stage(tsr_outgoing *out) {
  if (out->stage) return true;
  if (stages == NONE) require_stages();
  pthread_mutex_lock(&lock);
  bool got = pick_stage(out, STAGES_N) || (*received_of(out) == 0 && make_stage(out));
  if (got) ++*received_of(out);
  out->received = got;
  pthread_mutex_unlock(&lock);
  return got;
}

static void give_stage(tsr_outgoing *out) {
  if (!out->stage) return;
  pthread_mutex_lock(&lock);
  if (out->received) --*received_of(out);
  more_refused = false; /* there may be room now */
  if (out->stage > STAGES_N) tsr_heap_free(out->desk->stage_off, TSR_HEAP_INTERNAL);
  else stage_in_use[out->stage - 1] = false;
  pthread_mutex_unlock(&lock);
  tsr_work_look(); /* another send may wait for it */
}

static void tell_filled(tsr_outgoing *out) {
  atomic_store_explicit(&out->desk->filled, out->moved, memory_order_release); /* partner: near_receive.c */
  tsr_work_signal((uint32_t)tsr_place_local(out->to));
}

static void fill_piece(tsr_outgoing *out) {
  size_t left = out->desk->wanted - out->moved, bytes = left < TSR_STAGE_PIECE_BYTES ? left : TSR_STAGE_PIECE_BYTES;
  if (bytes) memcpy((char *)desk_at(out->desk->stage_off) + out->moved % STAGE_BYTES, out->data + out->moved, bytes);
  out->moved += bytes;
}

static enum tsr_work_result fill_stage(tsr_outgoing *out) {
  struct tsr_desk *desk = out->desk;
  if (!take_stage(out)) return TSR_WORK_WAITS;
  size_t before = out->moved;
  while (out->moved < desk->wanted &&
         out->moved - atomic_load_explicit(&desk->taken, memory_order_acquire) < STAGE_BYTES) {
    if (out->moved - before >= TSR_WORK_BYTES) return TSR_WORK_MORE;
    fill_piece(out);
    tell_filled(out);
  }
  return out->moved > before ? TSR_WORK_MOVED : TSR_WORK_WAITS;
}

static enum tsr_work_result push(tsr_outgoing *out) {
  struct tsr_desk *desk = out->desk;
  size_t left = desk->wanted - out->moved, bytes = left < TSR_WORK_BYTES ? left : TSR_WORK_BYTES;
  if (!left) return TSR_WORK_WAITS;
  char *buffer = tsr_heap_at((uint32_t)desk->buffer.local, desk->buffer.off);
  memcpy(buffer + out->moved, out->data + out->moved, bytes);
  out->moved += bytes;
  if (out->moved < desk->wanted) return TSR_WORK_MORE;
  tell_filled(out);
  return TSR_WORK_MOVED;
}

static enum tsr_work_result step(struct tsr_work *work) {
  tsr_outgoing *out = (tsr_outgoing *)((char *)work - offsetof(tsr_outgoing, work));
  switch ((enum tsr_desk_wish)atomic_load_explicit(&out->desk->wish, memory_order_acquire)) {
    case TSR_DESK_STAGE: return fill_stage(out);
    case TSR_DESK_PUSH: return push(out);
    case TSR_DESK_TAKEN: break;
    default: return TSR_WORK_WAITS;
  }
  give_stage(out);
  give_desk(out->desk);
  tsr_outgoing_gone(out);
  return TSR_WORK_OVER;
}

struct tsr_place_in_heap tsr_near_place(const void *data, size_t bytes) {
  uint32_t first, last;
  uint64_t off, end;
  const char *begin = data;
  bool inside = bytes && tsr_heap_contains(begin, &first, &off) && tsr_heap_contains(begin + bytes - 1, &last, &end) &&
                first == last;
  return inside ? (struct tsr_place_in_heap){first, off} : (struct tsr_place_in_heap){-1, 0};
}

/* Who reads our memory needs no stage; most likely it can if we can read its. */
static enum stage_need need_of(const tsr_outgoing *out, const struct tsr_place_in_heap *place, bool stays) {
  if (place->local >= 0) return STAGE_UNUSED;
  if (out->bytes <= STAGE_BYTES || stays) return STAGE_WELCOME;
  return tsr_attach_works((uint32_t)tsr_place_local(out->to)) ? STAGE_UNUSED : STAGE_NEEDED;
}

tessera_status_t tsr_near_offer(tsr_outgoing *out, struct tsr_note *note, bool stays) {
  struct tsr_place_in_heap place = tsr_near_place(out->data, out->bytes);
  tessera_status_t status = take_desk(out, need_of(out, &place, stays));
  if (status) return status;
  struct tsr_desk *desk = out->desk;
  desk->data = place;
  desk->address = (uintptr_t)out->data;
  desk->wanted = out->bytes;
  out->moved = 0;
  if (out->stage) fill_piece(out);
  atomic_init(&desk->filled, out->moved);
  atomic_init(&desk->taken, 0);
  atomic_init(&desk->wish, out->stage ? TSR_DESK_STAGE : TSR_DESK_OFFERED);
  out->work.step = step;
  tsr_p2p_moves();
  tsr_work_add(&out->work);
  note->form = TSR_NOTE_NEAR;
  note->number = desk_off(desk);
  return TESSERA_OK;
}

void tsr_near_stop(void) {
  for (uint64_t off = blocks, next; off != NONE; off = next) {
    next = desk_at(off)->next_off;
    tsr_heap_free(off, TSR_HEAP_INTERNAL);
  }
  if (stages != NONE) tsr_heap_free(stages, TSR_HEAP_INTERNAL);
  blocks = free_desks = stages = NONE;
  memset(stage_in_use, 0, sizeof stage_in_use);
  free(received_n);
  received_n = NULL;
  stages_refused = more_refused = false;
}
