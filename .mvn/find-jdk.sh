# Sourced by ./mvnw and ./cordwood. Leaves JAVA_HOME at a JDK of at least release 25, or says what is missing.

# Whether the JDK in $1 has the program $2, and is of a release that will do. $_version is set, or empty for no JDK.
fits_release() {
  _version=
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
  while IFS='=' read -r _key _value; do
    if [ "$_key" = JAVA_VERSION ]; then
      _version=${_value#\"}
      _version=${_version%\"*}
    fi
  done <"$1/release"
  [ -x "$1/bin/$2" ] && [ "${_version%%[!0-9]*}" -ge 25 ] 2>/dev/null
}

# Of what $1 has found, if it will not do, one is named: the newest.
remember_jdk() {
  if [ "${_version%%[!0-9]*}" -gt "$_newest" ] 2>/dev/null; then
    _newest=${_version%%[!0-9]*}
    _found="$_version in $1"
    [ -x "$1/bin/$2" ] || _found="$_found, without $2"
  fi
}

# Sets JAVA_HOME to a JDK that has the program $1. $2 is in front of the folders that systems keep them in.
find_jdk() {
  _newest=0
  _found=none
  _on_path=$(command -v java 2>/dev/null) && _on_path=$(readlink -f "$_on_path") && _on_path=${_on_path%/bin/java}
  for _home in "${JAVA_HOME:-}" "${_on_path:-}" "${2:-}"/usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* \
    "${HOME:-}"/.jdks/* "${2:-}"/Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${2:-}"/opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
    "${2:-}"/usr/local/opt/openjdk*/libexec/openjdk.jdk/Contents/Home; do
    [ -n "$_home" ] || continue
    if fits_release "$_home" "${1:-java}"; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
    remember_jdk "$_home" "${1:-java}"
  done
  [ -z "${JAVA_HOME:-}" ] || _found="$_found (JAVA_HOME is $JAVA_HOME)"
  echo "cordwood: expected a JDK of release 25 or newer, found $_found. This line gets one:" >&2
  echo "  $(line_for_jdk)" >&2
  return 1
}

line_for_jdk() { # by what this machine is installed with
  if command -v brew >/dev/null 2>&1; then
    echo 'brew install openjdk'
  elif [ -r "${HOME:-}/.sdkman/bin/sdkman-init.sh" ]; then
    echo 'sdk install java 25-tem'
  elif apt-cache show openjdk-25-jdk-headless >/dev/null 2>&1; then
    echo 'sudo apt-get install openjdk-25-jdk-headless'
  else
    echo "curl -s https://get.sdkman.io | bash && bash -c '. ~/.sdkman/bin/sdkman-init.sh && sdk install java 25-tem'"
  fi
}
