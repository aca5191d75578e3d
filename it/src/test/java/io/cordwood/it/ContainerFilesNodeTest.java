package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.agent.follow.FollowLog;
import io.cordwood.agent.follow.FollowOptions;
import io.cordwood.agent.follow.Follower;
import io.cordwood.agent.follow.LabelRule;
import io.cordwood.agent.follow.Multiline;
import io.cordwood.agent.follow.TopicRule;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.wire.Labels;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.ingest.node.IngestNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as kubelets and Docker lay them out, followed into a real node. */
final class ContainerFilesNodeTest {
  private static final String UID = "9f3c2b1a-0000-4000-8000-1234567890ab";
  private static final String TRACE =
      "java.lang.IllegalStateException: x\n\tat shop.Order.main(Order.java:1)";

  @TempDir private Path folder;
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);

  /** A record as a node has it. */
  private record Stored(String topic, Labels labels, Instant time, String text) {}

  private Path pods() {
    return folder.resolve("pods/shop_web-1_" + UID + "/web");
  }

  private Follower follower(Forwarder forwarder, String pattern, boolean once) throws IOException {
    return Follower.open(
        new FollowOptions(
            List.of(folder.resolve(pattern).toString()),
            folder.resolve("checkpoint"),
            TopicRule.template("{container}"),
            LabelRule.NONE.withContainers("worker-7"),
            FollowOptions.Reading.of(Multiline.parse("java")),
            once,
            8 << 20),
        forwarder,
        new FollowLog(_ -> {}));
  }

  /** Reads all that is there, as a process does that is started and ends. */
  private void read(IngestNode node, String pattern) throws IOException {
    try (Forwarder forwarder = ReceivingNode.forwarder(node);
        Follower once = follower(forwarder, pattern, true)) {
      assertThat(once.run()).isTrue();
      assertThat(once.drain(Patience.LONG)).isTrue();
    }
  }

  private void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** A line of some milliseconds ago. */
  private String cri(long agoMillis, String rest) {
    return now.minusMillis(agoMillis) + " " + rest + "\n";
  }

  private List<Stored> stored() throws IOException {
    List<Stored> stored = new ArrayList<>();
    ReceivingNode.read(folder.resolve("node"), batch -> add(batch, stored));
    return stored;
  }

  private static void add(Batch batch, List<Stored> to) {
    String payload = StandardCharsets.UTF_8.decode(batch.payload().duplicate()).toString();
    Instant time = Instant.ofEpochMilli(batch.first().millis());
    String end = String.valueOf((char) batch.delimiter().value());
    for (String text : payload.split(end, -1)) {
      if (!text.isEmpty()) {
        to.add(new Stored(batch.topic().name(), batch.labels(), time, text));
      }
    }
  }

  private static Labels pod(String restart, String stream) {
    return Labels.of(
        Map.of(
            "namespace",
            "shop",
            "pod",
            "web-1",
            "uid",
            UID,
            "container",
            "web",
            "restart",
            restart,
            "node",
            "worker-7",
            "stream",
            stream));
  }

  @Test
  void recordsOfPodsHaveTheirTimesAndLabelsOverRestartsAndRotation() throws Exception {
    Path file = pods().resolve("0.log");
    Path links = Files.createDirectories(folder.resolve("containers"));
    Path link = links.resolve("web-1_shop_web-" + "ab".repeat(32) + ".log");
    Files.createSymbolicLink(link, file);
    String long1 = "x".repeat(16 << 10);
    try (IngestNode node = ReceivingNode.start(folder.resolve("node"))) {
      write(file, cri(5000, "stdout P " + long1) + cri(4999, "stdout F end"));
      write(file, cri(4000, "stderr F java.lang.IllegalStateException: x"));
      write(file, cri(3999, "stdout F between"));
      write(file, cri(3998, "stderr F \tat shop.Order.main(Order.java:1)"));
      write(file, "2026-11-27T stdout F odd time\n");
      read(node, "containers/*.log");
      write(file, cri(3000, "stdout F before"));
      Files.move(file, pods().resolve("0.log.20260101-000000"));
      write(pods().resolve("0.log.20251231-000000.gz"), "\u001f\u008b");
      write(file, cri(2000, "stdout F after"));
      read(node, "containers/*.log");
      write(file, cri(90_000_000, "stdout F of the day before yesterday"));
      read(node, "containers/*.log");
    }
    List<Stored> stored = stored();
    assertThat(stored)
        .contains(
            new Stored("web", pod("0", "stdout"), now.minusMillis(5000), long1 + "end"),
            new Stored("web", pod("0", "stderr"), now.minusMillis(4000), TRACE),
            new Stored("web", pod("0", "stdout"), now.minusMillis(3999), "between"),
            new Stored("web", pod("0", "stdout"), now.minusMillis(3000), "before"),
            new Stored("web", pod("0", "stdout"), now.minusMillis(2000), "after"))
        .hasSize(7);
    assertThat(stored)
        .filteredOn(each -> each.text().endsWith("yesterday") || each.text().equals("odd time"))
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.time()).isAfterOrEqualTo(now));
  }

  @Test
  void podThatIsDeletedAtOnceIsThereIfItWasSeen() throws Exception {
    Path file = pods().resolve("3.log");
    write(file, cri(10, "stdout F first"));
    AtomicReference<Follower> follower = new AtomicReference<>();
    try (IngestNode node = ReceivingNode.start(folder.resolve("node"));
        Forwarder forwarder = ReceivingNode.forwarder(node)) {
      Thread thread = Thread.ofPlatform().start(() -> follow(forwarder, follower));
      await().until(() -> forwarder.counters().acknowledged() == 1);
      write(file, cri(5, "stdout F second") + cri(4, "stdout F "));
      write(file, cri(3, "stderr F last"));
      Files.delete(file);
      Files.delete(pods());
      await().until(() -> forwarder.counters().acknowledged() == 3);
      follower.get().stop();
      thread.join();
    }
    assertThat(stored().stream().map(Stored::text))
        .containsExactlyInAnyOrder("first", "second", "last");
  }

  private void follow(Forwarder forwarder, AtomicReference<Follower> to) {
    try (Follower follower = follower(forwarder, "pods/*/*/*.log", false)) {
      to.set(follower);
      follower.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void recordsOfDockerHaveWhatStandsBesideThem() throws Exception {
    String id = "0a".repeat(32);
    Path file = folder.resolve("docker/" + id).resolve(id + "-json.log");
    write(
        file,
        "{\"log\":\"one \",\"stream\":\"stderr\",\"time\":\"%s\"}\n".formatted(now)
            + "{\"log\":\"\\\"two\\\"\\n\",\"stream\":\"stderr\",\"time\":\"%s\"}\n"
                .formatted(now));
    write(
        file.resolveSibling("config.v2.json"),
        """
        {"State":{"Running":true,"Pid":1},"ID":"%s","Created":"2026-01-01T00:00:00Z",
         "Config":{"Hostname":"x","Env":["A=b"],"Image":"nginx:1",
           "Labels":{"com.docker.compose.project":"shop","com.docker.compose.service":"web"}},
         "Name":"/shop-web-1"}
        """
            .formatted(id));
    try (IngestNode node = ReceivingNode.start(folder.resolve("node"))) {
      read(node, "docker/*/*-json.log");
    }
    Labels labels =
        Labels.of(
            Map.of(
                "container",
                "shop-web-1",
                "image",
                "nginx:1",
                "compose_project",
                "shop",
                "compose_service",
                "web",
                "node",
                "worker-7",
                "stream",
                "stderr"));
    assertThat(stored()).containsExactly(new Stored("shop-web-1", labels, now, "one \"two\""));
  }
}
