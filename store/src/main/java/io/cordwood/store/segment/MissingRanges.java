package io.cordwood.store.segment;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Ranges that a store had and cannot give: of segments that were set aside as damaged and of
 * batches that could not be stored, as long as their files are there at the start, and of segments
 * that could not be read. For all threads.
 */
public final class MissingRanges {
  private final List<UlidRange> damaged = new CopyOnWriteArrayList<>();
  private final List<UlidRange> unreadable = new CopyOnWriteArrayList<>();
  private final List<UlidRange> unstorable = new CopyOnWriteArrayList<>();

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

  /**
   * The records that may be missing in a range.
   *
   * @param onlyCopies whether no other store can have restored damaged records
   */
  public Optional<Lack> in(UlidRange range, boolean onlyCopies) {
    return lack(unreadable, range, "segments that cannot be read are left out")
        .or(() -> lack(unstorable, range, "batches could not be stored, see damaged/*.batch"))
        .or(() ->
            onlyCopies
                ? lack(damaged, range, "segments were damaged, see *.damaged in its folder")
                : Optional.empty());
  }

  private static Optional<Lack> lack(List<UlidRange> all, UlidRange range, String reason) {
    List<UlidRange> found = all.stream().filter(range::overlaps).toList();
    return found.stream()
        .reduce(UlidRange::union)
        .map(lacking -> new Lack(lacking, found.size() + " " + reason));
  }
}
