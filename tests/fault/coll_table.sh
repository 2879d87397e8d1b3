#!/bin/sh
# TESSERA_COLL_TABLE: the results are right with every algorithm that a table selects. A wrong table gives one warning
# and changes nothing. tessera-tune writes a valid table, and keeps the rows for other teams.
set -u
. "$(dirname "$0")/../support/fault.sh"
quick_start

table=$(mktemp)
trap 'rm -f "$output" "$ended" "$table"' EXIT
program=$TESSERA_BUILD_DIR/tests/spmd/coll_nb
brief=${COLL_TABLE_BRIEF-brief}

# obeys UNITS NODES PROGRAM [ARGUMENT]
obeys() {
  units=$1 nodes=$2
  shift 2
  job "$units" TESSERA_COLL_TABLE="$table" TESSERA_VIRTUAL_NODES="$nodes" "$@"
  succeeds
  check "a warning" [ "$(grep -c warning "$output")" -eq 0 ]
}

# Each algorithm with the collectives that have it. Each MPI has its numbers of nodes, here and below; the soak test
# runs all numbers with both.
nodes_few=1 nodes_all=3
[ "$TESSERA_MPI" = mpich ] || nodes_few=2 nodes_all=5
for algorithm in tree doubling direct ring halving; do
  for kind in barrier bcast scatter gather allgather reduce allreduce reduce_scatter; do
    case $algorithm:$kind in
      tree:allgather | tree:reduce_scatter | direct:barrier | ring:barrier | ring:scatter | ring:gather) ;;
      doubling:barrier | doubling:allgather | doubling:allreduce) echo "$kind any any any $algorithm" ;;
      halving:bcast | halving:reduce | halving:allreduce) echo "$kind any any any $algorithm" ;;
      doubling:* | halving:*) ;;
      *) echo "$kind any any any $algorithm" ;;
    esac
  done >"$table"
  for nodes in ${COLL_TABLE_FEW_NODES:-$nodes_few}; do obeys 4 $nodes "$program" $brief; done
done

# Between the leaders: blocking collectives, and non-blocking ones by nodes; a brief run takes the latter with the first table only.
for rows in "barrier:tree bcast:tree scatter:tree gather:tree allgather:doubling reduce:tree allreduce:tree \
reduce_scatter:ring" \
  "barrier:doubling bcast:ring scatter:direct gather:direct allgather:ring reduce:ring allreduce:ring \
reduce_scatter:direct" \
  "bcast:halving allgather:direct reduce:halving allreduce:halving" \
  "bcast:direct reduce:direct allreduce:direct" "allreduce:doubling"; do
  for row in $rows; do
    echo "${row%:*} leaders any any ${row#*:}"
    echo "${row%:*} nodes any any nodes"
  done >"$table"
  for nodes in ${COLL_TABLE_NODES:-$nodes_all}; do
    obeys 5 $nodes "$TESSERA_BUILD_DIR/tests/spmd/core_coll" $brief
    case $brief:$rows in :* | brief:barrier:tree*) obeys 5 $nodes "$program" $brief ;; esac
  done
done

warns() {
  job 2 TESSERA_COLL_TABLE="$1" "$program" $brief
  succeeds
  says "$2"
  check "not one warning" [ "$(grep -c warning "$output")" -eq 1 ]
}
warns /nowhere/table "TSR-0908 TESSERA_COLL_TABLE=/nowhere/table"
printf 'bcast any any any tree\nbcast any any any doubling\n' >"$table"
warns "$table" "TSR-0909 TESSERA_COLL_TABLE=$table 2 algorithm"
for row in 'bcast leaders any any doubling' 'bcast any any any nodes' 'reduce_scatter leaders any any tree'; do
  echo "$row" >"$table"
  warns "$table" "TSR-0909 TESSERA_COLL_TABLE=$table 1 algorithm place"
done

echo "# mine" >"$table"
echo "bcast nodes 99 any ring" >>"$table"
job 3 "$TESSERA_BUILD_DIR/tools/tessera-tune" "$table" --seconds 0.0001
succeeds
check "the table has no rows for 3 units" grep -Eq "^allreduce +node +3 +any " "$table"
check "a row for others is gone" grep -q "^bcast nodes 99 any ring" "$table"
job 3 TESSERA_VIRTUAL_NODES=2 "$TESSERA_BUILD_DIR/tools/tessera-tune" "$table" --seconds 0.0001
succeeds
check "the table has no rows for 3 units on nodes" grep -Eq "^allreduce +nodes +3 +any " "$table"
check "the table has no rows for 2 leaders" grep -Eq "^allreduce +leaders +2 +any (tree|doubling|direct|ring|halving)" "$table"
check "the table has no rows for allgather of 2 leaders" grep -Eq "^allgather +leaders +2 +any (doubling|ring|direct)" "$table"
check "the rows for one node are gone" grep -Eq "^allreduce +node +3 +any " "$table"
for algorithm in "1 of 6: tree" "2 of 6: doubling" "3 of 6: direct" "4 of 6: ring" "5 of 6: halving" "6 of 6: nodes"; do
  says_once "^tessera-tune: algorithm $algorithm$"
done
obeys 3 1 "$program" $brief
job 1 "$TESSERA_BUILD_DIR/tools/tessera-tune"
fails
says "usage"

# One unit reports at once that the table cannot be written. No unit crashes, and no file is left.
folder=$(mktemp -d)
mkdir "$folder/table" "$folder/other.tmp"
long=$(printf '%4095s' | tr ' ' x)
for file in "/nowhere/table No such file" "$folder/table Is a directory" "$folder/other Is a directory" "$long name.*too long"; do
  job 3 "$TESSERA_BUILD_DIR/tools/tessera-tune" "${file%% *}" --seconds 5
  fails
  says_once "^tessera-tune: (cannot write|the name)[^:]*(: ${file#* }|has more than [0-9]+ bytes)"
  check "it crashes" eval '! grep -Eqi "signal|TSR-03(12|14|37|99)|tessera-tune: algorithm [2-5]" "$output"'
done
check "a table is left" [ ! -e "$folder/other" ]
rm -r "$folder"
finish
