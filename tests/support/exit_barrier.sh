#!/bin/sh
# patient.sh UNITS ENDED PROGRAM [ARGUMENT...]: one unit, whose end the launcher does not see before all UNITS have ended. The
# file ENDED gets a line for each.
units=$1 ended=$2
shift 2
"$@"
code=$?
echo "$code" >>"$ended"
while [ "$(wc -l <"$ended")" -lt "$units" ]; do sleep 0.05; done
exit $code
