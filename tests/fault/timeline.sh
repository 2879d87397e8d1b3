#!/bin/sh
# tessera-trace makes one file of the units' timelines: all operations, on one clock, with an arrow for each message.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT
program=$TESSERA_BUILD_DIR/tests/fault/record
tool=$TESSERA_BUILD_DIR/tools/tessera-trace
[ -x "$tool" ] || {
  echo "skipped: tessera-trace was not built, as zlib is missing"
  exit 77
}

# joins ARGUMENT...: runs the tool; sets `code`, fills "$output".
joins() {
  job="tessera-trace $*"
  code=0
  "$tool" "$@" >"$output" 2>&1 || code=$?
}

# whole FILE UNITS NODES [US]: all operations of `record`, on one clock: no message is received before it is sent, as far as the clocks
# are known
whole() {
  check "the file is wrong" python3 - "$@" <<'END'
import gzip, json, sys
path, units, nodes = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
unknown_us = 2 * float(sys.argv[4]) if len(sys.argv) > 4 else 0
events = json.load((gzip.open if path.endswith(".gz") else open)(path))["traceEvents"]
of = {kind: [event for event in events if event["ph"] == kind] for kind in "MXsf"}
assert len(of["M"]) == 3 * units
labels = {event["args"]["labels"].split(",")[0] for event in of["M"] if event["name"] == "process_labels"}
assert labels == {f"node {node}" for node in range(nodes)}
assert all(event["args"]["labels"].split(", ")[1] for event in of["M"] if event["name"] == "process_labels") # the host
for unit in range(units):
    names = [event["name"] for event in of["X"] if event["pid"] == unit]
    assert (names.count("put"), names.count("get"), names.count("send"), names.count("am_handler")) == (10, 2, 3, 5)
    assert "synchronise" not in names
assert min(event["ts"] for event in of["X"]) == 0
put = next(event for event in of["X"] if event["name"] == "put" and event["pid"] == 1)
assert put["args"] == {"bytes": 8, "unit": 2 % units}
assert len(of["s"]) == len(of["f"]) == 8 * units
sent = {event["id"]: event for event in of["s"]}
for end in of["f"]:
    begin = sent[end["id"]]
    assert end["pid"] == (begin["pid"] + 1) % units
    assert end["ts"] + unknown_us >= begin["ts"], (begin, end)
END
}

job 3 TESSERA_TRACE="$folder/a" "$program"
succeeds
joins "$folder/a"
succeeds
says "^$folder/a.json.gz: [0-9]+ operations of 3 units on 1 node, 24 messages$"
whole "$folder/a.json.gz" 3 1
joins "$folder/a" --output "$folder/plain.json"
succeeds
whole "$folder/plain.json" 3 1

# An archive of OTF2 has the same operations, messages and transfers; each thread's events are in order.
archive=$folder/a.otf2
joins "$folder/a" --output "$archive"
if grep -q "built without the library of OTF2" "$output"; then
  fails
else
  succeeds
  says "^$archive: [0-9]+ operations of 3 units on 1 node, 24 messages$"
fi
if [ -d "$archive" ] && command -v otf2-print >/dev/null; then
  otf2-print "$archive/traces.otf2" >"$output" 2>&1 || code=$?
  succeeds
  check "the archive is wrong" awk '
    $1 == "ENTER" { open[$2]++ }
    $1 == "LEAVE" { open[$2]--; if (open[$2] < 0) wrong = 1 }
    $1 ~ /^[A-Z_]+$/ && $3 ~ /^[0-9]+$/ { if ($3 < last[$2]) wrong = 1; last[$2] = $3; n[$1]++ }
    END {
      for (thread in open) if (open[thread]) wrong = 1
      exit wrong || n["ENTER"] < 60 || n["ENTER"] != n["LEAVE"] || n["MPI_SEND"] != 24 || n["MPI_RECV"] != 24 || n["RMA_PUT"] != 30 ||
           n["RMA_GET"] != 6 || n["RMA_OP_COMPLETE_BLOCKING"] != 36
    }' "$output"
  joins "$folder/a" --output "$archive"
  fails
  says_once "^tessera-trace: $archive: .* exists"
  joins "$folder/a" --output /nowhere/a.otf2
  fails
  says_once "^tessera-trace: /nowhere/a.otf2: the archive cannot be written"
fi

# A picture of it.
if command -v gnuplot >/dev/null; then
  job="bench/timeline" code=0
  "$(dirname "$0")/../../bench/timeline" "$folder/a.json.gz" "$folder/a.png" >"$output" 2>&1 || code=$?
  succeeds
  check "no picture" [ "$(head -c 4 "$folder/a.png" | tail -c 3)" = PNG ]
  "$(dirname "$0")/../../bench/timeline" "$folder/a.json.gz" "$folder/a.png" --begin 1e9 >"$output" 2>&1 && code=0 || code=$?
  fails
  says_once "^timeline: no operation runs"
fi

# Nodes of one host have one clock, which is not moved.
job 3 TESSERA_VIRTUAL_NODES=2 TESSERA_TRACE="$folder/b" "$program"
succeeds
joins "$folder/b"
succeeds
whole "$folder/b.json.gz" 3 2
check "a clock is moved, or not known" eval '! grep -q "^the clock" "$output"'

