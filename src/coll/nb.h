/* All kinds of collectives as started schedules (coll/schedule.h), to be started or run. The arguments are those of
 * coll/coll.h, with the same rules. Counts and displacements in bytes are read during the call only. Buffers stay in use
 * until the schedule has ended. A kind that works in place says so.
 */
#ifndef TSR_COLL_NB_H
#define TSR_COLL_NB_H

#include "coll/schedule.h"

tsr_schedule *tsr_nb_barrier(tsr_team *team);
/* The same without a message or a schedule, for a team on one node and calls that are not compared. Arrives; true: all members
 * have arrived. Otherwise tsr_barrier_follow counts it in `op` until they have. It mixes with all other calls. */
bool tsr_barrier_begin(tsr_team *team, uint64_t *number);
void tsr_barrier_follow(tsr_team *team, uint64_t number, tsr_op *op);
/* Adds barriers to a schedule that is otherwise complete: one before it, so that no data moves until all members have called, and
 * one behind it, so that it ends when the data of all members has moved. All members add a barrier, or none does. */
void tsr_nb_add_barriers(tsr_schedule *schedule, const tsr_team *team, bool before, bool behind);
tsr_schedule *tsr_nb_bcast(tsr_team *team, void *buffer, size_t bytes, tsr_member root);

/* Only the root has tables: counts[i] bytes for, or from, member i at offs[i]. The own share may be in its place already.
 * Without tables, `bytes` each, one after another. */
struct tsr_counts {
  const size_t *counts, *offs;
};
tsr_schedule *tsr_nb_scatter(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tsr_schedule *tsr_nb_scatterv(tsr_team *team, const void *send, struct tsr_counts counts_list, void *recv, size_t bytes,
                              tsr_member root);
tsr_schedule *tsr_nb_gather(tsr_team *team, const void *send, void *recv, size_t bytes, tsr_member root);
tsr_schedule *tsr_nb_gatherv(tsr_team *team, const void *send, size_t bytes, void *recv, struct tsr_counts counts_list,
                             tsr_member root);

/* All members have equal tables; in place as above. */
tsr_schedule *tsr_nb_allgather(tsr_team *team, const void *send, void *recv, size_t bytes);
tsr_schedule *tsr_nb_allgatherv(tsr_team *team, const void *send, void *recv, struct tsr_counts counts_list);

/* Each member has its own tables; what i sends to j is what j receives from i. */
tsr_schedule *tsr_nb_alltoall(tsr_team *team, const void *send, void *recv, size_t bytes);
tsr_schedule *tsr_nb_alltoallv(tsr_team *team, const void *send, struct tsr_counts out, void *recv,
                               struct tsr_counts in);

/* send == recv is in place. */
tsr_schedule *tsr_nb_reduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how,
                            tsr_member root);
tsr_schedule *tsr_nb_allreduce(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how);
/* counts[i] elements of the result, which lie one after another in `send`, are for member i; in place the own ones are at
 * the beginning of recv afterwards, and what follows is undefined. */
tsr_schedule *tsr_nb_reduce_scatter(tsr_team *team, const void *send, void *recv, const size_t counts[],
                                    const tsr_reducer *how);
/* Of the members up to this one; before this one, when `exclusive`: then member 0's `recv` stays as it is. */
tsr_schedule *tsr_nb_scan(tsr_team *team, const void *send, void *recv, size_t n, const tsr_reducer *how, bool exclusive);

#endif
