#!/bin/sh
# OpenSHMEM: static variables that are not symmetric are named, with the reason; and what is symmetric among different programs.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
build=$TESSERA_BUILD_DIR/tests
program=$build/fault/shmem_variables

# together WHAT OTHER: PE 0 runs the program, PE 1 OTHER.
together() {
  job 1 "$program" "$1" : -n 1 env $2 "$1"
}

job 2 "$program" linked
succeeds
says "^stored"
job 2 "$program" thread-local
fails
says "unit 0 TSR-5060 shmem_long_p libvars_first.so"
job 2 "$program" system
fails
says "unit 0 TSR-5061 shmem_long_p libc.so.6 MPI"
job 2 "$program" later "$build/vars/libvars_later.so"
fails
says "unit 0 TSR-5061 shmem_long_p libvars_later.so dlopen"

# Another program, with the same libraries in another order.
for what in linked second; do
  together $what "${program}_order"
  succeeds
  says "TSR-5006"
  says "^stored"
done
together own "${program}_order"
fails
says "unit 0 TSR-5061 shmem_long_p program version"

# The same program, with another version of one library.
together linked "LD_LIBRARY_PATH=$build/vars/other $program"
succeeds
says "^stored"
together second "LD_LIBRARY_PATH=$build/vars/other $program"
fails
says "unit 0 TSR-5061 shmem_long_p libvars_second.so version"
finish
