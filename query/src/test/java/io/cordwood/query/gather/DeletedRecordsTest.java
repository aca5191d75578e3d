package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.deletion.Deletions;
import io.cordwood.common.deletion.RandomTombstones;
import io.cordwood.common.deletion.Tombstone;
import io.cordwood.common.deletion.Tombstones;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that know what is deleted answer as if it had never been there. */
final class DeletedRecordsTest {
  private static final List<Topic> TOPICS =
      Stream.of("shop", "shop-eu", "audit").map(Topic::new).toList();

  /** Within one of UTC's days. */
  private static final long BEGIN = 1_700_000_000_000L;

  private static final int BATCHES = 60;
  private static final int BATCHES_A_SEGMENT = 13;
  private static final int RECORDS = 20;

  private static final List<String> QUESTIONS =
      List.of(
          "/query",
          "/query?q=level%3Derror",
          "/query?q=n%3D7&count=true",
          "/query?count=true",
          "/query?topic=shop&topic=audit&last=17",
          "/query?limit=23",
          "/query?where=level%3Derror&format=json",
          "/histogram?bucket=1s",
          "/histogram?bucket=1s&levels=true",
          "/histogram?bucket=1s&q=n%3D3",
          "/topics",
          "/query?where=host%3Dweb-1",
          "/labels",
          "/labels?name=host",
          "/stats?by=topic,level",
          "/fields");

  @TempDir private Path folder;
  private final SplittableRandom random = new SplittableRandom(Seed.of(DeletedRecordsTest.class));
  private final TestCluster cluster = new TestCluster(2);
  private final TestCluster expected = new TestCluster(2);

  @AfterEach
  void stop() {
    cluster.close();
    expected.close();
  }

