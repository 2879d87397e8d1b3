#!/bin/sh
# What is wrong with atomics, transfers in pieces and collectives of GASNet ends the job with one message that names the call;
# what the members of a team call differently, and promises that are not kept, with TESSERA_CHECK=1.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_pieces_wrong

# wrong WHAT SAYS, checked WHAT SAYS
wrong() {
  for nodes in 1 2; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" "$1"
    fails
    says_each "$2"
  done
}
checked() {
  job 2 TESSERA_CHECK=1 "$program" "$1"
  fails
  says_each "$2"
}

wrong early "gex_Coll_BroadcastNB: called before gex_Client_Init"
wrong unattached "gex_VIS_StridedPutBlocking: .*job rank 1"
wrong "ad type" "gex_AD_Create: 0x40 is no type of atomics"
wrong "ad types" "gex_AD_Create: 0x3 is no type of atomics"
wrong "ad none" "gex_AD_Create: no operations"
wrong "ad user" "gex_AD_Create: 0x2000000 contains what is no operation"
wrong "ad bits" "gex_AD_Create: GEX_OP_FXOR is for integers only, not for GEX_DT_DBL"
wrong "ad pair" "gex_AD_Create: "
checked "ad differs" "gex_AD_Create"
wrong "no ad" "gex_AD_OpNBI_I32: the domain is GEX_AD_INVALID"
wrong op "gex_AD_OpNBI_I32: GEX_OP_ADD is not one of the operations that the domain was created for"
wrong ops "gex_AD_OpNBI_I32: 0x8400 is not one operation"
wrong type "gex_AD_OpNBI_FLT: the domain is for GEX_DT_I32"
wrong result "gex_AD_OpNB_I32: GEX_OP_FADD gives the old value, but result_p is NULL"
wrong aligned "gex_AD_OpNB_I32: 0x[0-9a-f]+ is not aligned to the 4 bytes of GEX_DT_I32"
wrong outside "gex_AD_OpNB_I32: 4 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "float outside" "gex_AD_OpNB_FLT: 4 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong rank "gex_AD_OpNB_I32: there is no rank 2"
checked promise "gex_AD_OpNB_I32: GEX_FLAG_AD_MY_RANK promises the own rank, but 1 is another"
wrong destroyed "gex_AD_OpNB_I32: the domain at 0x[0-9a-f]+ was destroyed"
wrong twice "gex_AD_Destroy: the domain at 0x[0-9a-f]+ was destroyed"

wrong sizes "gex_VIS_VectorPutNB: dstlist has 16 bytes, srclist 15"
wrong endless "gex_VIS_VectorPutNBI: dstlist has more bytes than memory can have"
wrong piece "gex_VIS_IndexedPutBlocking: 8 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "one piece" "gex_VIS_IndexedPutBlocking: 8 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "one row" "gex_VIS_StridedGetBlocking: 12 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong backwards "gex_VIS_StridedPutBlocking: 16 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "among many" "gex_VIS_IndexedGetBlocking: 8 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "last of many" "gex_VIS_VectorPutBlocking: 8 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong "no list" "gex_VIS_IndexedGetBlocking: dstlist is NULL"
wrong stride "gex_VIS_StridedPutBlocking: 8200 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong beyond "gex_VIS_StridedGetNBI: counts and strides reach beyond all memory"
wrong levels "gex_VIS_StridedGetNBI: more than 32 levels"
wrong "no counts" "gex_VIS_StridedPutNB: count, dststrides or srcstrides is NULL"
wrong "no memory" "gex_VIS_StridedPutNB: the local address is NULL"
wrong "pieces rank" "gex_VIS_StridedPutNB: there is no rank 2"
wrong notice "gex_VIS_SetPeerCompletionHandler: 128 bytes are more than the 127"
wrong nobody "no handler 200 is registered here"

wrong root "gex_Coll_BroadcastNB: root 2 is none of the 2 ranks"
wrong dst "gex_Coll_BroadcastNB: dst is NULL"
wrong src "gex_Coll_ReduceToAllNB: src is NULL"
wrong "sum of what" "gex_Coll_ReduceToAllNB: GEX_DT_USER takes GEX_OP_USER or GEX_OP_USER_NC only"
wrong size "gex_Coll_ReduceToAllNB: dt_sz is 8, but GEX_DT_I32 has 4 bytes"
wrong nothing "gex_Coll_ReduceToAllNB: dt_sz or dt_cnt is 0"
wrong fetching "gex_Coll_ReduceToOneNB: GEX_OP_FADD is no operation of reductions"
wrong real "gex_Coll_ReduceToOneNB: GEX_OP_XOR is for integers only, not for GEX_DT_DBL"
wrong "no function" "gex_Coll_ReduceToOneNB: user_op is NULL"
wrong pair "gex_Coll_BarrierNB: "
checked differ "unit 1 calls barrier, unit 0 calls broadcast|unit 0 calls broadcast.*, unit 1 calls barrier"
wrong kind "gex_MK_Create: GEX_MK_CLASS_CUDA_UVA is not supported"
wrong "kind host" "gex_MK_Create: there is one kind of host memory"
job 2 "$program" "kind quiet"
fails
check "said although that was turned off" sh -c '! grep -q gex_MK_Create "$1"' - "$output"
wrong "kind end" "gex_MK_Destroy: .* was not made by gex_MK_Create"
program=${program}_cxx
[ ! -x "$program" ] || wrong "kind end" "gex_MK_Destroy: .* was not made by gex_MK_Create"
finish
