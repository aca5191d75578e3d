package io.cordwood.common.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.Block.BatchSpan;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.IngestBlocks;
import io.cordwood.common.segment.IngestLayout;
import io.cordwood.common.segment.LabelSummary;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentTotals;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments of every kind, read without what is deleted, against a filter of single records. */
final class RemainingSegmentsTest {
  private static final List<Topic> TOPICS =
      Stream.of("shop", "shop-eu", "audit", "other").map(Topic::new).toList();
  private static final int ROUNDS = 60;

  @TempDir private Path data;
  private final long seed = Seed.of(RemainingSegmentsTest.class);
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Records made = new Records(seed);

  /** A record, as whoever reads it tells it from others. */
  private record Held(Topic topic, Labels labels, Ulid ulid, String bytes) {}

  private List<Batch> batches() {
    List<Batch> batches = new ArrayList<>();
    boolean labelled = random.nextBoolean();
    for (int i = 0; i < 1 + random.nextInt(60); i++) {
      Topic topic = TOPICS.get(random.nextInt(TOPICS.size()));
      Batch batch = made.batch(topic, 1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 5));
      batches.add(labelled ? Records.labelled(batch, made.labels()) : batch);
    }
    return batches;
  }

  private static List<Held> records(Batch batch) {
    List<Held> records = new ArrayList<>();
    ByteBuffer payload = batch.payload();
    int from = payload.position();
    for (int at = from; at < payload.limit(); at++) {
      if (payload.get(at) == batch.delimiter().value()) {
        byte[] bytes = new byte[at - from];
        payload.get(from, bytes);
        records.add(
            new Held(
                batch.topic(),
                batch.labels(),
                batch.first().plus(records.size()),
                new String(bytes, StandardCharsets.ISO_8859_1)));
        from = at + 1;
      }
    }
    return records;
  }

  private static List<Segment> forms(List<Batch> batches) throws IOException {
    byte[] stored = SegmentFiles.storeSegment(SegmentFiles.sorted(batches));
    byte[] ingested = SegmentFiles.ingestSegment(batches);
    ByteSource received = ByteSource.of(ByteBuffer.wrap(ingested));
    List<Segment> forms = new ArrayList<>();
    forms.add(open(stored));
    forms.add(open(SegmentFiles.settled(stored)));
    if (batches.stream().allMatch(it -> it.labels().isEmpty())) {
      forms.add(open(SegmentFiles.withoutList(stored))); // Earlier versions know no labels.
    }
    forms.add(new IngestBlocks(IngestLayout.of(received, ingested.length).orElseThrow(), received));
    return forms;
  }

  private static StoreSegment open(byte[] bytes) throws IOException {
    return StoreSegment.open(SegmentFiles.file(bytes));
  }

  private record View(List<Segment> segments) implements SegmentSource.View {
    @Override
    public void close() {}
  }

  @Test
  void whatIsReadIsWhatNoTombstoneNames() throws IOException {
    for (int round = 0; round < ROUNDS; round++) {
      List<Batch> batches = batches();
      List<Held> all = batches.stream().flatMap(it -> records(it).stream()).toList();
      var tombstones = new RandomTombstones(random, all.stream().map(Held::ulid).toList());
      Deletions deletions = deletions(round);
      deletions.learn(Stream.generate(tombstones::next).limit(random.nextInt(5)).toList());
      List<Held> left =
          all.stream().filter(it -> !deletions.known().has(it.topic(), it.ulid())).toList();
      for (Segment segment : forms(batches)) {
        var remaining = new RemainingSegments(_ -> new View(List.of(segment)), deletions);
        try (SegmentSource.View view = remaining.view(UlidRange.ALL)) {
          Segment cut = view.segments().getFirst();
          check(cut, left);
          if (left.size() == all.size()) {
            assertThat(cut).isSameAs(segment);
          }
        }
      }
    }
  }

  private Deletions deletions(int round) throws IOException {
    Path folder = data.resolve("round" + round);
    Filesystem.real().createFolders(folder);
    return Deletions.open(folder, Filesystem.real(), new SimpleMeterRegistry());
  }

  private static void check(Segment segment, List<Held> left) throws IOException {
    List<Held> found = new ArrayList<>();
    List<BlockInfo> blocks = segment.blocks();
    try (var decoder = new BlockDecoder()) {
      for (int i = 0; i < blocks.size(); i++) {
        assertThat(blocks.get(i).ordinal()).isEqualTo(i);
        found.addAll(read(segment, blocks.get(i), decoder));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(left);
    assertThat(segment.totals()).isEqualTo(SegmentTotals.of(blocks));
    assertThat(segment.totals().records()).isEqualTo(left.size());
    assertThat(segment.candidates(List.of()).cardinality()).isEqualTo(blocks.size());
    assertThat(sums(segment.labels())).isEqualTo(counted(left));
  }

  private static List<Held> read(Segment segment, BlockInfo info, BlockDecoder decoder)
      throws IOException {
    Block block = segment.read(info, decoder);
    assertThat(block.records()).isEqualTo(info.records());
    assertThat(block.batches()).isEqualTo(info.batches());
    assertThat(block.to() - block.from()).isEqualTo(info.payloadBytes());
    assertThat(block.topic()).isEqualTo(info.topic());
    List<Held> records = new ArrayList<>();
    int at = block.from();
    UlidRange range = null;
    for (int i = 0; i < block.batches(); i++) {
      BatchSpan span = block.batch(i);
      assertThat(span.from()).as("payloads without gaps").isEqualTo(at);
      at = span.to();
      UlidRange of = UlidRange.of(span.first(), span.records());
      range = range == null ? of : range.union(of);
    }
    assertThat(info.range()).isEqualTo(range);
    block.toBatches().forEach(batch -> records.addAll(records(batch)));
    return records;
  }

  private static Map<String, Long> sums(List<LabelSummary> summaries) {
    Map<String, Long> sums = new TreeMap<>();
    summaries.forEach(it -> sums.merge(it.topic() + " " + it.labels(), it.records(), Long::sum));
    return sums;
  }

  private static Map<String, Long> counted(List<Held> records) {
    Map<String, Long> sums = new TreeMap<>();
    records.forEach(it -> sums.merge(it.topic() + " " + it.labels(), 1L, Long::sum));
    return sums;
  }

  /** All find the same batches, whichever form they hold; so readers and stores can compare. */
  @Test
  void whatIsLeftOfABatchIsTheSameEverywhere() throws IOException {
    List<Batch> batches = batches();
    List<Ulid> ulids =
        batches.stream().flatMap(it -> records(it).stream()).map(Held::ulid).toList();
    var tombstones = new RandomTombstones(random, ulids);
    Deletions deletions = deletions(0);
    deletions.learn(Stream.generate(tombstones::next).limit(5).toList());
    List<Map<Ulid, Integer>> found = new ArrayList<>();
    for (Segment segment : forms(batches)) {
      var remaining = new RemainingSegments(_ -> new View(List.of(segment)), deletions);
      Map<Ulid, Integer> identities = new HashMap<>();
      try (SegmentSource.View view = remaining.view(UlidRange.ALL);
          var decoder = new BlockDecoder()) {
        Segment cut = view.segments().getFirst();
        for (BlockInfo block : cut.blocks()) {
          cut.read(block, decoder)
              .toBatches()
              .forEach(it -> identities.put(it.first(), it.records()));
        }
      }
      found.add(identities);
    }
    assertThat(found).allMatch(found.getFirst()::equals);
  }

  @Test
  void aSegmentOfWhichNothingIsLeftHasNoBlocks() throws IOException {
    Batch batch =
        Records.lines(new Topic("shop"), RandomTombstones.of(0, "shop").range().from(), "x");
    Deletions deletions = deletions(0);
    deletions.ask(RandomTombstones.of(0, "shop"));
    for (Segment segment : forms(List.of(batch))) {
      var remaining = new RemainingSegments(_ -> new View(List.of(segment)), deletions);
      try (SegmentSource.View view = remaining.view(UlidRange.ALL)) {
        Segment left = view.segments().getFirst();
        assertThat(left.blocks()).isEmpty();
        assertThat(left.totals().records()).isZero();
        assertThat(left.labels()).isEmpty();
        assertThat(left.candidates(List.of()).isEmpty()).isTrue();
      }
    }
  }
}
