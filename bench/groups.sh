# Sourced after nodes.sh by scripts that give each node a part of a core: a control group for each, of the kernel's
# version 2, or of version 1 where that is mounted. Needs root, or a folder of control groups that may be written.
groups='' # folders that were made

groups_root() { # sets version and controllers, or fails
  local all=/sys/fs/cgroup
  if grep -qw cpu "$all/cgroup.controllers" 2>/dev/null; then
    version=2
    echo '+cpu +io' 2>/dev/null >"$all/cgroup.subtree_control" || true
  elif [ -e "$all/cpu/cpu.cfs_quota_us" ] || [ -e "$all/cpu/cgroup.procs" ]; then
    version=1
  else
    fail "$all: expected control groups with the controller cpu, found none"
  fi
  limit trial 1 $$ 2>/dev/null || fail "cannot make a control group in $all: needs root, in no container without rights to it"
  release $$
  device=$(stat -c '%Hd:%Ld' "$work")
  device=${device/#0:0/}
}

# limit NAME CORES PID: from now on the process and all of its threads have so much of the processor.
limit() {
  local group quota
  quota=$(calc "$2 * 20000" %.0f) # of each 20 ms, so that waits stay short
  if [ "$version" = 2 ]; then
    new_group "/sys/fs/cgroup/cordwood-bench-$$-$1" || return 1
    echo "$quota 20000" >"$group/cpu.max" || return 1
  else
    new_group "/sys/fs/cgroup/cpu/cordwood-bench-$$-$1" || return 1
    echo 20000 >"$group/cpu.cfs_period_us" && echo "$quota" >"$group/cpu.cfs_quota_us" || return 1
  fi
  echo "$3" >"$group/cgroup.procs"
}

# limit_writes NAME BYTES PID: from now on what the process forces to the disk of $work goes no faster. Version 2
# bounds all that it writes; version 1 what it forces itself, and not what the kernel writes later.
limit_writes() {
  local group
  if [ "$version" = 2 ]; then
    group=/sys/fs/cgroup/cordwood-bench-$$-$1
    echo "$device wbps=$2" >"$group/io.max"
  else
    new_group "/sys/fs/cgroup/blkio/cordwood-bench-$$-$1"
    echo "$device $2" >"$group/blkio.throttle.write_bps_device"
    echo "$3" >"$group/cgroup.procs"
  fi
}

new_group() { # FOLDER: sets group
  group=$1
  [ -d "$group" ] && return 0
  mkdir "$group" && groups="$group $groups"
}

release() { # PID: it has all of the processor again
  if [ "$version" = 2 ]; then
    echo "$1" >/sys/fs/cgroup/cgroup.procs
  else
    echo "$1" >/sys/fs/cgroup/cpu/cgroup.procs
    [ ! -e /sys/fs/cgroup/blkio/cgroup.procs ] || echo "$1" >/sys/fs/cgroup/blkio/cgroup.procs
  fi
}
