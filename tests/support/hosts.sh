# Hosts of their own on one machine: network, host name, shared memory and boot id. For scripts of tests/nodes, which
# source this file. Needs root; without the right to make namespaces the test is skipped.
#
#   hosts_up N            makes hosts h1 to hN, joined by a bridge; they go when the script ends
#   hosts_run UNITS PROGRAM [ARGUMENT...]   runs a program on units spread evenly over them, block by block; one by one if
#                         HOSTS_IN_TURNS=1
#   hosts_link HOST up|down   the network of that host
#   hosts_fail TEXT       says what is wrong, shows the end of $hosts_dir/output, and counts in $failures
#   hosts_bytes           bytes that have gone over the network of the first of them so far
#   hosts_carry UNITS [VARIABLE=VALUE...]   moves a known number of bytes between two halves of the units, and fails when it
#                         goes wrong or the interfaces of the first half have not carried so many, in and out; says what in
#                         the file $hosts_dir/output. The hosts and the units are even in number
hosts_dir=
failures=0

hosts_skip() {
  echo "skipped: $1"
  exit 77
}

hosts_fail() {
  echo "$1:"
  tail -n 40 "$hosts_dir/output" | sed 's/^/  /'
  failures=$((failures + 1))
}

hosts_down() {
  [ -n "$hosts_dir" ] || return 0
  for file in "$hosts_dir"/*.pid; do
    kill -9 "$(cat "$file")" 2>/dev/null
  done
  rm -rf "$hosts_dir"
}

# The network lives in a namespace of its own: programs outside, whose MPI looks through all interfaces of the machine
# when it starts, must not see these come and go.
hosts_switch='ip link add bridge type bridge && ip link set bridge up'

# What a host does first of all: it has a place of its own for everything by which programs recognise their host. TCP is as on a
# fresh Debian: the machine may have another congestion control, such as bbr, which sends by the clock.
hosts_setup='
  { echo cubic >/proc/sys/net/ipv4/tcp_congestion_control || true; } 2>/dev/null
  hostname "$1" &&
  mount -t tmpfs tmpfs /dev/shm &&
  mount --bind "$2/hosts" /etc/hosts &&
  mount --bind "$2/$1.boot" /proc/sys/kernel/random/boot_id &&
  ip link set lo up'

# hosts_start NAME SETUP OPTION...: a process in the namespaces that these options of unshare name; it has done SETUP.
hosts_start() {
  name=$1
  setup="$2 && touch \"\$2/\$1.ready\" && exec sleep 100000"
  shift 2
  unshare "$@" sh -c "$setup" sh "$name" "$hosts_dir" </dev/null >"$hosts_dir/$name.log" 2>&1 &
  echo $! >"$hosts_dir/$name.pid"
  while kill -0 $! 2>/dev/null && [ ! -e "$hosts_dir/$name.ready" ]; do sleep 0.05; done
  [ -e "$hosts_dir/$name.ready" ] || hosts_skip "no $name of its own could be made: $(cat "$hosts_dir/$name.log")"
}

# hosts_ip NAME ARGUMENT...: `ip` in the network of that host, or of the switch.
hosts_ip() {
  pid=$(cat "$hosts_dir/$1.pid")
  shift
  nsenter -t "$pid" -n ip "$@"
}

# While the link is down, the kernel records that the address of the other host cannot be resolved. Without the flush
# this result would still be used for seconds after the link is up.
hosts_link() {
  hosts_ip switch link set "to-$1" "$2"
  [ "$2" = down ] || for i in $(seq "$hosts_n"); do hosts_ip "h$i" neigh flush dev eth0; done
}

hosts_make() {
  name=h$1
  address=10.0.0.$1
  echo "$address $name" >>"$hosts_dir/hosts"
  cat /proc/sys/kernel/random/uuid >"$hosts_dir/$name.boot"
  hosts_start "$name" "$hosts_setup" --net --uts --ipc --mount --propagation private
  hosts_ip switch link add "to-$name" type veth peer name eth0 netns "$(cat "$hosts_dir/$name.pid")" &&
    hosts_ip switch link set "to-$name" master bridge up &&
    hosts_ip "$name" addr add "$address/24" dev eth0 &&
    hosts_ip "$name" link set eth0 up || hosts_skip "no network between hosts could be made"
}

hosts_up() {
  hosts_n=$1
  [ "$(id -u)" -eq 0 ] || hosts_skip "only root can make hosts"
  command -v ip nsenter unshare >/dev/null || hosts_skip "ip, nsenter or unshare is missing"
  hosts_dir=$(mktemp -d)
  export OMPI_MCA_orte_tmpdir_base="$hosts_dir" # as in scripts/mpirun
  trap hosts_down EXIT
  trap 'exit 1' INT TERM
  echo "127.0.0.1 localhost" >"$hosts_dir/hosts"
  hosts_start switch "$hosts_switch" --net
  for i in $(seq "$hosts_n"); do hosts_make "$i"; done
  # What the launchers start on another host instead of ssh: options, the host's name, then a command for a shell.
  cat >"$hosts_dir/agent" <<EOF
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
name=\$1
shift
exec nsenter -t "\$(cat "$hosts_dir/\$name.pid")" -n -u -i -m --wd="\$PWD" sh -c "\$*"
EOF
  chmod +x "$hosts_dir/agent"
}

hosts_run() {
  units=$1
  shift
  each=$(((units + hosts_n - 1) / hosts_n)) by=slot
  list=
  if [ "${HOSTS_IN_TURNS:-0}" = 1 ]; then by=node; fi
  if [ "$TESSERA_MPI$by" = mpichnode ]; then each=1; fi # it starts again at the first when all are full
  for i in $(seq "$hosts_n"); do list=$list,h$i:$each; done
  # The launcher runs on the first host itself.
  case $TESSERA_MPI in
  mpich)
    set -- -launcher ssh -launcher-exec "$hosts_dir/agent" -hosts "${list#,}" -n "$units" "$@"
    ;;
  openmpi)
    set -- --host "${list#,}" --mca plm_rsh_agent "$hosts_dir/agent" --mca oob_tcp_if_include "10.0.0.0/24" \
      --mca btl_tcp_if_include "10.0.0.0/24" --map-by "$by" -n "$units" "$@"
    ;;
  esac
  nsenter -t "$(cat "$hosts_dir/h1.pid")" -n -u -i -m --wd="$PWD" "$TESSERA_MPIEXEC" "$@"
}

# hosts_count FIELDS HOST...: the sum of these fields of the interfaces' counters; $2: bytes in, $10: bytes out.
hosts_count() {
  fields=$1
  shift
  for host in "$@"; do cat "/proc/$(cat "$hosts_dir/$host.pid")/net/dev"; done |
    awk '$1 == "eth0:" { sum += '"$fields"' } END { printf "%.0f\n", sum }'
}
hosts_bytes() { hosts_count '$2 + $10' h1; }

hosts_carry() {
  units=$1
  shift
  half=$(seq -f h%g $((hosts_n / 2)))
  in=$(hosts_count '$2' $half) out=$(hosts_count '$10' $half)
  hosts_run "$units" env "$@" "$TESSERA_BUILD_DIR/tests/nodes/carry" >"$hosts_dir/output" 2>&1 || return 1
  in=$(($(hosts_count '$2' $half) - in)) out=$(($(hosts_count '$10' $half) - out))
  known=$(sed -n 's/^carried \([0-9]*\) bytes each way$/\1/p' "$hosts_dir/output")
  echo "the network carried $in bytes in and $out bytes out of at least ${known:-?}" >>"$hosts_dir/output"
  [ "${known:-0}" -gt 0 ] && [ "$in" -ge "$known" ] && [ "$out" -ge "$known" ]
}
