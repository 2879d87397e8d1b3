#!/bin/sh
# Below an error stands where the program has made the call: the line, from debug information, or else the function; without libdw an
# address that addr2line takes. There is nothing for a stripped program.
set -u
. "$(dirname "$0")/../support/fault.sh"
at_once
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT
program=$TESSERA_BUILD_DIR/tests/fault/shmem_caller
ldconfig -p | grep -q 'libdw\.so\.1 ' || {
  echo "skipped: no libdw"
  exit 77
}

# called NUMBER WHERE: this error is printed, and a line that says this, a pattern
called() {
  says "TSR-$1"
  check "no line says 'called $2'" grep -Eq "^\[tessera unit [01] @[^ ]*\] called $2\$" "$output"
}
line() { sed -n 's/^line //p' "$output" | head -n 1; }
no_caller() { ! grep -q '\] called ' "$output"; }

job 1 "$program" ordinary
succeeds
called 0370 "at .*/shmem_caller\\.c:$(line) in ordinary_call"
job 1 "$program" callback
succeeds
called 0370 "at .*/shmem_caller\\.c:$(line) in compare"
job 2 "$program" header
fails
called 5010 "at .*/shmem_caller\\.c:$(line) in function_of_header"

# As sanitizers do: a function with debug information stands between the library and backtrace.
"${CC:-cc}" -g -shared -fPIC -x c -o "$folder/between.so" - <<"END" || exit 1
#define _GNU_SOURCE
#include <dlfcn.h>
int backtrace(void **calls, int n) {
  int found = ((int (*)(void **, int))dlsym(RTLD_NEXT, "backtrace"))(calls, n);
  return found + !found; /* no jump: this function has a frame */
}
END
job 1 LD_PRELOAD="$folder/between.so" "$program" ordinary
succeeds
called 0370 "at .*/shmem_caller\\.c:$(line) in ordinary_call"

cp "$program" "$folder/program"
strip -g "$folder/program"
job 1 "$folder/program" ordinary
called 0370 "in ordinary_call of .*/program"
strip "$folder/program"
job 1 "$folder/program" ordinary
says "TSR-0370"
check "a stripped program has a caller" no_caller

echo 'void none(void) {}' | "${CC:-cc}" -shared -fPIC -x c -o "$folder/libdw.so.1" - || exit 1
job 1 LD_LIBRARY_PATH="$folder${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" "$program" ordinary
called 0370 "at 0x[0-9a-f]+ of .*/shmem_caller"
address=$(sed -n 's/.*\] called at \(0x[0-9a-f]*\) of .*/\1/p' "$output")
found=$(addr2line -e "$program" "$address")
check "addr2line finds $found, not line $(line)" [ "${found##*:}" = "$(line)" ]
finish
