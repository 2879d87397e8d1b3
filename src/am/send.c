#include <string.h>

#include "am/remote.h"
#include "am/local.h"
#include "base/bits.h"
#include "core/bootstrap.h"
#include "core/conflict.h"
#include "core/layers.h"
#include "core/place.h"
#include "core/progress.h"
#include "core/runtime.h"
#include "core/stats.h"

_Static_assert(TSR_AM_MEDIUM_BYTES + TSR_CACHE_LINE <= TSR_NET_PAYLOAD_LEAST, "a medium and its arguments fit into one request");

static inline tessera_status_t send_uncounted(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                              struct tsr_am_block *block, enum tsr_am_wait wait, tsr_op *local) {
  bool waits = wait == TSR_AM_WAITS;
  int32_t local_index = tsr_place_local(to);
  if (__builtin_expect(local_index < 0, 0)) return tsr_am_remote_send(to, is_request, message, block, waits, local);
  struct tsr_am_route route = {
      .local = (uint32_t)local_index, .source = tsr_place.self, .is_request = is_request, .waits = waits};
  return tsr_am_local_send(&route, message, block);
}

static __attribute__((noinline)) tessera_status_t send_counted(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                                               struct tsr_am_block *block, enum tsr_am_wait wait,
                                                               tsr_op *local) {
  uint64_t begun_ns = tsr_stats_begin(), bytes = message->bytes;
  tessera_status_t status = send_uncounted(to, is_request, message, block, wait, local);
  if (!status) tsr_stats_end_at(is_request ? TSR_STAT_AM_REQUEST : TSR_STAT_AM_REPLY, begun_ns, bytes, to);
  return status;
}

static inline tessera_status_t send_message(tsr_unit to, bool is_request, const struct tsr_am_message *message,
                                            struct tsr_am_block *block, enum tsr_am_wait wait, tsr_op *local) {
  tsr_conflict_sync();
  if (tsr_stats_are_on()) return send_counted(to, is_request, message, block, wait, local);
  return send_uncounted(to, is_request, message, block, wait, local);
}

tessera_status_t tsr_am_request(tsr_unit to, const struct tsr_am_message *message, enum tsr_am_wait wait,
                                tsr_op *local) {
  return send_message(to, true, message, NULL, wait, local);
}

tessera_status_t tsr_am_reply(tsr_am_token *token, const struct tsr_am_message *message, enum tsr_am_wait wait,
                              tsr_op *local) {
  tessera_status_t status = send_message(token->source, false, message, NULL, wait, local);
  token->replied = !status;
  return status;
}

/* Negotiated payload. Data that fits into a record needs no block. Each thread has two rooms, because between the two calls
 * for a request a handler may run and prepare a reply. */
static _Thread_local TSR_ALIGNED_LINE char small_rooms[2][TSR_AM_RUN_BYTES];

static size_t most_in_block(enum tsr_am_kind kind, enum tsr_am_pool pool, bool is_local) {
  size_t most = tsr_am_pool_bytes(pool);
  return kind == TSR_AM_MEDIUM && !is_local ? tsr_min_size(most, TSR_AM_MEDIUM_BYTES) : most;
}

size_t tsr_am_room_bytes(enum tsr_am_kind kind, bool own_data) {
  if (own_data) return kind == TSR_AM_MEDIUM ? TSR_AM_MEDIUM_BYTES : TSR_AM_LONG_BYTES;
  return most_in_block(kind, TSR_AM_POOL_REPLIES, tsr_place.nodes_n == 1);
}

static tessera_status_t prepare_room(tsr_am_room *room, enum tsr_am_pool pool, enum tsr_am_wait wait) {
  const struct tsr_am_wanted *wanted = &room->wanted;
  enum tsr_am_kind kind = (enum tsr_am_kind)wanted->kind;
  if (wanted->data) {
    room->data = (void *)wanted->data;
    room->bytes = tsr_min_size(wanted->most, kind == TSR_AM_MEDIUM ? TSR_AM_MEDIUM_BYTES : TSR_AM_LONG_BYTES);
    return TESSERA_OK;
  }
  if (wanted->most <= TSR_AM_RUN_BYTES) {
    room->data = small_rooms[room->token != NULL];
    room->bytes = wanted->most;
    return TESSERA_OK;
  }
  room->bytes = tsr_min_size(wanted->most, most_in_block(kind, pool, tsr_place_is_local(room->to)));
  tessera_status_t status =
      tsr_am_pool_take(pool, wanted->least, &room->bytes, &room->block, room->to, wait == TSR_AM_WAITS);
  if (!status) room->data = room->block->data;
  return status;
}

tessera_status_t tsr_am_prepare_request(tsr_am_room *room, tsr_unit to, const struct tsr_am_wanted *wanted,
                                        enum tsr_am_wait wait, tsr_op *local) {
  *room = (tsr_am_room){.to = to, .wanted = *wanted, .local = local};
  return prepare_room(room, TSR_AM_POOL_REQUESTS, wait);
}

tessera_status_t tsr_am_prepare_reply(tsr_am_room *room, tsr_am_token *token, const struct tsr_am_wanted *wanted,
                                      enum tsr_am_wait wait, tsr_op *local) {
  *room = (tsr_am_room){.to = token->source, .token = token, .wanted = *wanted, .local = local};
  tessera_status_t status = prepare_room(room, TSR_AM_POOL_REPLIES, wait);
  token->replied = !status;
  return status;
}

tessera_status_t tsr_am_commit(tsr_am_room *room, const struct tsr_am_message *message, enum tsr_am_wait wait) {
  return send_message(room->to, !room->token, message, room->block, wait, room->local);
}

void tsr_am_cancel(tsr_am_room *room) {
  if (room->block) tsr_am_block_give(room->block);
  if (room->token) room->token->replied = false;
}

static void drain_ring(enum tsr_ring_class which) {
  while (!tsr_ring_is_empty(tsr_memory_ring(tsr_heap.memory, tsr_heap.self, which))) tsr_progress();
}

void tsr_am_quiesce(void) {
  tsr_am_remote_quiesce();
  tsr_bootstrap_barrier(tsr_team_world); /* no unit sends requests any more */
  drain_ring(TSR_RING_AM_REQUESTS);
  tsr_am_remote_quiesce();
  tsr_bootstrap_barrier(tsr_team_world); /* no unit sends replies any more */
  drain_ring(TSR_RING_AM_REPLIES);
}

static void stop_am(void) {
  tsr_am_remote_stop();
  tsr_am_pool_stop();
}

static const struct tsr_layer layer = {
    .name = "am", .quiesce = tsr_am_quiesce, .stop = stop_am, .progress = tsr_am_remote_progress,
    .needs_clock = tsr_am_remote_needs_clock};

__attribute__((constructor)) static void register_layer(void) { tsr_layers_register(&layer); }
