#!/bin/sh
# The wire between nodes cannot be had, or fails: every unit that knows says why, with the remedy, and the job ends with an exit code
# that is not zero. With UCX, and with MPI what both have.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/wire
info=$TESSERA_BUILD_DIR/tools/tessera-info
at_once
library=$output.libucp.so
trap 'rm -f "$output" "$ended" "$library"' EXIT
export TESSERA_VIRTUAL_NODES=2
unset TESSERA_NET TESSERA_NET_RMA TESSERA_UCX_RMA TESSERA_UCX_MEMORY TESSERA_UCX_LIBRARY UCX_TLS
export TESSERA_UCX_TLS=tcp,self

# refuses PATTERN: the start fails on each of the three units, and one of them at least says why.
refuses() {
  fails
  says "$1"
  check "not 3 units are refused" [ "$(grep -c "^refused: " "$output")" -eq 3 ]
}
# dies PATTERN: one message, and the job ends.
dies() {
  fails
  says_once "$1"
}

# What both wires say of messages that cannot be Tessera's. The units serve themselves: no other thread sends meanwhile.
messages() {
  export TESSERA_NET="$1" TESSERA_PROGRESS=none
  job 2 "$program" shorter
  dies "TSR-0329 TSR-0215 1 65535 100 shorter"
  job 2 "$program" longer
  dies "TSR-0329 TSR-0215 1 65535 8 longer"
  job 2 "$program" foreign
  dies "TSR-0329 TSR-0219 200 1"
  job 2 "$program" foreign-acks
  dies "TSR-0329 TSR-0202 20 1"
  unset TESSERA_NET TESSERA_PROGRESS
}

# Values. A wrong one is ignored with a warning, like that of any variable.
job 3 TESSERA_NET=maybe "$program" all
succeeds
says_once "TSR-0002 TESSERA_NET=maybe auto mpi ucx"
if [ ! -d /sys/class/infiniband ]; then
  job 2 TESSERA_NET=auto "$program" all
  succeeds
  job 1 TESSERA_NET=auto "$info"
  says "^network  mpi: .*/sys/class/infiniband"
fi
messages mpi

# A build without UCX says so, and has no more to test.
job 3 TESSERA_NET=ucx "$program" all
if grep -q TSR-0234 "$output"; then
  refuses "TSR-0234 TESSERA_NET=ucx libucx-dev TESSERA_NET=mpi"
  finish
fi
if grep -q TSR-0244 "$output"; then
  refuses "TSR-0244 TESSERA_NET=ucx libucx0 TESSERA_UCX_LIBRARY TESSERA_NET=mpi"
  finish
fi
succeeds
messages ucx
job 2 TESSERA_NET=ucx TESSERA_PROGRESS=none "$program" foreign-long
dies "TSR-0329 TSR-0248 1048576 1"

# Units that want different things.
job 2 TESSERA_NET=ucx "$program" all : -n 1 env TESSERA_NET=mpi "$program" all
refuses "unit 2 TSR-0235 mpi TESSERA_NET"
says "unit 0 TSR-0235 ucx TESSERA_NET"
job 3 TESSERA_NET=ucx TESSERA_NET_RMA=mpi3 "$program" all
refuses "TSR-0236 TESSERA_NET=ucx TESSERA_NET_RMA=mpi3"
job 1 TESSERA_NET=ucx TESSERA_NET_RMA=mpi3 "$program" all : -n 2 env TESSERA_NET=ucx "$program" all
refuses "unit 0 TSR-0221 TESSERA_NET_RMA"

# One-sided operations: of a transport that needs the target, of heaps that UCX cannot allocate, on some units only.
job 3 TESSERA_NET=ucx TESSERA_UCX_RMA=maybe "$program" all
succeeds
says_once "TSR-0002 TESSERA_UCX_RMA=maybe auto on off"
job 3 TESSERA_NET=ucx TESSERA_UCX_RMA=on "$program" all
refuses "TSR-0263 TESSERA_UCX_RMA=on probe TESSERA_UCX_TLS"
job 3 TESSERA_NET=ucx TESSERA_UCX_RMA=on TESSERA_UCX_MEMORY=test TESSERA_UCX_TLS=sysv,self "$program" all
refuses "TSR-0263 TESSERA_UCX_RMA=on TESSERA_UCX_MEMORY=test"
job 2 TESSERA_NET=ucx TESSERA_UCX_RMA=on "$program" all : -n 1 env TESSERA_NET=ucx "$program" all
refuses "TSR-0264 TESSERA_UCX_RMA"

# Libraries: none, none on one unit, one that is no UCX, one that is too old, one that lacks a function.
export TESSERA_NET=ucx
job 3 TESSERA_UCX_LIBRARY=libnone.so "$program" all
refuses "TSR-0244 libnone.so libucx0 TESSERA_UCX_LIBRARY TESSERA_NET=mpi"
job 1 TESSERA_UCX_LIBRARY=libnone.so "$program" all : -n 2 "$program" all
refuses "unit 0 TSR-0244 libnone.so"

