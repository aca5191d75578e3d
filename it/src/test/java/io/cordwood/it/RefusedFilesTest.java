package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.follow.FollowCounters;
import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.net.FreePorts;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.RefusalReason;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose topics a real node refuses wait, and hold nothing up; then they are all there. */
final class RefusedFilesTest {

  /** More than may be held: 3 MiB. */
  private static final int MANY = 30_000;

  private static final int MOST_HELD_BYTES = 4 << 20;
  private static final Duration LONG = Patience.LONG;

  @TempDir private Path folder;
  private String token = "";
  private TopicRule topics = TopicRule.template("{name}");
  private LabelRule labels = LabelRule.NONE;

  private IngestNode node(int port, int maxTopics) throws IOException {
    return TokenNode.open(
        folder,
        port,
        Admission.OPEN,
        options -> options.with(IngestOptions.Quotas.DEFAULT.withMaxTopics(maxTopics)));
  }

  private Forwarder forwarder(int port) {
    return TokenNode.forwarder(port, token);
  }

  private Follower follower(Forwarder forwarder, boolean once) throws IOException {
    return Follower.open(
        new FollowOptions(
            List.of(folder.resolve("*.log").toString()),
            folder.resolve("checkpoint"),
            topics,
            labels,
            FollowOptions.Reading.of(Multiline.NONE),
            once,
            MOST_HELD_BYTES),
        forwarder,
        new FollowLog(_ -> {}));
  }

