package io.cordwood.store.segment;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.UlidRange;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Ranges that a store had and cannot give: of segments that were set aside as damaged and of
 * batches that could not be stored, as long as their files are there at the start, or until what
 * was lost with a segment is known to have its copies again; of segments that could not be read,
 * and of those that went before their time, for lack of room. For all threads.
 */
public final class MissingRanges {
  private final Map<String, UlidRange> damaged = new ConcurrentHashMap<>();
  private final Map<String, UlidRange> setAside = new ConcurrentHashMap<>();
  private final List<UlidRange> unreadable = new CopyOnWriteArrayList<>();
  private final List<UlidRange> unstorable = new CopyOnWriteArrayList<>();
  private volatile List<UlidRange> purged = List.of();
  private volatile List<Evicted> evicted = List.of();

  /**
   * A segment will be set aside, and what of it is intact goes on in another one.
   *
   * @param name of its file then
   */
  public void damaged(String name, UlidRange range) {
    damaged.put(name, range);
  }

  /** A segment is set aside: from now on nobody can give what is lost with it. */
  public void setAside(String name, UlidRange range) {
    damaged.put(name, range);
    setAside.put(name, range);
  }

  /** The segments that are set aside and of which something may be missing, by name. */
  public Map<String, UlidRange> setAside() {
    return new HashMap<>(setAside);
  }

  /** Whether damage may have taken something that has not all its copies again. */
  public boolean isDamaged() {
    return !damaged.isEmpty();
  }

  /** All that was lost with a segment has its copies again. */
  public void restored(String name) {
    setAside.remove(name);
    damaged.remove(name);
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

  /** The records that may be missing in a range. */
  public Optional<Lack> in(UlidRange range) {
    return Stream.of(
            lack(unreadable, range, "%d segments that cannot be read are left out"),
            lack(unstorable, range, "%d batches could not be stored, see damaged/*.batch"),
            lack(damaged.values(), range, "%d segments were damaged, see *.damaged in its folder"),
            lack(purged, range, "--max-store-size left no room for older records"))
        .flatMap(Optional::stream)
        .reduce(Lack::and);
  }

  private static Optional<Lack> lack(Collection<UlidRange> all, UlidRange range, String reason) {
    List<UlidRange> found = all.stream().filter(range::overlaps).toList();
    return found.stream()
        .reduce(UlidRange::union)
        .map(lacking -> new Lack(lacking, reason.formatted(found.size())));
  }
}
