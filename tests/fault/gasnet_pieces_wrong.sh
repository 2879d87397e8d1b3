#!/bin/sh
# A wrong atomic, VIS transfer or collective of GASNet ends the job with one message that names the call.
# TESSERA_CHECK=1 also finds calls that differ between the members of a team, and promises that are not kept.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_pieces_wrong

# wrong WHAT SAYS, checked WHAT SAYS
wrong() { wrong_on_nodes says_each "$1" "$2"; }
checked() {
  job 2 TESSERA_CHECK=1 "$program" "$1"
  fails
  says_each "$2"
}

wrong early "TSR-4104 gex_Coll_BroadcastNB gex_Client_Init"
wrong unattached "TSR-4007 gex_VIS_StridedPutBlocking 1"
wrong "ad type" "TSR-4061 gex_AD_Create 0x40"
wrong "ad types" "TSR-4061 gex_AD_Create 0x3"
wrong "ad none" "TSR-4062 gex_AD_Create"
wrong "ad user" "TSR-4063 gex_AD_Create 0x2000000"
wrong "ad bits" "TSR-4064 gex_AD_Create GEX_OP_FXOR GEX_DT_DBL"
wrong "ad pair" "TSR-4005 gex_AD_Create"
checked "ad differs" "TSR-0306 gex_AD_Create"
wrong "no ad" "TSR-4059 gex_AD_OpNBI_I32 GEX_AD_INVALID"
wrong op "TSR-4050 gex_AD_OpNBI_I32 GEX_OP_ADD"
wrong ops "TSR-4049 gex_AD_OpNBI_I32 0x8400"
wrong type "TSR-4053 gex_AD_OpNBI_FLT GEX_DT_I32"
wrong result "TSR-4054 gex_AD_OpNB_I32 GEX_OP_FADD result_p NULL"
wrong aligned "TSR-4056 gex_AD_OpNB_I32 4 GEX_DT_I32"
wrong outside "TSR-4008 gex_AD_OpNB_I32 4 1"
wrong "float outside" "TSR-4008 gex_AD_OpNB_FLT 4 1"
wrong rank "TSR-4004 gex_AD_OpNB_I32 2"
checked promise "TSR-4051 gex_AD_OpNB_I32 GEX_FLAG_AD_MY_RANK 1"
wrong destroyed "TSR-4060 gex_AD_OpNB_I32"
wrong twice "TSR-4060 gex_AD_Destroy"

wrong sizes "TSR-4205 gex_VIS_VectorPutNB 16 15"
wrong endless "TSR-4203 gex_VIS_VectorPutNBI"
wrong piece "TSR-4008 gex_VIS_IndexedPutBlocking 8 1"
wrong "one piece" "TSR-4008 gex_VIS_IndexedPutBlocking 8 1"
wrong "one row" "TSR-4008 gex_VIS_StridedGetBlocking 12 1"
wrong backwards "TSR-4008 gex_VIS_StridedPutBlocking 16 1"
wrong "among many" "TSR-4008 gex_VIS_IndexedGetBlocking 8 1"
wrong "last of many" "TSR-4008 gex_VIS_VectorPutBlocking 8 1"
wrong "no list" "TSR-4202 gex_VIS_IndexedGetBlocking NULL"
wrong stride "TSR-4008 gex_VIS_StridedPutBlocking 8200 1"
wrong beyond "TSR-4208 gex_VIS_StridedGetNBI"
wrong levels "TSR-4207 gex_VIS_StridedGetNBI 32"
wrong "no counts" "TSR-4206 gex_VIS_StridedPutNB NULL"
wrong "no memory" "TSR-4209 gex_VIS_StridedPutNB NULL"
wrong "pieces rank" "TSR-4004 gex_VIS_StridedPutNB 2"
wrong notice "TSR-4198 gex_VIS_SetPeerCompletionHandler 128 127"
wrong nobody "TSR-4027 200"

wrong root "TSR-4071 gex_Coll_BroadcastNB 2 2"
wrong dst "TSR-4072 gex_Coll_BroadcastNB dst NULL"
wrong src "TSR-4072 gex_Coll_ReduceToAllNB src NULL"
wrong "sum of what" "TSR-4080 gex_Coll_ReduceToAllNB GEX_DT_USER GEX_OP_USER GEX_OP_USER_NC"
wrong size "TSR-4077 gex_Coll_ReduceToAllNB dt_sz 8 GEX_DT_I32 4"
wrong nothing "TSR-4078 gex_Coll_ReduceToAllNB dt_sz dt_cnt 0"
wrong fetching "TSR-4073 gex_Coll_ReduceToOneNB GEX_OP_FADD"
wrong real "TSR-4074 gex_Coll_ReduceToOneNB GEX_OP_XOR GEX_DT_DBL"
wrong "no function" "TSR-4075 gex_Coll_ReduceToOneNB user_op NULL"
wrong pair "TSR-4005 gex_Coll_BarrierNB"
checked differ "unit 1 calls barrier, unit 0 calls broadcast|unit 0 calls broadcast.*, unit 1 calls barrier"
wrong kind "TSR-4140 gex_MK_Create GEX_MK_CLASS_CUDA_UVA"
wrong "kind host" "TSR-4139 gex_MK_Create"
job 2 "$program" "kind quiet"
fails
check "said although that was turned off" sh -c '! grep -q gex_MK_Create "$1"' - "$output"
wrong "kind end" "TSR-4141 gex_MK_Destroy gex_MK_Create"
program=${program}_cxx
[ ! -x "$program" ] || wrong "kind end" "TSR-4141 gex_MK_Destroy gex_MK_Create"
finish
