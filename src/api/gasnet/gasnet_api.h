/* Common parts of the GASNet interface: its objects, ranks and addresses, events, and errors.
 *
 * Exported are the functions of the interface, and gexi_ functions, which inline functions of the installed headers
 * call. tsr_gex_ names are internal. */
#ifndef TSR_API_GASNET_GASNET_API_H
#define TSR_API_GASNET_GASNET_API_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <gex/client.h>
#include <gex/event.h>

#include "base/arith.h"
#include "base/config.h"
#include "base/status.h"
#include "base/table.h"
#include "core/address.h"
#include "core/op.h"
#include "core/runtime.h"
#include "core/segment.h"
#include "core/team.h"

/* ---- Errors ---- */

/* For calls that return no error: logs the message and ends the job. */
#define tsr_gex_die(...) tsr_abort(EXIT_FAILURE, __VA_ARGS__)

/* Logs the message, unless the program has turned messages off, and returns the code. */
int tsr_gex_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/* Between gex_Client_Init and the end; other interfaces may keep the runtime up longer. */
extern bool tsr_gex_up;
/* The threading mode that the program was compiled for. */
extern enum gexi_threads tsr_gex_threads;

/* Ends the job: the interface is not up yet, or no longer up. */
void tsr_gex_not_up(const char *call) __attribute__((cold));
static inline void tsr_gex_check_up(const char *call) {
  if (!GEXI_LIKELY(tsr_gex_up)) tsr_gex_not_up(call);
}

/* With TESSERA_CHECK=1 ends the job if the caller is in a handler, holds a handler-safe lock, or has prepared a message. */
void tsr_gex_forbid_context(const char *call);
static inline void tsr_gex_check_context(const char *call) {
  if (!GEXI_LIKELY(!tsr_config_check())) tsr_gex_forbid_context(call);
}
static inline void tsr_gex_check_call(const char *call) {
  tsr_gex_check_up(call);
  tsr_gex_check_context(call);
}

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
  bool ours;  /* the library allocated the memory, and frees it with the segment */
  bool bound; /* bound to the endpoint, not attached */
  struct gexi_segment *next;
};
extern struct gexi_client tsr_gex_client;
extern struct gexi_ep tsr_gex_ep;

/* The split-phase barrier of a team. */
struct tsr_gex_barrier {
  tsr_team *team; /* has the named barrier; for the team of all it is a separate team of all units */
  bool going;     /* between notify and wait */
  int flags;      /* as passed to notify */
  bool has_name;  /* the last successful barrier had a name */
  int name;
};

/* A team. Inline functions of the headers see the first member. */
typedef struct tsr_gex_tm {
  struct gexi_tm near;
  tsr_team *team; /* NULL: a pair of endpoints */
  struct tsr_gex_barrier barrier;
  gex_Flags_t flags;
  const void *cdata;
  gex_Memvec_t scratch; /* the program's scratch memory; length 0: none */
  struct tsr_gex_tm *previous, *next; /* in the list of all teams, without pairs; the team of all is the first */
} tsr_gex_tm;

gex_TM_t tsr_gex_tm0(void); /* the team of all */

/* The bound segment of a unit, in the unit's own addresses; 0 bytes: none. */
struct tsr_gex_bound {
  uint64_t base, bytes;
  uint64_t off; /* in the unit's heap */
};
struct tsr_gex_bound_entry {
  struct tsr_gex_bound bound;
  _Atomic bool filled;
};
extern tsr_table tsr_gex_bounds; /* of tsr_gex_bound_entry, for the units that this process has looked up */
const struct tsr_gex_bound *tsr_gex_fill_bound(tsr_unit unit);
static inline const struct tsr_gex_bound *tsr_gex_bound(tsr_unit unit) {
  struct tsr_gex_bound_entry *entry = tsr_table_find(&tsr_gex_bounds, (uint32_t)unit.id);
  bool filled = entry && atomic_load_explicit(&entry->filled, memory_order_acquire); /* partner: store_bound() */
  return __builtin_expect(filled, 1) ? &entry->bound : tsr_gex_fill_bound(unit);
}
/* The same for a caller that visits all units: does not fill the table. */
struct tsr_gex_bound tsr_gex_look_up_bound(tsr_unit unit);
void tsr_gex_set_bound(tsr_unit unit, struct tsr_gex_bound bound);
/* Called when all units have attached their parts of this segment. */
void tsr_gex_attach_bounds(const tsr_segment *segment);

