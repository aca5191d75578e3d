package io.cordwood.store.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.cold.ColdList;
import io.cordwood.common.cold.ColdManifests;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdObject;
import io.cordwood.common.cold.ColdSegment;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one day that a bucket has, by one list. Their tails are read when they are needed,
 * once in a row of ranges. In the end those that are there for certain are named there. One thread.
 */
final class DayObjects implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DayObjects.class);

  private final Bucket bucket;
  private final LocalDate day;
  private final ColdList list;
  private final ColdMetrics metrics;
  private final Map<ColdName, Optional<StoreSegment>> opened = new HashMap<>();

  /** Got or put by their names: a list alone may have a name wrong. */
  private final Map<ColdName, ColdObject> there = new HashMap<>();

  DayObjects(Bucket bucket, LocalDate day, ColdList list, ColdMetrics metrics) {
    this.bucket = bucket;
    this.day = day;
    this.list = list;
    this.metrics = metrics;
  }

  /**
   * The batches of a range that objects with good tails have; about 100 bytes of memory each. Lets
   * go of the tails of what ends before the range: ranges come in the order of their time.
   *
   * @throws IOException if the bucket does not tell
   */
  Set<BatchInfo> batches(UlidRange range) throws IOException {
    opened.entrySet().removeIf(it -> isOver(it.getKey(), it.getValue(), range));
    Set<BatchInfo> found = new HashSet<>();
    for (ColdObject object : list.objects()) {
      if (object.name().range().overlaps(range)) {
        add(object, range, found);
      }
    }
    return found;
  }

  private static boolean isOver(ColdName name, Optional<StoreSegment> segment, UlidRange range) {
    boolean over = name.range().to().isBefore(range.from());
    if (over) {
      segment.ifPresent(StoreSegment::release);
    }
    return over;
  }

  private void add(ColdObject object, UlidRange range, Set<BatchInfo> found) throws IOException {
    Optional<StoreSegment> segment = opened(object);
    try {
      Optional<BatchLists> lists = segment.isPresent() ? segment.get().lists() : Optional.empty();
      if (lists.isEmpty()) {
        return;
      }
      for (BlockInfo block : segment.orElseThrow().blocks()) {
        if (block.range().overlaps(range)) {
          for (BatchInfo batch : lists.get().of(block)) {
            if (range.contains(batch.first())) {
              found.add(batch);
            }
          }
        }
      }
    } catch (CorruptException e) {
      damaged(object, e);
    }
  }

  private Optional<StoreSegment> opened(ColdObject object) throws IOException {
    Optional<StoreSegment> known = opened.get(object.name());
    if (known != null) {
      return known;
    }
    Optional<StoreSegment> segment;
    try {
      segment = Optional.of(ColdSegment.open(bucket, object));
      there.put(object.name(), object);
    } catch (CorruptException e) {
      damaged(object, e);
      segment = Optional.empty();
    }
    opened.put(object.name(), segment);
    return segment;
  }

  /** Its batches are uploaded again. */
  private void damaged(ColdObject object, CorruptException e) {
    metrics.damaged();
    LOG.warn("{}/{}: damaged, not counted as a copy: {}", bucket, object.name(), e.getMessage());
  }

  /** One more is there. */
  void put(ColdObject object) {
    there.put(object.name(), object);
  }

  /**
   * Names what is there.
   *
   * @throws IOException if it is not certain that it is named; the next one who looks at the day
   *     does so then
   */
  @Override
  public void close() throws IOException {
    opened.values().forEach(it -> it.ifPresent(StoreSegment::release));
    ColdManifests.add(bucket, day, there.values());
  }
}
