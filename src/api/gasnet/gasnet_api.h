/* What the files of the GASNet interface share: its objects, how a call names a peer and a place there, its events, and
 * its errors.
 *
 * Functions that the inline ones of the installed headers call have names that begin with gexi_ and are exported; what is
 * exported besides is the interface. tsr_gex_ names are the library's own.
 */
#ifndef TSR_API_GASNET_GASNET_API_H
#define TSR_API_GASNET_GASNET_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <gex/client.h>
#include <gex/event.h>

#include "base/status.h"
#include "base/table.h"
#include "core/address.h"
#include "core/op.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "core/team.h"

/* ---- Errors ---- */

/* What has no error to return, and what must not happen: one message, and the end of the job. */
#define tsr_gex_die(...) tsr_abort(EXIT_FAILURE, __VA_ARGS__)

/* Says what is wrong with a call, unless the program has turned that off, and gives the code to return. */
int tsr_gex_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Between gex_Client_Init and the end; other interfaces may keep the runtime up beyond. */
extern bool tsr_gex_up;
/* How the program was compiled. */
extern enum gexi_threads tsr_gex_threads;

/* Dies: calls are not allowed yet, or any more. */
void tsr_gex_not_up(const char *call) __attribute__((cold));
static inline void tsr_gex_check_up(const char *call) {
  if (!GEXI_LIKELY(tsr_gex_up)) tsr_gex_not_up(call);
}

/* With TESSERA_CHECK: dies in a handler, and where else nothing may communicate or wait. */
void tsr_gex_check_context(const char *call);

/* ---- Objects. Each process has one client and one endpoint. ---- */

struct gexi_client {
  char *name;
  gex_Flags_t flags;
  const void *cdata;
};
struct gexi_ep {
  gex_Client_t client;
  gex_Segment_t segment; /* NULL: none is attached */
  const void *cdata;
};
struct gexi_segment {
  gex_Client_t client;
  char *address;
  uintptr_t bytes;
  const void *cdata;
  bool ours;  /* the memory: to be freed with it */
  bool bound; /* the endpoint's, and not attached */
  struct gexi_segment *next;
};
extern struct gexi_client tsr_gex_client;
extern struct gexi_ep tsr_gex_ep;

/* A team. The first member is what the inline functions see. */
typedef struct tsr_gex_tm {
  struct gexi_tm near;
  tsr_team *team; /* NULL: a pair of endpoints */
  gex_Flags_t flags;
  const void *cdata;
  gex_Memvec_t scratch; /* what the program gave for it; length 0: nothing */
  struct tsr_gex_tm *next, *previous; /* of all real teams */
} tsr_gex_tm;

gex_TM_t tsr_gex_tm0(void); /* the team of all */

/* A unit's bound segment as its owner knows it; of 0 bytes while there is none. By job rank. */
struct tsr_gex_bound {
  uint64_t base, bytes;
  uint64_t off; /* in the unit's heap */
};
struct tsr_gex_bound_entry {
  struct tsr_gex_bound bound;
  _Atomic bool filled;
};
extern tsr_table tsr_gex_bounds; /* of those, for the units that this process has asked for */
const struct tsr_gex_bound *tsr_gex_fill_bound(tsr_unit unit);
static inline const struct tsr_gex_bound *tsr_gex_bound(tsr_unit unit) {
  struct tsr_gex_bound_entry *entry = tsr_table_find(&tsr_gex_bounds, (uint32_t)unit.id);
  bool filled = entry && atomic_load_explicit(&entry->filled, memory_order_acquire); /* partner: tsr_gex_set_bound */
  return __builtin_expect(filled, 1) ? &entry->bound : tsr_gex_fill_bound(unit);
}
/* The same for a caller that visits all units: nothing is kept. */
struct tsr_gex_bound tsr_gex_look_up_bound(tsr_unit unit);
void tsr_gex_set_bound(tsr_unit unit, struct tsr_gex_bound bound);
/* All units have attached their parts of this segment. */
void tsr_gex_attach_bounds(const tsr_segment *segment);

/* What the inline functions see of a unit. */
struct gexi_peer tsr_gex_peer(tsr_unit unit);

/* Die, saying what is wrong, where a team is none, or has no such rank. `tm` may be a pair. */
tsr_unit tsr_gex_unit(const char *call, gex_TM_t tm, gex_Rank_t rank);
/* Only a real team. */
tsr_team *tsr_gex_team(const char *call, gex_TM_t tm);

