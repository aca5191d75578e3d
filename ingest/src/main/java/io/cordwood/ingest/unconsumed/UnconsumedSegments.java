package io.cordwood.ingest.unconsumed;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.http.HttpError;
import io.cordwood.common.segment.ArrivalSource;
import io.cordwood.common.segment.IngestBlocks;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.segment.IngestLog;
import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The records that this node has received and no store has committed yet, for queries: all ingest
 * segments, active ones up to their last whole batch.
 *
 * <p>A view keeps the files open that overlap its range, so that they can be read whatever becomes
 * of their segments. A segment that is gone when its turn comes was committed, so a store has it,
 * or its batches were copied to a new one; therefore the names are asked for again until none is
 * gone that was not known to be.
 *
 * <p>Safe for many threads. Event loops are not involved.
 */
public final class UnconsumedSegments implements SegmentSource, AutoCloseable {
  /** Files that all views together may hold open: some thousands are what a process may have. */
  static final int MAX_OPEN = 1000;

  /** Layouts that are remembered of segments which do not change any more. */
  private static final int MAX_LAYOUTS = 256;

  /** Batches of a layout that is remembered: together they take 64 MiB at most. */
  private static final int MAX_LAYOUT_BATCHES = 32_768;

  private final IngestLog log;
  private final InstantSource clock;
  private final Counter refused;
  private final Arrivals arrivals;
  private final AtomicInteger open = new AtomicInteger();
  private final Layouts layouts = new Layouts();

  public UnconsumedSegments(IngestLog log, IngestMetrics metrics, InstantSource clock) {
    this.log = log;
    this.clock = clock;
    this.arrivals = new Arrivals(log, metrics.registry);
    this.refused = metrics.registry.counter("cordwood_ingest_views_refused_total");
    metrics.registry.gauge("cordwood_ingest_view_files", open);
  }

  /**
   * @throws HttpError if more segments overlap the range than may be open
   */
  @Override
  public View view(UlidRange range) throws IOException {
    var held = new Held(open);
    try {
      Set<Ulid> seen = new HashSet<>();
      boolean changed = true;
      while (changed) {
        changed = false;
        for (Ulid id : log.ids()) {
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

  /** Holds a segment, if it overlaps the range; false if there is none of that name any more. */
  private boolean hold(Ulid id, UlidRange range, Held held) throws IOException {
    IngestLayout known = layouts.get(id);
    if (known != null && !known.range().overlaps(range)) {
      return true;
    }
    Optional<IngestLog.Opened> opened = log.open(id);
    if (opened.isEmpty()) {
      return false;
    }
    ReadableFile file = opened.get().file();
    boolean kept = false;
    try {
      Optional<IngestLayout> layout = known != null ? Optional.of(known) : layout(id, opened.get());
      if (layout.isPresent() && layout.get().range().overlaps(range)) {
        checkRoom(range);
        held.add(new IngestBlocks(layout.get(), file), file);
        kept = true;
      }
      return true;
    } finally {
      if (!kept) {
        file.close();
      }
    }
  }

  private Optional<IngestLayout> layout(Ulid id, IngestLog.Opened opened) throws IOException {
    Optional<IngestLayout> layout = IngestLayout.of(opened.file(), opened.bytes());
    if (!opened.growing()) {
      layout
          .filter(found -> found.batches() <= MAX_LAYOUT_BATCHES)
          .ifPresent(found -> layouts.put(id, found));
    }
    return layout;
  }

  private void checkRoom(UlidRange range) {
    if (open.get() >= MAX_OPEN) {
      refused.increment();
      throw new HttpError(
          503,
          "more than %d segments from %s on wait for a store; ask for a shorter range, or later"
              .formatted(MAX_OPEN, range.from().time()));
    }
  }

  /** The segments of a view, and their open files. */
  private static final class Held implements View {
    private final AtomicInteger open;
    private final List<Segment> segments = new ArrayList<>();
    private final List<ReadableFile> files = new ArrayList<>();

    Held(AtomicInteger open) {
      this.open = open;
    }

    void add(Segment segment, ReadableFile file) {
      segments.add(segment);
      files.add(file);
      open.incrementAndGet();
    }

    @Override
    public List<Segment> segments() {
      return segments;
    }

    @Override
    public void close() {
      for (ReadableFile file : files) {
        try {
          file.close();
        } catch (IOException e) {
          throw new UncheckedIOException("closing an ingest segment that was only read", e);
        } finally {
          open.decrementAndGet();
        }
      }
      files.clear();
    }
  }

  /** The layouts that were used last. */
  private static final class Layouts {
    private final Map<Ulid, IngestLayout> byId =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Ulid, IngestLayout> eldest) {
            return size() > MAX_LAYOUTS;
          }
        };

    synchronized @org.jspecify.annotations.Nullable IngestLayout get(Ulid id) {
      return byId.get(id);
    }

    synchronized void put(Ulid id, IngestLayout layout) {
      byId.put(id, layout);
    }
  }
}
