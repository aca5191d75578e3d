package io.cordwood.query;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestBlocks;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Delimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/**
 * Random batches, spread over store segments, settled ones and ingest segments so that segments
 * overlap and some batches stand in two, and what is in them.
 */
public final class SegmentFixture implements SegmentSource {
  public static final List<Topic> TOPICS =
      List.of(Topic.DEFAULT, new Topic("billing"), new Topic("web-7"));

  private final List<StoreSegment> stored = new ArrayList<>();
  private final List<IngestBlocks> unconsumed = new ArrayList<>();
  private final List<Batch> batches;
  private final List<Expected> records;

  /** A record that a query may find. */
  public record Expected(Ulid ulid, Topic topic, byte[] bytes) {}

  public SegmentFixture(long seed, int segmentCount, int batchCount) throws IOException {
    this(seed, segmentCount, batches(seed, batchCount));
  }

  private SegmentFixture(List<Batch> batches) {
    this.batches = batches;
    this.records = records(batches);
  }

  public SegmentFixture(long seed, int segmentCount, List<Batch> batches) throws IOException {
    this(batches);
    List<List<Batch>> parts = split(new SplittableRandom(seed), segmentCount);
    for (int i = 0; i < segmentCount; i++) {
      switch (i % 3) {
        case 0 -> store(parts.get(i), UnaryOperator.identity());
        case 1 -> store(parts.get(i), SegmentFiles::settled);
        default -> receive(parts.get(i));
      }
    }
  }

  /** Ingest segments of some batches each. */
  public static SegmentFixture unconsumed(List<List<Batch>> segments) throws IOException {
    var fixture = new SegmentFixture(segments.stream().flatMap(List::stream).toList());
    for (List<Batch> segment : segments) {
      fixture.receive(segment);
    }
    return fixture;
  }

  public static List<Batch> batches(long seed, int count) {
    var random = new SplittableRandom(seed);
    var source = new Records(seed);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      batches.add(source.batch(TOPICS.get(random.nextInt(TOPICS.size())), 30));
    }
    return batches;
  }

  /** Records of 100 kB each, of random bytes but NUL, in one segment. */
  public static SegmentFixture ofLargeRecords(int records) throws IOException {
    var random = new SplittableRandom(11);
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      byte[] record = new byte[100_000];
      random.nextBytes(record);
      Ulid ulid = Ulid.firstOf(1_700_000_000_000L + i);
      batches.add(Records.batch(Topic.DEFAULT, Delimiter.NUL, ulid, List.of(cleared(record))));
    }
    return new SegmentFixture(11, 1, batches);
  }

  private static byte[] cleared(byte[] record) {
    for (int i = 0; i < record.length; i++) {
      record[i] = record[i] == 0 ? 1 : record[i];
    }
    return record;
  }

  private List<List<Batch>> split(SplittableRandom random, int segmentCount) {
    List<List<Batch>> parts = new ArrayList<>();
    for (int i = 0; i < segmentCount; i++) {
      parts.add(new ArrayList<>());
    }
    for (Batch batch : batches) {
      int part = random.nextInt(segmentCount);
      parts.get(part).add(batch);
      int other = random.nextInt(segmentCount);
      if (random.nextInt(4) == 0 && other != part) {
        parts.get(other).add(batch);
      }
    }
    return parts;
  }

  /** The same batches in other segments. */
  public SegmentFixture splitAnew(long seed, int segmentCount) throws IOException {
    return new SegmentFixture(seed, segmentCount, batches);
  }

  private void store(List<Batch> part, UnaryOperator<byte[]> form) throws IOException {
    if (!part.isEmpty()) {
      byte[] bytes = form.apply(SegmentFiles.storeSegment(SegmentFiles.sorted(part)));
      stored.add(StoreSegment.open(SegmentFiles.file(bytes)));
    }
  }

  /** Into a segment in the order of arrival, with another one's bytes behind it. */
  private void receive(List<Batch> part) throws IOException {
    byte[] bytes = SegmentFiles.ingestSegment(part);
    byte[] reused = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, reused, bytes.length, bytes.length);
    var file = ByteSource.of(ByteBuffer.wrap(reused));
    IngestLayout.of(file, bytes.length).ifPresent(it -> unconsumed.add(new IngestBlocks(it, file)));
  }

  /** What is in these batches, in ULID order. */
  public static List<Expected> records(List<Batch> batches) {
    List<Expected> records = new ArrayList<>();
    batches.forEach(batch -> addRecords(batch, records));
    records.sort(Comparator.comparing(Expected::ulid));
    return records;
  }

  private static void addRecords(Batch batch, List<Expected> records) {
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
  public List<Expected> records() {
    return records;
  }

  @Override
  public View view(UlidRange range) {
    List<StoreSegment> held =
        stored.stream().filter(s -> s.range().overlaps(range) && s.retain()).toList();
    List<Segment> all = new ArrayList<>(held);
    unconsumed.stream().filter(s -> s.range().overlaps(range)).forEach(all::add);
    return new View() {
      @Override
      public List<Segment> segments() {
        return all;
      }

      @Override
      public void close() {
        held.forEach(StoreSegment::release);
      }
    };
  }

  /** So many blocks that a search of them ends in no test's patience, unless it is stopped. */
  public SegmentSource endless() {
    return range -> {
      SegmentSource.View view = view(range);
      List<Segment> segments = Collections.nCopies(50_000, view.segments().getFirst());
      return new SegmentSource.View() {
        @Override
        public List<Segment> segments() {
          return segments;
        }

        @Override
        public void close() {
          view.close();
        }
      };
    };
  }

  /** Records as text gives them, each with a line feed. */
  public static byte[] text(List<Expected> records) {
    var out = new ByteArrayOutputStream();
    records.forEach(r -> {
      out.writeBytes(r.bytes());
      out.write('\n');
    });
    return out.toByteArray();
  }
}
