#!/bin/sh
# Hosts in namespaces of this machine, for `compare --hosts`. Needs root.
#
#   hosts.sh up N   makes them, prints their folder, and removes them when its input ends
#   hosts.sh clear FOLDER   kills all processes on them
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