# Files of an earlier job with more units lie beside them; that of a unit is missing.
job 4 TESSERA_TRACE="$folder/b" "$program"
succeeds
job 3 TESSERA_VIRTUAL_NODES=2 TESSERA_TRACE="$folder/b" "$program"
succeeds
joins "$folder/b"
succeeds
says_once "^tessera-trace: $folder/b.3: of another job; left out"
whole "$folder/b.json.gz" 3 2
rm "$folder/b.2"
joins "$folder/b"
succeeds
says_once "^tessera-trace: the timelines of 1 of 3 units are missing, the first is $folder/b.2"

# Messages of units that leave operations out have no arrows, since they are found by counting.
job 3 TESSERA_TRACE="$folder/p" "$program" part
succeeds
joins "$folder/p"
succeeds
says "^$folder/p.json.gz: [0-9]+ operations of 3 units on 1 node, 0 messages$"

# Of several jobs of the same processes the last one is taken, and what the first left out does not matter.
job 3 TESSERA_TRACE="$folder/t" "$program" twice
succeeds
joins "$folder/t"
succeeds
whole "$folder/t.json.gz" 3 1

# Jobs on parts of the processes have files of their own. MPI_Finalize is MPI's own there, and MPICH's may hang over TCP
# (docs/mpi-notes.md, "The end of a job").
job 4 -u UCX_TLS TESSERA_TRACE="$folder/h" "$program" halves
succeeds
for name in h h.2; do
  joins "$folder/$name"
  succeeds
  check "something is left out" eval '! grep -q "left out" "$output"'
  whole "$folder/$name.json.gz" 2 1
done

# A node whose clock is 1000 s ahead, in a time namespace of its own.
now() { python3 -c 'import time; print(int(time.clock_gettime(time.CLOCK_MONOTONIC)))'; }
there=$(unshare --time --monotonic 1000 python3 -c 'import time; print(int(time.clock_gettime(time.CLOCK_MONOTONIC)))' 2>/dev/null || echo 0)
if [ "$there" -gt $(($(now) + 500)) ]; then
  job 3 TESSERA_VIRTUAL_NODES=3 TESSERA_TRACE="$folder/c" \
    sh -c '[ "${PMI_RANK:-$OMPI_COMM_WORLD_RANK}" != 1 ] && exec "$1"; exec unshare --time --monotonic 1000 "$1"' - "$program"
  succeeds
  joins "$folder/c"
  succeeds
  says_once "^the clock of node 1 is 1?(999|000)[0-9]+\.[0-9]+ ms ahead of that of node 0, known to [0-9.]+ us"
  whole "$folder/c.json.gz" 3 3 "$(sed -n 's/.* known to \([0-9.]*\) us$/\1/p' "$output")"
fi

# A clock that is ahead and too fast: made by hand, since no namespace drifts. By true time the units meet at 1 s and at 11 s, and do
# one operation at 6 s.
python3 - "$folder/d" <<'END'
import sys
def clock(unit, true_us):
    return true_us if unit == 0 else 5e6 + true_us * 1.0001
def event(unit, name, at_us, took_us):
    return (f',\n{{"ph":"X","name":"{name}","pid":{unit},"tid":{7 + unit},"ts":{at_us:.3f},"dur":{took_us:.3f},'
            '"args":{"bytes":0,"unit":-1}}')
for unit in range(2):
    with open(f"{sys.argv[1]}.{unit}", "w") as out:
        out.write(f'[\n{{"ph":"M","name":"process_name","pid":{unit},"args":{{"name":"unit {unit}","node":{unit},"host":"h{unit}"}}}}')
        for at_us in 1e6, 11e6:
            if at_us == 11e6:
                out.write(event(unit, "put", clock(unit, 6e6), 1))
            for i in range(8):
                begin = clock(unit, at_us + 50 * i + 3 * unit)
                out.write(event(unit, "synchronise", begin, clock(unit, at_us + 50 * i + 40) - begin))
        out.write(" " * 30 + "\n]\n")
END
joins "$folder/d" --output "$folder/d.json"
succeeds
says_once "^the clock of node 1 is 5001\.1[0-9]+ ms ahead of that of node 0, known to [0-9.]+ us"
check "operations of one moment are apart" python3 - "$folder/d.json" <<'END'
import json, sys
at = [event["ts"] for event in json.load(open(sys.argv[1]))["traceEvents"] if event["ph"] == "X"]
assert len(at) == 2 and abs(at[0] - at[1]) < 50, at
END

# A unit that died in the middle of an event, and one that did not come up.
sed -i '$d' "$folder/d.1"
printf ',\n{"ph":"X","name":"put","pid":1,"ti          \n]\n' >>"$folder/d.1"
joins "$folder/d" --output "$folder/d.json"
succeeds
says_once "^tessera-trace: $folder/d.1: 1 incomplete line left out"
sed -i '/synchronise/d' "$folder/d.1"
joins "$folder/d" --output "$folder/d.json"
succeeds
says_once "^the clocks of the nodes are not synchronised"

# Wrong use.
joins
check "exit code $code, not 2" [ $code -eq 2 ]
says "^usage: tessera-trace"
joins "$folder/none"
fails
says_once "^tessera-trace: there is no file $folder/none.0"
joins /nowhere/none
fails
says_once "^tessera-trace: /nowhere/: No such file"
joins "$folder/a" --output /nowhere/a.json
fails
says_once "^tessera-trace: /nowhere/a.json: No such file"
echo '[]' >"$folder/e.0"
joins "$folder/e"
fails
says_once "^tessera-trace: $folder/e.0: no timeline"
finish
