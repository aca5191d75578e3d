package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.store.RepairOptions;
import java.time.Duration;

/** The flags of how a store finds damage and missing copies. */
final class RepairFlags implements Flags {
  long scrubBytesPerSecond = RepairOptions.DEFAULT.scrubBytesPerSecond();
  Duration repairAfter = RepairOptions.DEFAULT.repairAfter();
  long repairBytesPerSecond = RepairOptions.DEFAULT.repairBytesPerSecond();

  @Override
  public void list(FlagList list) {
    list.flag("--scrub-rate")
        .label("BYTES")
        .help(
            "Most bytes a second that are read again to check them; each segment is due after a"
                + " week. Default: 4MiB.")
        .size(scrubBytesPerSecond, value -> scrubBytesPerSecond = value);
    list.flag("--repair-after")
        .label("DURATION")
        .help(
            "How long a store may be away before its copies are made anew on others; the same on"
                + " all stores. Default: 10m.")
        .duration(repairAfter, value -> repairAfter = value);
    list.flag("--repair-rate")
        .label("BYTES")
        .help(
            "Most bytes of records a second that are read to compare stores and to make copies."
                + " Default: 64MiB.")
        .size(repairBytesPerSecond, value -> repairBytesPerSecond = value);
  }

  /** As the store tier wants them, checked. */
  RepairOptions options() {
    return RepairOptions.DEFAULT
        .withScrub(scrubBytesPerSecond, RepairOptions.DEFAULT.scrubEvery())
        .withRepair(repairAfter, repairBytesPerSecond)
        .withSlice(slice());
  }

  /** Whole slices are compared, so whoever waits less for a store also compares shorter ones. */
  private Duration slice() {
    Duration usual = RepairOptions.DEFAULT.slice();
    return repairAfter.isPositive() && repairAfter.compareTo(usual) < 0 ? repairAfter : usual;
  }
}
