#include <pthread.h>
#include <string.h>

#include "core/place.h"
#include "core/runtime.h"
#include "node/attach.h"
#include "p2p/inbox.h"
#include "p2p/near.h"

/* Desks come in blocks, whose first one only links the blocks. The lock covers taking and giving them, and making the
 * stages; which stages are in use only steps know. */
enum { BLOCK_DESKS_N = 64, STAGES_N = 4, STAGE_BYTES = TSR_STAGE_PIECES_N * TSR_STAGE_PIECE_BYTES };
#define NONE UINT64_MAX

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t blocks = NONE, free_desks = NONE, stages = NONE; /* offsets in the own heap */
static bool stage_in_use[STAGES_N];

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
  return stages == NONE ? tsr_heap_alloc(STAGES_N * STAGE_BYTES, TSR_HEAP_INTERNAL, &stages) : TESSERA_OK;
}

static tessera_status_t take_desk(bool needs_stage, struct tsr_desk **desk) {
  tessera_status_t status = TESSERA_OK;
  pthread_mutex_lock(&lock);
  if (free_desks == NONE) status = make_block();
  if (!status && needs_stage) status = make_stages();
  if (!status) {
    *desk = desk_at(free_desks);
    free_desks = (*desk)->next_off;
  }
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
  if (stages == NONE) require_stages();
  for (uint32_t i = 0; i < STAGES_N && !out->stage; i++) {
    if (stage_in_use[i]) continue;
    stage_in_use[i] = true;
    out->stage = i + 1;
    out->desk->stage_off = stages + (uint64_t)i * STAGE_BYTES;
  }
  return out->stage > 0;
}

static void give_stage(tsr_outgoing *out) {
  if (!out->stage) return;
  stage_in_use[out->stage - 1] = false;
  tsr_work_look(); /* another send may wait for it */
}

static void tell_filled(tsr_outgoing *out) {
  atomic_store_explicit(&out->desk->filled, out->moved, memory_order_release); /* partner: near_receive.c */
  tsr_work_signal((uint32_t)tsr_place_local(out->to));
}

static enum tsr_work_result fill_stage(tsr_outgoing *out) {
  struct tsr_desk *desk = out->desk;
  if (!take_stage(out)) return TSR_WORK_WAITS;
  size_t before = out->moved;
  while (out->moved < desk->wanted &&
         out->moved - atomic_load_explicit(&desk->taken, memory_order_acquire) < STAGE_BYTES) {
    if (out->moved - before >= TSR_WORK_BYTES) return TSR_WORK_MORE;
    size_t left = desk->wanted - out->moved, bytes = left < TSR_STAGE_PIECE_BYTES ? left : TSR_STAGE_PIECE_BYTES;
    memcpy((char *)desk_at(desk->stage_off) + out->moved % STAGE_BYTES, out->data + out->moved, bytes);
    out->moved += bytes;
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
  tsr_p2p_finish(&out->done);
  return TSR_WORK_OVER;
}

struct tsr_place_in_heap tsr_near_place(const void *data, size_t bytes) {
  uint32_t first, last;
  uint64_t off, end;
  const char *begin = data;
  bool inside = tsr_heap_contains(begin, &first, &off) && tsr_heap_contains(begin + bytes - 1, &last, &end) &&
                first == last;
  return inside ? (struct tsr_place_in_heap){first, off} : (struct tsr_place_in_heap){-1, 0};
}

tessera_status_t tsr_near_offer(tsr_outgoing *out, struct tsr_note *note) {
  struct tsr_place_in_heap place = tsr_near_place(out->data, out->bytes);
  /* Who reads our memory needs no stage; most likely it can if we can read its. */
  bool needs_stage = place.local < 0 && !tsr_attach_works((uint32_t)tsr_place_local(out->to));
  tessera_status_t status = take_desk(needs_stage, &out->desk);
  if (status) return status;
  out->desk->data = place;
  out->desk->address = (uintptr_t)out->data;
  atomic_init(&out->desk->filled, 0);
  atomic_init(&out->desk->taken, 0);
  atomic_init(&out->desk->wish, TSR_DESK_OFFERED);
  out->stage = 0;
  out->moved = 0;
  out->work.step = step;
  tsr_work_add(&out->work);
  note->form = TSR_NOTE_NEAR;
  note->number = desk_off(out->desk);
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
}
