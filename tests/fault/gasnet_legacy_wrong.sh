#!/bin/sh
# What is wrong with a call of GASNet-1's interface, or of the tools, ends the job by itself, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# wrong WHAT SAYS, checked WHAT SAYS; each: on both processes, which make the same mistake
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

wrong early\ team "GASNET_TEAM_ALL: called before gex_Client_Init"
wrong early "gasnet_barrier: called before gex_Client_Init"
wrong number "gasnett_parse_int: '12 apples' is no number"
wrong yes "TEST_OF_WRONG=perhaps: set it to yes or no"
wrong client "no client of GASNet-1; call gasnet_init"
checked try "gasnet_barrier_try: no barrier goes on"
wrong wait "gasnet_barrier_wait: no barrier goes on"
wrong notify "gasnet_barrier_notify: a barrier goes on"
wrong rank "rank 2"
wrong place "gasnet_memset: .*segment"
wrong value "gasnet_get_nb_val: a value of 9 bytes"
wrong valget "gasnet_wait_syncnb_valget: the handle is NULL"
wrong destroy "gex_HSL_Lock: the lock at 0x[0-9a-f]+ is destroyed"
checked lock\ twice "gex_HSL_Lock: the calling thread holds the lock at 0x[0-9a-f]+ already"
checked try\ twice "gex_HSL_Trylock: the calling thread holds the lock"
checked unlock "gex_HSL_Unlock: the calling thread does not hold the lock"
checked init "gex_HSL_Lock: the calling thread holds the lock at 0x[0-9a-f]+ already"
each coll\ root "gasnet_coll_broadcast: root 2 is none of the 2 ranks of the team"
each coll\ root\ nb "gasnet_coll_gather_nb: root 2 is none of the 2 ranks of the team"
each coll\ no\ in "gasnet_coll_gather_all: flags 0xa0; pass one of GASNET_COLL_IN_NOSYNC"
each coll\ two\ ins "gasnet_coll_gather_all: flags 0xa6; pass one of GASNET_COLL_IN_NOSYNC"
each coll\ no\ out "gasnet_coll_exchange: flags 0x82; pass one of GASNET_COLL_OUT_NOSYNC"
each coll\ two\ outs "gasnet_coll_exchange: flags 0xb2; pass one of GASNET_COLL_OUT_NOSYNC"
each coll\ no\ place "gasnet_coll_scatter: flags 0x22; pass one of GASNET_COLL_LOCAL and GASNET_COLL_SINGLE"
each coll\ two\ places "gasnet_coll_scatter: flags 0xe2; pass one of GASNET_COLL_LOCAL and GASNET_COLL_SINGLE"
each coll\ no\ buffer "gasnet_coll_gather_all: dst is NULL; pass a buffer of 4 bytes"
each coll\ no\ team "gasnet_coll_exchange: tm is GEX_TM_INVALID"
each coll\ team\ barrier "gasnet_coll_barrier_notify: the team is not GASNET_TEAM_ALL"
each reduce\ images "gasnet_coll_init: 3 images on node 1; a process is one image"
each reduce\ null "gasnet_coll_init: function 1 of the table is NULL"
each reduce\ flags "gasnet_coll_init: init_flags 0x4; pass 0"
each reduce\ early "gasnet_coll_reduce: no functions are registered; call gasnet_coll_init before"
each reduce\ twice "gasnet_coll_init: called a second time"
each reduce\ unknown "gasnet_coll_reduce: there is no function 1; gasnet_coll_init registered 1, and the first is 0"
each reduce\ blocks "gasnet_coll_reduce: src_blksz 4 and src_offset 1; arrays in blocks are not supported"
each reduce\ none "gasnet_coll_reduce_nb: elem_size 4 and elem_count 0; pass at least one element"
each reduce\ huge "gasnet_coll_reduce_nb: 4 elements of 9223372036854775807 bytes are more than memory can have"
finish
