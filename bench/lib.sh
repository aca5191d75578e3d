# Sourced by the scripts beside it: checks, clocks, medians, one server, and what is left behind.
# Needs bash 5 and Linux's /proc. Times are microseconds, sizes bytes, unless a name says otherwise.
set -Eeuo pipefail
trap 'echo "bench/${0##*/}: line $LINENO failed: $BASH_COMMAND" >&2' ERR
export LC_ALL=C

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=${0##*/}
buffer_bytes=262144
work='' server='' consumer='' report=''

fail() {
  echo "bench/$script: $*" >&2
  if [ -n "$server" ] && [ -s "$work/server.log" ]; then
    echo "bench/$script: the server's last words:" >&2
    tail -n 15 "$work/server.log" >&2
  fi
  exit 1
}

say() { printf '%s\n' "$*" | tee -a "$report"; } # a figure
raw() { printf '%s\n' "$*" >>"$report"; }      # what figures are made of
progress() { echo "bench/$script: $*" >&2; }

# begin TOOL...: checks the machine and the corpus, makes $work, opens the report.
begin() {
  local tool missing=''
  [ -r /proc/self/io ] || fail "needs Linux with /proc"
  [ "${BASH_VERSINFO[0]}" -ge 5 ] || fail "needs bash 5 or newer, this is $BASH_VERSION"
  for tool in socat curl awk getconf "$@"; do
    command -v "$tool" >/dev/null || missing="$missing $tool"
  done
  [ -z "$missing" ] || fail "missing:$missing. Install them, and try again"
  [ -n "${CORPUS:-}" ] || fail "CORPUS=FILE is not set: any file of log lines. One GiB of your own:
  while cat /var/log/*.log; do :; done | head -c 1G >corpus.log
or made-up lines: ./cordwood testsvc --help"
  [ -s "$CORPUS" ] || fail "CORPUS=$CORPUS: expected a file that can be read and is not empty"
  ticks_per_s=$(getconf CLK_TCK)
  CORPUS=$(readlink -f "$CORPUS")
  corpus_bytes=$(stat -c %s "$CORPUS")
  trap cleanup EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  work=$(mktemp -d "${BENCH_DIR:-${TMPDIR:-/tmp}}/cordwood-bench.XXXXXX")
  report=$work/report.txt
  progress "reading the corpus, building Cordwood if need be"
  # Blank lines are no records.
  records=$(grep -acvE $'^\r?$' "$CORPUS") || fail "CORPUS=$CORPUS: found no lines"
  "$root/cordwood" --version >/dev/null || fail "./cordwood --version failed"
  built_from_these_sources
  say "# bench/$script, $(date -u +%Y-%m-%dT%H:%M:%SZ)"
  machine
}

built_from_these_sources() {
  local newer
  newer=$(cd "$root" && find {common/*,ingest,store,query,forwarder/{core,agent},cli,dist}/src/main pom.xml \
    -type f -newer dist/target/cordwood.jar | head -n 1) || true
  [ -z "$newer" ] || fail "$newer is newer than the programs: ./mvnw -q package -DskipTests -pl dist -am"
}

machine() {
  local java commit
  commit=$(git -C "$root" describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
  # shellcheck disable=SC1091
  . "$root/.mvn/find-jdk.sh" && find_jdk java
  java=$("$JAVA_HOME/bin/java" -version 2>&1 | sed -n 2p)
  say "# commit $commit; $java"
  say "# $(nproc) cores,$(sed -n 's/^model name.*://p;T;q' /proc/cpuinfo)," \
    "$(awk '/^MemTotal/ {printf "%.0f GiB", $2 / 1048576}' /proc/meminfo)," \
    "Linux $(uname -r), load $(cut -d' ' -f1 /proc/loadavg)"
  say "# corpus ${CORPUS##*/}: $corpus_bytes bytes, $records records; files in ${work%/*}" \
    "($(stat -f -c %T "$work"))"
}

# need_jmh: sets jar to that of the benchmarks of parts, which also makes lines and segments; builds it if it is not there.
need_jmh() {
  jar=$root/jmh/target/benchmarks.jar
  [ -f "$jar" ] || (cd "$root" && ./mvnw -B -q -ntp -DskipTests -pl jmh -am package >&2) || fail "cannot build $jar"
}

# finish: keeps the report. What was cut short leaves none.
finish() {
  local runs=${RUNS:-$root/bench/runs}
  mkdir -p "$runs"
  mv "$report" "$runs/$(date -u +%Y%m%dT%H%M%SZ)-$script.txt"
  progress "raw figures are in $runs"
}

cleanup() {
  local code=$? pids
  trap '' INT TERM HUP
  pids=$(jobs -p)
  # shellcheck disable=SC2086 # one word a process
  [ -z "$pids" ] || kill $pids 2>/dev/null || true
  for _ in $(seq 50); do
    [ -n "$(jobs -pr)" ] || break
    sleep 0.1
  done
  pids=$(jobs -pr)
  # shellcheck disable=SC2086
  [ -z "$pids" ] || kill -9 $pids 2>/dev/null || true
  wait 2>/dev/null || true
  [ -z "$work" ] || rm -rf "$work"
  [ -z "${made:-}" ] || rm -rf "$made"
  # shellcheck disable=SC2086 # folders are words
  [ -z "${groups:-}" ] || rmdir $groups || true
  exit "$code"
}

now() { echo "${EPOCHREALTIME/./}"; }
calc() { awk "BEGIN {printf \"${2:-%.2f}\", $1}"; } # calc EXPRESSION [FORMAT]
mb_per_s() { calc "$1 / $2" %.1f; } # bytes a microsecond are MB a second

# Of numbers, one a line.
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }
spread() { sort -g | awk 'NR == 1 {low = $1} {high = $1} END {printf "%s to %s, n=%d", low, high, NR}'; }

# note KEY VALUE: keeps one round's value; of KEY: all rounds' values.
note() {
  raw "$1 $2"
  echo "$2" >>"$work/rounds.$1"
}
of() { cat "$work/rounds.$1"; }

# figure NAME KEY UNIT [YARDSTICK-KEY YARDSTICK [GOAL]]: median, spread, ratio to the yardstick.
figure() {
  local value yardstick ratio=''
  value=$(of "$2" | median)
  if [ -n "${4:-}" ]; then
    yardstick=$(of "$4" | median)
    ratio="; $(calc "$value / $yardstick" %.3f) x $5 ($yardstick)${6:+, goal $6}"
  fi
  say "$1: $value $3 ($(of "$2" | spread))$ratio"
}

# eventually SECONDS WHAT CONDITION...: tries until the condition holds.
eventually() {
  local end=$((SECONDS + $1)) what=$2
  shift 2
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || fail "waited in vain until $what"
    [ -z "$server" ] || kill -0 "$server" 2>/dev/null || fail "the server ended, before $what"
    sleep 0.005
  done
}

# free_port NAME: sets the variable to a port nobody listens on, below those that clients are given.
next_port=$((20000 + $$ % 9000))
free_port() {
  local hex
  while :; do
    next_port=$((next_port + 1))
    printf -v hex ':%04X ' "$next_port"
    grep -sq "$hex" /proc/net/tcp /proc/net/tcp6 || break
  done
  printf -v "$1" %d "$next_port"
}

listens() { # a connection to look would be one too many for who takes only one
  local hex
  printf -v hex ':%04X 0' "$1"
  grep -sEq "$hex+:0000 0A" /proc/net/tcp /proc/net/tcp6
}

# start_server ROLE: with an empty folder $data; sets $server and the ports.
start_server() {
  data=$work/data
  rm -rf "$data"
  free_port api_port
  free_port fast_port
  free_port durable_port
  free_port bulk_port
  run_server "$1"
}

# What the launcher gives a node of a machine with 2 GiB: figures are of such a node, whatever this machine has.
small_machine='-Xmx256m -XX:MaxDirectMemorySize=192m'

# run_server ROLE OPTION...: with the folder and ports that are set.
run_server() {
  # shellcheck disable=SC2086 # options are words
  CORDWOOD_JAVA_OPTS="$small_machine ${CORDWOOD_JAVA_OPTS-}" "$root/cordwood" "$@" --data "$data" --bind 127.0.0.1 --api-port "$api_port" \
    --fast-port "$fast_port" --durable-port "$durable_port" --bulk-port "$bulk_port" --gossip-port 0 \
    ${SERVER_OPTIONS:-} >"$work/server.log" 2>&1 &
  server=$!
  eventually 60 "the server serves HTTP" http_get /metrics -o /dev/null
  eventually 60 "the server listens for lines" listens "$fast_port"
  [ "$(cat "/proc/$server/comm")" = java ] || fail "expected the launcher to become the JVM's process"
}

stop_server() {
  end_server
  rm -rf "$data"
}

# start_again ROLE OPTION...: with what it holds.
start_again() {
  end_server
  run_server "$@"
  eventually 60 "the server answers queries" http_get '/query?last=1' -o /dev/null
}

end_server() {
  kill "$server" || fail "the server ended by itself"
  eventually_gone "$server" || fail "the server did not end within 30 s of SIGTERM"
  wait "$server" || true
  server=''
}

eventually_gone() {
  for _ in $(seq 300); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

authority='' # of a node that speaks TLS: ca.pem in its folder, whose certificate is used to be let in as a node

http_get() { # PATH [CURL-OPTION...]
  curl -sS -f --max-time 300 ${authority:+--cacert "$authority" --cert "${authority%ca.pem}node.pem" --key "${authority%ca.pem}node.key"} \
    "${@:2}" \
    "http${authority:+s}://127.0.0.1:$api_port$1" 2>>"$work/curl.log"
}

# timed_get PATH [CURL-OPTION...]: sets answer, and took_ms without the start of curl.
timed_get() {
  answer=$(http_get "$@" -w '\n%{time_total}') || fail "GET $1: $(tail -n 1 "$work/curl.log")"
  took_ms=$(calc "${answer##*$'\n'} * 1000" %.3f)
  answer=${answer%$'\n'*}
  answer=${answer%$'\n'}
}

# metric NAME [LABEL]: the sum of a metric's values over all labels, or over those that hold LABEL.
metric() {
  http_get /metrics | awk -v name="$1" -v label="${2:-}" '
    {key = $1; sub(/\{.*/, "", key)}
    key == name && index($0, label) {sum += $NF; found = 1}
    END {if (!found) exit 1; printf "%.0f\n", sum}' ||
    fail "GET /metrics: no metric $1 $(tail -n 1 "$work/curl.log")"
}

