#!/bin/sh
# exit_barrier.sh UNITS ENDED PROGRAM [ARGUMENT...]: runs the program of one unit, and ends when the programs of all UNITS have
# ended, so that the launcher notices no end before. Each adds its exit code to the file ENDED as a line.
units=$1 ended=$2
shift 2
"$@"
code=$?
echo "$code" >>"$ended"
while [ "$(wc -l <"$ended")" -lt "$units" ]; do sleep 0.05; done
exit $code
