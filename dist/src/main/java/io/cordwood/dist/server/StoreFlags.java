package io.cordwood.dist.server;

import com.sun.management.OperatingSystemMXBean;
import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.query.scan.QueryCaches;
import io.cordwood.store.ByTopic;
import io.cordwood.store.RetentionRule;
import io.cordwood.store.StoreOptions;
import io.cordwood.store.StoreOptions.Keeping;
import io.cordwood.store.StoreOptions.Settling;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The flags of nodes that keep records. */
final class StoreFlags implements Flags {
  private static final int HOT_PART_OF_MEMORY = 4;

  int replicationFactor;
  List<RetentionRule> retention =
      List.of(new RetentionRule(ByTopic.REST, Keeping.DEFAULT_RETENTION));
  Duration trashGrace = Keeping.DEFAULT.trashGrace();
  long maxStoreBytes;
  long hotBytes = 2L << 30;
  long missesBytes = 16 << 20;
  long compactionBytesPerSecond = StoreOptions.DEFAULT_COMPACTION_BYTES_PER_SECOND;
  Duration settleAfter = Settling.DEFAULT.after();
  long settleBytesPerSecond = Settling.DEFAULT.bytesPerSecond();
  RepairFlags repair = new RepairFlags();
  UploadFlags cold = new UploadFlags();

  @Override
  public void list(FlagList list) {
    list.flag("--replication-factor")
        .label("N")
        .help(
            "Store nodes that keep each record. With fewer there, records wait on the ingest nodes."
                + " Default: ${DEFAULT-VALUE}.")
        .value(int.class, replicationFactor, value -> replicationFactor = value);
    RetentionRules.list(
        list.flag("--retention")
            .help(
                "How long records are kept, or those of a topic, or of topics as 'audit*'; more"
                    + " than once for more. Of several that fit a topic the longest name counts,"
                    + " whatever their order. 7y is 7 times 366 days. Default: 7d."),
        retention,
        value -> retention = value);
    list.flag("--trash-grace")
        .label("DURATION")
        .help("How long files beyond that still stand there as .trashed. Default: 24h.")
        .duration(trashGrace, value -> trashGrace = value);
    list.flag("--max-store-size")
        .label("BYTES")
        .help("Bytes of segments beyond which the oldest go. Default: no such bound.")
        .size(maxStoreBytes, value -> maxStoreBytes = value);
    list.flag("--hot-size")
        .label("BYTES")
        .help(
            "Bytes of memory for decompressed blocks that queries keep asking for, at most a"
                + " quarter of the machine's or the container's; the OS takes it back when it needs"
                + " it. 0 for none. Default: 2GiB.")
        .size(hotBytes, value -> hotBytes = value);
    list.flag("--misses-size")
        .label("BYTES")
        .help(
            "Bytes of memory for which blocks held no match, so that the same pattern does not read"
                + " them again, and as much for what was counted in blocks by level and fields; 0"
                + " for none. Default: 16MiB.")
        .size(missesBytes, value -> missesBytes = value);
    listUpkeep(list);
  }

  private void listUpkeep(FlagList list) {
    list.flag("--compaction-rate")
        .label("BYTES")
        .help("Most bytes of records a second that compaction rewrites. Default: 64MiB.")
        .size(compactionBytesPerSecond, value -> compactionBytesPerSecond = value);
    list.flag("--settle-after")
        .label("DURATION")
        .help(
            "How long after its last record a segment is rewritten once, smaller and for long. "
                + "Default: 1h.")
        .duration(settleAfter, value -> settleAfter = value);
    list.flag("--settle-rate")
        .label("BYTES")
        .help(
            "Most bytes of records a second that are rewritten so, while no query runs; 0 for none."
                + " Default: 16MiB.")
        .size(settleBytesPerSecond, value -> settleBytesPerSecond = value);
    list.addAll(repair);
    list.addAll(cold);
  }

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

  /**
   * As the store tier wants them, checked.
   *
   * @param bucket to upload to
   */
  StoreOptions options(Path folder, ColdFlags bucket) {
    try {
      ByTopic<Duration> kept = RetentionRule.all(retention, Keeping.DEFAULT_RETENTION);
      return StoreOptions.at(folder)
          .withReplicationFactor(replicationFactor)
          .withCompactionRate(compactionBytesPerSecond)
          .with(new Settling(settleAfter, settleBytesPerSecond))
          .with(new Keeping(kept, trashGrace, maxStoreBytes))
          .with(repair.options())
          .with(cold.options(bucket, kept));
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }
}
