package io.cordwood.ingest.unconsumed;

import io.cordwood.common.run.LastUsed;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.Map;
import java.util.Optional;

/**
 * Layouts of the segments that were used last and do not change any more, and ranges of many more,
 * so that a look at a short time does not read the headers of a long backlog. At most 80 MiB. For
 * all threads.
 */
final class KnownLayouts {
  private static final int MAX_LAYOUTS = 256;

  /** Batches of a layout that is remembered: together they take 64 MiB at most. */
  private static final int MAX_LAYOUT_BATCHES = 32_768;

  private static final int MAX_RANGES = 65_536;

  private final Map<Ulid, IngestLayout> layouts = new LastUsed<>(MAX_LAYOUTS);
  private final Map<Ulid, UlidRange> ranges = new LastUsed<>(MAX_RANGES);

  synchronized Optional<UlidRange> range(Ulid id) {
    return Optional.ofNullable(ranges.get(id));
  }

  synchronized Optional<IngestLayout> layout(Ulid id) {
    return Optional.ofNullable(layouts.get(id));
  }

  synchronized void put(Ulid id, IngestLayout layout) {
    ranges.put(id, layout.range());
    if (layout.batches() <= MAX_LAYOUT_BATCHES) {
      layouts.put(id, layout);
    }
  }
}