  private List<Batch> batches() {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < BATCHES; i++) {
      String[] lines = new String[1 + random.nextInt(RECORDS)];
      for (int line = 0; line < lines.length; line++) {
        String level = random.nextInt(3) == 0 ? "error" : "info";
        lines[line] = "level=%s n=%d of batch %d".formatted(level, random.nextInt(20), i);
      }
      Topic topic = TOPICS.get(random.nextInt(TOPICS.size()));
      Batch batch = Records.lines(topic, Ulid.firstOf(BEGIN + 50L * i), lines);
      Labels labels = Labels.of(Map.of("host", "web-" + random.nextInt(3)));
      batches.add(random.nextBoolean() ? batch : Records.labelled(batch, labels));
    }
    return batches;
  }

  private List<Tombstone> tombstones(List<Batch> batches, int count) {
    List<Ulid> records =
        batches.stream()
            .flatMap(it -> IntStream.range(0, it.records()).mapToObj(it.first()::plus))
            .toList();
    var made = new RandomTombstones(random, records);
    return Stream.generate(made::next).limit(count).toList();
  }

  private Deletions deletions(String node) throws IOException {
    return Deletions.open(
        Files.createDirectories(folder.resolve(node)),
        Filesystem.real(),
        new SimpleMeterRegistry());
  }

  private Node store(String id, SegmentSource segments, Deletions deletions) throws IOException {
    return cluster.add(
        id,
        LocalRecords.without(deletions, Optional.empty(), Optional.of(segments), Optional.empty()));
  }

  private Node ingest(String id, SegmentSource segments, Deletions deletions) throws IOException {
    return cluster.add(
        id,
        LocalRecords.without(deletions, Optional.of(segments), Optional.empty(), Optional.empty()));
  }

  private static List<Batch> left(List<Batch> batches, Tombstones deleted) {
    return batches.stream().flatMap(it -> it.without(deleted).stream()).toList();
  }

  /** Without copies within a node, since these count in sums. */
  private static SegmentSource segments(List<Batch> batches, Tombstones without)
      throws IOException {
    List<StoreSegment> segments = new ArrayList<>();
    for (int from = 0; from < batches.size(); from += BATCHES_A_SEGMENT) {
      int to = Math.min(batches.size(), from + BATCHES_A_SEGMENT);
      List<Batch> some = left(batches.subList(from, to), without);
      if (!some.isEmpty()) {
        byte[] bytes = SegmentFiles.storeSegment(SegmentFiles.sorted(some));
        byte[] form = segments.size() % 2 == 0 ? bytes : SegmentFiles.settled(bytes);
        segments.add(StoreSegment.open(SegmentFiles.file(form)));
      }
    }
    return range ->
        new Segments(segments.stream().filter(it -> it.range().overlaps(range)).toList());
  }

  private record Segments(List<StoreSegment> segments) implements SegmentSource.View {
    @Override
    public void close() {}
  }

  private static void check(Node node, Node expected) throws IOException {
    for (String question : QUESTIONS) {
      Answer wanted = expected.get(question);
      Answer found = node.get(question);
      assertThat(found.status()).as(question).isEqualTo(200);
      assertThat(found.text()).as(question).isEqualTo(wanted.text());
      assertThat(found.field("verdict")).as(question).isEqualTo(wanted.field("verdict"));
    }
  }

  @Test
  void everyAnswerIsThatOfNodesThatNeverHadIt() throws IOException {
    List<Batch> all = batches();
    List<Tombstone> deleted = tombstones(all, 4);
    Tombstones set = Tombstones.NONE.plus(deleted);
    assertThat(left(all, set)).isNotEqualTo(all).isNotEmpty();
    List<Deletions> known = List.of(deletions("a"), deletions("b"), deletions("i"));
    for (Deletions each : known) {
      each.learn(deleted);
    }
    store("a", segments(all, Tombstones.NONE), known.get(0));
    Node asked = store("b", segments(all, Tombstones.NONE), known.get(1));
    ingest("i", SegmentFixture.unconsumed(List.of(all.subList(0, 20))), known.get(2));
    expected.ingest("i", SegmentFixture.unconsumed(List.of(left(all.subList(0, 20), set))));
    expected.store("a", segments(all, set));
    check(asked, expected.store("b", segments(all, set)));
  }

  /** One that was away, or was not told yet. */
  @Test
  void whoeverLacksADeletionLearnsItBeforeItAnswers() throws IOException {
    List<Batch> all = batches();
    List<Tombstone> deleted = tombstones(all, 3);
    Tombstones set = Tombstones.NONE.plus(deleted);
    Deletions knows = deletions("a");
    knows.learn(deleted.subList(0, 2));
    Deletions lacks = deletions("b");
    Deletions alsoLacks = deletions("i");
    Node asked = store("a", segments(all, Tombstones.NONE), knows);
    store("b", segments(all, Tombstones.NONE), lacks);
    ingest("i", SegmentFixture.unconsumed(List.of(all.subList(0, 20))), alsoLacks);
    expected.ingest("i", SegmentFixture.unconsumed(List.of(left(all.subList(0, 20), set))));
    knows.learn(deleted);
    expected.store("a", segments(all, set));
    check(asked, expected.store("b", segments(all, set)));
    assertThat(lacks.known()).isEqualTo(set);
    assertThat(alsoLacks.known()).isEqualTo(set);
  }

  @Test
  void aNodeThatIsAskedAndLacksADeletionSaysSoAndAnswersRightTheNextTime() throws IOException {
    List<Batch> all = batches();
    List<Tombstone> deleted = tombstones(all, 3);
    Tombstones set = Tombstones.NONE.plus(deleted);
    Deletions knows = deletions("a");
    knows.learn(deleted);
    Deletions lacks = deletions("b");
    store("a", segments(all, Tombstones.NONE), knows);
    Node asked = store("b", segments(all, Tombstones.NONE), lacks);
    cluster.replicatedFromMillis = Long.MAX_VALUE; // Each store is waited for.
    Answer first = asked.get("/query?count=true");
    assertThat(first.field("verdict")).isEqualTo("possibly-incomplete");
    cluster.replicatedFromMillis = 0;
    assertThat(first.field("missing")).contains("ask again");
    assertThat(lacks.known()).isEqualTo(set);
    expected.store("a", segments(all, set));
    check(asked, expected.store("b", segments(all, set)));
  }

  @Test
  void oneNodeAloneAnswersWithoutItToo() throws IOException {
    List<Batch> all = batches();
    List<Tombstone> deleted = tombstones(all, 3);
    Tombstones set = Tombstones.NONE.plus(deleted);
    Deletions known = deletions("a");
    known.learn(deleted);
    Node alone = store("a", segments(all, Tombstones.NONE), known);
    check(alone, expected.store("a", segments(all, set)));
  }
}
