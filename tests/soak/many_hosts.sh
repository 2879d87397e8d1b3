#!/bin/sh
# 64 and 128 units over four hosts, over both wires: a smoke part of the suite, and what a start costs. Prints start-up time and
# memory of 4, 16, 64 and 128 units in a table; memory is checked against the formula of tessera-info --memory, sockets against the
# number of peers. Time is printed only, as all hosts are one machine.
#
# MANY_UNITS and MANY_SMOKE_UNITS list other numbers of units for the table and for the smoke part, MANY_WIRES other wires.
set -u
: "${SUITE_SECONDS:=600}"
. "$(dirname "$0")/../support/hosts.sh"
wires=${MANY_WIRES-mpi ucx}
table=

hosts_up 4
. "$(dirname "$0")/../support/suite.sh"
"$TESSERA_BUILD_DIR/tools/tessera-info" --explain | grep -q '^UCX has' || wires=mpi

# A limit on open files that leaves no room for unused connections would hide nothing, so the programs count.
ulimit -n 4096 2>/dev/null

# number TEXT: the number that follows it in the line of tests/nodes/start_up.
number() { sed -n "s/^start-up .*$1 \([0-9]*\).*/\1/p" "$hosts_dir/output"; }

# The time of the whole job, from the launcher's start to its end.
now_ms() { echo $(($(date +%s%N) / 1000000)); }

measure() {
  suite_begin "start-up of $2 units, wire $1"
  begun=$(now_ms)
  TESSERA_NET=$1 TESSERA_ERRORS=all TESSERA_WATCHDOG=300 RUN_TIMEOUT=$SUITE_SECONDS \
    hosts_run "$2" "$TESSERA_BUILD_DIR/tests/nodes/start_up" >"$hosts_dir/output" 2>&1
  code=$? taken=$(($(now_ms) - begun))
  suite_runs=$((suite_runs + 1))
  [ $code -eq 0 ] || suite_fail "ended with $code"
  grep -q "^start-up $2 units, 4 nodes" "$hosts_dir/output" || suite_fail "not on four nodes"
  table="$table$(printf '%5d | %s | %d | %s | %s | %s | %s | %s | %s | %s | %s' "$2" "$1" $taken \
    "$(number 'nodes: MPI')" "$(number Tessera)" "$(number 'KiB: MPI')" "$(number 'KiB: MPI [0-9]*, start')" "$(number library)" \
    "$(number 'library [0-9]*, formula')" "$(number 'node KiB:')" "$(number 'node KiB: [0-9]*, formula')")
"
}

for wire in $wires; do
  for units in ${MANY_UNITS-4 16 64 128}; do measure "$wire" "$units"; done
done

# Units in turns on the hosts: then the order of the ranks is not that of the nodes.
export HOSTS_IN_TURNS=1
for wire in $wires; do
  measure "$wire" 14
  grep -q "formula" "$hosts_dir/output" || suite_fail "nothing measured"
done
unset HOSTS_IN_TURNS

# The smoke part: one of each interface, two-sided messages, collectives.
smoke() {
  suite_begin "smoke $3 on $2 units, wire $1"
  TESSERA_NET=$1 TESSERA_ERRORS=all TESSERA_WATCHDOG=300 RUN_TIMEOUT=$SUITE_SECONDS \
    hosts_run "$2" "$TESSERA_BUILD_DIR/tests/nodes/apis_smoke" "$3" >"$hosts_dir/output" 2>&1
  suite_judge $? 10000
}

for units in ${MANY_SMOKE_UNITS-64 128}; do
  for wire in $wires; do
    for part in start p2p dart armci gasnet coll; do smoke "$wire" "$units" $part; done
  done
done
suite_modes=$(echo "$wires" | sed 's/mpi/default/')

echo "units | wire | job, ms | MPI_Init, ms | Tessera's start, ms | private KiB: MPI | Tessera's start | of it the library |" \
  "formula | node's memory, KiB by unit | formula"
printf '%s' "$table"
suite_end
