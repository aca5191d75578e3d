package io.cordwood.common.deletion;

import io.cordwood.common.deletion.RefusedTombstoneException.Reason;
import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A set of tombstones. Sets only grow, and two are made one by adding each one's to the other, in
 * any order. Immutable.
 */
public final class Tombstones implements LeftOut {
  public static final Tombstones NONE = new Tombstones(new TreeMap<>());

  /** Most that may be asked for. */
  public static final int MAX = 10_000;

  /** Most records that they may name one by one, if they are asked for: 4 MB. */
  public static final int MAX_RECORDS = 250_000;

  /** Nodes that are asked at once may each have room; together they have no more than this much. */
  private static final int MERGED = 2;

  private final NavigableMap<Ulid, Tombstone> all;
  private final long sum;
  private final List<Tombstone> byStart;

  /** The latest end of the tombstones up to each one, in the order in which they begin. */
  private final List<Ulid> latestEnds;

  private Tombstones(NavigableMap<Ulid, Tombstone> all) {
    this.all = all;
    this.sum = all.keySet().stream().mapToLong(Tombstones::hash).sum();
    this.byStart =
        all.values().stream().sorted(Comparator.comparing(it -> it.range().from())).toList();
    this.latestEnds = new ArrayList<>();
    Ulid latest = Ulid.MIN;
    for (Tombstone it : byStart) {
      latest = it.range().to().isAfter(latest) ? it.range().to() : latest;
      latestEnds.add(latest);
    }
  }

  /** Spreads each bit of an id over 64, so that different sets have different sums. */
  private static long hash(Ulid id) {
    return mixed(id.low() ^ mixed(id.high()));
  }

  /** The finisher of SplitMix64. */
  private static long mixed(long bits) {
    long mixed = (bits ^ bits >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** In the order of their ids. */
  public Collection<Tombstone> all() {
    return List.copyOf(all.values());
  }

  /** When the last one was asked for; long ago if there is none. */
  public Instant lastAsked() {
    return all.isEmpty() ? Instant.EPOCH : all.lastEntry().getValue().asked();
  }

  /** Whether this one is among them. */
  public boolean contains(Tombstone tombstone) {
    return tombstone.equals(all.get(tombstone.id()));
  }

  public int size() {
    return all.size();
  }

  /** The sum of hashes of the ids: 0 without any; sets that differ have different ones. */
  public long sum() {
    return sum;
  }

  /**
   * This set and one that is asked for.
   *
   * @throws RefusedTombstoneException if there are too many
   */
  public Tombstones plus(Tombstone asked) throws RefusedTombstoneException {
    return plus(List.of(asked), 1);
  }

  /**
   * This set and another one's.
   *
   * @throws RefusedTombstoneException if there are far too many, or two differ that have one id
   */
  public Tombstones plus(Collection<Tombstone> others) throws RefusedTombstoneException {
    return plus(others, MERGED);
  }

  private Tombstones plus(Collection<Tombstone> others, int times)
      throws RefusedTombstoneException {
    var union = new TreeMap<>(all);
    for (Tombstone other : others) {
      Tombstone known = union.putIfAbsent(other.id(), other);
      if (known != null && !known.equals(other)) {
        throw new RefusedTombstoneException(
            Reason.DIFFERENT,
            "expected one deletion with the id %s, found two that differ".formatted(other.id()));
      }
    }
    if (union.size() == all.size()) {
      return this;
    }
    check(union.size(), (long) times * MAX, Reason.TOMBSTONES, "deletions");
    long records = union.values().stream().mapToLong(Tombstone::namedRecords).sum();
    check(records, (long) times * MAX_RECORDS, Reason.RECORDS, "records deleted one by one");
    return new Tombstones(union);
  }

  private static void check(long found, long max, Reason reason, String what)
      throws RefusedTombstoneException {
    if (found > max) {
      throw new RefusedTombstoneException(
          reason, "expected at most %d %s, found %d".formatted(max, what, found));
    }
  }

  /** The sum as nodes tell it each other. */
  public String sumText() {
    return "%016x".formatted(sum);
  }

  @Override
  public boolean touches(UlidRange range) {
    return exists(range, it -> it.range().overlaps(range));
  }

  @Override
  public Extent of(Topic topic, UlidRange range) {
    if (exists(range, it -> it.deletesAllOf(topic, range))) {
      return Extent.ALL;
    }
    return exists(range, it -> it.deletesAnyOf(topic, range)) ? Extent.SOME : Extent.NONE;
  }

  @Override
  public boolean has(Topic topic, Ulid record) {
    return exists(new UlidRange(record, record), it -> it.deletes(topic, record));
  }

  /** Whether one is as asked for, among those that may overlap a range. */
  private boolean exists(UlidRange range, Predicate<Tombstone> asked) {
    for (int i = begun(range.to()) - 1; i >= 0; i--) {
      if (latestEnds.get(i).isBefore(range.from())) {
        return false;
      }
      if (asked.test(byStart.get(i))) {
        return true;
      }
    }
    return false;
  }

  /** How many begin no later than this. */
  private int begun(Ulid ulid) {
    int low = 0;
    int high = byStart.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (byStart.get(middle).range().from().isAfter(ulid)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Tombstones tombstones && tombstones.all.equals(all);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(sum);
  }

  @Override
  public String toString() {
    return all.values().toString();
  }
}
