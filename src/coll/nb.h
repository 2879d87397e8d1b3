/* Collectives as started schedules (coll/schedule.h), which the caller starts or runs. The arguments and rules are those of
 * coll/coll.h. Counts and displacements are in bytes and are read during the call only. Buffers stay in use until the
 * schedule has ended. Calls that work in place say so. */
#ifndef TSR_COLL_NB_H
#define TSR_COLL_NB_H

#include "coll/schedule.h"

tsr_schedule *tsr_nb_barrier(tsr_team *team);
/* A barrier without messages or a schedule, for a team on one node and calls that are not compared. tsr_barrier_begin
 * arrives and returns true if all members have arrived. Otherwise the caller calls tsr_barrier_follow, which counts the barrier
 * in `op` until all have arrived. May be mixed with all other calls. */
bool tsr_barrier_begin(tsr_team *team, uint64_t *number);
void tsr_barrier_follow(tsr_team *team, uint64_t number, tsr_op *op);
/* Adds barriers to a schedule that is otherwise complete: one before it, so that no data moves until all members have
 * called, and one behind it, so that the schedule ends when the data of all members has moved. All members pass the same
 * flags. */
void tsr_nb_add_barriers(tsr_schedule *schedule, const tsr_team *team, bool before, bool behind);
tsr_schedule *tsr_nb_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root);

/* Only the root has tables: counts[i] bytes for, or from, member i at offs[i]. Without tables each block has `bytes`,
 * one after another. A member's own block may be in place already. */
struct tsr_counts {
  const size_t *counts, *offs;
};
tsr_schedule *tsr_nb_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tsr_schedule *tsr_nb_scatterv(tsr_team *team, const void *send, struct tsr_counts counts_list, void *recv, size_t bytes,
                              tsr_member root);
tsr_schedule *tsr_nb_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tsr_schedule *tsr_nb_gatherv(tsr_team *team, const void *send, size_t bytes, void *recv, struct tsr_counts counts_list,
                             tsr_member root);

/* All members pass equal tables. A member's own block may be in place already. */
tsr_schedule *tsr_nb_allgather(tsr_team *team, const void *send, void *recv, size_t bytes);
tsr_schedule *tsr_nb_allgatherv(tsr_team *team, const void *send, void *recv, struct tsr_counts counts_list);

/* Each member has its own tables. What i sends to j is as long as what j receives from i. */
tsr_schedule *tsr_nb_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes);
tsr_schedule *tsr_nb_alltoallv(tsr_team *team, const void *send, struct tsr_counts out, void *recv,
                               struct tsr_counts in);

/* send == recv is in place. */
tsr_schedule *tsr_nb_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how,
                            tsr_member root);
tsr_schedule *tsr_nb_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);
/* Member i gets counts[i] elements of the result. The elements for all members are one after another in `send`. In
 * place, its own elements are at the beginning of recv afterwards, and what follows is undefined. */
tsr_schedule *tsr_nb_reduce_scatter(tsr_team *team, const void *send, void *recv, const size_t counts[],
                                    const tsr_reducer *how);
/* Combines the members up to this one, or, if `exclusive`, before this one; member 0 then keeps its `recv`. */
tsr_schedule *tsr_nb_scan(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, bool exclusive);

#endif
