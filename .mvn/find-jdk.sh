# Sourced by ./mvnw and ./cordwood. Leaves JAVA_HOME at a JDK of at least release 25, or says what is missing.

jdk_release() { # prints the feature release of the JDK in $1, or 0
  [ -x "$1/bin/java" ] && [ -r "$1/release" ] || { echo 0; return; }
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" | grep . || echo 0
}

find_jdk() {
  _on_path=$(command -v java 2>/dev/null) && _on_path=$(readlink -f "$_on_path") && _on_path=${_on_path%/bin/java}
  for _home in "${JAVA_HOME:-}" "${_on_path:-}" /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    if [ -n "$_home" ] && [ "$(jdk_release "$_home")" -ge 25 ] 2>/dev/null && [ -x "$_home/bin/${1:-java}" ]; then
      JAVA_HOME=$_home
      export JAVA_HOME
      return 0
    fi
  done
  echo "cordwood: needs a JDK of release 25 or newer; found none in JAVA_HOME, on the PATH, in /usr/lib/jvm" \
    "or under ~/.sdkman. Install one, or set JAVA_HOME." >&2
  return 1
}
