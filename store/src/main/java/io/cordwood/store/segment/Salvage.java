package io.cordwood.store.segment;

import io.cordwood.common.file.OnDemandFile;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.SegmentBatches;
import io.cordwood.common.segment.SegmentSalvage;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.StoreMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is intact of a damaged segment into a new one, and sets the damaged file aside. One
 * thread.
 */
public final class Salvage {
  private static final Logger LOG = LoggerFactory.getLogger(Salvage.class);

  /** No segment of a store is this large: searching more would keep a node from starting. */
  private static final long MAX_SEGMENT_BYTES = 4L << 30;

  private final StoreLog log;
  private final StoreMetrics metrics;

  public Salvage(StoreLog log, StoreMetrics metrics) {
    this.log = log;
    this.metrics = metrics;
  }

  /** A file that could not be opened as a segment: what is intact of it is shown and rewritten. */
  void unopenable(Path path) throws IOException {
    OnDemandFile file = log.folder().opener().file(path);
    SegmentSalvage found;
    Optional<StoreSegment> intact;
    if (file.size() > MAX_SEGMENT_BYTES) {
      setAsideUnread(path, file);
      return;
    }
    try {
      found = SegmentSalvage.scan(file);
      intact = found.segment(file);
    } catch (IOException e) {
      file.close();
      throw e;
    }
    if (intact.isEmpty()) {
      file.close();
      log.setAside(path, rangeOf(path));
      report(path, found, 0);
    } else {
      var whole = new SegmentBuilder.Flushed(path, intact.get(), file);
      LiveSegment seen = LiveSegment.of(path, whole);
      log.recovered(List.of(seen));
      replace(seen, seen.segment(), found);
    }
  }

  /**
   * A segment that queries see, of which a block turned out to be damaged or unreadable. Gives the
   * blocks that are lost.
   *
   * @throws IOException also if the disk gives nothing of the segment; it stays as it is then
   */
  public List<BlockInfo> damaged(LiveSegment segment) throws IOException {
    ReadableFile file = log.folder().filesystem().open(segment.file());
    try {
      var pages = new ReadablePages(file);
      SegmentSalvage found = SegmentSalvage.scan(pages);
      Optional<StoreSegment> intact = found.segment(file);
      if (intact.isEmpty() && pages.unreadableBytes() > 0) {
        throw new IOException(segment.file() + ": nothing of it can be read");
      }
      if (intact.isEmpty()) {
        log.setAside(segment);
        report(segment.file(), found, 0);
      } else {
        replace(segment, intact.get(), found);
      }
      List<BlockInfo> lost = lost(segment.segment(), found);
      metrics.damagedBlocks(lost.size());
      return lost;
    } finally {
      file.close();
    }
  }

  private static List<BlockInfo> lost(StoreSegment segment, SegmentSalvage found) {
    Set<Long> intact =
        found.blocks().stream().map(BlockInfo::offset).collect(Collectors.toUnmodifiableSet());
    try {
      return segment.blocks().stream().filter(b -> !intact.contains(b.offset())).toList();
    } catch (IOException e) {
      LOG.warn("{}: which blocks are lost is not known: {}", segment.range(), e.getMessage());
      return List.of();
    }
  }

  private void replace(LiveSegment old, StoreSegment intact, SegmentSalvage found)
      throws IOException {
    try (SegmentBuilder active = log.newActive();
        var batches = new SegmentBatches(intact)) {
      @Nullable Batch batch;
      while ((batch = batches.next()) != null) {
        active.append(batch);
      }
      log.replaceDamaged(old, active.flush());
    }
    report(old.file(), found, intact.records());
  }

  private void report(Path path, SegmentSalvage found, long records) {
    metrics.damagedSegment();
    LOG.warn(
        "{}: set aside as damaged; {} records in {} intact blocks were kept; damage: {}",
        path,
        records,
        found.blocks().size(),
        found.damage());
  }

  private void setAsideUnread(Path path, OnDemandFile file) throws IOException {
    long bytes = file.size();
    file.close();
    log.setAside(path, rangeOf(path));
    metrics.damagedSegment();
    LOG.warn(
        "{}: expected at most {} bytes, found {}: set aside as damaged, not looked through",
        path,
        MAX_SEGMENT_BYTES,
        bytes);
  }

  /** The range that a name without a readable segment stands for. */
  private static UlidRange rangeOf(Path path) {
    String name = String.valueOf(path.getFileName());
    return UlidRange.parse(name.substring(0, Math.min(name.length(), 2 * Ulid.CHARS + 1)))
        .orElse(UlidRange.ALL);
  }
}
