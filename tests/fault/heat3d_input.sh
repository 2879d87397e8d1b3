#!/bin/sh
# heat3d on bad input: one line that names file and line, code 1 on all units, no hang.
set -u
program=$TESSERA_BUILD_DIR/examples/heat3d/heat3d
[ -x "$program" ] || exit 77
. "$(dirname "$0")/../support/fault.sh"
at_once
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT

good="grid 8 8 8
length 1 1 1
material 300 400 3.4e6
boundary west 400
boundary east 300
boundary south insulated
boundary north insulated
boundary bottom insulated
boundary top insulated
initial 300
steps 5
output $folder/out"

# refuses PATTERN INPUT: a line of the output matches, and the job fails by itself.
refuses() {
  job 3 "$program" "$2"
  fails
  says "$1"
}

# with LINE: the good input with this line added, or in place of the line with the same key.
with() {
  key=${1%% *}
  echo "$good" | grep -v "^$key " >"$folder/bad.heat"
  echo "$1" >>"$folder/bad.heat"
}

echo "$good" >"$folder/good.heat"
job 3 "$program" "$folder/good.heat"
succeeds
for step in 1 2 3 4 5; do says_once "^heat3d: $((20 * step)) %, step $step of 5$"; done
refuses "missing.heat" "$folder/missing.heat"
with "grit 8 8 8" && refuses "bad.heat:13: .*grit.*grid" "$folder/bad.heat"
with "grid 8 -8 8" && refuses "bad.heat:12: .*-8" "$folder/bad.heat"
with "length 1 1 wide" && refuses "bad.heat:12: .*wide" "$folder/bad.heat"
with "step 1e9" && refuses "bad.heat:13: .*1e\+?0?9" "$folder/bad.heat"
with "grid 1 1 1" && refuses "bad.heat" "$folder/bad.heat"
echo "grid 8 8 8" >"$folder/bad.heat" && refuses "bad.heat.*(missing|length)" "$folder/bad.heat"
finish
