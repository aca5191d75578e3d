# Sourced by ./mvnw and ./cordwood. Leaves JAVA_HOME at a JDK of at least release 25, or says what is missing.

fits_release() { # whether the JDK in $1 has the program $2, and is of a release that will do
  [ -x "$1/bin/java" ] && [ -x "$1/bin/$2" ] && [ -r "$1/release" ] || return 1
  while IFS='=' read -r _key _value; do
    if [ "$_key" = JAVA_VERSION ]; then
      _value=${_value#\"}
      [ "${_value%%[!0-9]*}" -ge 25 ] 2>/dev/null
      return
    fi
  done <"$1/release"
  return 1
}

find_jdk() {
  if [ -n "${JAVA_HOME:-}" ] && fits_release "$JAVA_HOME" "${1:-java}"; then
    return 0
  fi
  _on_path=$(command -v java 2>/dev/null) && _on_path=$(readlink -f "$_on_path") && _on_path=${_on_path%/bin/java}
  for _home in "${_on_path:-}" /usr/lib/jvm/* "${HOME:-}"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$_home" ] && fits_release "$_home" "${1:-java}"; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  done
  echo "cordwood: needs a JDK of release 25 or newer; found none in JAVA_HOME, on the PATH, in /usr/lib/jvm" \
    "or under ~/.sdkman. Install one, or set JAVA_HOME." >&2
  return 1
}
