#!/bin/sh
# A wrong call of GASNet-EX that has no error to return ends the job, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_wrong

# wrong WHAT SAYS [SETTING], wrong_in_node WHAT SAYS [SETTING]: where the other unit does not matter, on one node. On two nodes in a
# program with threads.
wrong() {
  choose_nodes
  make_mistake "$@"
}
wrong_in_node() {
  nodes_wanted=1
  make_mistake "$@"
}
make_mistake() {
  for nodes in $nodes_wanted; do
    threads=
    [ $nodes = 1 ] || threads=_par
    job 2 TESSERA_VIRTUAL_NODES=$nodes ${3-TESSERA_CHECK=0} "$program$threads" "$1"
    fails
    says_each "$2"
  done
}

wrong early "TSR-4104 gex_RMA_PutBlocking gex_Client_Init"
wrong early-nbi "TSR-4104 gex_NBI_Wait gex_Client_Init"
wrong early-query "TSR-4104 gex_Client_QueryName gex_Client_Init"
wrong no-segment "TSR-4007 gex_RMA_PutBlocking [01] gex_Segment_Attach"
wrong rank "TSR-4004 gex_RMA_PutBlocking 7[78] 0 1"
wrong no-team "TSR-4002 gex_RMA_GetBlocking GEX_TM_INVALID"
wrong no-endpoint "TSR-4003 gex_RMA_GetBlocking"
wrong gone-put "TSR-4003 gex_RMA_PutNBI"
wrong below "TSR-4008 gex_RMA_PutBlocking 8"
wrong behind "TSR-4008 gex_RMA_GetNB 8"
wrong huge "TSR-4008 gex_RMA_PutNB 18446744073709551611"
wrong value "TSR-4008 gex_RMA_PutBlockingVal 4"
wrong value-size "TSR-4152 gex_RMA_GetBlockingVal 9 1 8"
wrong offset "TSR-4009 gex_RMA_PutBlocking 8 4089 [01] 4096"
wrong own-offset "TSR-4009 gex_RMA_GetBlocking 8 4096 [01] 4096"
wrong null "TSR-4008 gex_RMA_PutBlocking 8"
wrong_in_node lc-null "TSR-4151 gex_RMA_PutNB lc_opt GEX_EVENT_NOW GEX_EVENT_DEFER"
wrong_in_node lc-group "TSR-4151 gex_RMA_PutNB lc_opt"
wrong_in_node lc-event "TSR-4151 gex_RMA_PutNBI lc_opt GEX_EVENT_NOW GEX_EVENT_DEFER GEX_EVENT_GROUP"
wrong_in_node no-op "TSR-4088 gex_Event_Wait GEX_EVENT_NO_OP"
wrong_in_node nested "TSR-4145 gex_NBI_BeginAccessRegion"
wrong_in_node unbegun "TSR-4146 gex_NBI_EndAccessRegion"
wrong_in_node inside "TSR-4144 gex_NBI_Wait"
wrong_in_node category "TSR-4143 gex_NBI_Wait 0x100 GEX_EC_"
wrong_in_node pair-split "TSR-4005 gex_TM_Split"
wrong_in_node color "TSR-4178 gex_TM_Split 3"
wrong_in_node index "TSR-4184 gex_TM_Create 2 0"
wrong_in_node several "TSR-4180 gex_TM_Create 2"
wrong_in_node first-team "TSR-4185 gex_TM_Destroy"
wrong_in_node gone "TSR-4003 gex_TM_Destroy"
wrong_in_node jobrank "TSR-4175 gex_TM_TranslateJobrankToRank 1000"
wrong_in_node query "TSR-4174 gex_TM_QuerySize GEX_TM_INVALID"
wrong_in_node client "TSR-4068 gex_Client_SetCData"
wrong_in_node endpoint "TSR-4081 gex_EP_QuerySegment"
wrong_in_node segment "TSR-4159 gex_Segment_QueryAddr GEX_SEGMENT_INVALID"
wrong_in_node destroy "TSR-4164 gex_Segment_Destroy gex_Segment_Create"
wrong_in_node never-self "TSR-4147 gex_RMA_PutBlocking GEX_FLAG_PEER_NEVER_SELF" TESSERA_CHECK=1
wrong_in_node never-near "TSR-4148 gex_RMA_PutBlocking GEX_FLAG_PEER_NEVER_NBRHD [01]" TESSERA_CHECK=1

# While DART has memory, too, GASNet may access all heaps, but no other memory of a unit.
program=$TESSERA_BUILD_DIR/tests/fault/apis_gasnet_wrong
neither="TSR-4006 gex_RMA_PutBlocking 8 [01]"
for what in no-segment private behind; do
  choose_nodes
  for nodes in $nodes_wanted; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says_each "$neither"
  done
done
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_wrong

# Between nodes a put has an event, which is invalid after a wait for it.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" retired
fails
says "TSR-4090 gex_Event_Wait"

# Correct calls give no message.
job 2 TESSERA_VIRTUAL_NODES=1 "$program" nothing
succeeds
finish
