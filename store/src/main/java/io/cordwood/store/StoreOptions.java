package io.cordwood.store;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/**
 * The folder and limits of a store.
 *
 * @param folder of this store alone, created if needed
 * @param compactionBytesPerSecond most bytes, before compression, that compaction rewrites
 * @param settling when and how fast segments are settled
 * @param replicationFactor number of stores on which records are durable before they are committed
 * @param repair how damage and missing copies are found and repaired
 * @param cold the bucket to upload to; empty for none
 */
public record StoreOptions(
    Path folder,
    Gathering gathering,
    Keeping keeping,
    long compactionBytesPerSecond,
    Settling settling,
    int replicationFactor,
    RepairOptions repair,
    Optional<ColdOptions> cold) {
  public static final long DEFAULT_COMPACTION_BYTES_PER_SECOND = 64L << 20;

  /** Most stores that can have each record. */
  public static final int MAX_REPLICATION_FACTOR = 16;

  /**
   * How segments are made of what is consumed.
   *
   * @param targetBytes of records before compression, at which a segment is as large as it should
   *     be
   * @param age longest time that consumed records wait for more before they are written, and
   *     shortest time between two segments while little comes in
   * @param consumers threads that consume; one gathers while the others write
   */
  public record Gathering(long targetBytes, Duration age, int consumers) {
    public static final Gathering DEFAULT = new Gathering(128L << 20, Duration.ofSeconds(1), 2);

    private static final long MIN_TARGET_BYTES = 1L << 10;
    private static final long MAX_TARGET_BYTES = 1L << 30;
    private static final int MAX_CONSUMERS = 16;

    /**
     * @throws IllegalArgumentException if a bound makes no sense; the message names it
     */
    public Gathering {
      OptionBounds.check(
          targetBytes >= MIN_TARGET_BYTES && targetBytes <= MAX_TARGET_BYTES,
          "target bytes from 1 KiB to 1 GiB",
          targetBytes);
      OptionBounds.check(!age.isNegative(), "a gather age of 0 or more", age);
      OptionBounds.check(
          consumers >= 1 && consumers <= MAX_CONSUMERS, "1 to 16 consumers", consumers);
    }

    /** The size from which a segment is large enough for compaction to leave it. */
    public long leastBytes() {
      return leastBytes(targetBytes);
    }

    /** The size from which a segment is large enough, for another target. */
    public static long leastBytes(long targetBytes) {
      return targetBytes / 2;
    }
  }

  /**
   * Limits on what is kept.
   *
   * @param retention how long the records of each topic are kept
   * @param trashGrace how long a segment beyond retention can still be taken back, by renaming it
   * @param maxBytes of all segments' files; beyond it the oldest go; 0 for no such bound
   */
  public record Keeping(ByTopic<Duration> retention, Duration trashGrace, long maxBytes) {
    /** For topics for which there is no rule. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(7);

    public static final Keeping DEFAULT = new Keeping(DEFAULT_RETENTION, Duration.ofHours(24), 0);

    /**
     * @throws IllegalArgumentException if a bound makes no sense; the message names it
     */
    public Keeping {
      for (Duration each : retention.all()) {
        OptionBounds.check(each.isPositive(), "a retention of more than 0", each);
      }
      OptionBounds.check(!trashGrace.isNegative(), "a trash grace of 0 or more", trashGrace);
      OptionBounds.check(maxBytes >= 0, "max bytes of 0 or more", maxBytes);
    }

    /** One retention for all topics. */
    public Keeping(Duration retention, Duration trashGrace, long maxBytes) {
      this(ByTopic.all(retention), trashGrace, maxBytes);
    }

    /** The longest retention of a topic. */
    public Duration longest() {
      return retention.all().stream().max(Comparator.naturalOrder()).orElseThrow();
    }

    /** The shortest retention of a topic. */
    public Duration shortest() {
      return retention.all().stream().min(Comparator.naturalOrder()).orElseThrow();
    }
  }

  /**
   * When segments are rewritten in the form in which they are kept for long.
   *
   * @param after how long after a segment's last record
   * @param bytesPerSecond most bytes, before compression, that are rewritten; 0 for never
   */
  public record Settling(Duration after, long bytesPerSecond) {
    public static final Settling DEFAULT = new Settling(Duration.ofHours(1), 16L << 20);

    /**
     * @throws IllegalArgumentException if a bound makes no sense; the message names it
     */
    public Settling {
      OptionBounds.check(!after.isNegative(), "to settle after 0 or more", after);
      OptionBounds.check(bytesPerSecond >= 0, "a settle rate of 0 or more", bytesPerSecond);
    }
  }

  /**
   * @throws IllegalArgumentException if a bound makes no sense; the message names it
   */
  public StoreOptions {
    OptionBounds.check(
        compactionBytesPerSecond > 0, "a compaction rate over 0", compactionBytesPerSecond);
    OptionBounds.check(
        replicationFactor >= 1 && replicationFactor <= MAX_REPLICATION_FACTOR,
        "a replication factor from 1 to " + MAX_REPLICATION_FACTOR,
        replicationFactor);
  }

  /** The defaults, in a folder; one copy. */
  public static StoreOptions at(Path folder) {
    return new StoreOptions(
        folder,
        Gathering.DEFAULT,
        Keeping.DEFAULT,
        DEFAULT_COMPACTION_BYTES_PER_SECOND,
        Settling.DEFAULT,
        1,
        RepairOptions.DEFAULT,
        Optional.empty());
  }

  /** A copy with another rate of compaction. */
  public StoreOptions withCompactionRate(long bytesPerSecond) {
    return new StoreOptions(
        folder, gathering, keeping, bytesPerSecond, settling, replicationFactor, repair, cold);
  }

  /** A copy that settles at other times. */
  public StoreOptions with(Settling times) {
    return new StoreOptions(
        folder,
        gathering,
        keeping,
        compactionBytesPerSecond,
        times,
        replicationFactor,
        repair,
        cold);
  }

  /** A copy with another size of segments and another wait for more. */
  public StoreOptions withGather(long bytes, Duration age) {
    return with(new Gathering(bytes, age, gathering.consumers), keeping, replicationFactor, repair);
  }

  /** A copy with other limits on what is kept. */
  public StoreOptions with(Keeping bounds) {
    return with(gathering, bounds, replicationFactor, repair);
  }

  /** A copy with other limits on scrubbing and repair. */
  public StoreOptions with(RepairOptions bounds) {
    return with(gathering, keeping, replicationFactor, bounds);
  }

  /** A copy with another number of copies. */
  public StoreOptions withReplicationFactor(int copies) {
    return with(gathering, keeping, copies, repair);
  }

  /** A copy that uploads to a bucket. */
  public StoreOptions with(Optional<ColdOptions> bucket) {
    return new StoreOptions(
        folder,
        gathering,
        keeping,
        compactionBytesPerSecond,
        settling,
        replicationFactor,
        repair,
        bucket);
  }

  private StoreOptions with(
      Gathering segments, Keeping bounds, int copies, RepairOptions repairing) {
    return new StoreOptions(
        folder, segments, bounds, compactionBytesPerSecond, settling, copies, repairing, cold);
  }
}
