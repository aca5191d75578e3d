package io.cordwood.dist.server;

import io.cordwood.cli.program.Values;
import io.cordwood.store.RepairOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The flags of how a store finds damage and missing copies. */
final class RepairFlags {
  @Option(
      names = "--scrub-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Most bytes a second that are read again to check them; each segment is due after a"
              + " week. Default: 4MiB.")
  long scrubBytesPerSecond = RepairOptions.DEFAULT.scrubBytesPerSecond();

  @Option(
      names = "--repair-after",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long a store may be away before its copies are made anew on others; the same on all"
              + " stores. Default: 10m.")
  Duration repairAfter = RepairOptions.DEFAULT.repairAfter();

  @Option(
      names = "--repair-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Most bytes of records a second that are read to compare stores and to make copies."
              + " Default: 64MiB.")
  long repairBytesPerSecond = RepairOptions.DEFAULT.repairBytesPerSecond();

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
