/* Blocking collectives on a team, complete on return. Every member calls, with the same sizes, root and operation. They
 * do not complete put and get: flush first. The buffers of a call do not overlap, unless the call allows in-place use.
 * A member that has no private memory for its part ends the job, because the others would wait for it for ever.
 *
 * On several nodes a call usually has three parts: on each node (coll/local), between one member of each node (a
 * blocking schedule, coll/schedule), and on each node again.
 *
 * The interfaces check arguments, because they know their names. A member with wrong arguments, or without memory for
 * them, calls tsr_call_fail_others instead. The others then get TESSERA_ERR_PEER, and their receive buffers may have
 * changed; but a member that waits for no other, or only for the root, may have left a small call with success. Across
 * nodes this needs TESSERA_CHECK=1, otherwise the job ends with an error message (core/coll_error). Every call begins
 * with a round of the team's sync area on each node, or has one after a message from another node, so that a failing
 * member reaches the others. */
#ifndef TSR_COLL_COLL_H
#define TSR_COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/arith.h"
#include "core/team.h"

/* Returns private memory for a collective; the caller frees it. Ends the job if there is none, because the other
 * members cannot be told. */
void *tsr_coll_memory(size_t bytes);

/* How elements are combined: inout[i] = in[i] op inout[i] for n elements, with `in` from the lower-numbered member. */
typedef struct tsr_reducer {
  size_t elem_bytes;
  void (*apply)(void *inout, const void *in, size_t n, const struct tsr_reducer *reducer);
  bool commutes; /* false: combined in the order of the members' numbers */
  bool builtin;  /* `apply` combines elements of this type by this operation: */
  tsr_type type;
  tsr_arith op;
  void *user;    /* this and `function` are for the `apply` of an interface */
  void (*function)(void *inout, const void *in, size_t n, void *user);
} tsr_reducer;
tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op); /* `op` must be defined for `type` */
/* Returns what the reducers of all members must have in common, for `how` of struct tsr_check_call. */
uint64_t tsr_reducer_check(const tsr_reducer *how);

tessera_status_t tsr_barrier(tsr_team *team) TSR_MUST_USE;
/* The same for a call that has no result: if another member fails it, the job ends with a message. */
void tsr_barrier_or_abort(tsr_team *team, const char *call);
tessera_status_t tsr_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root) TSR_MUST_USE;
/* `bytes` is the size of each member's block. In place: the member's own block has the same address in `send` and `recv`. */
tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) TSR_MUST_USE;
tessera_status_t tsr_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root) TSR_MUST_USE;
tessera_status_t tsr_allgather(tsr_team *team, const void *send, void *recv, size_t bytes) TSR_MUST_USE;
/* Stores counts[i] bytes of member i at offs[i]. */
tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[])
  TSR_MUST_USE;
tessera_status_t tsr_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes) TSR_MUST_USE;
/* send == recv is in place. */
tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root)
  TSR_MUST_USE;
tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how) TSR_MUST_USE;

#endif
