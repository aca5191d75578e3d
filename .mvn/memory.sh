# Sourced by ./cordwood. How much memory a node's JVM may take, from how much there is.

is_number() {
  case $1 in '' | *[!0-9]*) return 1 ;; esac
}

# Sets $machine_mib to the memory that this process may use: the machine's, or less if a control group says so.
# $1 is in front of the kernel's files. 0 if nothing says.
find_memory() {
  machine_mib=0
  if [ -r "$1/proc/meminfo" ]; then
    read -r _ _kib _ <"$1/proc/meminfo"
    ! is_number "$_kib" || machine_mib=$((_kib / 1024))
  elif _bytes=$(sysctl -n hw.memsize 2>/dev/null) && is_number "$_bytes"; then
    machine_mib=$((_bytes / 1048576))
  fi
  _groups=$1/sys/fs/cgroup
  limit_memory "$_groups/memory/memory.limit_in_bytes"
  limit_memory "$_groups/memory.max"
  [ -r "$1/proc/self/cgroup" ] || return 0
  while IFS=: read -r _ _controllers _group; do
    case ,$_controllers, in
      ,,) limit_groups "$_groups" "$_group" memory.max ;;                           # version 2
      *,memory,*) limit_groups "$_groups/memory" "$_group" memory.limit_in_bytes ;; # version 1
    esac
  done <"$1/proc/self/cgroup"
}

limit_groups() { # by the file $3 of the group $2 below the folder $1, and of all groups that it is in
  _inner=$2
  while :; do
    case $_inner in /?*) ;; *) break ;; esac
    limit_memory "$1$_inner/$3"
    _inner=${_inner%/*}
  done
}

limit_memory() { # by what the file $1 says, if it is there; no limit is a word, or a number beyond any machine
  [ -r "$1" ] || return 0
  read -r _limit <"$1" || return 0
  is_number "$_limit" && [ "${#_limit}" -le 15 ] || return 0
  _limit=$((_limit / 1048576))
  if [ "$machine_mib" = 0 ] || [ "$_limit" -lt "$machine_mib" ]; then machine_mib=$_limit; fi
}

# Sets $heap_mib and $buffers_mib. The heap gets an eighth, which holds the indexes of some TB, but at least 256 MiB,
# at most half, and at most 4 GiB: the rest is for the page cache, which searches live on.
size_memory() {
  find_memory "$1"
  heap_mib=$((machine_mib / 8))
  if [ "$heap_mib" -lt 256 ]; then heap_mib=256; fi
  if [ "$machine_mib" -gt 0 ] && [ "$heap_mib" -gt $((machine_mib / 2)) ]; then heap_mib=$((machine_mib / 2)); fi
  if [ "$heap_mib" -gt 4096 ]; then heap_mib=4096; fi
  buffers_mib=$((heap_mib * 3 / 4))
  if [ "$machine_mib" -gt 0 ] && [ "$buffers_mib" -gt $((machine_mib * 3 / 16)) ]; then
    buffers_mib=$((machine_mib * 3 / 16))
  fi
}
