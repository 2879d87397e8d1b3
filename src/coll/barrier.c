#include "coll/coll.h"

#include "core/agree.h"
#include "core/check.h"

void tsr_barrier(tsr_team *team) {
  tsr_check_same(team, "barrier", 0, -1);
  tsr_agree_barrier(team);
}
