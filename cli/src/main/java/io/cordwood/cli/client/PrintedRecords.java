package io.cordwood.cli.client;

import io.cordwood.cli.records.JsonRecord;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.util.Comparator;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The records that a stream has printed after the position from which it would resume, so that none
 * is printed twice. One thread.
 */
final class PrintedRecords {
  /**
   * The most records remembered. A record beyond these is printed twice if the stream breaks off
   * then.
   */
  static final int MAX_KNOWN = 1 << 15;

  private final NavigableSet<Key> known = new TreeSet<>();
  private final NavigableSet<Key> knownBefore = new TreeSet<>();
  private @Nullable Ulid position;
  private @Nullable Ulid first;
  private @Nullable Ulid leastAnew;

  /**
   * @param begin after which everything is wanted; empty if the stream begins with the last
   *     records, and nothing before the first of these is wanted
   */
  PrintedRecords(Optional<Ulid> begin) {
    this.position = begin.orElse(null);
    this.first = position;
  }

  private record Key(Ulid ulid, String topic, Labels labels) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::ulid).thenComparing(Key::topic).thenComparing(Key::labels);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** After which all that was not printed lies; empty if no node has said so yet. */
  Optional<Ulid> position() {
    return Optional.ofNullable(position);
  }

  /** All up to here that a node had to give was printed. */
  void allUpTo(Ulid next) {
    if (position == null || position.isBefore(next)) {
      position = next;
      forget(known, next);
      forget(knownBefore, next);
    }
  }

  private static void forget(NavigableSet<Key> keys, Ulid last) {
    while (!keys.isEmpty() && !keys.first().ulid.isAfter(last)) {
      keys.pollFirst();
    }
  }

  /** From now on what was printed may come again. */
  void beginAnew() {
    knownBefore.clear();
    knownBefore.addAll(known);
    leastAnew = first;
  }

  /** Whether a record is to be printed; from now on it was. What has no position always is. */
  boolean add(JsonRecord record) {
    return !Ulid.isValid(record.ulid())
        || add(Ulid.parse(record.ulid()), record.topic(), record.labels());
  }

  /** Whether the record of a topic is to be printed; from now on it was. */
  boolean add(Ulid ulid, String topic, Labels labels) {
    var key = new Key(ulid, topic, labels);
    if (knownBefore.contains(key) || (leastAnew != null && ulid.isBefore(leastAnew))) {
      return false;
    }
    first = first == null ? ulid : first;
    known.add(key);
    if (known.size() > MAX_KNOWN) {
      known.pollLast();
    }
    return true;
  }
}
