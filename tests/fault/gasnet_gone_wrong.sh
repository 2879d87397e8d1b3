#!/bin/sh
# Calls of GASNet-EX on a destroyed team end the job, and each unit prints one line; in programs with one thread and
# with several, on one node and on two.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# wrong WHAT CALL [IDENTIFIER [VALUES]]: alternates the modes and the numbers of nodes
mode= nodes=1
wrong() {
  job 2 TESSERA_VIRTUAL_NODES=$nodes "$TESSERA_BUILD_DIR/tests/fault/gasnet_gone_wrong$mode" "$1"
  fails
  says_each "${3-TSR-4003} $2${4:+ $4}"
  case $mode$nodes in
    1) nodes=2 ;;
    2) mode=_par nodes=1 ;;
    _par1) nodes=2 ;;
    *) mode= nodes=1 ;;
  esac
}

for turn in 1 2 3 4; do wrong short gex_AM_RequestShort; done
wrong medium gex_AM_RequestMedium
wrong long gex_AM_RequestLong
wrong prepare gex_AM_PrepareRequestMedium
wrong limit gex_AM_MaxRequestMedium
for turn in 1 2 3 4; do wrong strided gex_VIS_StridedPutNB; done
wrong indexed gex_VIS_IndexedGetNBI
wrong vector gex_VIS_VectorPutBlocking
wrong barrier gex_Coll_BarrierNB
wrong broadcast gex_Coll_BroadcastNB
wrong reduce gex_Coll_ReduceToAllNB
for turn in 1 2 3 4; do wrong domain gex_AD_Create; done
wrong split gex_TM_Split
wrong publish gex_EP_PublishBoundSegment
for turn in 1 2 3 4; do wrong put gex_RMA_PutBlocking; done
wrong get gex_RMA_GetNB
wrong value gex_RMA_PutNBIVal
for turn in 1 2 3 4; do wrong outside gex_RMA_PutBlocking TSR-4008 "8 0"; done
mode=_par nodes=1
wrong lock gex_HSL_Destroy TSR-4100
finish