  private void write(String name, List<String> lines) throws IOException {
    Files.write(folder.resolve(name), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static List<String> lines(String name, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> name + " " + i + " " + "x".repeat(90)).toList();
  }

  @Test
  void theyWaitAndTheOthersGoOnUntilANodeTakesThem() throws Exception {
    write("a.log", lines("a", 0, 1));
    write("b.log", lines("b", 0, 1));
    int port = FreePorts.next();
    try (IngestNode _ = node(port, 2);
        Forwarder forwarder = forwarder(port)) {
      AtomicReference<Follower> follower = new AtomicReference<>();
      Thread thread = Thread.ofPlatform().start(() -> follow(forwarder, follower));
      await().until(() -> forwarder.counters().acknowledged() == 2);
      write("c.log", lines("c", 0, MANY));
      await().until(() -> follower.get().counters().topicsRefused() == 1);
      write("a.log", lines("a", 1, 1000));
      write("b.log", lines("b", 1, 1000));
      FollowCounters counters = follower.get().counters();
      await().until(() -> counters.recordsAcknowledged() == 2000);
      await().until(() -> counters.behindBytes() == Files.size(c()));
      Files.delete(folder.resolve("b.log"));
      follower.get().stop();
      thread.join();
      assertThat(counters.recordsAcknowledged()).isEqualTo(2000);
      assertThat(counters.behindBytes()).isEqualTo(Files.size(c()));
    }
    try (IngestNode _ = node(port, 2);
        Forwarder forwarder = forwarder(port)) {
      write("b.log", lines("b", 1000, 1001));
      try (Follower once = follower(forwarder, true)) {
        assertThat(once.run()).as("ends, since nothing else is to be sent").isTrue();
        assertThat(once.counters().topicsRefused()).isEqualTo(1);
      }
    }
    try (IngestNode _ = node(port, 3);
        Forwarder forwarder = forwarder(port);
        Follower once = follower(forwarder, true)) {
      assertThat(once.run()).isTrue();
      assertThat(once.counters().topicsRefused()).isZero();
    }
    assertAllAreThereOnce();
  }

  private Path c() {
    return folder.resolve("c.log");
  }

  private void follow(Forwarder forwarder, AtomicReference<Follower> to) {
    try (Follower follower = follower(forwarder, false)) {
      to.set(follower);
      follower.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertAllAreThereOnce() throws IOException {
    List<String> expected = new ArrayList<>(lines("a", 0, 1000));
    expected.addAll(lines("b", 0, 1001));
    expected.addAll(lines("c", 0, MANY));
    assertThat(InProcessNode.recovered(folder.resolve("node")).values().stream().sorted().toList())
        .isEqualTo(expected.stream().sorted().toList());
  }

  /** A file that is deleted while it waits is kept open; what it held arrives. */
  @Test
  void oneThatIsDeletedMeanwhileIsThereToo() throws Exception {
    write("a.log", lines("a", 0, 1));
    AtomicReference<Follower> follower = new AtomicReference<>();
    int port = FreePorts.next();
    Forwarder forwarder;
    Thread thread;
    try (IngestNode _ = node(port, 1)) {
      forwarder = forwarder(port);
      thread = Thread.ofPlatform().start(() -> follow(forwarder, follower));
      await().until(() -> forwarder.counters().acknowledged() == 1);
      write("c.log", lines("c", 0, 1000));
      await().until(() -> follower.get().counters().topicsRefused() == 1);
      Files.delete(c());
      write("a.log", lines("a", 1, 2));
      await().until(() -> forwarder.counters().acknowledged() == 2);
    }
    try (forwarder;
        IngestNode _ = node(port, 2)) {
      await().until(() -> forwarder.counters().acknowledged() == 1002);
      await().until(() -> follower.get().counters().topicsRefused() == 0);
      follower.get().stop();
      thread.join();
      assertThat(follower.get().counters().topicsRefused()).isZero();
    }
    assertThat(InProcessNode.recovered(folder.resolve("node"))).hasSize(1002);
  }

  /** Those of a topic whose labels a token is not for hold up no others of the topic. */
  @Test
  void thoseWithRefusedLabelsWaitUntilTheTokenIsForThem() throws Exception {
    token = TokenText.random();
    topics = TopicRule.template("pods");
    labels = LabelRule.pattern(Labels.NONE, "/(?<namespace>[a-z]+)_[^/]+$");
    write("pay_1.log", lines("pay", 0, 10));
    write("shop_1.log", lines("shop", 0, 1000));
    write("shop_2.log", lines("shop", 1000, 2000));
    try (TokenNode node = TokenNode.start(folder, 0, token, Map.of("namespace", "shop"));
        Forwarder forwarder = forwarder(node.durablePort());
        Follower once = follower(forwarder, true)) {
      assertThat(once.run()).as("ends, since nothing else is to be sent").isTrue();
      assertThat(forwarder.counters().acknowledged()).isEqualTo(2000);
      assertThat(forwarder.counters().refusals(RefusalReason.LABELS)).isOne();
      assertThat(once.counters().topicsRefused()).isOne();
      assertThat(once.drain(LONG)).as("all that was sent has arrived").isTrue();
    }
    try (TokenNode node = TokenNode.start(folder, 0, token, Map.of());
        Forwarder forwarder = forwarder(node.durablePort());
        Follower once = follower(forwarder, true)) {
      assertThat(once.run()).isTrue();
      assertThat(forwarder.counters().acknowledged()).isEqualTo(10);
      assertThat(once.counters().topicsRefused()).isZero();
    }
  }

  /** A container's streams have labels of their own; what of them has arrived is there once. */
  @Test
  void containersOneStreamOfWhichIsRefusedWaitAndAreThereOnce() throws Exception {
    token = TokenText.random();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      String stream = i % 2 == 0 || i > 1500 ? "stdout" : "stderr";
      lines.add("2020-01-01T00:00:00Z %s F line %d".formatted(stream, i));
    }
    write("a.log", lines);
    try (TokenNode node = TokenNode.start(folder, 0, token, Map.of("stream", "stdout"));
        Forwarder forwarder = forwarder(node.durablePort());
        Follower once = follower(forwarder, true)) {
      assertThat(once.run()).as("ends, since nothing else is to be sent").isTrue();
      assertThat(once.counters().topicsRefused()).isOne();
      assertThat(once.counters().recordsAcknowledged()).isZero();
    }
    try (TokenNode node = TokenNode.start(folder, 0, token, Map.of());
        Forwarder forwarder = forwarder(node.durablePort());
        Follower once = follower(forwarder, true)) {
      assertThat(once.run()).isTrue();
      assertThat(once.counters().topicsRefused()).isZero();
    }
    assertThat(InProcessNode.recovered(folder.resolve("node")).values())
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 2000).mapToObj(i -> "line " + i).toList());
  }
}
