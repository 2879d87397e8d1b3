#!/bin/sh
# A wrong call of GASNet-1 or of the tools ends the job, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# wrong WHAT SAYS, checked WHAT SAYS; each: both processes make the mistake
wrong() {
  job 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_legacy_wrong" "$1"
  fails
  says "$2"
}
each() {
  job 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_legacy_wrong" "$1"
  fails
  says_each "$2"
}
checked() {
  job 2 TESSERA_CHECK=1 "$TESSERA_BUILD_DIR/tests/fault/gasnet_legacy_wrong" "$1"
  fails
  says "$2"
}

wrong early\ team "TSR-4104 GASNET_TEAM_ALL gex_Client_Init"
wrong early "TSR-4104 gasnet_barrier gex_Client_Init"
wrong number "TSR-4190 gasnett_parse_int 12"
wrong yes "TSR-4190 TEST_OF_WRONG=perhaps"
wrong client "TSR-4114 gasnet_init"
checked try "TSR-4066 gasnet_barrier_try"
wrong wait "TSR-4066 gasnet_barrier_wait"
wrong notify "TSR-4067 gasnet_barrier_notify"
wrong rank "TSR-4004 2"
wrong place "TSR-4008 gasnet_memset"
wrong value "TSR-4117 gasnet_get_nb_val 9"
wrong valget "TSR-4119 gasnet_wait_syncnb_valget NULL"
wrong destroy "TSR-4096 gex_HSL_Lock"
checked lock\ twice "TSR-4097 gex_HSL_Lock"
checked try\ twice "TSR-4097 gex_HSL_Trylock"
checked unlock "TSR-4102 gex_HSL_Unlock"
checked init "TSR-4097 gex_HSL_Lock"
each coll\ root "TSR-4071 gasnet_coll_broadcast 2 2"
each coll\ root\ nb "TSR-4071 gasnet_coll_gather_nb 2 2"
each coll\ no\ in "TSR-4120 gasnet_coll_gather_all 0xa0 GASNET_COLL_IN_NOSYNC"
each coll\ two\ ins "TSR-4120 gasnet_coll_gather_all 0xa6 GASNET_COLL_IN_NOSYNC"
each coll\ no\ out "TSR-4121 gasnet_coll_exchange 0x82 GASNET_COLL_OUT_NOSYNC"
each coll\ two\ outs "TSR-4121 gasnet_coll_exchange 0xb2 GASNET_COLL_OUT_NOSYNC"
each coll\ no\ place "TSR-4122 gasnet_coll_scatter 0x22 GASNET_COLL_LOCAL GASNET_COLL_SINGLE"
each coll\ two\ places "TSR-4122 gasnet_coll_scatter 0xe2 GASNET_COLL_LOCAL GASNET_COLL_SINGLE"
each coll\ no\ buffer "TSR-4072 gasnet_coll_gather_all dst NULL 4"
each coll\ no\ team "TSR-4002 gasnet_coll_exchange GEX_TM_INVALID"
each coll\ barrier\ wait "TSR-4066 gasnet_coll_barrier_wait gasnet_coll_barrier_notify"
each coll\ barrier\ notify "TSR-4067 gasnet_coll_barrier_notify gasnet_coll_barrier_wait"
each coll\ barrier\ destroy "TSR-4210 gex_TM_Destroy gasnet_coll_barrier_wait"
each coll\ barrier "TSR-4003 gasnet_coll_barrier"
each reduce\ images "TSR-4127 gasnet_coll_init 3 1"
each reduce\ null "TSR-4129 gasnet_coll_init 1 NULL"
each reduce\ flags "TSR-4126 gasnet_coll_init init_flags 0x4 0"
each reduce\ early "TSR-4131 gasnet_coll_reduce gasnet_coll_init"
each reduce\ twice "TSR-4125 gasnet_coll_init"
each reduce\ unknown "TSR-4132 gasnet_coll_reduce 1 gasnet_coll_init 1 0"
each reduce\ blocks "TSR-4133 gasnet_coll_reduce src_blksz 4 src_offset 1"
each reduce\ none "TSR-4134 gasnet_coll_reduce_nb elem_size 4 elem_count 0"
each reduce\ huge "TSR-4135 gasnet_coll_reduce_nb 4 9223372036854775807"
finish
