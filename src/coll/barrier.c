#include "coll/coll.h"

#include "core/agree.h"

void tsr_barrier(tsr_team *team) { tsr_agree_barrier(team); }
