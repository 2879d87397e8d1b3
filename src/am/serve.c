/* The endpoint's side of messages from other nodes: it puts them into the target's ring, or says that there is no room. */
#include <string.h>

#include "am/remote.h"
#include "am/local.h"
#include "core/handlers.h"
#include "core/place.h"
#include "core/runtime.h"
#include "net/net.h"

_Noreturn static void refuse_message(const struct tsr_net_in *in) {
  tsr_abort(1, "TSR-0505 a request of rank %d brings an active message of %llu bytes for unit %lld, which makes no sense here; "
            "all "
            "units must run the same build of Tessera", in->rank, (unsigned long long)in->args[3], (long long)in->args[0]);
}

static uint32_t target_of(const struct tsr_net_in *in) {
  bool in_world = in->args[0] < (uint64_t)tsr_place.units_n;
  int32_t local = in_world ? tsr_place_local(TSR_UNIT((int32_t)in->args[0])) : -1;
  if (local < 0) refuse_message(in);
  return (uint32_t)local;
}

static bool is_in_heap(uint64_t off, uint64_t bytes) {
  uint64_t slice = tsr_heap_slice_bytes();
  return bytes == 0 || (off <= slice && bytes <= slice - off);
}

static struct tsr_am_message message_of(const struct tsr_net_in *in, const struct tsr_am_tag *tag) {
  size_t line = tag->args_n > TSR_AM_REMOTE_ARGS ? TSR_CACHE_LINE : 0;
  struct tsr_am_message message = {.family = tag->family, .handler = tag->handler, .kind = tag->kind, .args_n = tag->args_n,
                                   .bytes = in->args[3], .dest_off = in->args[2]};
  size_t riding = tag->rides ? message.bytes : 0;
  bool sound = message.args_n <= TSR_AM_ARGS_MAX && in->payload_bytes == line + riding && in->reply_bytes == 1 &&
               (tag->rides || message.kind == TSR_AM_LONG) && message.kind <= TSR_AM_LONG;
  bool goes_to_heap = tag->rides && message.kind == TSR_AM_LONG;
  if (!sound || (goes_to_heap && !is_in_heap(message.dest_off, message.bytes))) refuse_message(in);
  message.args = line ? in->payload : (const void *)&in->args[4];
  message.data = tag->rides ? (char *)in->payload + line : NULL;
  return message;
}

/* One byte of answer means: not now. */
static void serve_message(const struct tsr_net_in *in, struct tsr_net_out *out) {
  struct tsr_am_tag tag;
  memcpy(&tag, &in->args[1], sizeof tag);
  struct tsr_am_message message = message_of(in, &tag);
  struct tsr_am_route route = {.local = target_of(in), .source = tag.source, .is_request = !tag.is_reply,
                               .waits = false, .is_inbound = true};
  tessera_status_t status = tsr_am_local_send(&route, &message, NULL);
  if (status == TESSERA_ERR_MEMORY)
    tsr_abort(1, "TSR-0506 there is no memory here for the data of an active message of unit %d to unit %d; see the line above",
              tag.source, (int32_t)in->args[0]);
  if (!status) return;
  *(char *)out->scratch = 1;
  out->reply = out->scratch;
  out->reply_bytes = 1;
}

/* A piece of a long message that goes ahead of it. */
static void serve_data(const struct tsr_net_in *in, struct tsr_net_out *out) {
  if (in->bulk_bytes != in->args[2] || !is_in_heap(in->args[1], in->args[2])) refuse_message(in);
  out->bulk = tsr_heap_at(target_of(in), in->args[1]);
}

__attribute__((constructor)) static void register_handlers(void) {
  tsr_net_register(TSR_H_AM, serve_message);
  tsr_net_register(TSR_H_AM_DATA, serve_data);
}