# buckets TIMER: a line for each, its bound in seconds and how many took so long at most.
buckets() {
  http_get /metrics | sed -n "s/^$1_bucket{.*le=\"\([^\"]*\)\".*} /\1 /p"
}

# percentile_ms SHARE BEFORE AFTER: of what was timed between two files of buckets, as Prometheus'
# histogram_quantile has it.
percentile_ms() {
  awk -v share="$1" '
    NR == FNR {before[$1] = $2; next}
    {bound[++n] = $1; count[n] = $2 - before[$1]}
    END {
      rank = share * count[n]
      for (i = 1; i < n && count[i] < rank; i++) {}
      if (count[n] == 0 || i == n) exit 1
      printf "%.3f\n", 1e3 * (bound[i - 1] + (bound[i] - bound[i - 1]) * \
        (rank - count[i - 1]) / (count[i] - count[i - 1]))
    }' "$2" "$3" || fail "no percentile: nothing was timed, or it took longer than the last bucket"
}

# await METRIC VALUE POLL_S [FAR_POLL_S]: until the metric has the value; gives up if it stands still.
# Polling takes processor time from what is measured, some 10 ms a time, so there can be less of it while
# more than an eighth is missing.
await() {
  local found first='' pause last=-1 since=$SECONDS
  while :; do
    found=$(metric "$1") || exit 1
    [ "$found" -lt "$2" ] || break
    first=${first:-$found} pause=$3
    [ $((($2 - found) * 8)) -lt $(($2 - first)) ] || pause=${4:-$3}
    [ "$found" = "$last" ] || since=$SECONDS
    [ $((SECONDS - since)) -lt 30 ] || fail "$1: expected $2, stands still at $found"
    last=$found
    sleep "$pause"
  done
  expect "$1" "$2" "$found"
}

