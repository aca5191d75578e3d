package io.cordwood.store.cold;

import io.cordwood.common.cold.ColdName;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.HeldSegments;
import io.cordwood.store.segment.LiveSegment;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The days of which a store's segments have records. Those of a segment that is longer than two
 * days, such as one of an import, are read from its list of batches, once. One thread.
 */
final class SegmentDays {
  private static final Logger LOG = LoggerFactory.getLogger(SegmentDays.class);

  /**
   * More days than these are not looked for between the ends of a segment without a list of
   * batches.
   */
  private static final int MOST_DAYS = 4000;

  private final StoreLog log;
  private final Map<String, SortedSet<LocalDate>> ofLong = new HashMap<>();

  SegmentDays(StoreLog log) {
    this.log = log;
  }

  /** The days, with the names of the segments that have records of them. */
  Map<LocalDate, Set<String>> find() {
    Map<LocalDate, Set<String>> days = new HashMap<>();
    try (HeldSegments held = log.hold(UlidRange.ALL)) {
      ofLong
          .keySet()
          .retainAll(held.live().stream().map(it -> it.info().name()).collect(Collectors.toSet()));
      for (LiveSegment segment : held.live()) {
        for (LocalDate day : days(segment)) {
          days.computeIfAbsent(day, _ -> new TreeSet<>()).add(segment.info().name());
        }
      }
    }
    return days;
  }

  private SortedSet<LocalDate> days(LiveSegment segment) {
    UlidRange range = segment.info().range();
    SortedSet<LocalDate> ends = new TreeSet<>(Set.of(day(range.from())));
    ends.add(day(range.to()));
    if (!ends.getFirst().plusDays(1).isBefore(ends.getLast())) {
      return ends;
    }
    SortedSet<LocalDate> known = ofLong.get(segment.info().name());
    if (known != null) {
      return known;
    }
    try {
      SortedSet<LocalDate> read = read(segment, ends);
      ofLong.put(segment.info().name(), read);
      return read;
    } catch (IOException e) {
      LOG.warn("{}: found by uploads: {}", segment.file(), e.getMessage());
      log.suspect(segment);
      return ends;
    }
  }

  private static SortedSet<LocalDate> read(LiveSegment segment, SortedSet<LocalDate> ends)
      throws IOException {
    Optional<BatchLists> lists = segment.segment().lists();
    if (lists.isEmpty()) {
      return ends.getFirst()
          .datesUntil(ends.getLast().plusDays(1))
          .limit(MOST_DAYS)
          .collect(Collectors.toCollection(() -> new TreeSet<>(ends)));
    }
    SortedSet<LocalDate> days = new TreeSet<>();
    for (BlockInfo block : segment.segment().blocks()) {
      for (BatchInfo batch : lists.get().of(block)) {
        days.add(day(batch.first()));
      }
    }
    return days;
  }

  private static LocalDate day(Ulid ulid) {
    return ColdName.dayOf(new UlidRange(ulid, ulid));
  }
}
