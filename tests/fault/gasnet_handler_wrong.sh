#!/bin/sh
# Handlers of GASNet-EX that make calls which only the rest of a program may make (found with TESSERA_CHECK=1), or whose
# reply is too long or has no place at the sender (always found): one line reports it, and the job ends. In programs
# with one thread and with several, on one node and on two.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# wrong WHAT SAYS, checked WHAT CALL: alternates the modes and the numbers of nodes
mode= nodes=1
run() {
  job 2 TESSERA_VIRTUAL_NODES=$nodes TESSERA_CHECK=$1 "$TESSERA_BUILD_DIR/tests/fault/gasnet_handler_wrong$mode" "$2"
}
turn() {
  case $mode$nodes in
    1) nodes=2 ;;
    2) mode=_par nodes=1 ;;
    _par1) nodes=2 ;;
    *) mode= nodes=1 ;;
  esac
}
wrong() {
  run 0 "$1"
  fails
  says_alone "unit 1 $2"
  turn
}
checked() {
  run 1 "$1"
  fails
  says_alone "unit 1 TSR-4012 $2 200 0"
  turn
}

for i in 1 2 3 4; do checked put gex_RMA_PutBlocking; done
checked "put nb" gex_RMA_PutNB
checked "put value" gex_RMA_PutBlockingVal
checked "get nbi" gex_RMA_GetNBI
for i in 1 2; do checked strided gex_VIS_StridedPutNB; done
checked indexed gex_VIS_IndexedGetBlocking
for i in 1 2; do checked atomic gex_AD_OpNB_I64; done
checked "atomic nbi" gex_AD_OpNBI_I64
for i in 1 2 3 4; do checked wait gex_Event_Wait; done
checked test gex_Event_Test
checked "wait all" gex_Event_WaitAll
checked "nbi test" gex_NBI_Test
for i in 1 2; do checked notify gasnet_barrier_notify; done
checked barrier gasnet_barrier
checked broadcast gex_Coll_BroadcastNB
checked split gex_TM_Split
checked prepare gex_AM_PrepareRequestMedium

for i in 1 2; do wrong "reply medium long" "TSR-4047 gex_AM_ReplyMedium"; done
wrong "reply long long" "TSR-4047 gex_AM_ReplyLong 1099511627776"
for i in 1 2; do wrong "reply place" "TSR-4008 gex_AM_ReplyLong 100 0"; done
wrong "reply null" "TSR-4048 gex_AM_ReplyMedium 1"
wrong "prepared least" "TSR-4039 gex_AM_PrepareReplyMedium"
wrong "prepared place" "TSR-4008 gex_AM_PrepareReplyLong 10 0"
for i in 1 2; do wrong "committed place" "TSR-4008 gex_AM_CommitReplyLong 10"; done

for i in 1 2 3 4; do
  run 1 "nothing"
  succeeds
  turn
done
finish
