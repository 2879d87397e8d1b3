/* The shape of a team: which units, in which order, on which nodes. Pure computation on core/place. */
#ifndef TSR_CORE_TEAM_SHAPE_H
#define TSR_CORE_TEAM_SHAPE_H

#include <stddef.h>

#include "core/team.h"

/* Whether the units are distinct members of `parent`. Logs TESSERA_ERR_ARG, TESSERA_ERR_RANGE. */
tessera_status_t tsr_team_check_list(const tsr_team *parent, int32_t units_n, const tsr_unit units[]);

/* Fills in all fields that follow from the list, which contains the caller. A list with a constant distance is stored
 * as first and stride. Logs TESSERA_ERR_MEMORY; tsr_team_shape_free then frees what was stored. */
tessera_status_t tsr_team_shape(tsr_team *team, int32_t units_n, const tsr_unit units[]);
void tsr_team_shape_free(tsr_team *team);
/* Private memory for this of a team of all units, with consecutive units on each node. */
size_t tsr_team_shape_bytes(int32_t locals_n, int32_t nodes_n);

#endif
