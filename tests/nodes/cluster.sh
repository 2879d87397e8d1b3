#!/bin/sh
# bench/cluster between two hosts, in an allocation of Slurm, whose srun is a stand-in: a report with figures of both wires
# and of the MPI alone, and with what failed. By a host file, with all works and stages: tests/soak/cluster.sh.
set -u
. "$(dirname "$0")/../support/hosts.sh"
command -v python3 >/dev/null || hosts_skip "python3 is missing"
bench=$(cd "$(dirname "$0")/../../bench" && pwd)
build=$TESSERA_BUILD_DIR
failures=0
hosts_up 2
report=$hosts_dir/report
said=$hosts_dir/said

fail() {
  echo "cluster: $1:"
  cat "$said" "$report/report.md" 2>/dev/null
  failures=$((failures + 1))
}

# Jobs come to the other host by the agent, whichever way they are started.
case $TESSERA_MPI in
mpich) launcher="$TESSERA_MPIEXEC -launcher ssh -launcher-exec $hosts_dir/agent" hosts_option=-hosts ;;
openmpi)
  launcher="$TESSERA_MPIEXEC --mca plm_rsh_agent $hosts_dir/agent --mca oob_tcp_if_include 10.0.0.0/24"
  launcher="$launcher --mca btl_tcp_if_include 10.0.0.0/24" hosts_option=--host
  ;;
esac

# run NAME=VALUE... bench/cluster OPTION...: on the first host. The library would warn of TESSERA_ names that it does not
# know.
run() {
  rm -rf "$report"
  nsenter -t "$(cat "$hosts_dir/h1.pid")" -n -u -i -m --wd="$PWD" \
    env -u TESSERA_MPIEXEC -u TESSERA_MPI -u TESSERA_BUILD_DIR TESSERA_UCX_TLS=tcp,self "$@" \
    --build "$build" --output "$report" --stages "$stages" --cores 2 --bind none --works "$works" --bytes 64 \
    --seconds 0.001 --reps 1 --rounds 1 --timeout 60 --minutes 10 >"$said" 2>&1 || fail "failed"
}

# has PATTERN: a line of the report matches.
has() { grep -Eq "$1" "$report/report.md" || fail "no line matches '$1'"; }

# A figure of the MPI alone, of each wire that the build has, and ratios.
number='[0-9][^|]*'
ucx=$number
"$build/tools/tessera-info" --explain | grep -q "^UCX .*built without" && ucx='–'
check_report() {
  has "^## 2 nodes, 1 unit each, $TESSERA_MPI"
  has "^\| trip.get +\| [a-z]* +\| 64 \| $number \| $number \| $number \| $ucx \| $ucx \|"
  has "^\| 2 nodes, 1 unit each \| $TESSERA_MPI \| $number \| $number \| $number \| $ucx \|" # start-up
  has "^\| 2 nodes, 1 unit each \| $TESSERA_MPI \| mpi \| [0-9]+ \| [0-9]+ \| [0-9-]+ \| [0-9]+ \|" # memory
  has "^\| 2 nodes \| h1, h2 \|"
  has "^    wire +(mpi|ucx): "
  has "^ +[0-9]+ x .*tessera-perf trip(.get)? .*--target 1"
}

# As srun, as far as it is used: a plugin is missing, the next one works.
mkdir "$hosts_dir/bin"
cat >"$hosts_dir/bin/srun" <<END
#!/bin/sh
echo "\$*" >>"$hosts_dir/srun.calls"
while [ "\${1#-}" != "\$1" ]; do
  case \$1 in
  --mpi=pmi2)
    echo "srun: error: Couldn't find the specified plugin name for mpi/pmi2" >&2
    exit 1
    ;;
  --nodes=*) nodes=\${1#*=} ;;
  --ntasks=*) units=\${1#*=} ;;
  --ntasks-per-node=*) each=\${1#*=} ;;
  esac
  shift
done
unset SLURM_JOB_ID SLURM_JOB_NODELIST SLURM_JOB_NUM_NODES SLURM_JOB_CPUS_PER_NODE
list=h1:\$each
[ "\$nodes" -eq 1 ] || list=\$list,h2:\$each
exec $launcher $hosts_option "\$list" -n "\$units" "\$@"
END
printf '#!/bin/sh\nprintf "h1\\nh2\\n"\n' >"$hosts_dir/bin/scontrol"
chmod +x "$hosts_dir/bin/srun" "$hosts_dir/bin/scontrol"

# A work that fails is reported with its last lines, and the others go on.
stages=2x1 works=no-such-work,trip.get
run "PATH=$hosts_dir/bin:$PATH" SLURM_JOB_ID=7 "SLURM_JOB_NODELIST=h[1-2]" SLURM_JOB_NUM_NODES=2 \
  "SLURM_JOB_CPUS_PER_NODE=2(x2)" "$bench/cluster"
check_report
grep -q -e "--mpi=pmix --nodes=2 --ntasks=2 --ntasks-per-node=1 " "$hosts_dir/srun.calls" ||
  fail "srun was called otherwise"
[ "$TESSERA_MPI" = openmpi ] || has "^    \| srun: error: .*pmi2"
for side in peer mpi; do has "^### 2 nodes, 1 unit each, $TESSERA_MPI, $side: no-such-work"; done
has "^    \| .*no-such-work: unknown work"

[ "$(basename "$(dirname "$0")")" = soak ] || exit $((failures > 0))
printf '# two hosts\nh1 slots=2\nh2:2\n' >"$hosts_dir/file"
stages=2x1,2xall works=trip,put.blocking,get.blocking,atomic.fetch_add,p2p,stream,pieces,busy-target,coll
run "$bench/cluster" --hosts "$hosts_dir/file" --launcher "$TESSERA_MPI=$launcher"
check_report
has "^## 2 nodes, 2 units each, $TESSERA_MPI"
[ "$ucx" = '–' ] || has "^## What failed \(0\)"
[ -z "${CLUSTER_REPORT:-}" ] || cp "$report/report.md" "$CLUSTER_REPORT"
exit $((failures > 0))
