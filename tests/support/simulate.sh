# For scripts that compare the model of the collectives with simulated nodes. Their variables: bench, said; their
# function: fail.

# simulate NODES,...: every algorithm between leaders gives the right result there, in the time that the model says.
# Where their number is no power of two, some begin before others, which the model does not know.
simulate() {
  "$bench/scale-model" check "$bench/scale/measured.rows" --simulate "$1" >"$said" 2>&1 || fail "simulated nodes failed"
  for nodes in $(echo "$1" | tr , ' '); do
    [ "$(grep -c " $nodes simulated nodes" "$said")" -ge 11 ] || fail "few results of $nodes simulated nodes"
  done
  awk '/ simulated nodes / {
    for (i = 1; i <= NF; i++) if ($i == "simulated") n = $(i - 1)
    while (n > 1 && n % 2 == 0) n /= 2
    room = n == 1 ? 1.1 : 1.35
    if ($NF > room || $NF * room < 1) { print; wrong = 1 }
  } END { exit wrong }' "$said" || fail "the model is far from simulated nodes"
}
