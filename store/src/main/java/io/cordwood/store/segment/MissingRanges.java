package io.cordwood.store.segment;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Ranges that a store had and cannot give: of segments that were set aside as damaged and of
 * batches that could not be stored, as long as their files are there at the start, of segments that
 * could not be read, and of those that went before their time, for lack of room. For all threads.
 */
public final class MissingRanges {
  private final List<UlidRange> damaged = new CopyOnWriteArrayList<>();
  private final List<UlidRange> unreadable = new CopyOnWriteArrayList<>();
  private final List<UlidRange> unstorable = new CopyOnWriteArrayList<>();
  private volatile List<UlidRange> purged = List.of();
  private volatile List<Evicted> evicted = List.of();

  /** A segment was set aside; what of it is intact goes on in another one. */
  void damaged(UlidRange range) {
    damaged.add(range);
  }

  /** A segment is left out, whole. */
  void unreadable(UlidRange range) {
    unreadable.add(range);
  }

  /** A batch was set aside, since no segment could be written with it. */
  public void unstorable(UlidRange range) {
    if (!unstorable.contains(range)) {
      unstorable.add(range);
    }
  }

  /** Notes which records are gone that by their age would be here. */
  public void earlyPurges(Optional<UlidRange> range) {
    purged = range.stream().toList();
  }

  /** Notes which records may be in a bucket alone. */
  public void evictions(List<Evicted> ranges) {
    evicted = List.copyOf(ranges);
  }

  /** The records of a range that may be in a bucket alone. */
  public List<Evicted> evicted(UlidRange range) {
    return evicted.stream().flatMap(gone -> gone.in(range).stream()).toList();
  }

  /**
   * The records that may be missing in a range.
   *
   * @param onlyCopies whether no other store can have restored damaged records
   */
  public Optional<Lack> in(UlidRange range, boolean onlyCopies) {
    return Stream.of(
            lack(unreadable, range, "%d segments that cannot be read are left out"),
            lack(unstorable, range, "%d batches could not be stored, see damaged/*.batch"),
            lack(
                onlyCopies ? damaged : List.of(),
                range,
                "%d segments were damaged, see *.damaged in its folder"),
            lack(purged, range, "--max-store-size left no room for older records"))
        .flatMap(Optional::stream)
        .reduce(Lack::and);
  }

  private static Optional<Lack> lack(List<UlidRange> all, UlidRange range, String reason) {
    List<UlidRange> found = all.stream().filter(range::overlaps).toList();
    return found.stream()
        .reduce(UlidRange::union)
        .map(lacking -> new Lack(lacking, reason.formatted(found.size())));
  }
}
