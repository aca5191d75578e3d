# Sourced after lib.sh by scripts that start several nodes, each a process of its own.
# $data is the folder of their folders; the first one's gossip port, $peer, is everybody's.
declare -A pid api fast durable

# start_node NAME ROLE OPTION...: its data is in $data/NAME; the first one is everybody's peer.
start_node() {
  local name=$1 role=$2 api_port fast_port durable_port
  free_port api_port
  free_port fast_port
  free_port durable_port
  [ -n "${peer:-}" ] || { free_port peer && set -- "$@" --gossip-port "$peer"; }
  local ports=(--api-port "$api_port" --peer "127.0.0.1:$peer")
  [ "$role" = store ] || ports+=(--fast-port "$fast_port" --durable-port "$durable_port" --bulk-port 0)
  case " $* " in *--gossip-port*) ;; *) ports+=(--gossip-port 0) ;; esac
  # shellcheck disable=SC2086 # options are words
  CORDWOOD_JAVA_OPTS="$small_machine ${CORDWOOD_JAVA_OPTS-}" "$root/cordwood" "$role" --data "$data/$name" --bind 127.0.0.1 "${ports[@]}" "${@:3}" \
    ${SERVER_OPTIONS:-} >>"$work/$name.log" 2>&1 &
  pid[$name]=$!
  api[$name]=$api_port
  fast[$name]=$fast_port
  durable[$name]=$durable_port
}

stop_node() { # NAME
  kill "${pid[$1]}" || fail "$1 ended by itself"
  eventually_gone "${pid[$1]}" || fail "$1 did not end within 30 s of SIGTERM"
  wait "${pid[$1]}" || true
  unset "pid[$1]" "api[$1]" "fast[$1]" "durable[$1]"
}

# metrics_of NAME: its metrics as text.
metrics_of() { curl -sS -f --max-time 30 "http://127.0.0.1:${api[$1]}/metrics" 2>>"$work/curl.log"; }

value_of() { # NAME METRIC [LABEL]
  metrics_of "$1" | awk -v name="$2" -v label="${3:-}" '
    {key = $1; sub(/\{.*/, "", key)}
    key == name && index($0, label) {sum += $NF}
    END {printf "%.0f\n", sum}'
}

# members NAME ROLE COUNT: whether the node knows so many of that role.
members() { [ "$(value_of "$1" cordwood_cluster_members "role=\"$2\"")" = "$3" ] 2>/dev/null; }

stop_nodes() {
  kill "${pid[@]}" || fail "a node ended by itself"
  for name in "${!pid[@]}"; do
    eventually_gone "${pid[$name]}" || fail "$name did not end within 30 s of SIGTERM"
  done
  wait "${pid[@]}" || true
  pid=() api=() fast=() durable=()
  rm -rf "$data"
}

# send_piece N INGEST: the Nth of the $pieces pieces that the corpus is cut into, again from the first after the last.
send_piece() {
  local i=$(($1 % pieces))
  socat -u -b $buffer_bytes \
    "OPEN:$CORPUS,rdonly,seek=${cuts[i]},readbytes=$((cuts[i + 1] - cuts[i]))" \
    "TCP:127.0.0.1:${fast[$2]}" 2>>"$work/socat.log" || fail "a sender failed: $(tail -n 1 "$work/socat.log")"
}
