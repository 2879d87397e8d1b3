#!/bin/sh
# Hosts of their own, for `compare --hosts`. Needs root.
#
#   hosts.sh up N   makes them, says in which folder it keeps them, and takes them down when its input ends
#   hosts.sh clear FOLDER   kills all that runs on them
#   hosts.sh run FOLDER N MPI LAUNCHER RANKS PROGRAM [ARGUMENT...]   runs a program on ranks spread evenly over them
set -u
. "$(dirname "$0")/../tests/support/hosts.sh"

if [ "$1" = up ]; then
  hosts_up "$2"
  echo "$hosts_dir"
  cat >/dev/null
  exit
fi

hosts_dir=$2
if [ "$1" = clear ]; then
  for host in $(cat "$hosts_dir"/h*.pid); do
    pgrep --ns "$host" --nslist net . | grep -vx "$host" | xargs -r kill -9
  done
  exit
fi

hosts_n=$3
TESSERA_MPI=$4
TESSERA_MPIEXEC=$5
shift 5
hosts_run "$@"
