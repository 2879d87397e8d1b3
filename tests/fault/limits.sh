#!/bin/sh
# Limits of the operating system, and calls that it rejects: the message names the limit, and no other.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/limits

# meets PATTERN ARGUMENT...: the job of two units ends normally although something failed.
meets() {
  pattern=$1
  shift
  job 2 "$program" "$@"
  succeeds
  says "$pattern"
}

meets "TSR-0103 memfd_create seccomp" memfd 38
meets "TSR-0103 memfd_create seccomp" memfd 1
meets "TSR-0103 memfd_create ulimit.-n" memfd 24
meets "TSR-0103 memfd_create fs.file-max" memfd 23
meets "TSR-0103 memfd_create memory.max" memfd 12
meets "TSR-0104 ulimit.-f TESSERA_HEAP_SIZE" size 1024
meets "TSR-0110 ulimit.-n" files 3

# Each unit has its own limit.
job 2 "$program" space 3
succeeds
says "unit 0 TSR-0317 2 1048576 ulimit.-v"
says "TESSERA_ERR_MEMORY"
job 2 "$program" space 1024
succeeds
says "TSR-0109 1073741824 ulimit.-v"
job 2 TESSERA_HEAP_SIZE=64M "$program" none 100
succeeds
says "TSR-0109 104857600 TESSERA_HEAP_SIZE"

job 2 "$program" memory
succeeds
says "TSR-0107 (machine|control)"
check "the message names a variable that is not set" eval '! grep -q TESSERA_HEAP "$output"'
job 2 TESSERA_HEAP_LIMIT=10M "$program" none 20
succeeds
says "TSR-0107 10485760 TESSERA_HEAP_LIMIT"

# Debian's MPICH dies without 4.2 MiB for each process in /dev/shm. A separate /dev/shm needs the right to mount.
hello=$TESSERA_BUILD_DIR/examples/hello/hello
small='mount -t tmpfs -o size=1m tmpfs /dev/shm'
if [ "$TESSERA_MPI" = mpich ] && unshare -m sh -c "$small" 2>/dev/null; then
  launcher=$output.launcher real=$TESSERA_MPIEXEC
  trap 'rm -f "$output" "$ended" "$launcher"' EXIT
  printf '#!/bin/sh\nexec unshare -m sh -c '\''%s && exec "$0" "$@"'\'' %s "$@"\n' "$small" "$real" >"$launcher"
  chmod +x "$launcher"
  TESSERA_MPIEXEC=$launcher
  job 3 "$hello"
  fails
  says_once "TSR-0320 1024 MPICH 4300 3 UCX_TLS=.posix"
  job 3 UCX_TLS=^posix "$hello"
  succeeds
  check "a warning without need" eval '! grep -q TSR-0320 "$output"'
  TESSERA_MPIEXEC=$real
fi
finish
