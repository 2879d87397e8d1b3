#include "coll/end.h"

#include "coll/coll.h"
#include "core/op.h"
#include "core/team.h"

tessera_status_t tsr_end_communication(enum tsr_p2p_context context) {
  tsr_team_quiesce_all();
  tsr_op_flush_all();
  tsr_p2p_flush(context);
  tessera_status_t status = tsr_barrier(tsr_team_world); /* all messages of the context are at their receivers */
  if (status) return status;
  tsr_p2p_quiesce(context);
  status = tsr_barrier(tsr_team_world); /* no unit sends or receives any more */
  if (!status) tsr_p2p_drop(context);
  return status;
}
