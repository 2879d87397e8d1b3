#!/bin/sh
# A mistake with active messages or locks of GASNet ends the job with one message that names the call. Lengths,
# addresses, handlers and pairs of calls are always checked, the rest with TESSERA_CHECK=1.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_am_wrong

# wrong WHAT SAYS, checked WHAT SAYS. Prefixes: `spread` runs it on two nodes as well, `threaded` in a program with
# threads as well, in `make check` each instead; `both`: both units make the mistake.
modes=- nodes_wanted=1 says=says_alone
both() {
  says=says_each
  "$@"
  says=says_alone
}
spread() {
  choose_nodes
  "$@"
  nodes_wanted=1
}
threaded() {
  modes=_par
  is_full && modes="- _par"
  "$@"
  modes=-
}
run() {
  for mode in $modes; do
    for nodes in $nodes_wanted; do
      job 2 TESSERA_VIRTUAL_NODES=$nodes TESSERA_CHECK=$1 "$program${mode#-}" "$2"
      fails
      $says "$3"
    done
  done
}
wrong() { run 0 "$1" "$2"; }
checked() { run 1 "$1" "$2"; }

both wrong early "TSR-4104 gex_AM_RequestShort gex_Client_Init"
threaded spread wrong medium\ long "TSR-4047 gex_AM_RequestMedium"
wrong long\ long "TSR-4047 gex_AM_RequestLong 1099511627776"
spread wrong place "TSR-4008 gex_AM_RequestLong 100 1"
wrong null "TSR-4048 gex_AM_RequestMedium 1 NULL"
wrong rank "TSR-4004 gex_AM_RequestShort 2"
wrong team "TSR-4002 gex_AM_RequestShort GEX_TM_INVALID"
wrong defer "TSR-4016 gex_AM_RequestMedium lc_opt GEX_EVENT_DEFER GEX_EVENT_NOW GEX_EVENT_GROUP"
wrong completion "TSR-4016 gex_AM_RequestMedium lc_opt NULL"
wrong numargs "TSR-4034 gex_AM_MaxRequestMedium 17"
wrong least "TSR-4039 gex_AM_PrepareRequestMedium"
wrong crossed "TSR-4038 gex_AM_PrepareRequestMedium 100 10"
wrong no\ buffer "TSR-4040 gex_AM_PrepareRequestMedium NULL"
wrong no\ event "TSR-4016 gex_AM_PrepareRequestMedium lc_opt NULL"
wrong nothing "TSR-4042 gex_AM_CommitRequestMedium"
spread wrong prepared\ place "TSR-4008 gex_AM_PrepareRequestLong 10"
threaded wrong nested "TSR-4041 gex_AM_PrepareRequestMedium gex_AM_PrepareRequestMedium"
spread wrong more "TSR-4044 gex_AM_CommitRequestMedium 101 gex_AM_PrepareRequestMedium 100"
wrong arguments "TSR-4045 gex_AM_CommitRequestMedium 1 gex_AM_PrepareRequestMedium 0"
wrong kind "TSR-4043 gex_AM_CommitRequestLong gex_AM_PrepareRequestMedium"
wrong again "TSR-4042 gex_AM_CommitRequestMedium"
wrong cancelled "TSR-4042 gex_AM_SrcDescAddr"
spread wrong other\ place "TSR-4046 gex_AM_CommitRequestLong gex_AM_PrepareRequestLong"
threaded wrong destroy "TSR-4096 gex_HSL_Lock"
threaded wrong destroy\ held "TSR-4100 gex_HSL_Destroy"
threaded wrong unlock "TSR-4101 gex_HSL_Unlock"
wrong reply\ group "TSR-4016 gex_AM_ReplyMedium lc_opt GEX_EVENT_GROUP GEX_EVENT_NOW"
wrong reply\ stale "TSR-4013 gex_AM_ReplyShort"
wrong reply\ prepared "TSR-4015 gex_AM_ReplyShort 200"
threaded spread wrong twice "TSR-4015 gex_AM_ReplyShort 200"
wrong answer "TSR-4014 gex_AM_ReplyShort 201"
wrong limit\ of\ answer "TSR-4036 gex_Token_MaxReplyMedium"
both wrong index "TSR-4022 gex_EP_RegisterHandlers 100 0"
both wrong double "TSR-4023 gex_EP_RegisterHandlers 200 1"
spread wrong nobody "unit 1 TSR-4027 250 0 medium request 2"

threaded spread checked few "TSR-4029 200 1 0 0"
spread checked category "TSR-4028 200 ping medium request 0"
checked direction "TSR-4028 201 short request"
both checked no\ flags "TSR-4021 gex_EP_RegisterHandlers 0x0 0"
checked request\ in\ handler "TSR-4012 gex_AM_RequestShort 200 0"
spread checked get\ in\ handler "TSR-4012 gex_RMA_GetBlocking 200"
checked wait\ in\ handler "TSR-4012 gex_NBI_Wait 200"
checked poll\ in\ handler "TSR-4012 gasnet_AMPoll 200"
checked barrier\ in\ handler "TSR-4012 gex_Coll_BarrierNB 200"
threaded checked keep "TSR-4030 200 ping gex_HSL_Unlock"
threaded spread checked reply\ held "TSR-4010 gex_AM_ReplyShort"
checked uncommitted "TSR-4031 200 ping gex_AM_PrepareReplyMedium"
checked reply\ prepared "TSR-4011 gex_AM_ReplyShort gex_AM_PrepareReplyMedium"
checked open\ request "TSR-4011 gex_AM_RequestShort gex_AM_PrepareRequestMedium"
checked open\ wait "TSR-4011 gex_NBI_Wait gex_AM_PrepareRequestMedium"
checked open\ put "TSR-4011 gex_RMA_PutBlocking gex_AM_PrepareRequestMedium"
threaded checked lock\ twice "TSR-4097 gex_HSL_Lock"
threaded checked try\ twice "TSR-4097 gex_HSL_Trylock"
threaded checked unlock "TSR-4102 gex_HSL_Unlock"
threaded checked order "TSR-4103 gex_HSL_Unlock"
threaded checked init\ held "TSR-4098 gex_HSL_Init"
threaded checked held\ request "TSR-4010 gex_AM_RequestShort"
threaded checked held\ poll "TSR-4010 gasnet_AMPoll"
threaded checked held\ wait "TSR-4010 gex_NBI_Wait"

for what in initialised twice; do
  job 2 TESSERA_CHECK=1 "$program" init\ $what
  succeeds
  says "TSR-4099 gex_HSL_Init"
done

for nodes in 1 2; do
  job 2 TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=$nodes "$program" all\ is\ well
  succeeds
  check "a warning where all is well" sh -c '! grep -q gex_HSL_Init "$1"' - "$output"
done
finish
