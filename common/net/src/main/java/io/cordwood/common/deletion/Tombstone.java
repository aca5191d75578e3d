package io.cordwood.common.deletion;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Instant;
import java.util.Optional;

/**
 * Records that somebody has deleted. What arrives later and is named by it is deleted, too.
 *
 * @param id unique; its time is that at which it was asked for, by the clock of the node that was
 *     asked
 * @param topics of the records
 * @param range of the records; ends before the time of the id
 * @param records those that go, all in the range; all if empty
 * @param who asked for it, as the audit log names it
 */
public record Tombstone(
    Ulid id, TopicPatterns topics, UlidRange range, Optional<NamedRecords> records, String who) {
  static final int MAX_TOPICS = 10;
  static final int MAX_WHO_CHARS = 200;

  /**
   * @throws IllegalArgumentException if the range does not end in the past, does not hold the
   *     records, or there is too much of something; the message says so
   */
  public Tombstone {
    if (range.to().millis() >= id.millis()) {
      throw new IllegalArgumentException(
          "expected a range that ends before %s, found one to %s"
              .formatted(id.time(), range.to().time()));
    }
    if (records.isPresent() && !range.contains(records.get().range())) {
      throw new IllegalArgumentException(
          "expected records in %s, found %s".formatted(range, records.get().range()));
    }
    if (topics.texts().size() > MAX_TOPICS) {
      throw new IllegalArgumentException(
          "expected 1 to %d patterns of topics, found %d"
              .formatted(MAX_TOPICS, topics.texts().size()));
    }
    if (who.isEmpty() || who.length() > MAX_WHO_CHARS) {
      throw new IllegalArgumentException(
          "expected who asked in 1 to %d characters, found %d"
              .formatted(MAX_WHO_CHARS, who.length()));
    }
  }

  /** When it was asked for. */
  public Instant asked() {
    return id.time();
  }

  /** How many records it names one by one; 0 if it takes all of its range. */
  public int namedRecords() {
    return records.map(NamedRecords::size).orElse(0);
  }

  /** Whether it deletes a record. */
  boolean deletes(Topic topic, Ulid record) {
    return range.contains(record)
        && topics.contain(topic.name())
        && (records.isEmpty() || records.get().contain(record));
  }

  /** Whether it may delete any of some records of a topic. */
  boolean deletesAnyOf(Topic topic, UlidRange some) {
    return range.overlaps(some)
        && topics.contain(topic.name())
        && (records.isEmpty() || records.get().containAnyOf(some));
  }

  /** Whether it deletes each of some records of a topic. */
  boolean deletesAllOf(Topic topic, UlidRange some) {
    return range.contains(some)
        && topics.contain(topic.name())
        && (records.isEmpty() || records.get().containAllOf(some));
  }
}
