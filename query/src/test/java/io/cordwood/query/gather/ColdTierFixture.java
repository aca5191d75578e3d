package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketRequests.Verb;
import io.cordwood.common.bucket.BucketUrl;
import io.cordwood.common.bucket.FaultyBucket;
import io.cordwood.common.cold.ColdName;
import io.cordwood.common.cold.ColdReader;
import io.cordwood.common.cold.ColdSegments;
import io.cordwood.common.cold.ColdUpload;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Nodes, a bucket with the records of two days, and faults of it. */
abstract class ColdTierFixture {
  static final Instant FIRST = Instant.parse("2026-11-24T12:00:00Z");
  static final Instant SECOND = Instant.parse("2026-11-25T12:00:00Z");
  static final SegmentSource EMPTY = _ -> new Held(List.of(), List.of());
  static final UlidRange GONE =
      new UlidRange(Ulid.MIN, Ulid.lastOf(FIRST.plusSeconds(60).toEpochMilli()));

  @TempDir Path folder;
  final TestCluster cluster = new TestCluster(1);
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final List<ColdReader> readers = new ArrayList<>();
  FaultyBucket bucket;
  Instant wall = Instant.now();
  long nanos;
  long maxRequests = 1000;

  /** Some segments, and what went of others. */
  record Held(List<? extends Segment> segments, List<Evicted> evicted)
      implements SegmentSource.View {
    @Override
    public void close() {}
  }

  @BeforeEach
  void open() throws IOException {
    bucket = new FaultyBucket(BucketUrl.parse(folder.resolve("cold").toUri().toString()).open());
    upload(batches(FIRST));
    upload(batches(SECOND));
  }

  @AfterEach
  void stop() {
    cluster.close();
    readers.forEach(ColdReader::close);
    bucket.close();
  }

  static List<Batch> batches(Instant from) {
    return ColdSegments.batches(new Topic("shop"), from, 20);
  }

  void upload(List<Batch> batches) throws IOException {
    byte[] settled = ColdSegments.settled(batches);
    Path file = Files.write(folder.resolve("settled"), settled);
    var _ = ColdUpload.put(bucket, file, ColdName.USUAL_CLASS);
  }

  ColdReader reader(String name) throws IOException {
    return reader(name, bucket);
  }

  ColdReader reader(String name, Bucket of) throws IOException {
    var reader =
        new ColdReader(
            of,
            new ColdReader.Options(folder.resolve(name), 1 << 20, maxRequests),
            () -> wall,
            () -> nanos,
            meters);
    readers.add(reader);
    return reader;
  }

  Node store(SegmentSource stored) throws IOException {
    return cluster.add(
        "store",
        new LocalRecords(Optional.empty(), Optional.of(stored), Optional.of(reader("reader"))));
  }

  static void isComplete(Answer answer, int matches) {
    assertThat(answer.field("missing")).isNull();
    assertThat(answer.field("verdict")).isEqualTo("complete");
    assertThat(answer.field("matches")).isEqualTo(Integer.toString(matches));
  }

  static void isDoubtful(Answer answer, String why) {
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing")).contains(why);
  }

  long gets() {
    return bucket.requests().count(Verb.GET);
  }

  /** Another node with an empty disk, which keeps what it reads of the bucket in a folder. */
  final Node emptyNode(String name, String keptIn) throws IOException {
    return cluster.add(
        name, new LocalRecords(Optional.empty(), Optional.of(EMPTY), Optional.of(reader(keptIn))));
  }

  static SegmentSource evictedTo(String... places) {
    return range ->
        new Held(
            List.of(),
            Stream.of(places)
                .flatMap(place -> new Evicted(GONE, place).in(range).stream())
                .toList());
  }
}
