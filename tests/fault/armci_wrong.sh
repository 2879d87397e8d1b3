#!/bin/sh
# A wrong call of ARMCI that has no result ends the job, with one message that names the call.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/armci_wrong

# wrong WHAT SAYS
wrong() { wrong_on_nodes says "$1" "$2"; }

wrong unlock "TSR-3086 ARMCI_Unlock 1 1"
wrong others "TSR-3086 ARMCI_Unlock 0 1"
wrong twice "TSR-3086 ARMCI_Lock 0 1"
wrong number "TSR-3084 ARMCI_Lock 0 1 1"
wrong process "TSR-3083 ARMCI_Lock 2"
wrong short "TSR-3073 armci_msg_rcv 0 3 16 4"
wrong tag "TSR-3068 armci_msg_snd 1"
wrong to "TSR-3071 armci_msg_snd 2"
wrong root "TSR-3004 armci_msg_bcast 2"
wrong scope "TSR-3018 armci_msg_gop_scope 17"
wrong operation "TSR-3094 armci_msg_igop plus"
wrong real "TSR-3094 armci_msg_gop_scope or"
wrong type "TSR-3093 armci_msg_gop_scope 99"
wrong nobody "TSR-3097 armci_msg_sel"
wrong places "TSR-3007 armci_exchange_address 3"
wrong double "TSR-0392 1"
wrong stranger "TSR-3029 ARMCI_Group_create 1 2"
wrong world "TSR-3030 ARMCI_Group_free"
wrong sets "TSR-3031 ARMCI_Group_free 1"
wrong freed "TSR-3035 armci_msg_group_barrier NULL"
wrong early "TSR-3020 armci_msg_barrier ARMCI_Init"
wrong late "TSR-3020 ARMCI_Unlock ARMCI_Init ARMCI_Finalize"

wrong flag "TSR-3049 ARMCI_Memget 8 1"
wrong none "TSR-3049 ARMCI_Memget 0 0"
wrong beyond "TSR-3054 ARMCI_Memat 65 0 64"
wrong forgotten "TSR-3053 ARMCI_Memat"
wrong again "TSR-3055 ARMCI_Memctl ARMCI_Memget"
wrong plain "TSR-3014 armci_wrong assert_wrongly"
wrong words "TSR-3014 [01] 2"
wrong die "TSR-3014 41"
wrong error "TSR-3046 ARMCI_Error 7"
wrong abort "TSR-3065 armci_msg_abort 0"

job 2 TESSERA_VIRTUAL_NODES=2 "$program" far
fails
says "TSR-3005 armci_msg_bcast_scope [01]"
job 2 TESSERA_VIRTUAL_NODES=2 "$program" nothing
succeeds
finish
