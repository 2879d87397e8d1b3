/* Messages from units of other nodes, at the endpoint that receives them: into the ring of the target. */
#include <string.h>

#include "am/local.h"
#include "am/remote.h"
#include "base/status.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"

_Noreturn static void fail_message(const struct tsr_net_in *in) {
  tsr_abort(1, "TSR-0505 a request of rank %d carries an active message of %llu bytes for unit %lld, which is not a valid message "
            "for a unit of this node; " TSR_REMEDY_ONE_BUILD, in->rank, (unsigned long long)in->args[3],
            (long long)in->args[0]);
}

static uint32_t target_of(const struct tsr_net_in *in) {
  bool in_world = in->args[0] < (uint64_t)tsr_place.units_n;
  int32_t local = in_world ? tsr_place_local(TSR_UNIT((int32_t)in->args[0])) : -1;
  if (local < 0) fail_message(in);
  return (uint32_t)local;
}

static bool is_in_heap(uint64_t off, uint64_t bytes) {
  uint64_t slice = tsr_heap_slice_bytes();
  return bytes == 0 || (off <= slice && bytes <= slice - off);
}

static struct tsr_am_message message_of(const struct tsr_net_in *in, const struct tsr_am_tag *tag) {
  const size_t args_bytes = tsr_am_remote_args_bytes(tag->args_n);
  struct tsr_am_message message = {.family = tag->family, .handler = tag->handler, .kind = tag->kind, .args_n = tag->args_n,
                                   .bytes = in->args[3], .dest_off = in->args[2]};
  const size_t inline_bytes = tag->is_inline ? message.bytes : 0;
  bool sound = message.args_n <= TSR_AM_ARGS_MAX && in->payload_bytes == args_bytes + inline_bytes && in->reply_bytes == 1 &&
               (tag->is_inline || message.kind == TSR_AM_LONG) && message.kind <= TSR_AM_LONG;
  bool goes_to_heap = tag->is_inline && message.kind == TSR_AM_LONG;
  if (!sound || (goes_to_heap && !is_in_heap(message.dest_off, message.bytes))) fail_message(in);
  message.args = args_bytes ? in->payload : (const void *)&in->args[4];
  message.data = tag->is_inline ? (char *)in->payload + args_bytes : NULL;
  return message;
}

void tsr_am_serve_message(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct tsr_am_tag tag;
  memcpy(&tag, &in->args[1], sizeof tag);
  struct tsr_am_message message = message_of(in, &tag);
  struct tsr_am_route route = {.local = target_of(in), .source = tag.source, .is_request = !tag.is_reply,
                               .waits = false, .is_inbound = true};
  tessera_status_t status = tsr_am_local_send(&route, &message, NULL);
  if (status == TESSERA_ERR_MEMORY)
    tsr_abort(1, "TSR-0506 an active message of unit %d to unit %d: no memory for its data on this node; see the line above",
              tag.source, (int32_t)in->args[0]);
  if (!status) return;
  *(char *)out->scratch = 1;
  out->reply = out->scratch;
  out->reply_bytes = 1;
}

void tsr_am_serve_data(const struct tsr_net_in *in, struct tsr_net_out *out) {
  if (in->bulk_bytes != in->args[2] || !is_in_heap(in->args[1], in->args[2])) fail_message(in);
  out->bulk = tsr_heap_at(target_of(in), in->args[1]);
}
