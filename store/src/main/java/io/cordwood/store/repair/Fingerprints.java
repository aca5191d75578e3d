package io.cordwood.store.repair;

import io.cordwood.common.run.RateLimitedLog;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.segment.SliceSums;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.store.ByTopic;
import io.cordwood.store.DiskPace;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StopFlag;
import io.cordwood.store.repair.SliceTable.Stretch;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fingerprints of what a store holds, by time slices.
 *
 * <p>A segment has its own, which are known once it is open. In a segment of version 1 or 2 a
 * batch's identity stands inside of its block only, compressed; it is read and decompressed once,
 * and its fingerprints are kept in memory as long as it lives. Only those with settled records are
 * read, most of which will not be merged again. Nothing of that is kept over a restart. So is one
 * that has no fingerprints of slices of this length; of that, the list is read.
 *
 * <p>For all threads. Memory: 48 bytes for each slice that a segment has batches of. A segment that
 * comes and is closed while they are read may be remembered until the next time.
 */
final class Fingerprints {
  private static final Logger LOG = LoggerFactory.getLogger(Fingerprints.class);

  /** A disk that dies does so for each segment. */
  private static final RateLimitedLog UNREADABLE = new RateLimitedLog(LOG, Duration.ofMinutes(1));

  private final StoreLog log;
  private final long sliceMillis;
  private final DiskPace pace;
  private final Map<StoreSegment, SliceSums> known = new ConcurrentHashMap<>();
  private final Set<StoreSegment> unreadable = ConcurrentHashMap.newKeySet();
  private final ReentrantLock updating = new ReentrantLock();

  Fingerprints(StoreLog log, RepairOptions options, StopFlag stop) {
    this.log = log;
    this.sliceMillis = options.slice().toMillis();
    this.pace = new DiskPace(options.repairBytesPerSecond(), stop);
  }

  /**
   * Reads segments that are not known yet and begin before a moment, the newest first, for a while;
   * none if another thread is at it.
   *
   * @throws InterruptedIOException if the store stops
   */
  void update(Instant settled, Duration longest) throws InterruptedIOException {
    if (updating.tryLock()) {
      try {
        readNew(settled, longest);
      } finally {
        updating.unlock();
      }
    }
  }

  private void readNew(Instant settled, Duration longest) throws InterruptedIOException {
    long end = System.nanoTime() + longest.toNanos();
    List<LiveSegment> live = log.live();
    Set<StoreSegment> open =
        live.stream().map(LiveSegment::segment).collect(Collectors.toUnmodifiableSet());
    known.keySet().retainAll(open);
    unreadable.retainAll(open);
    List<LiveSegment> newestFirst =
        live.stream()
            .filter(s -> s.info().range().from().time().isBefore(settled))
            .filter(s -> !isRead(s))
            .sorted(Comparator.comparing((LiveSegment s) -> s.info().range().to()).reversed())
            .toList();
    for (LiveSegment segment : newestFirst) {
      if (System.nanoTime() - end > 0) {
        return;
      }
      read(segment);
    }
  }

  private boolean isRead(LiveSegment segment) {
    return unreadable.contains(segment.segment()) || find(segment.segment()).isPresent();
  }

  /** Its fingerprints, if they are known. */
  private Optional<SliceSums> find(StoreSegment segment) {
    try {
      Optional<SliceSums> own = segment.slices();
      if (own.isPresent() && own.get().millis() == sliceMillis) {
        return own;
      }
    } catch (CorruptException e) {
      LOG.debug("{}: its list of batches is damaged: {}", segment.range(), e.getMessage());
    }
    return Optional.ofNullable(known.get(segment));
  }

  private void read(LiveSegment segment) throws InterruptedIOException {
    if (!segment.segment().retain()) {
      return;
    }
    try {
      known.put(segment.segment(), compute(segment.segment()));
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      UNREADABLE.warn("found when its fingerprints were taken:", segment.file(), e.toString());
      unreadable.add(segment.segment());
      log.suspect(segment);
    } finally {
      segment.segment().release();
    }
  }

  private SliceSums compute(StoreSegment segment) throws IOException {
    var slices = new SliceSums.Builder(sliceMillis);
    try (var decoder = new BlockDecoder()) {
      Optional<BatchLists> lists = segment.lists();
      for (BlockInfo block : segment.blocks()) {
        if (lists.isEmpty()) {
          segment.read(block, decoder).toBatches().forEach(b -> add(BatchInfo.of(b), slices));
          pace.add(block.rawBytes());
        } else {
          lists.get().of(block).forEach(batch -> add(batch, slices));
          pace.add(block.tableBytes());
        }
      }
    }
    return slices.build();
  }

  private static void add(BatchInfo batch, SliceSums.Builder slices) {
    slices.add(batch, batch.bytes());
  }

  /** Segments that can be listed: those that could be read whenever that was tried. */
  List<LiveSegment> readable(List<LiveSegment> segments) {
    return segments.stream()
        .filter(s -> !unreadable.contains(s.segment()) && !log.suspects().isLeftOut(s))
        .toList();
  }

  /**
   * The table as it is known now.
   *
   * @param horizons before which records of a topic may be gone
   * @param copies whether this store can make copies
   */
  SliceTable table(ByTopic<Instant> horizons, boolean copies) {
    var slices = new TreeMap<Long, Fingerprint>();
    List<Stretch> unknown = new ArrayList<>();
    for (LiveSegment segment : readable(log.live())) {
      Optional<SliceSums> own = find(segment.segment());
      if (own.isEmpty()) {
        unknown.add(stretch(segment.info().range()));
      } else {
        own.get().forEach((slice, print) -> slices.merge(slice, print, Fingerprint::plus));
      }
    }
    return new SliceTable(sliceMillis, horizons, copies, slices, joined(unknown));
  }

  private Stretch stretch(UlidRange range) {
    return new Stretch(range.from().millis() / sliceMillis, range.to().millis() / sliceMillis);
  }

  private static List<Stretch> joined(List<Stretch> stretches) {
    stretches.sort(Comparator.comparingLong(Stretch::from));
    List<Stretch> joined = new ArrayList<>();
    for (Stretch next : stretches) {
      if (!joined.isEmpty() && next.from() <= joined.getLast().to() + 1) {
        Stretch last = joined.removeLast();
        joined.add(new Stretch(last.from(), Math.max(last.to(), next.to())));
      } else {
        joined.add(next);
      }
    }
    return joined;
  }
}