# fake VERSION LACKING: a library with the functions of UCX but one, which says that it has this version.
functions=$(grep -o 'ROW([a-z_]*)' "$(dirname "$0")/../../src/net/ucx/library.h" | sed -n 's/ROW(\(u[a-z_]*\))/\1/p')
fake() {
  {
    for function in $functions; do
      case $function in
      "$2") ;;
      ucp_get_version) echo "void $function(unsigned *a, unsigned *b, unsigned *c) { *a = ${1%.*}, *b = ${1#*.}, *c = 0; }" ;;
      *) echo "void $function(void) {}" ;;
      esac
    done
  } | "${CC:-cc}" -shared -fPIC -x c -o "$library" - || exit 1
  job 3 TESSERA_UCX_LIBRARY="$library" "$program" all
}
fake 1.12 ucp_get_version
refuses "TSR-0253 ${library#/} ucp_get_version TESSERA_UCX_LIBRARY"
fake 1.11 none
refuses "TSR-0245 ${library#/} 1.11 1.12"
fake 2.0 none
refuses "TSR-0245 ${library#/} 2.0 1.12"
fake 1.30 ucp_am_send_nbx
refuses "TSR-0245 ${library#/} 1.30 ucp_am_send_nbx 1.12"

# TESSERA_NET=auto on a host with an active device for verbs, as far as /sys says (as root only): the wire is UCX, or MPI where UCX
# cannot be used on some units or on all, or where a host has no such device.
if [ ! -d /sys/class/infiniband ] && unshare -m mount -t tmpfs none /sys/class 2>/dev/null; then
  mpiexec=$TESSERA_MPIEXEC
  fake_mpiexec=$output.mpiexec
  trap 'rm -f "$output" "$ended" "$library" "$fake_mpiexec" "$fake_mpiexec.mounts"' EXIT
  cat >"$fake_mpiexec" <<EOF
#!/bin/sh
exec unshare -m "$fake_mpiexec.mounts" "$mpiexec" "\$@"
EOF
  # UCX finds the interfaces of TCP beside it.
  cat >"$fake_mpiexec.mounts" <<"EOF"
#!/bin/sh
port=/sys/class/infiniband/fake0/ports/1
sys=$(mktemp -d) && mount --rbind /sys "$sys" && mount -t tmpfs none /sys/class && mkdir -p /sys/class/net $port &&
  mount --bind "$sys/class/net" /sys/class/net && echo "4: ACTIVE" >$port/state && umount -l "$sys" && rmdir "$sys" && exec "$@"
EOF
  chmod +x "$fake_mpiexec" "$fake_mpiexec.mounts"
  export TESSERA_NET=auto
  TESSERA_MPIEXEC=$fake_mpiexec
  job 1 "$info"
  says "^network  ucx: there is an active device for verbs"
  job 3 "$program" all
  succeeds
  check "UCX was not used" [ "$(grep -c TSR-0267 "$output")" -eq 0 ]
  job 3 TESSERA_UCX_TLS=nothing "$program" all
  succeeds
  says_once "unit 0 TSR-0267 TESSERA_NET=mpi"
  job 2 "$program" all : -n 1 env TESSERA_UCX_TLS=nothing "$program" all
  succeeds
  says_once "unit 0 TSR-0267 TESSERA_NET=mpi"
  job 2 "$program" all : -n 1 unshare -m sh -c 'umount -l /sys/class && exec "$0" all' "$program"
  succeeds
  job 2 TESSERA_NET=ucx "$program" all : -n 1 env TESSERA_UCX_TLS=nothing "$program" all
  refuses "TSR-0237 ucp_init UCX_TLS=nothing TESSERA_NET=mpi"
  TESSERA_MPIEXEC=$mpiexec
  export TESSERA_NET=ucx
fi

# Transports that do not exist, or reach no other node.
job 3 TESSERA_UCX_TLS=nothing "$program" all
refuses "TSR-0237 ucp_init UCX_TLS=nothing TESSERA_NET=mpi"
job 3 TESSERA_UCX_TLS=self "$program" all
fails
says "TSR-0329 TSR-0241 rank [02] UCX_TLS=self TESSERA_NET=mpi"

# Too few descriptors: a soft limit is raised, and of another one the job is warned.
export TESSERA_VIRTUAL_NODES=6
job 6 sh -c 'ulimit -S -n 50 && exec "$0" all' "$program"
succeeds
check "a message without need" [ -z "$(grep tessera "$output")" ]
job 6 sh -c 'ulimit -n 80 && exec "$0" all' "$program"
says_once "TSR-0254 TESSERA_NET=ucx 80 ulimit TESSERA_NET=mpi"

# A unit has none for one more connection, whether it connects or is connected to: a barrier does not join these two. Units that
# wait learn of it, whichever thread polls for them. UCX 1.13 may end a process by an assertion when it is not let in.
for progress in none thread; do
  job 6 TESSERA_PROGRESS=$progress "$program" own-files
  fails
  says "unit 3 TSR-0329 TSR-0241 rank 0 ulimit"
  job 6 TESSERA_PROGRESS=$progress "$program" their-files
  fails
  says "unit 3 TSR-(0329 TSR-0243 rank 0 ulimit|0399 SIGABRT)"
done
finish
