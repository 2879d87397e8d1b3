#!/bin/sh
# spmv-armci on bad input: one line that names file and line, code 1 on all units, no hang. The same matrix in both
# formats gives the same product.
set -u
program=$TESSERA_BUILD_DIR/examples/spmv-armci/spmv-armci
[ -x "$program" ] || exit 77
. "$(dirname "$0")/../support/fault.sh"
at_once
folder=$(mktemp -d)
trap 'rm -rf "$folder" "$output" "$ended"' EXIT

# refuses PATTERN [UNITS]: a line of the output matches, and the job on the bad file fails by itself.
refuses() {
  job "${2:-1}" "$program" "$folder/bad"
  fails
  says "$1"
}

market() { printf '%%%%MatrixMarket matrix %s\n' "$1" >"$folder/bad" && cat >>"$folder/bad"; }

# boeing LINE TEXT: a valid matrix, 3 x 3 with 4 entries, with TEXT as its line LINE; LINE 0 changes nothing.
boeing() {
  {
    printf '%-72s%-8s\n' "Three by three" "T3"
    printf '%14d%14d%14d%14d%14d\n' 3 1 1 1 0
    printf '%-14s%14d%14d%14d%14d\n' RUA 3 3 4 0
    printf '%-16s%-16s%-20s%-20s\n' "(4I3)" "(4I3)" "(1P,4D10.3)" ""
    echo "  1  3  4  5"
    echo "  1  3  2  3"
    echo " 1.000D+00-2.500D-01       2.0 4.000+001"
  } | awk -v line="$1" -v text="$2" 'NR == line { if (text != "") print text; next } { print }' >"$folder/bad"
}

# sum: what the last job printed as sum of |y|.
sum() { sed -n 's/.*sum of |y| //p' "$output"; }

input=$(dirname "$0")/../../examples/spmv-armci/input
job 3 "$program" "$input/lund_a.rsa"
succeeds
first=$(sum)
job 3 "$program" "$input/lund_a.mtx"
succeeds
check "the sum is not $first as in the other format" [ "$(sum)" = "$first" ]

job 1 "$program" "$folder/missing.rua"
fails
says "missing.rua: cannot open"
job 1 "$program" --generate 10 101
fails
says "NONZEROS needs a whole number from 0 to 100, got '101'"
job 2 "$program" --generate 10 60
succeeds

boeing 0 "" && job 3 "$program" --repeat 1 "$folder/bad"
succeeds
boeing 2 "             3             1" && job 3 "$program" --repeat 1 "$folder/bad"
succeeds
boeing 3 "CUA                        3             3             4" && refuses "bad:3: .*CUA.*real" 3
boeing 3 "RSA                        3             2             4" && refuses "bad:3: .*square"
boeing 3 "RUA                        0             3             4" && refuses "bad:3: rows: .* 1 and"
boeing 4 "(4I3)           (I3,I4)         (4D10.3)" && refuses "bad:4: .*row indices.*I3,I4"
boeing 5 "  2  3  4  5" && refuses "bad:5: .*first one is 2"
boeing 5 "  1  3  2  5" && refuses "bad:5: column starts: .* 3 and 5"
boeing 5 "  1  3  4  4" && refuses "bad:5: .*last one is 4, not 5"
boeing 6 "  1  3  4  3" && refuses "bad:6: row indices: .*4 is not between 1 and 3"
boeing 6 "  1  3" && refuses "bad:6: .*columns 7 to 9"
boeing 7 " 1.000D+00 one" && refuses "bad:7: values: ' one'"
boeing 7 "" && refuses "bad:6: the file ends here, but values"
printf 'x\000\001' >"$folder/bad" && refuses "bad:[01]: "

market "array real general" </dev/null && refuses "bad:1: 'array'" 3
market "coordinate complex general" </dev/null && refuses "bad:1: 'complex'"
market "coordinate real hermitian" </dev/null && refuses "bad:1: 'hermitian'"
printf '2 3 1\n1 1 1\n' | market "coordinate real symmetric" && refuses "bad:2: .*square"
printf '%% a comment\n\n2 2 2\n1 1 1\n3 1 1\n' | market "coordinate real general" && refuses "bad:6: row: 3 is not between"
printf '2 2 2\n1 1 1\n1 2\n' | market "coordinate real general" && refuses "bad:4: 2 words"
printf '2 2 2\n1 1 1\n1 2 nan\n' | market "coordinate real general" && refuses "bad:4: value: 'nan'"
printf '2 2 2\n1 1 1\n' | market "coordinate real general" && refuses "bad:3: the file ends here"
printf '2 3 2\n1 1\n2 3\n' | market "coordinate pattern general" && job 3 "$program" "$folder/bad"
succeeds
finish
