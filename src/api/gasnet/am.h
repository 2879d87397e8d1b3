/* Active messages of GASNet-EX: the table of handlers, and where calls are allowed from. */
#ifndef TSR_API_GASNET_AM_H
#define TSR_API_GASNET_AM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include <gex/am.h>
#include <gex/hsl.h>

#include "am/am.h"
#include "base/config.h"
#include "core/op.h"
#include "core/place.h"
#include "core/progress.h"

/* For the interface's end: forgets all handlers. */
void tsr_gex_am_stop(void);

/* ---- Handlers ---- */

/* What the legacy interface's handlers do not say. */
#define TSR_GEX_ARGS_ANY UINT_MAX
#define TSR_GEX_AM_ANY (GEX_FLAG_AM_SHORT | GEX_FLAG_AM_MEDLONG | GEX_FLAG_AM_REQREP)

/* gex_EP_RegisterHandlers on behalf of `call`; gex_nargs may be TSR_GEX_ARGS_ANY. */
int tsr_gex_register(const char *call, gex_AM_Entry_t *table, size_t entries_n);

/* No program has this index: a message to it runs, as a reply without arguments, the handler that its one argument names. */
enum { TSR_GEX_AM_NOTIFY = 0 };

/* The entry of the handler that a message runs. */
const gex_AM_Entry_t *tsr_gex_entry(const tsr_am_token *token);

/* ---- Restrictions, with TESSERA_CHECK=1 ---- */

/* What the calling thread is in the middle of: what tsr_gex_check_context looks at. */
struct tsr_gex_thread {
  gex_HSL_t *held;       /* what it has taken last; NULL: none */
  const char *prepared;  /* the call that has prepared a message; NULL: none */
};
extern _Thread_local struct tsr_gex_thread tsr_gex_thread;

/* ---- What all calls that send have in common ---- */

/* The family's most bytes of fixed payload. */
size_t tsr_gex_am_most(enum tsr_am_kind kind);

/* Ends the job unless `token` may be answered now: it is that of the request whose handler runs, and has no answer. With
 * TESSERA_CHECK=1 also as tsr_gex_check_context does. */
tsr_am_token *tsr_gex_am_answerable(const char *call, gex_Token_t token);

/* Ends the job unless a long message may have its data there. Nothing is written when there are no bytes: then any address may be
 * named. */
void tsr_gex_am_check_dest(const char *call, tsr_unit unit, const void *dest_addr, size_t bytes);
/* The same, and tells a long message where it goes. Into memory of the peer's program, which no message can write to, the data
 * is put here and now, and the message follows without it. False: that would take a wait, or write what a message that is then
 * refused must not have written, and the flags have GEX_FLAG_IMMEDIATE. */
bool tsr_gex_am_aim(const char *call, tsr_unit unit, const void *dest_addr, gex_Flags_t flags, struct tsr_am_message *message);

/* Where the local completion of a message is counted, as its `lc_opt` wants it. */
struct tsr_gex_am_local {
  gex_Event_t *out, event;
  tsr_op *op; /* NULL: the message is consumed when the call returns */
};
struct tsr_gex_am_local tsr_gex_am_local(const char *call, gex_Event_t *lc_opt, bool is_request);
/* The message was sent (not: it was not, and will not be). */
void tsr_gex_am_local_done(const struct tsr_gex_am_local *local, bool sent);

/* After a request: one to the caller itself is served at once. Programs count on that: one whose threads do nothing then but puts
 * to their own node would not come to it. */
static inline void tsr_gex_am_to_self(tsr_unit unit) {
  if (__builtin_expect(unit.id == tsr_place.self, 0)) tsr_progress();
}

/* Ends the job when a status is one that no program can do anything about; whether the message was sent. */
bool tsr_gex_am_sent(const char *call, tessera_status_t status);

#endif
