#!/bin/sh
# tessera-plot draws what tessera-perf printed, from the prefix where it is installed, also after that was moved, and by a link. It says
# what is missing.
set -eu
: "${TESSERA_BUILD_DIR:?}" "${TESSERA_MPIEXEC:?}"
work=$(mktemp -d "${TMPDIR:-/tmp}/tessera-plot.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "plot: $*" >&2; exit 1; }

# says CODE WORDS COMMAND...
says() {
  expected=$1 words=$2
  shift 2
  code=0
  output=$("$@" 2>&1) || code=$?
  [ $code -eq "$expected" ] || fail "$*: exit code $code: $output"
  case $output in *"$words"*) ;; *) fail "$*: $output" ;; esac
  echo "ok: $words"
}

cmake --install "$TESSERA_BUILD_DIR" --component Unspecified --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"
bin=$work/prefix/bin
for units in 1 2; do
  RUN_TIMEOUT=60 "$TESSERA_MPIEXEC" -n $units "$bin/tessera-perf" put.blocking --bytes 8,64,512 --seconds 0.001 --reps 3 --json
done >"$work/result.json"
ln -s "$bin/tessera-plot" "$work/linked"

# A PATH of links, first without Python, then without gnuplot.
mkdir "$work/path"
for name in sh dirname readlink; do ln -s "$(command -v $name)" "$work/path"; done
says 1 "python3 is missing" env PATH="$work/path" "$bin/tessera-plot" --help
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/path/python3"
says 1 "gnuplot is missing" env PATH="$work/path" "$bin/tessera-plot" "$work/result.json" --output "$work/pictures"

says 0 "usage: tessera-plot" "$work/linked" --help
says 2 "required: --output" "$bin/tessera-plot" "$work/result.json"
if command -v gnuplot >/dev/null; then
  says 0 "put.blocking-time-2-units.png" "$bin/tessera-plot" "$work/result.json" --output "$work/pictures"
  says 0 "put.blocking-time-2-units.png" "$work/linked" "$work/result.json" "$work/result.json" --output "$work/both"
  for picture in "$work"/pictures/*.png "$work"/both/*.png; do
    [ "$(head -c 4 "$picture" | tail -c 3)" = PNG ] || fail "$picture is no picture"
  done
  [ "$(ls "$work/pictures")" = "$(ls "$work/both")" ] || fail "other pictures of two results"
  says 1 "No such file" "$bin/tessera-plot" "$work/absent.json" --output "$work/none"
  says 1 "has no rows" "$bin/tessera-plot" "$bin/tessera-info" --output "$work/none"
  says 1 "Not a directory" "$bin/tessera-plot" "$work/result.json" --output "$work/result.json/none"
fi
if find "$work/prefix/share/tessera/plot" -name '*pyc*' | grep .; then fail "compiled files are left in the prefix"; fi
