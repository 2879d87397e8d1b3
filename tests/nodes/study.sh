#!/bin/sh
# The study with the shortest quick run: bench/study finds programs and peers, runs them in turns and writes the report. All of them
# are in soak/study.sh.
set -u
. "$(dirname "$0")/../support/study.sh"
study address-exchange
exit $((failures > 0))
