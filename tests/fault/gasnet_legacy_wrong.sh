#!/bin/sh
# What is wrong with a call of GASNet-1's interface, or of the tools, ends the job by itself, with one message that names it.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once

# wrong WHAT SAYS, checked WHAT SAYS
wrong() {
  job 2 "$TESSERA_BUILD_DIR/tests/fault/gasnet_legacy_wrong" "$1"
  fails
  says "$2"
}
checked() {
  job 2 TESSERA_CHECK=1 "$TESSERA_BUILD_DIR/tests/fault/gasnet_legacy_wrong" "$1"
  fails
  says "$2"
}

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
finish
