package io.cordwood.common.deletion;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Tombstones of every kind over the records of a test. */
public final class RandomTombstones {
  private static final List<String> PATTERNS =
      List.of("*", "shop", "shop*", "audit", "a*", "other");

  private final SplittableRandom random;
  private final List<Ulid> records;
  private final long asked;
  private int made;

  /**
   * @param records some that there are
   */
  public RandomTombstones(SplittableRandom random, List<Ulid> records) {
    this.random = random;
    this.records = List.copyOf(records);
    this.asked = records.stream().mapToLong(Ulid::millis).max().orElse(0) + 10;
  }

  /** A whole range or some records of it, of one topic or several. */
  public Tombstone next() {
    UlidRange range = range();
    var id = new Ulid(Ulid.firstOf(asked + made).high(), random.nextLong());
    made++;
    Optional<NamedRecords> named = random.nextBoolean() ? Optional.empty() : some(range);
    return new Tombstone(id, topics(), range, named, "token ops \u00fc\t" + made);
  }

  private TopicPatterns topics() {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i <= random.nextInt(2); i++) {
      texts.add(PATTERNS.get(random.nextInt(PATTERNS.size())));
    }
    return new TopicPatterns(List.copyOf(texts));
  }

  /** Mostly of whole milliseconds, as people ask; now and then from a record to another. */
  private UlidRange range() {
    Ulid one = record();
    Ulid other = record();
    Ulid from = one.isBefore(other) ? one : other;
    Ulid to = one.isBefore(other) ? other : one;
    return random.nextInt(3) == 0
        ? new UlidRange(from, to)
        : new UlidRange(Ulid.firstOf(from.millis()), Ulid.lastOf(to.millis()));
  }

  private Ulid record() {
    return records.get(random.nextInt(records.size()));
  }

  private Optional<NamedRecords> some(UlidRange range) {
    List<Ulid> some = new ArrayList<>();
    int one = 1 + random.nextInt(10);
    for (Ulid record : records) {
      if (range.contains(record) && random.nextInt(one) == 0) {
        some.add(record);
      }
    }
    return some.isEmpty() ? Optional.empty() : Optional.of(NamedRecords.of(some));
  }

  /** One that deletes a single record. */
  public static Tombstones naming(Topic topic, Ulid record) throws RefusedTombstoneException {
    return Tombstones.NONE.plus(
        new Tombstone(
            Ulid.firstOf(record.millis() + 1000),
            new TopicPatterns(List.of(topic.name())),
            new UlidRange(record, record),
            Optional.of(NamedRecords.of(List.of(record))),
            "ops"));
  }

  /** One of a topic's records of a minute, and no other. */
  static Tombstone of(int number, String topic) {
    Instant minute = Instant.parse("2026-11-21T12:00:00Z");
    return new Tombstone(
        new Ulid(Ulid.firstOf(minute.plusSeconds(3600).toEpochMilli()).high(), number),
        new TopicPatterns(List.of(topic)),
        new UlidRange(
            Ulid.firstOf(minute.toEpochMilli()), Ulid.lastOf(minute.toEpochMilli() + 60_000)),
        Optional.empty(),
        "ops");
  }
}