/* Where [pointer, pointer + bytes) of a unit lies; dies unless that is inside the unit's bound segment, or in memory of its heap
 * that another interface may have given out. */
tsr_addr tsr_gex_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes);
/* Whether they lie in the unit's heap, and another interface that gives out memory of it is up; then where. For what is not in
 * the bound segment. */
bool tsr_gex_in_heap(tsr_unit unit, uintptr_t pointer, size_t bytes, tsr_addr *address);
/* The same bytes in this process; NULL: on another node, or where tsr_gex_address would die. */
void *tsr_gex_near(tsr_unit unit, const void *pointer, size_t bytes);

/* With these flags programs name places by offsets in a bound segment. */
enum { TSR_GEX_OFFSETS = GEX_FLAG_PEER_SEG_OFFSET | GEX_FLAG_SELF_SEG_OFFSET };
/* The address, as the unit knows it, of an offset in its segment; dies unless all of the bytes are inside. */
void *tsr_gex_offset(const char *call, tsr_unit unit, const void *offset, size_t bytes);
/* What a call was given, as an address: of the peer, or of this process. */
static inline void *tsr_gex_theirs(const char *call, tsr_unit unit, const void *given, size_t bytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(!(flags & GEX_FLAG_PEER_SEG_OFFSET))) return (void *)given;
  return tsr_gex_offset(call, unit, given, bytes);
}
static inline void *tsr_gex_ours(const char *call, const void *given, size_t bytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(!(flags & GEX_FLAG_SELF_SEG_OFFSET))) return (void *)given;
  return tsr_gex_offset(call, TSR_UNIT(tsr_place.self), given, bytes);
}

/* What gex_Segment_Attach and gasnet_attach do. Collective over the job. */
int tsr_gex_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);

/* ---- Events ---- */

enum tsr_gex_category { TSR_GEX_GET, TSR_GEX_PUT, TSR_GEX_RMW, TSR_GEX_AM, TSR_GEX_LC, TSR_GEX_CATEGORIES_N };

/* A new root event, whose op is to be counted; dies when there is no memory. Then tsr_gex_event_started. */
gex_Event_t tsr_gex_event(tsr_op **op, enum tsr_gex_category category);
/* What to return for it, once all pieces have been started: GEX_EVENT_INVALID, and it is gone, if they are complete. */
gex_Event_t tsr_gex_event_started(gex_Event_t root);
/* The same for a put, a get or an atomic operation of a unit: one of another node always is an event, complete or not, since
 * programs tell by that where a peer is. */
gex_Event_t tsr_gex_event_from(gex_Event_t root, tsr_unit unit);
/* Where nothing was to be moved. */
gex_Event_t tsr_gex_event_of_nothing(tsr_unit unit, enum tsr_gex_category category);
/* Its leaf for local completion; GEX_EVENT_INVALID: locally complete, or the root is GEX_EVENT_INVALID. */
gex_Event_t tsr_gex_event_lc(gex_Event_t root);
/* Nothing was started, nor will be. */
void tsr_gex_event_drop(gex_Event_t root);

/* The implicit op of the calling thread: that of its open access region, else its own. Of LC: for what is complete locally
 * and nothing more; puts count in PUT only, whose local part belongs to GEX_EC_LC. */
tsr_op *tsr_gex_nbi(enum tsr_gex_category category);

/* What a call does for others that programs repeat until something changes: serves active messages and the wire, once, or
 * when there was nothing lets others run. */
void tsr_gex_poll(void);

/* ---- Parts of the start, in the order of their calls, and the end; collective ---- */

void tsr_gex_addresses_start(void);
void tsr_gex_addresses_stop(void);
void tsr_gex_teams_start(void);
void tsr_gex_teams_stop(void);
void tsr_gex_hosts_start(void);
void tsr_gex_hosts_stop(void);
void tsr_gex_events_stop(void);

/* Brings the interface up for gex_Client_Init, gasnet_init and the like; `call` is for messages. `near` is what the program's
 * inline functions read, which need not be the library's own: a program may have a copy. GASNET_OK, or a code. */
struct tsr_gex_start {
  const char *call, *name;
  int *argc;
  char ***argv;
  gex_Flags_t flags;
  enum gexi_threads threads;
  const struct gexi_near *near;
};
int tsr_gex_start(const struct tsr_gex_start *how);
/* Takes it down. Collective over the job. */
void tsr_gex_stop(void);

#endif
