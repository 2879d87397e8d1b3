#!/bin/sh
# Each message of the wire between nodes over UCX, as its golden file has it.
set -u
. "$(dirname "$0")/../support/fault.sh"
. "$(dirname "$0")/../support/golden.sh"
at_once
export TESSERA_NET=ucx UCX_WARN_UNUSED_ENV_VARS=n
unset TESSERA_UCX_LIBRARY UCX_TLS

golden messages_ucx
cases=$("$program" list) || exit 1
[ -n "$cases" ] || exit 77 # built without UCX, or a sanitizer has its own malloc
job 1 "$program" together
[ $code -ne 77 ] || exit 77 # UCX cannot be opened
golden_edits='/TSR-0239|TSR-0256|TSR-0265/s/[0-9]+ (bytes|each)/N \1/g' # they depend on the devices
export TESSERA_UCX_TLS=tcp,self
returns 2 0240 0249 0256
ends 2 0238 0239 0242 0246 0247 0255 0257
export TESSERA_UCX_TLS=sysv,self TESSERA_UCX_RMA=on TESSERA_UCX_MEMORY=test
returns 2 0262
ends 2 0258 0259 0260 0261 0265 0266
compare
finish
