/* The shape of a team: which units, in which order, on which nodes. Pure computation on core/place. */
#ifndef TSR_CORE_TEAM_SHAPE_H
#define TSR_CORE_TEAM_SHAPE_H

#include "core/team.h"

/* Whether the units are distinct members of `parent`; logged: TESSERA_ERR_ARG, TESSERA_ERR_RANGE. */
tessera_status_t tsr_team_check_list(const tsr_team *parent, int32_t units_n, const tsr_unit units[]);

/* Fills in everything that follows from the list; the caller is in it. Runs of equal distance are stored as first and
 * stride. TESSERA_ERR_MEMORY: logged; what was stored is freed by tsr_team_shape_free. */
tessera_status_t tsr_team_shape(tsr_team *team, int32_t units_n, const tsr_unit units[]);
void tsr_team_shape_free(tsr_team *team);

#endif
