package io.cordwood.dist.server;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Values;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.StoreOptions.Settling;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The flags of nodes that keep records. */
final class StoreFlags {
  private static final int HOT_PART_OF_MEMORY = 4;

  @Option(
      names = "--replication-factor",
      paramLabel = "N",
      description =
          "Store nodes that keep each record. With fewer there, records wait on the ingest nodes. "
              + "Default: ${DEFAULT-VALUE}.")
  int replicationFactor;

  @Option(
      names = "--retention",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "How long records are kept. Default: 7d.")
  Duration retention = Keeping.DEFAULT.retention();

  @Option(
      names = "--trash-grace",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "How long files beyond that still stand there as .trashed. Default: 24h.")
  Duration trashGrace = Keeping.DEFAULT.trashGrace();

  @Option(
      names = "--max-store-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description = "Bytes of segments beyond which the oldest go. Default: no such bound.")
  long maxStoreBytes;

  @Option(
      names = "--hot-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Bytes of memory for decompressed blocks that queries keep asking for, at most a quarter "
              + "of the machine's or the container's; the OS takes it back when it needs it. 0 for "
              + "none. Default: 2GiB.")
  long hotBytes = 2L << 30;

  @Option(
      names = "--misses-size",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Bytes of memory for which blocks held no match, so that the same pattern does not read "
              + "them again; 0 for none. Default: 16MiB.")
  long missesBytes = 16 << 20;

  @Option(
      names = "--compaction-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description = "Most bytes of records a second that compaction rewrites. Default: 64MiB.")
  long compactionBytesPerSecond = StoreOptions.DEFAULT_COMPACTION_BYTES_PER_SECOND;

  @Option(
      names = "--settle-after",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description =
          "How long after its last record a segment is rewritten once, smaller and for long. "
              + "Default: 1h.")
  Duration settleAfter = Settling.DEFAULT.after();

  @Option(
      names = "--settle-rate",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Most bytes of records a second that are rewritten so, while no query runs; 0 for none. "
              + "Default: 16MiB.")
  long settleBytesPerSecond = Settling.DEFAULT.bytesPerSecond();

  @Mixin RepairFlags repair = new RepairFlags();

  /**
   * @param replicationFactor if the flag is not given
   */
  StoreFlags(int replicationFactor) {
    this.replicationFactor = replicationFactor;
  }

  /** The caches for queries. */
  QueryCaches queryCaches() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long mostHotBytes = system.getTotalMemorySize() / HOT_PART_OF_MEMORY;
    return new QueryCaches(Math.min(hotBytes, mostHotBytes), missesBytes);
  }

  /** As the store tier wants them, checked. */
  StoreOptions options(Path folder) {
    try {
      return StoreOptions.at(folder)
          .withReplicationFactor(replicationFactor)
          .withCompactionRate(compactionBytesPerSecond)
          .with(new Settling(settleAfter, settleBytesPerSecond))
          .with(new Keeping(retention, trashGrace, maxStoreBytes))
          .with(repair.options());
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
