package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentFiles;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import io.cordwood.query.Answer;
import io.cordwood.query.LocalRecords;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A disk that gives errors costs what is on it, and the answer says so. */
final class UnreadableDiskTest {
  private static final SegmentSource ILL =
      _ -> {
        throw new IOException("expected: Input/output error");
      };

  private final TestCluster cluster = new TestCluster(1);

  @AfterEach
  void stop() {
    cluster.close();
  }

  private static Node node(TestCluster cluster, SegmentSource received, SegmentSource stored)
      throws IOException {
    return cluster.add("ill", new LocalRecords(Optional.of(received), Optional.of(stored)));
  }

  @Test
  void whatIsStoredIsFoundWhileWhatIsReceivedCannotBeRead() throws IOException {
    var fixture = new SegmentFixture(6, 2, SegmentFixture.batches(6, 20));
    Answer answer = node(cluster, ILL, fixture).get("/query?count=true");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEqualTo(fixture.records().size() + "\n");
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing-nodes")).isEqualTo("1");
    assertThat(answer.field("missing")).startsWith("ingest ill ").contains("Input/output error");
  }

  @Test
  void ifNothingCanBeReadTheAnswerIsEmptyAndSaysSo() throws IOException {
    Answer answer = node(cluster, ILL, ILL).get("/query");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text()).isEmpty();
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing-nodes")).isEqualTo("2");
  }

  /** Its segments are open, and what of them is in memory stays there. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/query",
        "/query?q=e",
        "/query?count=true",
        "/query?count=true&q=e",
        "/query?last=3",
        "/query?limit=3",
        "/query?q=e&before=1&after=1",
        "/read",
        "/histogram",
        "/histogram?bucket=1h&levels=true",
        "/histogram?q=e&q=",
        "/stats?by=level",
        "/stats?by=shape",
        "/stats?by=topic",
        "/stats?by=@host",
        "/fields",
        "/fields?q=e",
        "/histogram?by=level",
        "/histogram?by=topic",
        "/histogram?by=@host",
        "/query?where=level%3Derror",
        "/query?where=@host%3Da",
        "/query?topic=default",
      })
  void aDiskThatDiesMakesAnAnswerPossiblyIncompleteAndIsNoError(String path) throws IOException {
    var dead = new AtomicBoolean();
    var stored = new ArrayList<Segment>();
    for (long seed = 0; seed < 2; seed++) {
      stored.add(StoreSegment.open(mortal(SegmentFixture.batches(seed, 20), dead)));
    }
    Node node = cluster.store("ill", _ -> new Held(stored));
    Answer before = node.get(path);
    assertThat(before.status()).as(before.text()).isEqualTo(200);
    assertThat(before.field("verdict")).isEqualTo("complete");
    dead.set(true);
    assertLacking(node.get(path));
    cluster.ingest("well", new SegmentFixture(6, 2, List.of()));
    assertLacking(node.get(path));
  }

  /** What a segment lists may be in memory from its opening on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/topics",
        "/topics?format=json",
        "/topics?from=2023-11-14T22:13:21Z",
        "/labels",
        "/labels?name=pod",
        "/labels?name=pod&topic=shop",
        "/labels?name=pod&from=2023-11-14T22:13:21Z",
        "/query?where=@pod%3Dnone",
        "/stats?by=@pod&topic=none",
      })
  void aListIsWholeOrSaysThatItIsNot(String path) throws IOException {
    List<Batch> batches = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Labels labels = Labels.of(Map.of("pod", "web-" + i % 7, "host", "h" + i));
      Ulid first = Ulid.firstOf(1_700_000_000_000L + 10L * i);
      batches.add(Records.lines(new Topic("shop"), first, "a", "b").labelled(labels));
    }
    var dead = new AtomicBoolean();
    List<Segment> stored = List.of(StoreSegment.open(mortal(batches, dead)));
    Node node = cluster.store("ill", _ -> new Held(stored));
    dead.set(true);
    Answer ill = node.get(path);
    dead.set(false);
    Answer well = node.get(path);
    assertThat(well.status()).as(well.text()).isEqualTo(200);
    assertThat(well.field("verdict")).isEqualTo("complete");
    if (!ill.text().equals(well.text())) {
      assertLacking(ill);
    }
  }

  private static void assertLacking(Answer answer) {
    assertThat(answer.status()).as(answer.text()).isEqualTo(200);
    assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    assertThat(answer.field("missing")).startsWith("store ill ");
  }

  private static ByteSource.Unclosed mortal(List<Batch> batches, AtomicBoolean dead) {
    byte[] bytes = SegmentFiles.storeSegment(SegmentFiles.sorted(batches));
    ByteSource alive = ByteSource.of(ByteBuffer.wrap(bytes));
    return new ByteSource.Unclosed(
        new ByteSource() {
          @Override
          public long size() throws IOException {
            return alive.size();
          }

          @Override
          public void read(ByteBuffer target, long position) throws IOException {
            if (dead.get()) {
              throw new IOException("expected: Input/output error");
            }
            alive.read(target, position);
          }
        });
  }

  private record Held(List<Segment> segments) implements SegmentSource.View {
    @Override
    public void close() {}
  }
}
