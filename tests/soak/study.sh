#!/bin/sh
# Each study in small.
set -u
. "$(dirname "$0")/../support/study.sh"
for name in address-exchange gasnet latency-hiding pgas global-arrays; do
  if [ $name = global-arrays ] && [ ! -e "$TESSERA_BUILD_DIR/bench/studies/transpose_ga" ]; then
    echo "$name left out: Global Arrays is not installed"
    continue
  fi
  study $name
done
exit $((failures > 0))
