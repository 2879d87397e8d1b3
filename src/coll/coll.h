/* Blocking collectives on a team: complete on return. Every member calls, with the same arguments where they say "each". They do
 * not complete put and get: flush first. The buffers of a call do not overlap, except in place where a call says so. A
 * member that has no private memory for its part ends the job, since the others would wait for it for ever.
 *
 * On several nodes a call has three parts: on each node (coll/local), among one member of each node (a blocking schedule,
 * coll/schedule), and on each node again.
 *
 * The interfaces check arguments, because they know their names. A member that finds its own arguments wrong, or has no memory
 * for them, calls tsr_call_fail_others instead. The others then get TESSERA_ERR_PEER, and their receive buffers may have
 * changed; but members that wait for no other, or for the root only, may have left a small call with success. Across
 * nodes this needs TESSERA_CHECK=1, otherwise the job ends with an error message (core/coll_error). So that members that
 * fail and members that call meet, every call begins with a round of the team's sync area on each node, or with one
 * after a message from another node.
 */
#ifndef TSR_COLL_COLL_H
#define TSR_COLL_COLL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "base/arith.h"
#include "core/team.h"

/* Private memory for a collective; the caller frees it. Ends the job if there is none, since the other members cannot
 * be told. */
void *tsr_coll_memory(size_t bytes);

/* How elements are combined: inout[i] = in[i] op inout[i] for n elements, `in` from the lower-numbered unit. */
typedef struct tsr_reducer {
  size_t elem_bytes;
  void (*apply)(void *inout, const void *in, size_t n, const struct tsr_reducer *reducer);
  bool commutes; /* false: combined in the order of unit numbers */
  bool builtin;  /* apply combines elements of a type by an operation: */
  tsr_type type;
  tsr_arith op;
  void *user;    /* for an interface's apply, */
  void (*function)(void *inout, const void *in, size_t n, void *user); /* and this */
} tsr_reducer;
tsr_reducer tsr_reducer_make(tsr_type type, tsr_arith op); /* defined for the type */
/* The properties that the members' reducers must have in common: `how` of core/check. */
uint64_t tsr_reducer_check(const tsr_reducer *how);

tessera_status_t tsr_barrier(tsr_team *team);
tessera_status_t tsr_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root);
/* `bytes` is each member's share. send == recv + own share (gather family) means in place. */
tessera_status_t tsr_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tessera_status_t tsr_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tessera_status_t tsr_allgather(tsr_team *team, const void *send, void *recv, size_t bytes);
/* counts[i] bytes from member i at offs[i]. */
tessera_status_t tsr_allgatherv(tsr_team *team, const void *send, void *recv, const size_t counts[], const size_t offs[]);
tessera_status_t tsr_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes);
/* send == recv is in place. */
tessera_status_t tsr_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, tsr_member root);
tessera_status_t tsr_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);

#endif
