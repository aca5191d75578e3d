package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import io.cordwood.ingest.node.IngestNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that cannot be read for a while, or are not where others are; a real node takes them. */
final class OddFilesTest {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final List<String> said = new CopyOnWriteArrayList<>();

  @TempDir private Path folder;

  /** Follows until all is done, and finds what the node has. */
  private Collection<String> follow(List<Path> patterns, Step step) throws Exception {
    try (IngestNode node =
            InProcessNode.startIngest(
                folder.resolve("node"), Filesystem.real(), new SimpleMeterRegistry());
        Forwarder forwarder = forwarder(node)) {
      Thread[] thread = new Thread[1];
      Follower[] follower = new Follower[1];
      var opened = new java.util.concurrent.CountDownLatch(1);
      thread[0] =
          Thread.ofPlatform()
              .start(() -> {
                try (Follower own = Follower.open(options(patterns), forwarder, log())) {
                  follower[0] = own;
                  opened.countDown();
                  own.run();
                } catch (IOException e) {
                  said.add(e.toString());
                }
              });
      opened.await();
      step.run(forwarder);
      follower[0].stop();
      thread[0].join();
    }
    return InProcessNode.recovered(folder.resolve("node")).values();
  }

  @FunctionalInterface
  private interface Step {
    void run(Forwarder forwarder) throws IOException;
  }

  private static Forwarder forwarder(IngestNode node) {
    ForwarderOptions options =
        ForwarderOptions.builder().target(new Target("127.0.0.1", node.durablePort())).build();
    return Forwarder.start(options, ForwarderListener.NONE);
  }

  private FollowLog log() {
    return new FollowLog(said::add);
  }

  private FollowOptions options(List<Path> patterns) {
    return new FollowOptions(
        patterns.stream().map(Path::toString).toList(),
        folder.resolve("checkpoint"),
        TopicRule.template("shop"),
        LabelRule.NONE,
        FollowOptions.Reading.of(Multiline.NONE),
        false,
        1 << 24);
  }

  private static void awaitAcknowledged(Forwarder forwarder, long records) {
    await().until(() -> forwarder.counters().acknowledged() == records);
  }

  /** A link to itself cannot be opened by anyone, while permissions do not keep root out. */
  @Test
  void fileThatCannotBeReadIsSaidOnceAndReadOnceItCanBe() throws Exception {
    Path logs = Files.createDirectories(folder.resolve("logs"));
    Files.writeString(logs.resolve("good.log"), "good\n");
    Path bad = Files.createSymbolicLink(logs.resolve("bad.log"), Path.of("bad.log"));
    Collection<String> found =
        follow(
            List.of(logs.resolve("*.log")),
            forwarder -> {
              awaitAcknowledged(forwarder, 1);
              await().until(() -> said.stream().anyMatch(s -> s.contains("bad.log")));
              Files.delete(bad);
              Files.writeString(bad, "readable\n");
              awaitAcknowledged(forwarder, 2);
            });
    assertThat(found).containsExactlyInAnyOrder("good", "readable");
    assertThat(said).hasSize(1).first().asString().contains("bad.log: ").endsWith("; trying on");
  }

  /** A move to another device is a copy in another folder, and a deletion. */
  @Test
  void fileThatMovesToAnotherDeviceIsAnotherFile() throws Exception {
    assumeTrue(Files.isWritable(MEMORY), "a folder on another device");
    Path other = Files.createTempDirectory(MEMORY, "cordwood");
    try {
      assumeFalse(Files.getFileStore(other).equals(Files.getFileStore(folder)));
      Path here = Files.writeString(folder.resolve("shop.log"), "x".repeat(2000) + "\nmoved\n");
      Files.writeString(other.resolve("there.log"), "there\n");
      Collection<String> found =
          follow(
              List.of(folder.resolve("*.log"), other.resolve("*.log")),
              forwarder -> {
                awaitAcknowledged(forwarder, 3);
                Path moved =
                    Files.move(
                        here, other.resolve("shop.log"), StandardCopyOption.REPLACE_EXISTING);
                Files.writeString(moved, "more\n", java.nio.file.StandardOpenOption.APPEND);
                awaitAcknowledged(forwarder, 6);
              });
      String first = "x".repeat(2000);
      assertThat(found).containsExactlyInAnyOrder(first, "moved", "there", first, "moved", "more");
    } finally {
      try (var files = Files.list(other)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(other);
    }
  }
}
