#!/bin/sh
# What a new user types in the first hour, one thing after the other. Ends at once where something does not do what
# stands after it. Run by a test; by hand: docs/first-hour.sh, in a checkout, with the usual ports free.
set -eu
cordwood=${CORDWOOD:-$(dirname "$0")/../cordwood}
api=${API_PORT:-7650} fast=${FAST_PORT:-7651}
home=$(mktemp -d)
export CORDWOOD_NODE="localhost:$api"

step() { echo "== $*"; }
expect() { # what is expected, and a command that prints it
  wanted=$1 && shift
  found=$("$@" 2>&1) || true
  case $found in *"$wanted"*) ;; *) echo "expected '$wanted', found '$found': $*" >&2 && exit 1 ;; esac
}

step "start a node"
"$cordwood" ingeststore --data "$home/data" --api-port "$api" --fast-port "$fast" \
  --durable-port "${DURABLE_PORT:-7652}" --bulk-port "${BULK_PORT:-7653}" --gossip-port "${GOSSIP_PORT:-7659}" \
  >"$home/node.out" 2>"$home/node.err" &
node=$!
trap 'kill "$node" 2>/dev/null; wait "$node" || :; rm -rf "$home"' EXIT
tries=0
until "$cordwood" health --ready --node "localhost:$api" >/dev/null 2>&1; do
  tries=$((tries + 1))
  [ $tries -lt 100 ] || { cat "$home/node.err" >&2 && exit 1; }
  sleep 1
done

step "send lines"
printf '%s\n' 'start' 'order 17 taken' 'ERROR timeout after 30 s' 'order 18 given up' 'stop' >"$home/app.log"
"$cordwood" forward "localhost:$fast" <"$home/app.log" 2>/dev/null

step "ask the node"
expect 'ERROR timeout' "$cordwood" grep ERROR
expect 2 "$cordwood" grep -c order
expect 'stop' "$cordwood" grep -E '^(start|stop)$'
expect 'order 18 given up' "$cordwood" grep -n 1 order
expect 'ERROR timeout' "$cordwood" grep --since '1 hour ago' -i error
expect 'default 5' "$cordwood" topics
expect 'stop' sh -c "'$cordwood' tail -n 1 | head -n 1"

step "ask it with curl"
expect '"count":2,"verdict":"complete"' curl -s "localhost:$api/query?q=order&count=true&format=json"
expect '# cordwood: {"verdict":"complete"' curl -s "localhost:$api/query?q=ERROR&verdict=true"

step "search files"
expect '3:ERROR timeout' "$cordwood" grep -n ERROR "$home/app.log"
expect 'app.log:1:start' "$cordwood" grep -rn --include='*.log' start "$home"
gzip -k "$home/app.log"
expect 2 "$cordwood" grep -c order "$home/app.log.gz"

step "make mistakes"
expect 'is this its API port?' "$cordwood" grep --node "localhost:$fast" x
expect 'did you mean' "$cordwood" grep --tpic a x
expect 'expected -E' "$cordwood" grep -P 'a(?=b)' "$home/app.log"
step "all is well"
