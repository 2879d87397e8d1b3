#include "coll/coll.h"
#include "core/op.h"
#include "core/progress.h"
#include "core/stats.h"
#include "api/armci/address.h"
#include "api/armci/handle.h"

static void flush_process(int proc) {
  tsr_armci_batches_flush(proc);
  tsr_op_flush(TSR_UNIT(proc));
}

static void flush_all(void) {
  tsr_armci_batches_flush(-1);
  tsr_op_flush_all();
}

void PARMCI_Fence(int proc) {
  uint64_t begun_ns = tsr_stats_begin();
  if (tsr_armci_check_proc("ARMCI_Fence", proc))
    tsr_armci_die("TSR-3021 ARMCI_Fence: no fence of process %d; see the message above", proc);
  flush_process(proc);
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
}

void PARMCI_AllFence(void) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_armci_must_be_up("ARMCI_AllFence");
  flush_all();
  tsr_stats_end(TSR_STAT_FLUSH, begun_ns, 0);
}

static bool has_unit(const void *team, tsr_unit unit) { return tsr_team_member(team, unit).id >= 0; }

void PARMCI_GroupFence(ARMCI_Group *group) {
  tsr_armci_must_be_up("ARMCI_GroupFence");
  const tsr_team *team = tsr_armci_check_team("ARMCI_GroupFence", group);
  if (!team) tsr_armci_die("TSR-3022 ARMCI_GroupFence: the group is not valid; see the message above");
  tsr_armci_batches_flush(-1);
  tsr_op_flush_some(has_unit, team);
}

void PARMCI_Barrier(void) {
  uint64_t begun_ns = tsr_stats_begin();
  tsr_armci_must_be_up("ARMCI_Barrier");
  flush_all();
  tsr_barrier_or_abort(tsr_armci_team(tsr_armci_default_group()), "ARMCI_Barrier");
  tsr_stats_end(TSR_STAT_BARRIER, begun_ns, 0);
}

/* Memory is coherent, so these calls only order the accesses of this thread. They also make progress: a program may
 * repeat them until another process has written, and the write may be a request that this process executes. */
static void order_accesses(const char *call) {
  tsr_armci_must_be_up(call);
  tsr_progress_if_required();
  atomic_thread_fence(memory_order_seq_cst);
}
void PARMCI_Access_begin(void *ptr) {
  (void)ptr;
  order_accesses("ARMCI_Access_begin");
}
void PARMCI_Access_end(void *ptr) {
  (void)ptr;
  order_accesses("ARMCI_Access_end");
}

TSR_ARMCI_NAME(Fence);
TSR_ARMCI_NAME(AllFence);
TSR_ARMCI_NAME(GroupFence);
TSR_ARMCI_NAME(Barrier);
TSR_ARMCI_NAME(Access_begin);
TSR_ARMCI_NAME(Access_end);
