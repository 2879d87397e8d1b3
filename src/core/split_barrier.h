/* Meetings: barriers at which a member arrives without waiting, of which any number may be open at once. Of teams on one node;
 * of others, the members of each node meet among themselves.
 *
 * Members count their arrivals. Meeting k is over when everybody has counted k: whoever wants to know compares numbers, and
 * an arrival needs no room that others must have left. Up to four members look at each other's counts in one line; more
 * tell them up a tree of such lines, whose top holds the last meeting that is over.
 */
#ifndef TSR_CORE_SPLIT_BARRIER_H
#define TSR_CORE_SPLIT_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

/* Arrives; what this member stored before is visible to all who find the meeting over. Returns its number on the team.
 * Calls on one team come one after another, from any thread. */
uint64_t tsr_split_barrier_arrive(tsr_team *team);

/* Any thread. Whoever arrives last rings the others, so that this can be waited for. */
bool tsr_split_barrier_is_over(const tsr_team *team, uint64_t number);

/* The memory of a team's meetings, whole cache lines, zeroed by who provides it. */
size_t tsr_split_barrier_bytes(int32_t locals_n);
/* Attaches the team, whose node part is filled in. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_split_barrier_attach(tsr_team *team, void *memory);
/* Lets go of it; NULL is fine. */
void tsr_split_barrier_forget(tsr_team *team);

#endif
