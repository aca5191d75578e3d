package io.cordwood.ingest.segment;

import io.cordwood.common.ulid.Ulid;
import java.util.LinkedHashSet;

/**
 * The segments that were committed last, for those who ask what became of one. Guarded by the lock
 * of {@link SegmentLeases}; forgotten when the node ends.
 */
final class RecentCommits {
  /** How many are remembered: some hours of them on a busy node, some MiB of memory. */
  static final int MAX = 20_000;

  private final LinkedHashSet<Ulid> ids = new LinkedHashSet<>();

  void add(Ulid id) {
    ids.add(id);
    if (ids.size() > MAX) {
      ids.removeFirst();
    }
  }

  boolean contains(Ulid id) {
    return ids.contains(id);
  }
}
