#!/bin/sh
# What is wrong with a call of ARMCI that has no result ends the job by itself, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/armci_wrong

# wrong WHAT SAYS
wrong() {
  for nodes in 1 2; do
    job 2 TESSERA_VIRTUAL_NODES=$nodes "$program" "$1"
    fails
    says "$2"
  done
}

wrong unlock "ARMCI_Unlock: mutex 1 of process 1: the caller does not hold it"
wrong others "ARMCI_Unlock: mutex 0 of process 1: the caller does not hold it"
wrong twice "ARMCI_Lock: mutex 0 of process 1: the caller holds it already"
wrong number "ARMCI_Lock: process 0 has no mutex 1; it created 1"
wrong process "ARMCI_Lock: process 2 has no mutexes"
wrong short "armci_msg_rcv: the message from process 0 with tag 3 has 16 bytes, the buffer 4"
wrong tag "armci_msg_snd: tag -1 is negative"
wrong to "armci_msg_snd: there is no process 2"
wrong root "armci_msg_bcast: there is no root 2"
wrong scope "armci_msg_gop_scope: 17 is not a scope"
wrong operation 'armci_msg_igop: there is no operation "plus"'
wrong real 'armci_msg_gop_scope: there is no operation "or" for this type'
wrong type "armci_msg_gop_scope: 99 is not a type"
wrong nobody "armci_msg_sel: no process contributes"
wrong places "armci_exchange_address: there are 3 places"
wrong double "unit 1 is listed twice"
wrong stranger "ARMCI_Group_create: procs.1. is 2"
wrong world "ARMCI_Group_free: the group of all"
wrong sets "ARMCI_Group_free: the group has 1 set of mutexes;"
wrong freed "armci_msg_group_barrier: the group is NULL, was freed"
wrong early "armci_msg_barrier: called before ARMCI_Init"
wrong late "ARMCI_Unlock: called before ARMCI_Init or after ARMCI_Finalize"

wrong flag "ARMCI_Memget: 8 bytes with flag 1"
wrong none "ARMCI_Memget: 0 bytes with flag 0"
wrong beyond "ARMCI_Memat: offset is 65; pass 0 to 64"
wrong forgotten "ARMCI_Memat: meminfo describes no memory: it was freed"
wrong again "ARMCI_Memctl: no memory of ARMCI_Memget begins at .*; free it once"
wrong plain "armci_wrong.c:[0-9]+: assert_wrongly: me > last does not hold"
wrong words "me > last does not hold: [01] of 2"
wrong die "no luck: 41"
wrong error "ARMCI_Error: no more .7."
wrong abort "armci_msg_abort: the program ends the job .0."

job 2 TESSERA_VIRTUAL_NODES=2 "$program" far
fails
says "armci_msg_bcast_scope: the root [01] is not in the caller's group and scope"
job 2 TESSERA_VIRTUAL_NODES=2 "$program" nothing
succeeds
finish
