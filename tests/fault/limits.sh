#!/bin/sh
# What the operating system limits or refuses: the message names that limit, and no other.
set -u
. "$(dirname "$0")/../support/fault.sh"
program=$TESSERA_BUILD_DIR/tests/fault/limits

# meets PATTERN ARGUMENT...: the job of two units ends in order, whatever each could not have.
meets() {
  pattern=$1
  shift
  job 2 "$program" "$@"
  succeeds
  says "$pattern"
}
filter="the kernel or the container's seccomp profile refuses this system call: allow it there"

meets "memfd_create: Function not implemented; $filter" memfd 38
meets "memfd_create: Operation not permitted; $filter" memfd 1
meets "memfd_create: Too many open files; raise this process's limit of open files \(ulimit -n\)" memfd 24
meets "memfd_create: Too many open files in system; raise the system's limit of open files \(sysctl fs.file-max\)" memfd 23
meets "memfd_create: Cannot allocate memory; free memory, or raise the control group's limit \(memory.max\)" memfd 12
meets "ftruncate: File too large; raise the limit of file sizes \(ulimit -f\), or set TESSERA_HEAP_SIZE" size 1024
meets "local socket: Too many open files; .*; raise this process's limit of open files \(ulimit -n\)" files 3

# Each unit has its limit.
job 2 "$program" space 3
succeeds
says "unit 0 .*no address range for the heaps of the node, 2 of 1048576 bytes each: raise the limit of address space \(ulimit -v\)"
says "TESSERA_ERR_MEMORY"
job 2 "$program" space 1024
succeeds
says "out of address space: asked for 1073741824 bytes, .*; raise the limit of address space \(ulimit -v\), into which"
job 2 TESSERA_HEAP_SIZE=64M "$program" none 100
succeeds
says "out of address space: asked for 104857600 bytes, .*; raise TESSERA_HEAP_SIZE"

job 2 "$program" memory
succeeds
says "out of memory: .* that the (machine had available|control group had left) at the start; free something"
check "a variable is named that nobody has set" eval '! grep -q TESSERA_HEAP "$output"'
job 2 TESSERA_HEAP_LIMIT=10M "$program" none 20
succeeds
says "out of memory: .* of 10485760 bytes that TESSERA_HEAP_LIMIT allows; free something, use more nodes, or raise it"

# Debian's MPICH dies without 4.2 MiB for each process there. A /dev/shm of one's own needs the right to mount.
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
  says_once "warning: TSR-[0-9]+ /dev/shm has room for 1024 KiB; MPICH takes about 4300 KiB of it for each process \\(3 on this host\\).*UCX_TLS=.posix"
  job 3 UCX_TLS=^posix "$hello"
  succeeds
  check "a warning without need" eval '! grep -Eq "warning: TSR-[0-9]+ /dev/shm" "$output"'
  TESSERA_MPIEXEC=$real
fi
finish
