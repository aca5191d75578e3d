package io.cordwood.query;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Store segments of random batches, spread so that segments overlap and some batches stand in two,
 * and what is in them.
 */
final class SegmentFixture implements SegmentSource {
  static final List<Topic> TOPICS =
      List.of(Topic.DEFAULT, new Topic("billing"), new Topic("web-7"));

  private final List<StoreSegment> segments = new ArrayList<>();
  private final List<Expected> records = new ArrayList<>();

  /** A record that a query may find. */
  record Expected(Ulid ulid, Topic topic, byte[] bytes) {}

  SegmentFixture(long seed, int segmentCount, int batchCount) {
    var random = new SplittableRandom(seed);
    var source = new Records(seed);
    List<List<Batch>> parts = new ArrayList<>();
    for (int i = 0; i < segmentCount; i++) {
      parts.add(new ArrayList<>());
    }
    for (int i = 0; i < batchCount; i++) {
      Batch batch = source.batch(TOPICS.get(random.nextInt(TOPICS.size())), 30);
      parts.get(random.nextInt(segmentCount)).add(batch);
      if (random.nextInt(4) == 0) {
        List<Batch> other = parts.get(random.nextInt(segmentCount));
        if (!other.contains(batch)) {
          other.add(batch);
        }
      }
      expect(batch);
    }
    parts.stream().filter(p -> !p.isEmpty()).forEach(this::write);
    records.sort(Comparator.comparing(Expected::ulid));
  }

  private void write(List<Batch> part) {
    try {
      byte[] bytes = SegmentFiles.storeSegment(SegmentFiles.sorted(part));
      segments.add(StoreSegment.open(SegmentFiles.InMemory.of(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void expect(Batch batch) {
    var payload = batch.payload().duplicate();
    for (int i = 0; i < batch.records(); i++) {
      int start = payload.position();
      while (payload.get() != batch.delimiter().value()) {}
      byte[] bytes = new byte[payload.position() - start - 1];
      payload.get(start, bytes);
      records.add(new Expected(batch.first().plus(i), batch.topic(), bytes));
    }
  }

  /** All records, in ULID order. */
  List<Expected> records() {
    return records;
  }

  @Override
  public View view(UlidRange range) {
    List<StoreSegment> held =
        segments.stream().filter(s -> s.range().overlaps(range) && s.retain()).toList();
    return new View() {
      @Override
      public List<StoreSegment> segments() {
        return held;
      }

      @Override
      public void close() {
        held.forEach(StoreSegment::release);
      }
    };
  }
}
