#!/bin/sh
# With TESSERA_CHECK=1 two accesses to the same bytes that nothing orders are reported: unit 1 says what unit 0 has done.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$TESSERA_BUILD_DIR/tests/fault/apis_conflict

# conflict INTERFACE WHAT SECOND FIRST: what the calls of units 1 and 0 do to the memory of unit 2.
conflict() {
  job 3 TESSERA_CHECK=1 "$program" "$1" "$2" </dev/null
  succeeds
  says_once "unit 1 TSR-0420 $3 2 $4"
  check "unit 0 has a conflict, too" [ "$(count "unit 0 TSR-0420")" -eq 0 ]
}
# ordered INTERFACE WHAT: there is none.
ordered() {
  job 3 TESSERA_CHECK=1 "$program" "$1" "$2" </dev/null
  succeeds
  check "there is a conflict" [ "$(count TSR-0420)" -eq 0 ]
}

while read -r interface put get; do
  conflict $interface put-put "$put writes" "$put written"
  conflict $interface put-get "$get reads" "$put written"
  is_full || continue
  conflict $interface get-put "$put writes" "$get read"
  ordered $interface get-get
done <<EOF
dart dart_put_blocking dart_get_blocking
armci ARMCI_Put ARMCI_Get
shmem shmem_putmem shmem_getmem
gasnet gex_RMA_PutBlocking gex_RMA_GetBlocking
native tessera_put tessera_get
EOF
conflict dart overlap "dart_put_blocking writes" "dart_put_blocking written"
for what in apart barrier flag atomic message "synchronous message" lock; do ordered dart "$what"; done

# A unit reports the first five.
job 3 TESSERA_CHECK=1 "$program" dart many
succeeds
check "not five conflicts" [ "$(count TSR-0420)" -eq 5 ]
says_once "unit 1 TSR-0421"

# Without the check nothing is said.
job 3 "$program" dart put-put
succeeds
check "there is a conflict" [ "$(count TSR-0420)" -eq 0 ]
finish