expect() { # WHAT EXPECTED FOUND
  [ "$2" = "$3" ] || fail "$1: expected $2, found $3"
}

# cpu_ticks [PID]: clock ticks of a process' threads, user and system; of the server if none is named.
cpu_ticks() { awk '{sub(/^.*\) /, ""); print $12 + $13}' "/proc/${1:-$server}/stat"; }
cpu_s_per_gb() { calc "$1 / $ticks_per_s / ($2 / 1e9)" %.2f; } # TICKS BYTES
peak_mib() { awk '/^VmHWM/ {printf "%.0f\n", $2 / 1024}' "/proc/$server/status"; }

# cut_corpus N: sets cuts to N + 1 offsets, at line borders.
cut_corpus() {
  local i at
  cuts=(0)
  for ((i = 1; i < $1; i++)); do
    at=$((corpus_bytes * i / $1))
    at=$((at + $({ tail -c +$((at + 1)) "$CORPUS" 2>/dev/null || true; } | head -n 1 | wc -c)))
    [ "$at" -gt "${cuts[-1]}" ] || fail "the corpus has too few lines for $1 connections"
    cuts+=("$at")
  done
  cuts+=("$corpus_bytes")
}

address() { # PORT: how socat gets there
  if [ -n "$authority" ]; then
    echo "OPENSSL:127.0.0.1:$1,cafile=$authority,commonname=localhost"
  else
    echo "TCP:127.0.0.1:$1"
  fi
}

