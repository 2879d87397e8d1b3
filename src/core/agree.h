/* Agreement: the tiny barrier and exchange that set-up, segments and teams need, and that the collectives stand on.
 *
 * The members of a team on one node share a *board*: for each member a slot of one cache line and a larger stage, both
 * twice. A step is: write the own slot (or stage); tsr_agree_turn; read the others' before the next turn: the two
 * copies alternate, so that who is quicker may write meanwhile, and one turn per step is enough. Boards of different teams are separate, so agreements on
 * overlapping teams never wait for each other.
 */
#ifndef TSR_CORE_AGREE_H
#define TSR_CORE_AGREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tessera.h>

#include "core/team.h"

enum { TSR_SLOT_BYTES = 64, TSR_STAGE_BYTES = 32 << 10, TSR_AGREE_MAX_N = 6 };

/* All members have arrived, and what they stored before is visible to all. Collective over the team. False, on all of
 * a node: one of them came to refuse another call (tsr_agree_refuse). */
bool tsr_agree_barrier(tsr_team *team);

/* v[i] becomes the maximum over all members; n <= TSR_AGREE_MAX_N. Collective; also a barrier. False as there. */
bool tsr_agree_max(tsr_team *team, int64_t v[], int n);

/* Collects one number of each member, in team order. Collective. Set-up only: time and memory grow with the team. */
void tsr_agree_gather(tsr_team *team, int64_t mine, int64_t all[]);

/* Own slot and stage for the step to come; those of local member `local` for the step that the last turn ended. */
void *tsr_agree_slot(tsr_team *team);
void *tsr_agree_stage(tsr_team *team);
const void *tsr_agree_slot_of(const tsr_team *team, int32_t local);
const void *tsr_agree_stage_of(const tsr_team *team, int32_t local);

/* Ends a step: all members on this node have written theirs. Collective over the team's members on the node. False, on
 * all of them: one has refused, there is nothing to read. */
bool tsr_agree_turn(tsr_team *team);
/* A turn that fails for all: for who cannot go on and must not keep the others waiting. */
void tsr_agree_refuse(tsr_team *team);

/* The board's memory, zeroed by who provides it; one member prepares it before any other attaches. */
size_t tsr_agree_board_bytes(int32_t locals_n);
size_t tsr_agree_stages_bytes(int32_t locals_n); /* its end, which need not be zeroed */
/* Attaches the team, whose node part is filled in, to the board at `memory`. TESSERA_ERR_MEMORY. */
tessera_status_t tsr_agree_attach(tsr_team *team, void *memory);
/* Lets go of the board after a barrier. On the node's first member it returns when all others have let go: then the memory is
 * nobody's. */
void tsr_agree_detach(tsr_team *team);
/* Lets go without telling anybody; NULL board is fine. For the end of the runtime. */
void tsr_agree_forget(tsr_team *team);

#endif
