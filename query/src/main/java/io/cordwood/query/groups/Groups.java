package io.cordwood.query.groups;

import io.cordwood.query.fields.Grouping;
import io.cordwood.query.fields.Grouping.Each;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.FieldTally;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Records by the values of their fields, and by time. Takes {@link #MAX_BYTES} at most: the records
 * of groups that come once these are used up are only counted. One thread.
 */
final class Groups implements FieldTally.Sink {
  /** The memory of all groups, roughly. */
  static final int MAX_BYTES = 8 << 20;

  /** The memory of numbers of different values, beyond that: many groups have few values. */
  private static final int EXACT_BYTES = 4 << 20;

  /**
   * The bytes that a group takes besides its key and its sketches, and that a field's numbers take.
   */
  private static final int GROUP_BYTES = 160;

  static final int NUMBERS_BYTES = 64;
  private static final int EXAMPLE_BYTES = 64 + 2 * FieldTally.MAX_EXAMPLE;

  private final Grouping grouping;
  private final long everyMillis;
  private final Distinct.Size sizeOfSets;
  private final Distinct.Room room = new Distinct.Room(EXACT_BYTES);
  private final int maxBytes;
  private final Map<Key, Group> groups = new HashMap<>();
  private final Map<Long, Long> recordsByTime = new HashMap<>();
  private long bytes;
  private long records;
  private long others;
  private long time;
  private @Nullable Group current;

  /**
   * @param everyMillis how long a stretch of time is whose records belong together; 0 for all
   */
  Groups(Grouping grouping, Distinct.Size sizeOfSets, long everyMillis) {
    this.grouping = grouping;
    this.everyMillis = everyMillis;
    this.sizeOfSets = sizeOfSets;
    this.maxBytes = MAX_BYTES;
  }

  private record Key(long time, ByteBuffer values) {}

  /**
   * Records that belong together.
   *
   * @param time when its stretch of time begins; 0 if there are none
   * @param values of the fields, as far as there are; null where there is none
   */
  record Group(
      long time,
      List<@Nullable String> values,
      FieldStatistics[] numbers,
      Distinct[] sets,
      Set<String> examples,
      long[] count) {
    long records() {
      return count[0];
    }
  }

  /** Adds the answer to a query for {@link FieldTally}s. */
  boolean add(BlockHits hits, BlockHits.Group batch) throws IOException {
    long millis = batch.first().millis();
    time = everyMillis == 0 ? 0 : millis / everyMillis * everyMillis;
    for (int hit = batch.from(); hit < batch.to(); hit++) {
      FieldTally.read(hits.record(hit), grouping, this);
    }
    return true;
  }

  /** Adds what a tally has counted, and empties it; its records have no time. */
  void add(FieldTally tally) throws IOException {
    FieldTally.read(ByteBuffer.wrap(tally.take()), grouping, this);
  }

  @Override
  public void group(ByteBuffer key, long more) {
    records += isOfRecords(key) ? more : 0;
    recordsByTime.merge(time, more, Long::sum);
    current = groups.get(new Key(time, key));
    if (current == null) {
      int size =
          GROUP_BYTES
              + 3 * key.remaining()
              + grouping.sets() * sizeOfSets.bytes()
              + grouping.each().examples() * EXAMPLE_BYTES
              + grouping.of().size()
                  * (NUMBERS_BYTES + (grouping.values() ? QuantileSketch.BYTES : 0));
      if (bytes + size > maxBytes) {
        others += more;
        return;
      }
      bytes += size;
      current = newGroup(key);
    }
    current.count[0] += more;
  }

  /** Whether these are not fields, which are counted beside their records. */
  private boolean isOfRecords(ByteBuffer key) {
    return grouping.each() != Each.FIELDS || FieldTally.nextValue(key.duplicate()) == null;
  }

  private Group newGroup(ByteBuffer key) {
    byte[] own = new byte[key.remaining()];
    key.get(key.position(), own);
    var numbers = new FieldStatistics[grouping.of().size()];
    Arrays.setAll(numbers, i -> new FieldStatistics(grouping.values()));
    var sets = new Distinct[grouping.sets()];
    Arrays.setAll(sets, i -> new Distinct(sizeOfSets, room));
    var group =
        new Group(
            time, values(ByteBuffer.wrap(own)), numbers, sets, new LinkedHashSet<>(), new long[1]);
    groups.put(new Key(time, ByteBuffer.wrap(own)), group);
    return group;
  }

  private List<@Nullable String> values(ByteBuffer key) {
    List<@Nullable String> values = new ArrayList<>();
    for (int i = 0; i < grouping.keys(); i++) {
      ByteBuffer value = FieldTally.nextValue(key);
      values.add(value == null ? null : StandardCharsets.UTF_8.decode(value).toString());
    }
    return values;
  }

  @Override
  public void numbers(int field, long count, double sum, double least, double greatest) {
    if (current != null) {
      current.numbers[field].add(count, sum, least, greatest);
    }
  }

  @Override
  public void distinct(int field, long hash) {
    if (current != null) {
      current.sets[field].add(hash);
    }
  }

  @Override
  public void example(ByteBuffer text) {
    if (current != null && current.examples.size() < grouping.each().examples()) {
      current.examples.add(StandardCharsets.UTF_8.decode(text).toString());
    }
  }

  /** How many records a stretch of time has, in all groups and in none. */
  long records(long ofTime) {
    return recordsByTime.getOrDefault(ofTime, 0L);
  }

  /** How many records there are, in all groups and in none. */
  long records() {
    return records;
  }

  /** How many are in no group, since there was no room for it. */
  long others() {
    return others;
  }

  /** By time, then those of most records first, then by their values. */
  static Comparator<Group> usualOrder() {
    return Comparator.comparingLong(Group::time)
        .thenComparing(Comparator.comparingLong(Group::records).reversed())
        .thenComparing(group -> group.values().toString());
  }

  /** All of them, in an order. */
  List<Group> sorted(Comparator<Group> order) {
    return groups.values().stream().sorted(order).toList();
  }

  /** The error of numbers of different values; 0 if all are exact. */
  double error() {
    boolean isExact =
        groups.values().stream()
            .flatMap(group -> Arrays.stream(group.sets))
            .allMatch(Distinct::isExact);
    return isExact ? 0 : sizeOfSets.error();
  }
}