/* The record of a unit for inline functions of the headers. */
struct gexi_peer tsr_gex_peer(tsr_unit unit);

/* An invalid team or rank ends the job. `tm` may be a pair. */
tsr_unit tsr_gex_unit(const char *call, gex_TM_t tm, gex_Rank_t rank);
/* The same for calls that do not take pairs. */
tsr_team *tsr_gex_team(const char *call, gex_TM_t tm);

/* Whether the bytes lie in the unit's bound segment. While another interface is up they may also lie anywhere in the unit's heap,
 * since that interface may have allocated them. Stores their address. */
bool tsr_gex_find_address(tsr_unit unit, uintptr_t pointer, size_t bytes, tsr_addr *address);
/* The address of such bytes. Other bytes end the job. */
tsr_addr tsr_gex_address(const char *call, tsr_unit unit, const void *pointer, size_t bytes);
/* A pointer to the bytes that is valid in this process; NULL: on another node, or invalid for tsr_gex_address. */
void *tsr_gex_local_pointer(tsr_unit unit, const void *pointer, size_t bytes);

/* With these flags programs pass offsets in a bound segment instead of addresses. */
enum { TSR_GEX_OFFSETS = GEX_FLAG_PEER_SEG_OFFSET | GEX_FLAG_SELF_SEG_OFFSET };
/* The unit's own address of an offset in its segment. Ends the job unless all bytes lie in the segment. */
void *tsr_gex_offset(const char *call, tsr_unit unit, const void *offset, size_t bytes);
/* Convert an argument to an address, of the peer or of this process. */
static inline void *tsr_gex_theirs(const char *call, tsr_unit unit, const void *given, size_t bytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(!(flags & GEX_FLAG_PEER_SEG_OFFSET))) return (void *)given;
  return tsr_gex_offset(call, unit, given, bytes);
}
static inline void *tsr_gex_ours(const char *call, const void *given, size_t bytes, gex_Flags_t flags) {
  if (GEXI_LIKELY(!(flags & GEX_FLAG_SELF_SEG_OFFSET))) return (void *)given;
  return tsr_gex_offset(call, TSR_UNIT(tsr_place.self), given, bytes);
}

/* gex_Segment_Attach on behalf of `call`. Collective over the job. */
int tsr_gex_attach(const char *call, gex_Segment_t *segment_p, gex_TM_t tm, uintptr_t size);
/* A unit that has failed with `code` calls this instead of tsr_gex_attach, and the attach fails on all units. Returns `code`. */
int tsr_gex_attach_failing(int code);

/* ---- Events ---- */

enum tsr_gex_category { TSR_GEX_GET, TSR_GEX_PUT, TSR_GEX_RMW, TSR_GEX_AM, TSR_GEX_CATEGORIES_N };

/* A new root event, whose op counts an operation. No memory ends the job. tsr_gex_event_started follows. */
gex_Event_t tsr_gex_event(tsr_op **op, enum tsr_gex_category category);
/* The event to return when all pieces have started: GEX_EVENT_INVALID, and the event is freed, if they are complete. */
gex_Event_t tsr_gex_event_started(gex_Event_t root);
/* The same for an operation on a unit. For a unit of another node the result is always an event, even if complete:
 * programs use that to find out which peers share memory. */
gex_Event_t tsr_gex_event_from(gex_Event_t root, tsr_unit unit);
/* For an operation of 0 bytes. */
gex_Event_t tsr_gex_event_of_nothing(tsr_unit unit, enum tsr_gex_category category);
/* The root's leaf for local completion; GEX_EVENT_INVALID: locally complete, or the root is GEX_EVENT_INVALID. */
gex_Event_t tsr_gex_event_lc(gex_Event_t root);
/* Frees an event for which no operation was started. */
void tsr_gex_event_drop(gex_Event_t root);

