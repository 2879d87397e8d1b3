/* Completion of operations that take a request. Operations that complete at once need no op.
 *
 * An op counts the pieces of an operation (or of a whole group of operations) that are under way: local_n until the
 * origin's buffers may be reused, remote_n until the effect is visible at the target. */
#ifndef TSR_CORE_OP_H
#define TSR_CORE_OP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/wait.h"
#include "core/progress.h"
#include "core/unit.h"
#include "net/net.h"

typedef struct tsr_op {
  _Atomic uint32_t local_n, remote_n;
  struct tsr_op *group; /* also counts the requests of this op; NULL: none */
} tsr_op;

static inline bool tsr_op_local_done(const tsr_op *op) { return !atomic_load_explicit(&op->local_n, memory_order_acquire); }
static inline bool tsr_op_remote_done(const tsr_op *op) { return !atomic_load_explicit(&op->remote_n, memory_order_acquire); }

/* Starts a request and counts it in `op`; waits for a slot if none is free. Replaces `done` of the request. `finish`,
 * unless NULL, runs at remote completion before the op is counted down (to unpack a reply). */
tessera_status_t tsr_op_request(tsr_op *op, struct tsr_net_request *request, void (*finish)(void *arg), void *arg);

/* Resources for operations to one rank that must start without waiting. */
struct tsr_op_need {
  int rank;
  size_t requests_n, long_n, bytes; /* requests, those of them with a long payload, and all bytes that they carry and
                                     * return */
  size_t pieces_n;                  /* for tsr_op_put and tsr_op_get */
};
static inline void tsr_op_need_request(struct tsr_op_need *need, int rank, size_t payload_bytes, size_t other_bytes) {
  need->rank = rank;
  need->requests_n++;
  need->long_n += payload_bytes > tsr_net_limits.eager_bytes;
  need->bytes += payload_bytes + other_bytes;
}

/* Reserves these resources for the calling thread. It then starts these operations, or fewer, and calls
 * tsr_op_unreserve. Nothing is reserved for units of the own node and for pieces. False: there is no room now; or there
 * never is, since these are more than TESSERA_WIRE_BUFFERS requests, or more than TSR_NET_LONG_N long ones. */
bool tsr_op_reserve(const struct tsr_op_need *need);
void tsr_op_unreserve(void);

/* As tsr_op_request, for a contiguous piece of the heap of a unit on another node. Requires a transport with a
 * window. */
tessera_status_t tsr_op_put(tsr_op *op, struct tsr_net_piece *piece);
tessera_status_t tsr_op_get(tsr_op *op, struct tsr_net_piece *piece);

/* Counts one more piece under way. `local`: it uses buffers of the origin. */
static inline void tsr_op_count(tsr_op *op, bool local) {
  for (; op; op = op->group) {
    if (local) atomic_fetch_add_explicit(&op->local_n, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&op->remote_n, 1, memory_order_relaxed);
  }
}

/* Begin and end of a piece that is not started by this file. The end completes it locally and remotely at once. */
static inline void tsr_op_begin(tsr_op *op) { tsr_op_count(op, true); }
void tsr_op_end(tsr_op *op);

/* The reason of a wait for completion. `who`: the unit that completes the op; -1: several or unknown. */
static inline struct tsr_wait_why tsr_op_why(const tsr_op *op, tsr_unit who) {
  uint32_t under_way_n = atomic_load_explicit(&op->remote_n, memory_order_relaxed);
  return who.id >= 0 ? (struct tsr_wait_why){TSR_WAIT_REPLY, who.id, under_way_n}
                     : (struct tsr_wait_why){TSR_WAIT_EVENTS, 1, under_way_n};
}
void tsr_op_wait_local(const tsr_op *op, tsr_unit who);
void tsr_op_wait_remote(const tsr_op *op, tsr_unit who);

/* The implicit group of this process's operations to one unit, completed by a flush. */
tsr_op *tsr_op_implicit(tsr_unit unit);
/* Creates the implicit groups, which are absent while all operations complete at once. Any thread.
 * TESSERA_ERR_MEMORY. */
tessera_status_t tsr_op_track(void);
/* Wait for the operations started before, even if other threads keep starting operations. */
void tsr_op_flush(tsr_unit unit);
void tsr_op_flush_local(tsr_unit unit);
void tsr_op_flush_all(void);
/* For the units for which includes(arg, unit) is true. */
void tsr_op_flush_some(bool (*includes)(const void *arg, tsr_unit unit), const void *arg);
void tsr_op_flush_local_all(void);

/* True if no unit depends on the progress of another one: then all operations complete at once, and a flush only orders
 * the stores of this thread into the node's memory; partner: the acquire of the unit that is notified of the
 * arrival. */
static inline bool tsr_op_nothing_under_way(void) {
  atomic_thread_fence(memory_order_release);
  return __builtin_expect(!atomic_load_explicit(&tsr_progress_required, memory_order_relaxed), 1);
}

/* Explicit handles: the number of an op. It contains a generation, which detects stale handles; 0: already complete. */
typedef uint64_t tsr_handle;
/* For operations to `unit`, which a flush of that unit covers, too; -1: no flush waits for them. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_handle_create(tsr_unit unit, tsr_handle *handle, tsr_op **op);
/* Sets the reason that a wait for the handle's op reports, if it is not a transfer to `unit`. Before any thread
 * waits. */
void tsr_handle_explain(tsr_op *op, struct tsr_wait_why why);
/* Return when the op of a handle is complete, locally or also at the target. */
void tsr_handle_wait_local(const tsr_op *op);
void tsr_handle_wait_remote(const tsr_op *op);
int tsr_handles_live(void);      /* that are not released */
int tsr_handles_under_way(void); /* those of this process, except the one that the calling thread waits for */
tsr_op *tsr_handle_op(tsr_handle handle);                            /* NULL: stale or not of this process */
void tsr_handle_release(tsr_handle handle);                          /* the op may still be under way; it is recycled
                                                                      * when it is complete */

/* Private memory for groups in a job of `units_n` units, before any is used; and the most that one further group
 * takes. */
size_t tsr_op_bytes(int32_t units_n);
size_t tsr_op_peer_bytes(void);

tessera_status_t tsr_op_start(void);
void tsr_op_stop(void);

#endif
