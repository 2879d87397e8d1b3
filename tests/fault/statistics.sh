#!/bin/sh
# TESSERA_STATS and TESSERA_STATS_FILE: the table and the files have what all units did, unit by unit; parts that the program leaves
# out are not there.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT
program=$TESSERA_BUILD_DIR/tests/fault/record

# row NAME CALLS BYTES REMOTE: of the table of the whole job
row() { says_once "^\[tessera\] $1 +$2 +$3 +$4 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-2] +[0-9.]+ +[0-9.]+$"; }

job 3 TESSERA_STATS=1 "$program"
succeeds
says_once "^\[tessera\] statistics of 3 units on 1 node;"
row put 30 240 0
row get 6 30000 0
row send 9 900 0
row receive 9 900 0
row am_request 15 960 0
row am_handler 15 960 0
check "units print tables of their own" eval '! grep -Eq "^\[tessera unit [0-9]+\] " "$output"'

# Units 0 and 1 are on one node, unit 2 on another: of three units' traffic with the next one that of two goes to another node.
job 3 TESSERA_VIRTUAL_NODES=2 TESSERA_STATS=1 "$program" part
succeeds
says_once "^\[tessera\] statistics of 3 units on 2 nodes;"
row put 30 240 160
row am_handler 15 960 640
# Of each unit ten puts and five requests, and what they and the other operations of the part move; two units send to node 0.
says_once "^\[tessera\] to node 0 +[0-9]+ +[0-9]+$"
says_once "^\[tessera\] to node 1 +[0-9]+ +[0-9]+$"
check "node 0 does not get twice as much as node 1" awk '
  $2 == "to" { bytes[$4] = $6 }
  END { exit bytes[1] == 0 || bytes[0] != 2 * bytes[1] }' "$output"

# The spread: least and most are not below and above the mean.
check "least, mean and most are not in order" awk '
  $2 == "put" { rows++; if ($7 > $6 || $6 > $8 || $8 <= 0) wrong++ }
  END { exit rows != 1 || wrong }' "$output"

job 2 TESSERA_STATS=1 "$program" nothing
succeeds
check "rows of operations that did not run" eval '! grep -Eq "put|get|send|am_" "$output"'

# Files.
job 3 TESSERA_VIRTUAL_NODES=2 TESSERA_STATS_FILE="$folder/a.json" "$program"
succeeds
check "a table without TESSERA_STATS" eval '! grep -q "operation" "$output"'
check "the JSON is wrong" python3 - "$folder/a.json" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
assert (found["units"], found["nodes"]) == (3, 2)
assert found["sizes_from"][:4] == [0, 1, 8, 64]
by_unit = found["by_unit"]
assert [(one["unit"], one["node"]) for one in by_unit] == [(0, 0), (1, 0), (2, 1)]
for one in by_unit:
    put, get = one["operations"]["put"], one["operations"]["get"]
    assert (put["calls"], put["bytes"], put["remote_bytes"]) == (10, 80, 0 if one["unit"] == 0 else 80)
    assert put["sizes"] == [0, 0, 10] + [0] * 7
    assert get["sizes"] == [0] * 5 + [2] + [0] * 4
    assert put["longest_ns"] <= put["ns"]
    # To the next unit: ten puts, two gets, three sends, five requests.
    assert one["to_node"] == [{"node": 1 if one["unit"] == 1 else 0, "calls": 20, "bytes": 80 + 10000 + 300 + 320}]
END
job 2 TESSERA_STATS_FILE="$folder/b.csv" "$program"
succeeds
check "the CSV is wrong" python3 - "$folder/b.csv" <<'END'
import csv, sys
rows = {(row["operation"], row["unit"]): row for row in csv.DictReader(open(sys.argv[1]))}
assert rows["put", "1"]["calls"] == "10" and rows["put", "0"]["bytes"] == "80" and rows["put", "0"]["node"] == "0"
assert rows["get", "1"]["calls_from_4096_bytes"] == "2" and rows["get", "1"]["calls_from_512_bytes"] == "0"
assert ("put", "2") not in rows
assert rows["to_node_0", "1"]["calls"] == "20" and rows["to_node_0", "1"]["bytes"] == str(80 + 10000 + 300 + 320)
END
job 2 TESSERA_STATS_FILE="$folder/c.txt" "$program"
succeeds
check "the file has no table" grep -Eq "^\[tessera\] put +20 +160 +0 " "$folder/c.txt"
job 2 TESSERA_STATS_FILE=/nowhere/d.json "$program"
succeeds
says_once "unit 0 TSR-0410 TESSERA_STATS_FILE=/nowhere/d.json"
job 2 TESSERA_STATS_FILE=/dev/full "$program"
succeeds
says_once "unit 0 TSR-0410 TESSERA_STATS_FILE=/dev/full No space left"
check "the device was removed" [ -c /dev/full ]

# One unit, a table on the terminal and one in a file.
job 1 TESSERA_STATS=1 TESSERA_STATS_FILE="$folder/e" "$program"
succeeds
row put 10 80 0
check "the tables differ" [ "$(grep -F '[tessera]' "$output")" = "$(cat "$folder/e")" ]

# Two jobs at once, on parts of the processes, have two files: that of the second half has the rank of its first process.
# MPI_Finalize is MPI's own there, and MPICH's may hang over TCP (docs/mpi-notes.md, "The end of a job").
job 4 -u UCX_TLS TESSERA_STATS_FILE="$folder/f.json" "$program" halves
succeeds
check "not two files" [ "$(ls "$folder" | grep -c '^f.json')" -eq 2 ]
for file in "$folder/f.json" "$folder/f.json.2"; do
  check "$file is no job of two units" python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
assert found["units"] == 2 and all(one["operations"]["put"]["calls"] == 10 for one in found["by_unit"])' "$file"
done

# The second job of a process replaces the file of the first one, and has counts of its own.
job 2 TESSERA_STATS_FILE="$folder/g.json" TESSERA_STATS=1 "$program" twice
succeeds
check "not two tables" [ "$(grep -c "statistics of 2 units" "$output")" -eq 2 ]
check "not the counts of the second job" python3 -c 'import json, sys
found = json.load(open(sys.argv[1]))
assert [one["operations"]["put"]["calls"] for one in found["by_unit"]] == [10, 10]' "$folder/g.json"

# Units with different settings: unit 0 warns, and each prints its own table, or none.
job 2 sh -c 'export TESSERA_STATS=$((${PMI_RANK:-$OMPI_COMM_WORLD_RANK} == 1)); exec "$1"' - "$program"
succeeds
says_once "unit 0 TSR-0416"
says_once "^\[tessera unit 1\] put +10 +80 +0 "
check "the other unit's table" eval '! grep -q "^\[tessera unit 0\] put" "$output"'
finish