/* The implicit op of the calling thread: of its open access region, else the thread's own. GEX_EC_LC covers the local
 * completion of puts. */
tsr_op *tsr_gex_nbi(enum tsr_gex_category category);

/* For calls that programs repeat until something changes: makes progress once, and yields if it was idle. */
void tsr_gex_poll(void);

/* Starts a put, counted in `op`. The caller has checked the address. An error ends the job. */
void tsr_gex_put_nb(const char *call, tsr_addr dest, const void *src, size_t bytes, tsr_op *op);

/* ---- Types and operations ---- */

/* NULL: not exactly one known bit. */
const char *tsr_gex_op_name(gex_OP_t op);
const char *tsr_gex_dt_name(gex_DT_t dt);
/* Stores the core's type. False: unknown, or GEX_DT_USER. */
bool tsr_gex_type(gex_DT_t dt, tsr_type *type);
/* Stores the core's operation. False: not one of a reduction's built-in operations. */
bool tsr_gex_reduces(gex_OP_t op, tsr_arith *arith);

/* ---- Text ---- */

/* The factor of a unit such as "K", "KB" or "KiB", in either case, which is skipped with blanks around it; `standard` if
 * there is none. */
uint64_t tsr_gex_skip_unit(const char **text, uint64_t standard);
/* Whether a list such as "GDB,EXECINFO" contains the word. */
bool tsr_gex_lists_word(const char *list, const char *word);

/* ---- The end of the job: any process may end it at any time ---- */

/* Blocks the calling thread while another one ends the process. */
extern atomic_bool tsr_gex_leaving;
_Noreturn void tsr_gex_exit_wait(void);
static inline void tsr_gex_check_leaving(void) {
  if (!GEXI_LIKELY(!atomic_load_explicit(&tsr_gex_leaving, memory_order_relaxed))) tsr_gex_exit_wait();
}

/* ---- Teams, neighbourhoods and hosts ---- */

/* Creates a team of all units whose split-phase barriers serve one purpose and are not mixed with other calls. Collective
 * over the job. A failure ends the job. The runtime destroys the team with the interface. */
tsr_team *tsr_gex_team_of_all(void);
/* Updates the peers of all teams, which inline functions read, after segments have changed. */
void tsr_gex_teams_refresh(void);
/* Numbers of a rank's neighbourhood and host. The caller has checked the range. */
gex_Rank_t tsr_gex_neighbourhood_of(gex_Rank_t rank);
gex_Rank_t tsr_gex_host_of(gex_Rank_t rank);

/* ---- Parts of start and end, in the order of the calls; collective, except events, implicit operations and segments ---- */

void tsr_gex_addresses_start(void);
void tsr_gex_addresses_stop(void);
void tsr_gex_limits_start(void); /* of segments */
void tsr_gex_segments_stop(void);
/* `near`: the program's own copy of the record that inline functions read; NULL: the library's. */
void tsr_gex_teams_start(const struct gexi_near *near);
void tsr_gex_near_stop(void); /* inline calls find no peers any more */
void tsr_gex_teams_stop(void);
void tsr_gex_hosts_start(void);
void tsr_gex_hosts_stop(void);
void tsr_gex_barrier_start(void);
/* From _start to _stop, a process may end by gasnet_exit, by exit, or by a return from main. SIGINT and similar signals become
 * SIGQUIT if the program catches SIGQUIT. */
void tsr_gex_exit_start(void);
void tsr_gex_exit_stop(void);
/* Returns the record that inline functions read. tsr_gex_events_stop waits for all operations. */
struct gexi_implicit *tsr_gex_nbi_start(void);
void tsr_gex_events_stop(void);
/* Unregisters the functions of gasnet_coll_init. */
void tsr_gex_legacy_reduce_stop(void);

/* Stops the interface. Collective over the job. */
void tsr_gex_stop(void);

#endif
