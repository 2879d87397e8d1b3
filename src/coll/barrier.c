#include "coll/coll.h"

#include "core/agree.h"
#include "core/coll_error.h"

tessera_status_t tsr_barrier(tsr_team *team) {
  if (!tsr_call_begin(team, TSR_CALL_BARRIER, TSR_CHECK_NO_BYTES, -1, 0)) return TESSERA_ERR_PEER;
  return tsr_agree_try_barrier(team) ? TESSERA_OK : tsr_call_fail(team);
}
