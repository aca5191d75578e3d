package io.cordwood.dist.client;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.dist.records.JsonRecord;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The last records that a stream has printed. Who follows it again begins some way before the last
 * one, since what comes late belongs there, and prints no record twice. One thread.
 */
final class PrintedRecords {
  /** How late a record may be to be counted as late by nodes. */
  static final Duration REACH = Duration.ofSeconds(10);

  /** So many come twice at most. */
  static final int MAX_KNOWN = 1 << 15;

  private final TreeSet<Key> known = new TreeSet<>();
  private @Nullable Key lastBefore;

  private record Key(Ulid ulid, String topic) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::ulid).thenComparing(Key::topic);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** Behind which all that was printed is known; empty if nothing was printed. */
  Optional<Ulid> position() {
    return known.isEmpty() ? Optional.empty() : Optional.of(known.first().ulid);
  }

  /** From now on what was printed may come again. */
  void beginAnew() {
    lastBefore = known.isEmpty() ? null : known.last();
  }

  /** Whether a record is to be printed; from now on it was. What has no position always is. */
  boolean add(JsonRecord record) {
    return !Ulid.isValid(record.ulid()) || add(Ulid.parse(record.ulid()), record.topic());
  }

  /** The same for the record of a topic. */
  boolean add(Ulid ulid, String topic) {
    var key = new Key(ulid, topic);
    if (lastBefore != null && key.compareTo(lastBefore) <= 0 && known.contains(key)) {
      return false;
    }
    // What lies before the position does not move it back: not all of what follows it is known.
    if (known.isEmpty() || key.compareTo(known.first()) > 0) {
      known.add(key);
      forget();
    }
    return true;
  }

  private void forget() {
    long oldest = known.last().ulid.time().minus(REACH).toEpochMilli();
    while (known.size() > MAX_KNOWN
        || (known.size() > 1 && known.first().ulid.time().toEpochMilli() < oldest)) {
      known.pollFirst();
    }
  }
}
