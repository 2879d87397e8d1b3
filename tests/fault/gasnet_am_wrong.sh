#!/bin/sh
# What is wrong with active messages and locks of GASNet ends the job with one message that names the call: lengths, places,
# handlers and what belongs together always, the rest with TESSERA_CHECK=1.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
program=$TESSERA_BUILD_DIR/tests/fault/gasnet_am_wrong

# wrong WHAT SAYS, checked WHAT SAYS; behind `spread` on two nodes, too, behind `threaded` in a program with threads, too;
# behind `both` both units do it
modes=- on=1 says=says_alone
both() {
  says=says_each
  "$@"
  says=says_alone
}
spread() {
  on="1 2"
  "$@"
  on=1
}
threaded() {
  modes="- _par"
  "$@"
  modes=-
}
run() {
  for mode in $modes; do
    for nodes in $on; do
      job 2 TESSERA_VIRTUAL_NODES=$nodes TESSERA_CHECK=$1 "$program${mode#-}" "$2"
      fails
      $says "$3"
    done
  done
}
wrong() { run 0 "$1" "$2"; }
checked() { run 1 "$1" "$2"; }

both wrong early "gex_AM_RequestShort: called before gex_Client_Init"
threaded spread wrong medium\ long "gex_AM_RequestMedium: [0-9]+ bytes are too long for one message"
wrong long\ long "gex_AM_RequestLong: 1099511627776 bytes are too long"
spread wrong place "gex_AM_RequestLong: 100 bytes at 0x[0-9a-f]+ are not inside the segment of job rank 1"
wrong null "gex_AM_RequestMedium: 1 byte is to be sent from NULL"
wrong rank "gex_AM_RequestShort: there is no rank 2"
wrong team "gex_AM_RequestShort: tm is GEX_TM_INVALID"
wrong defer "gex_AM_RequestMedium: lc_opt is GEX_EVENT_DEFER; pass GEX_EVENT_NOW, GEX_EVENT_GROUP or"
wrong completion "gex_AM_RequestMedium: lc_opt is NULL"
wrong numargs "gex_AM_MaxRequestMedium: 17 arguments"
wrong least "gex_AM_PrepareRequestMedium: at least [0-9]+ bytes are more than a message can have"
wrong crossed "gex_AM_PrepareRequestMedium: at least 100 bytes, but at most 10"
wrong no\ buffer "gex_AM_PrepareRequestMedium: without a buffer of the caller's .*pass NULL"
wrong no\ event "gex_AM_PrepareRequestMedium: lc_opt is NULL"
wrong nothing "gex_AM_CommitRequestMedium: this thread has not prepared a message"
spread wrong prepared\ place "gex_AM_PrepareRequestLong: 10 bytes at 0x[0-9a-f]+ are not inside the segment"
threaded wrong nested "gex_AM_PrepareRequestMedium: the thread has called gex_AM_PrepareRequestMedium before"
spread wrong more "gex_AM_CommitRequestMedium: 101 bytes; gex_AM_PrepareRequestMedium got room for 100"
wrong arguments "gex_AM_CommitRequestMedium: 1 argument; gex_AM_PrepareRequestMedium was told of 0"
wrong kind "gex_AM_CommitRequestLong: the message was prepared by gex_AM_PrepareRequestMedium"
wrong again "gex_AM_CommitRequestMedium: this thread has not prepared a message, or has committed"
wrong cancelled "gex_AM_SrcDescAddr: this thread has not prepared a message"
spread wrong other\ place "gex_AM_CommitRequestLong: the destination is 0x[0-9a-f]+; gex_AM_PrepareRequestLong was told 0x"
threaded wrong destroy "gex_HSL_Lock: the lock at 0x[0-9a-f]+ is destroyed"
threaded wrong destroy\ held "gex_HSL_Destroy: a thread holds the lock"
threaded wrong unlock "gex_HSL_Unlock: no thread holds the lock"
wrong reply\ group "gex_AM_ReplyMedium: lc_opt is GEX_EVENT_GROUP; pass GEX_EVENT_NOW or the address"
wrong reply\ stale "gex_AM_ReplyShort: the token is not that of the message whose handler runs"
wrong reply\ prepared "gex_AM_ReplyShort: handler 200 has replied already"
threaded spread wrong twice "gex_AM_ReplyShort: handler 200 has replied already"
wrong answer "gex_AM_ReplyShort: handler 201 runs for a reply"
wrong limit\ of\ answer "gex_Token_MaxReplyMedium: the token is not that of a request"
both wrong index "gex_EP_RegisterHandlers: the index 100 of entry 0"
both wrong double "gex_EP_RegisterHandlers: the index 200 of entry 1 is taken"
spread wrong nobody "unit 1 .*no handler 250 is registered here, for which rank 0 of the job sent a medium request with 2 arguments"

threaded spread checked few "handler 200 \(ping\) is registered with 1 argument; rank 0 of the job sent 0"
spread checked category "handler 200 \(ping\) is not registered for a medium request, which rank 0 of the job sent"
checked direction "handler 201 \(no name\) is not registered for a short request"
both checked no\ flags "gex_EP_RegisterHandlers: the flags 0x0 of entry 0"
checked request\ in\ handler "gex_AM_RequestShort: called from handler 200, of a message of rank 0"
spread checked get\ in\ handler "gex_RMA_GetBlocking: called from handler 200"
checked wait\ in\ handler "gex_NBI_Wait: called from handler 200"
checked poll\ in\ handler "gasnet_AMPoll: called from handler 200"
checked barrier\ in\ handler "gex_Coll_BarrierNB: called from handler 200"
threaded checked keep "handler 200 \(ping\) returned without gex_HSL_Unlock"
threaded spread checked reply\ held "gex_AM_ReplyShort: the caller holds a handler-safe lock"
checked uncommitted "handler 200 \(ping\) returned after gex_AM_PrepareReplyMedium without its commit"
checked reply\ prepared "gex_AM_ReplyShort: the caller has called gex_AM_PrepareReplyMedium"
checked open\ request "gex_AM_RequestShort: the caller has called gex_AM_PrepareRequestMedium"
checked open\ wait "gex_NBI_Wait: the caller has called gex_AM_PrepareRequestMedium"
checked open\ put "gex_RMA_PutBlocking: the caller has called gex_AM_PrepareRequestMedium"
threaded checked lock\ twice "gex_HSL_Lock: the calling thread holds the lock at 0x[0-9a-f]+ already"
threaded checked try\ twice "gex_HSL_Trylock: the calling thread holds the lock"
threaded checked unlock "gex_HSL_Unlock: the calling thread does not hold the lock"
threaded checked order "gex_HSL_Unlock: the calling thread has taken another lock after the one"
threaded checked init\ held "gex_HSL_Init: a thread holds the lock at 0x[0-9a-f]+, which is initialised already"
threaded checked held\ request "gex_AM_RequestShort: the caller holds a handler-safe lock"
threaded checked held\ poll "gasnet_AMPoll: the caller holds a handler-safe lock"
threaded checked held\ wait "gex_NBI_Wait: the caller holds a handler-safe lock"

for what in initialised twice; do
  job 2 TESSERA_CHECK=1 "$program" init\ $what
  succeeds
  says "warning: TSR-[0-9]+ gex_HSL_Init: the lock at 0x[0-9a-f]+ is initialised already"
done

for nodes in 1 2; do
  job 2 TESSERA_CHECK=1 TESSERA_VIRTUAL_NODES=$nodes "$program" all\ is\ well
  succeeds
  check "a warning where all is well" sh -c '! grep -q gex_HSL_Init "$1"' - "$output"
done
finish
