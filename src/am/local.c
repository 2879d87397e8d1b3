#include "am/local.h"

#include "base/copy.h"
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

/* Sends arguments, and data that fits behind them into one slot. */
static tessera_status_t send_packed(const struct tsr_am_route *route, const struct tsr_am_message *message, size_t bytes) {
  uint32_t args_bytes = 4u * message->args_n;
  struct tsr_am_head head = tsr_am_head_of(route, message);
  struct tsr_post post;
  if (open_post(&post, route, TSR_RECORD_AM, TSR_AM_HEAD_BYTES + args_bytes + (uint32_t)bytes)) return TESSERA_ERR_AGAIN;
  char *at = post.record.payload;
  head.bytes = bytes & 0x7fff;
  memcpy(at, &head, sizeof head);
  tsr_am_put_args(at + TSR_AM_HEAD_BYTES, message->args, message->args_n);
  if (bytes) tsr_copy(at + TSR_AM_HEAD_BYTES + args_bytes, message->data, bytes);
  tsr_post_send(&post);
  return TESSERA_OK;
}

/* Sends data in cache lines of its own. The record is longer than one line, because only then is there a line before the
 * data. */
static tessera_status_t send_run(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  bool many = message->args_n > TSR_AM_LINE_ARGS;
  unsigned first_n = many ? TSR_AM_LINE_ARGS : message->args_n;
  uint32_t before = many ? TSR_CACHE_LINE : 0, bytes = (uint32_t)message->bytes;
  uint32_t whole = before + bytes > TSR_RING_INLINE_BYTES ? before + bytes : TSR_RING_INLINE_BYTES + 1;
  struct tsr_am_head head = tsr_am_head_of(route, message);
  struct tsr_post post;
  if (open_post(&post, route, TSR_RECORD_AM_RUN, whole)) return TESSERA_ERR_AGAIN;
  head.bytes = bytes & 0x7fff;
  tsr_copy((char *)post.record.payload + before, message->data, bytes);
  if (many) tsr_am_put_args(post.record.payload, message->args + first_n, message->args_n - first_n);
  memcpy(post.record.aside, &head, sizeof head); /* the line that the target polls comes last, see node/ring.h */
  tsr_am_put_args((char *)post.record.aside + TSR_AM_HEAD_BYTES, message->args, first_n);
  tsr_post_send(&post);
  return TESSERA_OK;
}

/* Sends a reference to data at distance `at` from the first heap. If `from` is not NULL, copies the data there first: a
 * caller that may wait does so before it waits for room, so that the target need not wait for the copy. */
static tessera_status_t send_reference(const struct tsr_am_route *route, const struct tsr_am_message *message, uint64_t at,
                                       const void *from) {
  struct tsr_am_reference reference = {tsr_am_head_of(route, message), (uint32_t)message->bytes, (uint32_t)at,
                                       (uint32_t)(at >> 32)};
  struct tsr_post post;
  if (from && route->waits) tsr_copy(tsr_heap.base + at, from, message->bytes);
  if (open_post(&post, route, TSR_RECORD_AM_REFERENCE, TSR_AM_REFERENCE_BYTES + 4u * message->args_n))
    return TESSERA_ERR_AGAIN;
  if (from && !route->waits) tsr_copy(tsr_heap.base + at, from, message->bytes);
  memcpy(post.record.payload, &reference, sizeof reference);
  tsr_am_put_args((char *)post.record.payload + TSR_AM_REFERENCE_BYTES, message->args, message->args_n);
  tsr_order_release(tsr_heap.base); /* partner: the acquire in take_block(), when the target has freed a block */
  tsr_post_send(&post);
  return TESSERA_OK;
}

/* Copies the data into a block of the pool, which the target frees. */
static tessera_status_t send_in_block(const struct tsr_am_route *route, const struct tsr_am_message *message) {
  struct tsr_am_block *block;
  size_t bytes = message->bytes;
  enum tsr_am_pool pool = route->is_request ? TSR_AM_POOL_REQUESTS : TSR_AM_POOL_REPLIES;
  if (route->is_inbound) pool = route->is_request ? TSR_AM_POOL_IN_REQUESTS : TSR_AM_POOL_IN_REPLIES;
  tessera_status_t status = tsr_am_pool_take(pool, bytes, &bytes, &block, tsr_place_unit(route->local), route->waits);
  if (status) return status;
  status = send_reference(route, message, (uint64_t)(block->data - tsr_heap.base), message->data);
  if (status) tsr_am_block_give(block);
  return status;
}

tessera_status_t tsr_am_local_send(const struct tsr_am_route *route, const struct tsr_am_message *message,
                                  struct tsr_am_block *block) {
  const size_t bytes = message->bytes;
  tessera_status_t status;
  if (message->kind == TSR_AM_SHORT) return send_packed(route, message, 0);
  if (message->kind == TSR_AM_LONG) {
    uint64_t at = tsr_heap_distance(route->local, message->dest_off);
    status = send_reference(route, message, at, bytes ? message->data : NULL);
  } else if (4u * message->args_n + bytes <= TSR_AM_SMALL_BYTES) {
    status = send_packed(route, message, bytes);
  } else if (bytes <= TSR_AM_RUN_BYTES) {
    status = send_run(route, message);
  } else if (block) {
    return send_reference(route, message, (uint64_t)(block->data - tsr_heap.base), NULL);
  } else {
    return send_in_block(route, message);
  }
  if (!status && block) tsr_am_block_give(block); /* the data was copied out of it */
  return status;
}
