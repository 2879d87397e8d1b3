#!/bin/sh
# With TESSERA_CHECK=1 calls that are collective without looking so are checked, too; messages have the names of the
# program's calls. A team that only some units create is reported without this setting, too.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
program=$TESSERA_BUILD_DIR/tests/fault/mismatch_hidden
collective="TSR-0306"

differs exit barrier "the end of the job \(tessera_exit\)"
differs dart-exit barrier dart_exit
differs create barrier "creation of a team \(as tessera_team_create\)"
differs team-free barrier "end of a team \(as tessera_team_free\)"
differs communicator barrier "first use of a team's communicator \(dart_team_comm\)"
differs allocate barrier "allocation of memory \(as dart_team_memalloc_aligned\)"
differs free barrier "release of memory \(as dart_team_memfree\)"
differs register barrier "registration of memory \(as dart_team_memregister\)"
differs lock barrier "creation of a lock \(as dart_team_lock_init\)"
differs counts "allgatherv \(48 bytes, counts of digest [0-9a-f]+\)" "allgatherv \(48 bytes, counts of digest [0-9a-f]+\)"
differs own "allreduce \(24 bytes: SUM of I64\)" \
  "allreduce \(24 bytes: an operation of the program on elements of 8 bytes\)"

job 3 "$program" create
fails
says "TSR-0378 [0-2] 0 [0-2]"
says "unit 2 (is )?in a call that sets up or frees something"
check "says something false" sh -c '! grep -q "in use" "$1"' - "$output"
finish
