/* Active messages of GASNet-EX: the table of handlers, and restrictions on calls. */
#ifndef TSR_API_GASNET_AM_H
#define TSR_API_GASNET_AM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <gex/am.h>
#include <gex/hsl.h>

#include "am/am.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"

/* Unregisters all handlers, at the end of the interface. */
void tsr_gex_am_stop(void);

/* ---- Handlers ---- */

/* For handlers of the legacy interface, which declare neither arguments nor flags. */
#define TSR_GEX_ARGS_ANY UINT_MAX
#define TSR_GEX_AM_ANY (GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP)

/* gex_EP_RegisterHandlers on behalf of `call`; gex_nargs may be TSR_GEX_ARGS_ANY. */
int tsr_gex_register(const char *call, gex_AM_Entry_t *table, size_t entries_n);

/* An index that programs cannot use. The argument of a message to it is the index of a handler, which then runs as for a reply
 * without arguments. */
enum { TSR_GEX_AM_NOTIFY = 0 };

/* The entry of a message's handler. */
const gex_AM_Entry_t *tsr_gex_entry(const tsr_am_token *token);

/* ---- Restrictions, with TESSERA_CHECK=1 ---- */

/* State of the calling thread, for tsr_gex_check_context. */
struct tsr_gex_thread {
  gex_HSL_t *held;       /* the lock taken last; NULL: none */
  const char *prepared;  /* the call that prepared a message; NULL: none */
};
extern _Thread_local struct tsr_gex_thread tsr_gex_thread;

/* ---- Common parts of the calls that send ---- */

static inline struct tsr_am_message tsr_gex_am_message(enum tsr_am_kind kind, gex_AM_Index_t handler, const void *data,
                                                       size_t bytes, unsigned int numargs, const gex_AM_Arg_t *args) {
  return (struct tsr_am_message){.family = TSR_AM_GASNET, .kind = (uint8_t)kind, .handler = handler,
                                 .args_n = (uint8_t)numargs, .args = args, .data = data, .bytes = bytes};
}
static inline enum tsr_am_wait tsr_gex_am_wait(gex_Flags_t flags) {
  return flags & GEX_FLAG_IMMEDIATE ? TSR_AM_IMMEDIATE : TSR_AM_WAITS;
}

/* Ends the job unless `token` is of the request whose handler runs, and has no reply yet. With TESSERA_CHECK=1 also if
 * the thread holds a lock or has prepared a message. */
tsr_am_token *tsr_gex_am_answerable(const char *call, gex_Token_t token);

/* Sets the destination of a long message. Ends the job unless the destination is valid for the data; without bytes any destination
 * is valid. Messages cannot write to memory outside the heap. For such memory this call puts the data and waits, and the message
 * follows without data. False: the flags have GEX_FLAG_IMMEDIATE, which forbids this wait. */
bool tsr_gex_am_aim(const char *call, tsr_unit unit, const void *dest_addr, gex_Flags_t flags, struct tsr_am_message *message);

/* The local completion of a message, according to lc_opt. */
struct tsr_gex_am_local {
  gex_Event_t *out, event;
  tsr_op *op; /* NULL: locally complete when the call returns */
};
struct tsr_gex_am_local tsr_gex_am_local(const char *call, gex_Event_t *lc_opt, bool is_request);
/* `sent`: whether the message was sent. If not, it never will be. */
void tsr_gex_am_local_done(const struct tsr_gex_am_local *local, bool sent);

/* Called after a request. Executes a request of the caller to itself, since programs rely on that: a program that afterwards only
 * makes puts within its node would never poll. */
static inline void tsr_gex_am_to_self(tsr_unit unit) {
  if (__builtin_expect(unit.id == tsr_place.self, 0)) tsr_progress();
}

/* Whether the message was sent. A status other than TESSERA_ERR_AGAIN ends the job. */
bool tsr_gex_am_sent(const char *call, tessera_status_t status);

#endif