# send PORT...: the corpus as it is cut, a part for each port; returns when the last byte was taken.
send() {
  local i=0 port pids=()
  for port in "$@"; do
    socat -u -b $buffer_bytes \
      "OPEN:$CORPUS,rdonly,seek=${cuts[i]},readbytes=$((cuts[i + 1] - cuts[i]))" \
      "$(address "$port")" 2>>"$work/socat.log" &
    pids+=($!)
    i=$((i + 1))
  done
  for i in "${pids[@]}"; do
    wait "$i" || fail "a sender failed: $(tail -n 1 "$work/socat.log")"
  done
}

# warm_memory BYTES: what was written before is on the disk, and the OS has so much free memory at hand.
# A virtual machine that has not touched memory for some seconds gets it anew from its host, which can cost
# more than all that is measured; whoever writes the next files would pay for it. A JVM touches it, in large
# pages: a file would go to the disk, and pages that were got one by one are not what large writes ask for.
warm_memory() {
  sync
  "$JAVA_HOME/bin/java" -Xms"$1" -Xmx"$1" -XX:+AlwaysPreTouch -XX:+UseTransparentHugePages \
    -XX:+UseSerialGC -version 2>>"$work/memory.log" || fail "$1 bytes of memory cannot be had"
}

# commit_some: an ingest node's flushed segments are claimed and committed unread; false if it has none for
# 4 s, by when the active ones are flushed, too.
commit_some() {
  local ids
  ids=$(http_get '/ingest/claim?wait=4s&max=128' -X POST | awk '{printf "%sid=%s", n++ ? "&" : "?", $1}') ||
    fail "POST /ingest/claim: $(tail -n 1 "$work/curl.log")"
  [ -n "$ids" ] || return 1
  http_get "/ingest/commit$ids" -X POST -o /dev/null || fail "POST /ingest/commit: $(tail -n 1 "$work/curl.log")"
}

commit_all() {
  while commit_some; do :; done
}

# start_consuming: commits what the node flushes, as stores would, until stop_consuming.
start_consuming() {
  while sleep 0.5; do
    commit_some || true
  done &
  consumer=$!
}

stop_consuming() {
  kill "$consumer" 2>/dev/null || fail "nobody consumed: $(tail -n 1 "$work/curl.log")"
  wait "$consumer" 2>/dev/null || true
}

# last_write: when a file of $data was last written to. Looks twice: one that is renamed meanwhile can be missed.
last_write() {
  find "$data" "$data" -ignore_readdir_race -type f -printf '%T@\n' | sort -n | awk 'END {printf "%.0f\n", $1 * 1e6}'
}

# socat_to CONNECTIONS TARGET: the yardstick. Receives the corpus into TARGET.1, TARGET.2 … (or
# into TARGET itself, if that is a device); prints nothing, sets took.
socat_to() {
  local i port target ports=() pids=() start
  for ((i = 1; i <= $1; i++)); do
    target=$2.$i
    [ ! -c "$2" ] || target=$2
    free_port port
    socat -u -b $buffer_bytes "TCP-LISTEN:$port,bind=127.0.0.1,reuseaddr" \
      "OPEN:$target,wronly,creat" 2>>"$work/socat.log" &
    pids+=($!)
    ports+=("$port")
    eventually 10 "socat listens" listens "$port"
  done
  start=$(now)
  send "${ports[@]}"
  for i in "${pids[@]}"; do
    wait "$i" || fail "a receiver failed: $(tail -n 1 "$work/socat.log")"
  done
  took=$(($(now) - start))
}

send_lines() { # CONNECTIONS: all of them to the server's one port
  local i ports=()
  for ((i = 0; i < $1; i++)); do
    ports+=("$fast_port")
  done
  send "${ports[@]}"
}

# queryable RECORDS: waits until the store has so many and a query counts them; sets asked to when
# the query that did was sent.
queryable() {
  await cordwood_store_stored_records_total "$1" 0.1 0.5
  eventually 30 "GET /query?count=true counts $1" counts "$1"
}

counts() {
  asked=$(now)
  [ "$(http_get '/query?count=true')" = "$1" ]
}

# settled: waits until compaction has had nothing to do for a while.
settled() {
  local before='' quiet=0 state
  progress "waiting until compaction is done"
  for _ in $(seq 900); do
    state=$(find "$data" -type f -printf '%P %s\n' | sort)
    [ "$state" = "$before" ] && quiet=$((quiet + 1)) || quiet=0
    [ "$quiet" -lt "${SETTLE_S:-20}" ] || return 0
    before=$state
    sleep 1
  done
  fail "the data folder was still changing after 15 minutes"
}

# serve_corpus OPTION...: a node that holds the corpus in settled segments, and was started again with the options.
serve_corpus() {
  start_server ingeststore
  send_lines 1
  queryable "$records"
  settled
  start_again ingeststore "$@"
}
