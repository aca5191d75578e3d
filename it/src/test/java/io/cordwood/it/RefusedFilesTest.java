package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.common.file.Filesystem;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.ForwarderListener;
import io.cordwood.forwarder.ForwarderOptions;
import io.cordwood.forwarder.Target;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose topics a real node refuses wait, and hold nothing up; then they are all there. */
final class RefusedFilesTest {

  /** More than may be held: 3 MiB. */
  private static final int MANY = 30_000;

  private static final int MOST_HELD_BYTES = 4 << 20;

  @TempDir private Path folder;

  private IngestNode node(int port, int maxTopics) throws IOException {
    IngestOptions options =
        IngestOptions.in(folder.resolve("node").resolve("ingest"))
            .withListening(new IngestOptions.Listening("127.0.0.1", 0, port, 1))
            .withBulk(IngestOptions.Bulk.DEFAULT.withPort(0))
            .withQuotas(IngestOptions.Quotas.DEFAULT.withMaxTopics(maxTopics));
    IngestNode node =
        IngestNode.start(
            options, Filesystem.real(), new SimpleMeterRegistry(), InstantSource.system());
    node.startTaking();
    return node;
  }

  private static Forwarder forwarder(int port) {
    return Forwarder.start(
        ForwarderOptions.builder()
            .target(new Target("127.0.0.1", port))
            .backoff(Duration.ofMillis(1), Duration.ofMillis(100))
            .build(),
        ForwarderListener.NONE);
  }

  private Follower follower(Forwarder forwarder, boolean once) throws IOException {
    return Follower.open(
        new FollowOptions(
            List.of(folder.resolve("*.log").toString()),
            folder.resolve("checkpoint"),
            TopicRule.template("{name}"),
            LabelRule.NONE,
            Multiline.NONE,
            false,
            once,
            Duration.ofSeconds(1),
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
    int port;
    try (IngestNode node = node(0, 2);
        Forwarder forwarder = forwarder(node.durablePort())) {
      port = node.durablePort();
      AtomicReference<Follower> follower = new AtomicReference<>();
      Thread thread = Thread.ofPlatform().start(() -> follow(forwarder, follower));
      await().until(() -> forwarder.counters().acknowledged() == 2);
      write("c.log", lines("c", 0, MANY));
      await().until(() -> follower.get().counters().topicsRefused() == 1);
      write("a.log", lines("a", 1, 1000));
      write("b.log", lines("b", 1, 1000));
      await().until(() -> forwarder.counters().acknowledged() == 2000);
      Files.delete(folder.resolve("b.log"));
      follower.get().stop();
      thread.join();
      assertThat(follower.get().counters().recordsAcknowledged()).isEqualTo(2000);
      assertThat(follower.get().counters().behindBytes()).isEqualTo(Files.size(c()));
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
    int port;
    Forwarder forwarder;
    Thread thread;
    try (IngestNode node = node(0, 1)) {
      port = node.durablePort();
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
      follower.get().stop();
      thread.join();
      assertThat(follower.get().counters().topicsRefused()).isZero();
    }
    assertThat(InProcessNode.recovered(folder.resolve("node"))).hasSize(1002);
  }
}
