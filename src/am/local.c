#include "am/local.h"

#include "base/poison.h"
#include "core/place.h"
#include "core/post.h"

static inline tessera_status_t open_post(struct tsr_post *post, const struct tsr_am_route *route,
                                         enum tsr_record_kind kind, uint32_t bytes) {
  struct tsr_post_box box = tsr_post_box_for(route->local, route->is_request ? TSR_RING_AM_REQUESTS : TSR_RING_AM_REPLIES);
  tessera_status_t status = tsr_post_try(post, box, kind, bytes);
  if (__builtin_expect(!status, 1) || !route->waits) return status;
  tsr_post_open_slow(post, box, tsr_place_unit(route->local).id, kind, bytes);
  return TESSERA_OK;
}

/* Arguments, and data that fits behind them. */
static tessera_status_t send_packed(const struct tsr_am_route *route, const struct tsr_am_message *message, size_t bytes) {
  uint32_t args_bytes = 4u * message->args_n;
  struct tsr_am_head head = tsr_am_head_of(route, message);
  struct tsr_post post;
  if (open_post(&post, route, TSR_RECORD_AM, TSR_AM_HEAD_BYTES + args_bytes + (uint32_t)bytes)) return TESSERA_ERR_AGAIN;
  char *at = post.record.payload;
  head.bytes = bytes & 0x7fff;
  memcpy(at, &head, sizeof head);
  tsr_am_put_args(at + TSR_AM_HEAD_BYTES, message->args, message->args_n);
  if (bytes) memcpy(at + TSR_AM_HEAD_BYTES + args_bytes, message->data, bytes);
  tsr_post_send(&post);
  return TESSERA_OK;
}

/* Data in lines of its own. A record of one line would have no line before it. */
static tessera_status_t send_run(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  bool many = message->args_n > TSR_AM_LINE_ARGS;
  unsigned first_n = many ? TSR_AM_LINE_ARGS : message->args_n;
  uint32_t before = many ? TSR_CACHE_LINE : 0, bytes = (uint32_t)message->bytes;
  uint32_t whole = before + bytes > TSR_RING_INLINE_BYTES ? before + bytes : TSR_RING_INLINE_BYTES + 1;
  struct tsr_am_head head = tsr_am_head_of(route, message);
  struct tsr_post post;
  if (open_post(&post, route, TSR_RECORD_AM_RUN, whole)) return TESSERA_ERR_AGAIN;
  head.bytes = bytes & 0x7fff;
  memcpy((char *)post.record.payload + before, message->data, bytes);
  if (many) tsr_am_put_args(post.record.payload, message->args + first_n, message->args_n - first_n);
  memcpy(post.record.aside, &head, sizeof head); /* the line that the target polls comes last, see node/ring.h */
  tsr_am_put_args((char *)post.record.aside + TSR_AM_HEAD_BYTES, message->args, first_n);
  tsr_post_send(&post);
  return TESSERA_OK;
}

/* Data that lies, or will lie, at `place`; `from`: it is copied there first, by who waits before there is room for the
 * record, so that the target need not wait for the copy. */
static tessera_status_t send_reference(const struct tsr_am_route *route, const struct tsr_am_message *message, uint64_t at,
                                       const void *from) {
  struct tsr_am_reference reference = {tsr_am_head_of(route, message), (uint32_t)message->bytes, (uint32_t)at,
                                       (uint32_t)(at >> 32)};
  struct tsr_post post;
  if (from && route->waits) memcpy(tsr_heap.base + at, from, message->bytes);
  if (open_post(&post, route, TSR_RECORD_AM_REFERENCE, TSR_AM_REFERENCE_BYTES + 4u * message->args_n))
    return TESSERA_ERR_AGAIN;
  if (from && !route->waits) memcpy(tsr_heap.base + at, from, message->bytes);
  memcpy(post.record.payload, &reference, sizeof reference);
  tsr_am_put_args((char *)post.record.payload + TSR_AM_REFERENCE_BYTES, message->args, message->args_n);
  tsr_order_release(tsr_heap.base); /* partner: in take_block, where the target has given a block back */
  tsr_post_send(&post);
  return TESSERA_OK;
}

static uint64_t data_distance(const void *data) { return (uint64_t)((const char *)data - tsr_heap.base); }

static enum tsr_am_pool pool_of(const struct tsr_am_route *route) {
  if (route->is_inbound) return route->is_request ? TSR_AM_POOL_IN_REQUESTS : TSR_AM_POOL_IN_REPLIES;
  return route->is_request ? TSR_AM_POOL_REQUESTS : TSR_AM_POOL_REPLIES;
}

static tessera_status_t send_in_block(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  struct tsr_am_block *block;
  size_t bytes = message->bytes;
  tessera_status_t status =
      tsr_am_pool_take(pool_of(route), bytes, &bytes, &block, tsr_place_unit(route->local), route->waits);
  if (status) return status;
  status = send_reference(route, message, data_distance(block->data), message->data);
  if (status) tsr_am_block_give(block);
  return status;
}

static tessera_status_t send_medium(const struct tsr_am_route *route, const struct tsr_am_message *message,
                                    struct tsr_am_block *block) {
  if (4u * message->args_n + message->bytes <= TSR_AM_SMALL_BYTES) return send_packed(route, message, message->bytes);
  if (message->bytes <= TSR_AM_RUN_BYTES) return send_run(route, message);
  return block ? send_reference(route, message, data_distance(block->data), NULL) : send_in_block(route, message);
}

static tessera_status_t send_long(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  uint64_t at = tsr_heap_distance((uint32_t)route->local, message->dest_off);
  return send_reference(route, message, at, message->bytes ? message->data : NULL);
}

/* What the target finds there, it gives back. */
static bool goes_by_block(const struct tsr_am_message *message) {
  return message->kind == TSR_AM_MEDIUM && message->bytes > TSR_AM_RUN_BYTES;
}

tessera_status_t tsr_am_local_send(const struct tsr_am_route *route, const struct tsr_am_message *message,
                                  struct tsr_am_block *block) {
  if (message->kind == TSR_AM_SHORT) return send_packed(route, message, 0);
  tessera_status_t status = message->kind == TSR_AM_MEDIUM ? send_medium(route, message, block) : send_long(route, message);
  if (!status && block && !goes_by_block(message)) tsr_am_block_give(block);
  return status;
}
