#!/bin/sh
# What is wrong with a call of GASNet-EX that has no error to return ends the job, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_wrong

# wrong WHAT SAYS [SETTING]; on as many nodes as `on` says, on two of them in a program with threads
on="1 2"
wrong() {
  for nodes in $on; do
    threads=
    [ $nodes = 1 ] || threads=_par
    job 2 TESSERA_VIRTUAL_NODES=$nodes ${3-TESSERA_CHECK=0} "$program$threads" "$1"
    fails
    says_each "$2"
  done
}

exit_barrier on
wrong early "gex_RMA_PutBlocking: called before gex_Client_Init"
wrong early-nbi "gex_NBI_Wait: called before gex_Client_Init"
wrong early-query "gex_Client_QueryName: called before gex_Client_Init"
exit_barrier off
wrong no-segment "gex_RMA_PutBlocking: job rank [01] has no segment; all processes call gex_Segment_Attach first"
wrong rank "gex_RMA_PutBlocking: there is no rank 7[78]; ranks are 0 to 1"
wrong no-team "gex_RMA_GetBlocking: tm is GEX_TM_INVALID"
wrong no-endpoint "gex_RMA_GetBlocking: tm is destroyed, or a pair whose remote endpoint does not exist"
wrong gone-put "gex_RMA_PutNBI: tm is destroyed"
wrong below "gex_RMA_PutBlocking: 8 bytes at .* are not inside the segment of job rank"
wrong behind "gex_RMA_GetNB: 8 bytes at .* are not inside the segment of job rank"
wrong huge "gex_RMA_PutNB: 18446744073709551611 bytes at .* are not inside the segment"
wrong value "gex_RMA_PutBlockingVal: 4 bytes at .* are not inside the segment"
wrong value-size "gex_RMA_GetBlockingVal: 9 bytes; a value has 1 to 8"
wrong offset "gex_RMA_PutBlocking: 8 bytes from offset 4089 on go beyond the segment of job rank [01], which has 4096 bytes"
wrong own-offset "gex_RMA_GetBlocking: 8 bytes from offset 4096 on go beyond the segment of job rank [01], which has 4096 bytes"
wrong null "gex_RMA_PutBlocking: 8 bytes at .* are not inside the segment"
on=1
wrong lc-null "gex_RMA_PutNB: lc_opt .*; pass GEX_EVENT_NOW, GEX_EVENT_DEFER or the address of an event"
wrong lc-group "gex_RMA_PutNB: lc_opt"
wrong lc-event "gex_RMA_PutNBI: lc_opt .*; pass GEX_EVENT_NOW, GEX_EVENT_DEFER or GEX_EVENT_GROUP"
wrong no-op "gex_Event_Wait: GEX_EVENT_NO_OP: nothing was started"
wrong nested "gex_NBI_BeginAccessRegion: this thread has begun one already"
wrong unbegun "gex_NBI_EndAccessRegion: this thread has begun none"
wrong inside "gex_NBI_Wait: inside an access region"
wrong category "gex_NBI_Wait: 0x100: pass one or several of GEX_EC_"
wrong pair-split "gex_TM_Split: tm is a pair of endpoints"
wrong color "gex_TM_Split: color -3 is negative"
wrong index "gex_TM_Create: there is no endpoint 2 of rank 0"
wrong several "gex_TM_Create: 2 new teams"
wrong first-team "gex_TM_Destroy: the team of all"
wrong gone "gex_TM_Destroy: tm is destroyed"
wrong jobrank "gex_TM_TranslateJobrankToRank: there is no job rank 1000"
wrong query "gex_TM_QuerySize: tm is GEX_TM_INVALID"
wrong client "gex_Client_SetCData: client"
wrong endpoint "gex_EP_QuerySegment: endpoint"
wrong segment "gex_Segment_QueryAddr: segment is GEX_SEGMENT_INVALID"
wrong destroy "gex_Segment_Destroy: pass what gex_Segment_Create gave"
wrong never-self "gex_RMA_PutBlocking: GEX_FLAG_PEER_NEVER_SELF, but the peer is the caller" TESSERA_CHECK=1
wrong never-near "gex_RMA_PutBlocking: GEX_FLAG_PEER_NEVER_NBRHD, but job rank [01] shares memory" TESSERA_CHECK=1

# While DART has memory, too, that of the heaps is GASNet's as well, but not what a unit has got from elsewhere.
program=$TESSERA_BUILD_DIR/tests/fault/apis_gasnet_wrong
neither="gex_RMA_PutBlocking: 8 bytes at .* are neither inside the segment of job rank [01], [0-9]+ bytes from 0(x[0-9a-f]+)? on, nor in its heap, which is from .*; pass the owner's own address"
for nodes in 1 2; do
  for what in no-segment private behind; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" $what
    fails
    says_each "$neither"
  done
done
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_wrong

# Between nodes a put has an event, which is gone when it was waited for.
job 2 TESSERA_VIRTUAL_NODES=2 "$program" retired
fails
says "gex_Event_Wait: the event, or the root of the leaf, was completed before"

# Nothing wrong, and no complaint.
job 2 TESSERA_VIRTUAL_NODES=1 "$program" nothing
succeeds
finish
