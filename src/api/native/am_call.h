/* Common parts of the active message calls: their arguments and checks. */
#ifndef TSR_API_NATIVE_AM_CALL_H
#define TSR_API_NATIVE_AM_CALL_H

#include <tessera/am.h>

#include "am/am.h"
#include "core/place.h"
#include "api/native/native_api.h"

struct tsr_native_am {
  const char *name;
  const void *data;
  size_t bytes;
  uint64_t place;
  const int32_t *args;
  int32_t handler, args_n;
  enum tsr_am_kind kind;
  unsigned flags;
};

/* The checks log errors. */
tessera_status_t tsr_native_am_check_up(const char *name);
tessera_status_t tsr_native_am_check_outside(const char *name); /* not in a handler */
tessera_status_t tsr_native_am_check_unit(const char *name, int32_t unit);
tessera_status_t tsr_native_am_check_flags(const char *name, unsigned flags);
tessera_status_t tsr_native_am_check_place(const struct tsr_native_am *call);
tessera_status_t tsr_native_am_check_args(const struct tsr_native_am *call); /* handler, arguments, flags */
tessera_status_t tsr_native_am_check_data(const struct tsr_native_am *call); /* and place */
/* State, context and peer of a call. */
tessera_status_t tsr_native_am_check_request(const struct tsr_native_am *call, int32_t unit);
tessera_status_t tsr_native_am_check_reply(const struct tsr_native_am *call, const tessera_am_t *to);

static inline struct tsr_am_message tsr_native_am_message(const struct tsr_native_am *call) {
  return (struct tsr_am_message){.family = TSR_AM_NATIVE, .handler = (uint8_t)call->handler, .kind = (uint8_t)call->kind,
                                 .args_n = (uint8_t)call->args_n, .args = call->args, .data = call->data,
                                 .bytes = call->bytes, .dest_off = call->place};
}

static inline enum tsr_am_patience tsr_native_am_patience(unsigned flags) {
  return flags & TESSERA_AM_IMMEDIATE ? TSR_AM_IMMEDIATE : TSR_AM_WAITS;
}

static inline void tsr_native_am_count(enum tsr_stat what, uint64_t begun_ns, tsr_unit to, size_t bytes) {
  tsr_stats_end(what, begun_ns, bytes, tsr_place_is_local(to) ? 0 : bytes);
}

#endif
