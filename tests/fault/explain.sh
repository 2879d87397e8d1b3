#!/bin/sh
# tessera-info --explain: the wire between nodes and the reason, the UCX that would be opened, settings, devices, and what to
# set; without a UCX that is wanted it fails.
set -u
. "$(dirname "$0")/../support/fault.sh"
info=$TESSERA_BUILD_DIR/tools/tessera-info
unset TESSERA_BUILD_DIR TESSERA_MPIEXEC TESSERA_MPI # the library would not know them
for name in $(env | sed -n 's/^\(UCX_[A-Z_]*\|TESSERA_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done

# explain [VARIABLE=VALUE...]
explain() {
  job="--explain $*"
  code=0
  env "$@" "$info" --explain >"$output" 2>&1 || code=$?
}

explain A=a
succeeds
says "^wire +(mpi|ucx): "
says "^MPI +(MPICH|Open MPI)"
says "^settings none"
says "^devices +[a-z0-9]"
has_ucx=
grep -Eq "^UCX +[0-9]+\.[0-9]+\.[0-9]+, /" "$output" && has_ucx=yes

explain TESSERA_NET=mpi UCX_TLS=tcp TESSERA_UCX_TLS=tcp,self TESSERA_NETWORK=1
succeeds
says "^wire +mpi: TESSERA_NET"
says "^puts +requests"
says "^(settings)? +TESSERA_NET=mpi$"
says "^(settings)? +UCX_TLS=tcp$"
says "^(settings)? +TESSERA_UCX_TLS=tcp,self$"
check "another setting" [ "$(count "^(settings)? +TESSERA_NETWORK")" -eq 0 ]
[ -z "$has_ucx" ] || says "^  TESSERA_NET=ucx "
says "^MPI uses +devices by [A-Z]"
if [ -n "$has_ucx" ]; then
  says "^(UCX uses)? +UCX_NET_DEVICES=all \(default\)$"
  says "^(UCX uses)? +UCX_TLS=tcp,self, by TESSERA_UCX_TLS$"
  says "^(UCX has)? +[^ ]+: tcp$"
  explain UCX_NET_DEVICES=lo UCX_TLS=tcp
  succeeds
  says "^(UCX uses)? +UCX_NET_DEVICES=lo, by UCX_NET_DEVICES$"
  says "^UCX has +lo: tcp$"
  explain TESSERA_UCX_NET_DEVICES=nowhere0 UCX_TLS=tcp
  succeeds
  says "^UCX has +none: .*; name others in UCX_NET_DEVICES and UCX_TLS$"
  explain TESSERA_NET=ucx TESSERA_UCX_NET_DEVICES=nowhere0 UCX_TLS=tcp
  fails
  says "^tessera-info: --explain: .*TESSERA_UCX_NET_DEVICES.*TESSERA_NET=mpi"
fi

explain TESSERA_NET=ucx TESSERA_UCX_LIBRARY=/nowhere/libucp.so
fails
says "^wire +ucx: TESSERA_NET"
says "^tessera-info: --explain: .*TESSERA_NET=mpi.*TESSERA_UCX_LIBRARY"
if [ -n "$has_ucx" ]; then
  says "^UCX +cannot be opened: .*/nowhere/libucp.so"
  explain TESSERA_NET=ucx TESSERA_UCX_LIBRARY=libc.so.6
  fails
  says "^UCX +cannot be opened: "
  explain TESSERA_NET=ucx TESSERA_UCX_RMA=on
  succeeds
  says "^puts +one-sided: TESSERA_UCX_RMA=on"
  explain TESSERA_NET=ucx TESSERA_UCX_RMA=off
  succeeds
  says "^puts +requests: TESSERA_UCX_RMA=off"
  explain TESSERA_NET=ucx
  succeeds
  says "^puts +requests: TESSERA_UCX_RMA=off"
  explain TESSERA_NET=ucx TESSERA_UCX_RMA=auto
  succeeds
  [ -d /sys/class/infiniband ] || says "^puts +requests: there is no active device for verbs"
  says "^  TESSERA_NET=mpi "
fi

# Devices as the kernel lists them, in a namespace with a list of its own.
devices='mount -t tmpfs tmpfs /sys/class && cd /sys/class && mkdir -p infiniband/mlx5_0/ports/1 && cd infiniband/mlx5_0/ports/1 &&
  echo InfiniBand >link_layer && echo "200 Gb/sec (4X HDR)" >rate && echo "$2" >state && exec "$1" --explain'
if [ "$(id -u)" -eq 0 ] && unshare --mount mount -t tmpfs tmpfs /sys/class 2>/dev/null; then
  job="--explain with a device for verbs that is down"
  code=0
  unshare --mount sh -c "$devices" sh "$info" "1: DOWN" >"$output" 2>&1 || code=$?
  succeeds
  says "^wire +mpi: there is no active device for verbs"
  job="--explain with a device for verbs"
  unshare --mount sh -c "$devices" sh "$info" "4: ACTIVE" >"$output" 2>&1 || code=$?
  succeeds
  says "^devices +mlx5_0 port 1: InfiniBand, 200 Gb/sec \(4X HDR\), 4: ACTIVE$"
  [ -n "$has_ucx" ] && says "^wire +ucx: there is an active device for verbs" || says "^wire +mpi: UCX cannot be opened"
else
  echo "explain: no devices of our own: not root, or no namespaces"
fi
finish
