package io.cordwood.ingest.unconsumed;

import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.segment.IngestLog;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The records that this node has received and no store has committed yet, for queries: all ingest
 * segments, active ones up to their last whole batch.
 *
 * <p>A view keeps the segments readable that overlap its range, whatever becomes of them, and few
 * of their files open, however many there are. A segment that is gone when its turn comes was
 * committed, so a store has it, or its batches were copied to a new one; therefore the names are
 * asked for again until none is gone that was not known to be.
 *
 * <p>Safe for many threads. Event loops are not involved.
 */
public final class UnconsumedSegments implements SegmentSource, AutoCloseable {
  private final IngestLog log;
  private final InstantSource clock;
  private final ViewRoom room;
  private final Arrivals arrivals;
  private final KnownLayouts known = new KnownLayouts();

  public UnconsumedSegments(IngestLog log, IngestMetrics metrics, InstantSource clock) {
    this(log, ViewRoom.ofThisProcess(metrics.registry), metrics.registry, clock);
  }

  UnconsumedSegments(IngestLog log, ViewRoom room, MeterRegistry registry, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.room = room;
    this.arrivals = new Arrivals(log, registry);
  }

  /** The segments of a range. If there are more than fit into memory, the newest of them. */
  @Override
  public View view(UlidRange range) throws IOException {
    var held = new UnconsumedView(log, room);
    try {
      Set<Ulid> seen = new HashSet<>();
      boolean changed = true;
      while (changed) {
        changed = false;
        for (Ulid id : newestFirst(log.ids())) {
          changed |= seen.add(id) && !hold(id, range, held);
        }
      }
      return held;
    } catch (IOException | RuntimeException e) {
      held.close();
      throw e;
    }
  }

  @Override
  public Optional<Instant> stampTime() {
    return Optional.of(clock.instant());
  }

  @Override
  public Optional<ArrivalSource> arrivals() {
    return Optional.of(arrivals);
  }

  /** Ends all who follow; must come before the segments' end. */
  @Override
  public void close() {
    arrivals.close();
  }

  private static List<Ulid> newestFirst(Set<Ulid> ids) {
    return ids.stream().sorted(Comparator.reverseOrder()).toList();
  }

  /** Holds a segment, if it overlaps the range; false if there is none of that name any more. */
  private boolean hold(Ulid id, UlidRange range, UnconsumedView held) throws IOException {
    if (known.range(id).filter(found -> !found.overlaps(range)).isPresent()) {
      return true;
    }
    Optional<IngestLog.Opened> opened = log.open(id);
    if (opened.isEmpty()) {
      return false;
    }
    boolean kept = false;
    try {
      Optional<IngestLayout> layout = layout(id, opened.get());
      if (layout.isPresent() && layout.get().range().overlaps(range)) {
        kept = held.add(id, layout.get(), opened.get());
      }
      return true;
    } finally {
      if (!kept) {
        opened.get().file().close();
      }
    }
  }

  private Optional<IngestLayout> layout(Ulid id, IngestLog.Opened opened) throws IOException {
    Optional<IngestLayout> before = known.layout(id);
    if (before.isPresent()) {
      return before;
    }
    Optional<IngestLayout> layout = IngestLayout.of(opened.file(), opened.bytes());
    if (!opened.growing()) {
      layout.ifPresent(found -> known.put(id, found));
    }
    return layout;
  }
}
