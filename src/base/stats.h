/* Statistics per operation, and the hook that feeds the timeline: calls, bytes, bytes to other nodes, time. Off, an
 * operation pays one load and one branch.
 *
 *   uint64_t t = tsr_stats_begin();
 *   ... the operation ...
 *   tsr_stats_end(TSR_STAT_PUT, t, bytes, remote_bytes);
 */
#ifndef TSR_BASE_STATS_H
#define TSR_BASE_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* One row per operation: identifier, name in reports. */
#define TSR_STATS_TABLE(ROW)                                                                              \
  ROW(PUT, "put") ROW(GET, "get") ROW(FLUSH, "flush") ROW(WAIT, "wait") ROW(ACCUMULATE, "accumulate")     \
  ROW(LOCK, "lock") ROW(UNLOCK, "unlock")                                                                 \
  ROW(FETCH, "fetch_and_op") ROW(SWAP_IF, "compare_and_swap") ROW(ALLOC, "alloc") ROW(FREE, "free")       \
  ROW(TEAM, "team") ROW(BARRIER, "barrier") ROW(BCAST, "bcast") ROW(SCATTER, "scatter")                   \
  ROW(GATHER, "gather") ROW(ALLGATHER, "allgather") ROW(ALLTOALL, "alltoall") ROW(REDUCE, "reduce")       \
  ROW(ALLREDUCE, "allreduce") ROW(REDUCE_SCATTER, "reduce_scatter") ROW(SCAN, "scan")                 \
  ROW(SEND, "send") ROW(RECEIVE, "receive") ROW(AM_REQUEST, "am_request") ROW(AM_REPLY, "am_reply")       \
  ROW(REGISTER, "register") ROW(DEREGISTER, "deregister")                                                 \
  ROW(NO_BUFFER, "no_wire_buffer") /* waits for one of TESSERA_WIRE_BUFFERS */

enum tsr_stat {
#define TSR_STATS_ENUM(id, name) TSR_STAT_##id,
  TSR_STATS_TABLE(TSR_STATS_ENUM)
#undef TSR_STATS_ENUM
  TSR_STATS_N
};

extern bool tsr_stats_on; /* statistics or timeline wanted */

static inline uint64_t tsr_stats_begin(void) { return __builtin_expect(tsr_stats_on, 0) ? tsr_clock_ns() : 0; }

void tsr_stats_add(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, uint64_t remote_bytes);
static inline void tsr_stats_end(enum tsr_stat what, uint64_t begun_ns, uint64_t bytes, uint64_t remote_bytes) {
  if (__builtin_expect(begun_ns != 0, 0)) tsr_stats_add(what, begun_ns, bytes, remote_bytes);
}

/* Reads the configuration and opens the timeline where one is wanted; after the unit's number is known. */
void tsr_stats_start(int32_t unit);
/* Prints this unit's table (rows with calls only) through the log's stream in one piece, and resets. Usable in a signal
 * handler. Operations of other threads that end meanwhile may be left out. */
void tsr_stats_print(int32_t unit);
/* The same, and closes the timeline. */
void tsr_stats_finish(int32_t unit);

#endif
