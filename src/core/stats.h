/* Statistics per operation, and the events of the timeline: calls, bytes, time, sizes, and what goes to which node. If both
 * are off, an operation pays one load and one branch.
 *
 *   uint64_t begun_ns = tsr_stats_begin();
 *   ... the operation ...
 *   tsr_stats_end_at(TSR_STAT_PUT, begun_ns, bytes, unit);
 */
#ifndef TSR_CORE_STATS_H
#define TSR_CORE_STATS_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/config.h"
#include "core/team.h"
#include "core/unit.h"

/* One row per operation: identifier, name in reports. */
#define TSR_STATS_TABLE(ROW)                                                                              \
  ROW(PUT, "put") ROW(GET, "get") ROW(FLUSH, "flush") ROW(WAIT, "wait") ROW(ACCUMULATE, "accumulate")     \
  ROW(LOCK, "lock") ROW(UNLOCK, "unlock")                                                                 \
  ROW(FETCH, "fetch_and_op") ROW(SWAP_IF, "compare_and_swap") ROW(ALLOC, "alloc") ROW(FREE, "free")       \
  ROW(TEAM, "team") ROW(BARRIER, "barrier") ROW(BCAST, "bcast") ROW(SCATTER, "scatter")                   \
  ROW(GATHER, "gather") ROW(ALLGATHER, "allgather") ROW(ALLTOALL, "alltoall") ROW(REDUCE, "reduce")       \
  ROW(ALLREDUCE, "allreduce") ROW(REDUCE_SCATTER, "reduce_scatter") ROW(SCAN, "scan")                     \
  ROW(SEND, "send") ROW(RECEIVE, "receive") ROW(AM_REQUEST, "am_request") ROW(AM_REPLY, "am_reply")       \
  ROW(AM_HANDLER, "am_handler")                                                                           \
  ROW(REGISTER, "register") ROW(DEREGISTER, "deregister")                                                 \
  ROW(NO_BUFFER, "no_wire_buffer") /* waits for one of TESSERA_WIRE_BUFFERS */

enum tsr_stat {
#define TSR_STATS_ENUM(id, name) TSR_STAT_##id,
  TSR_STATS_TABLE(TSR_STATS_ENUM)
#undef TSR_STATS_ENUM
  TSR_STATS_N
};
extern const char *const tsr_stats_names[TSR_STATS_N];

extern bool tsr_stats_wanted;     /* statistics or timeline; constant from start to stop */
extern _Atomic bool tsr_stats_on; /* operations that begin now are counted or in the timeline */

static inline bool tsr_stats_are_wanted(void) { return TSR_INSTRUMENTS && tsr_stats_wanted; }
static inline bool tsr_stats_are_on(void) {
  return TSR_INSTRUMENTS && __builtin_expect(atomic_load_explicit(&tsr_stats_on, memory_order_relaxed), 0);
}
static inline uint64_t tsr_stats_begin(void) { return tsr_stats_are_on() ? tsr_clock_ns() : 0; }

/* `unit`: the one at the other end; negative: none. */
void tsr_stats_add(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, tsr_unit unit) __attribute__((cold));
static inline void tsr_stats_end_at(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, tsr_unit unit) {
  if (TSR_INSTRUMENTS && __builtin_expect(begun_ns != 0, 0)) tsr_stats_add(what, begun_ns, bytes, unit);
}
static inline void tsr_stats_end(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes) {
  tsr_stats_end_at(what, begun_ns, bytes, TSR_UNIT(-1));
}

/* Operations that begin from now on are not counted and not in the timeline, until they are wanted again. */
void tsr_stats_pause(bool pauses);

/* Reads the configuration and opens the timeline where one is wanted; after the placement of the units is known. */
void tsr_stats_start(void);
/* Called once all units have started (_begin_job), and before they stop (_end_job). The timelines get the job's number, and
 * synchronisation points, by which tessera-trace aligns the clocks of the nodes. At the end the totals of all units are reported
 * (core/stats_report.c). `team`: all units; no other thread is in a call on it. Collective over the job; costs nearly nothing if no
 * unit wants statistics. */
void tsr_stats_begin_job(tsr_team *team);
void tsr_stats_end_job(tsr_team *team);
/* Prints this unit's table (rows with calls only) through the log's stream in one piece, and resets. Usable in a signal
 * handler. Operations of other threads that end meanwhile may be left out. */
void tsr_stats_print(void);
/* Closes the timeline, and counts no more. */
void tsr_stats_stop(void);

/* ---- for the report ---- */

/* Sizes are counted in classes: 0 bytes, below 8, below 64 and so on, each eight times as large; the last has all others. */
enum { TSR_STATS_SIZES_N = 10 };

struct tsr_stats_counters {
  TSR_ALIGNED_LINE _Atomic uint64_t calls;
  _Atomic uint64_t bytes, remote_bytes, ns, longest_ns;
  _Atomic uint64_t sizes[TSR_STATS_SIZES_N]; /* calls by size */
};
struct tsr_stats_traffic { /* to one node */
  _Atomic uint64_t calls, bytes;
};
/* What counters held. */
struct tsr_stats_counts {
  uint64_t calls, bytes, remote_bytes, ns, longest_ns, sizes[TSR_STATS_SIZES_N];
};

/* The lowest size of a class. */
uint64_t tsr_stats_size_least(int size_class);

extern struct tsr_stats_counters tsr_stats_counters[TSR_STATS_N];
extern struct tsr_stats_traffic *tsr_stats_traffic; /* by node; NULL: not counted */

static inline uint64_t tsr_stats_take_count(_Atomic uint64_t *counter) {
  return atomic_exchange_explicit(counter, 0, memory_order_relaxed);
}
/* Takes what an operation's counters hold; they begin anew. */
void tsr_stats_take(struct tsr_stats_counts *to, enum tsr_stat what);

/* The name of this job's file. Jobs on other parts of the processes use other names: only a job with the launcher's first process
 * uses the name that the user gave. */
void tsr_stats_name(char path[PATH_MAX], const char *name);

/* Reports the totals of all units: a table on unit 0 and the file, as TESSERA_STATS and TESSERA_STATS_FILE ask for. If
 * the units' settings differ, or one has no memory, each unit prints its own table. Resets. Collective over the job. */
void tsr_stats_report(tsr_team *team);

#endif
