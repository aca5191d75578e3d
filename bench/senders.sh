# Sourced by the scripts beside it that run real clients of other protocols: a folder for what they install, which is
# removed at the end, and the test.
set -eu
cd "$(dirname -- "$0")/.."
RECORDS=${RECORDS:-1000}
folder=$(mktemp -d "${TMPDIR:-/tmp}/cordwood-senders.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# send_with TEST PROPERTY...: each client of the test sends RECORDS records. Builds the programs first, if need be.
send_with() {
  test=$1
  shift
  echo "bench/${0##*/}: RECORDS=$RECORDS"
  ./mvnw -B -q -ntp -pl it -am verify \
    -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false \
    -Dit.test="$test" -Dfailsafe.failIfNoSpecifiedTests=false \
    -Dcordwood.records="$RECORDS" "$@"
}
