package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cordwood query} and its peers, each a process: every node answers for all. */
final class QueryNodeIT {
  private static final int LINES = 500;

  @TempDir private Path folder;

  private final List<String> peers = new ArrayList<>();

  private NodeProcess start(String role, String name, String... flags) throws IOException {
    List<String> all = new ArrayList<>(peers);
    all.addAll(List.of(flags));
    NodeProcess node = NodeProcess.start(role, folder.resolve(name), all.toArray(String[]::new));
    peers.add("--peer=127.0.0.1:" + node.port("gossip"));
    return node;
  }

  private static void awaitMet(NodeProcess node, int nodes) {
    await()
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() ->
            node.get("/cluster").lines().filter(l -> l.contains("\talive\t")).count() == nodes);
  }

  /** Doubts end. */
  private static void awaitComplete(NodeProcess node) {
    await()
        .until(
            () -> Answer.get(node.apiPort(), "/query?count=true"),
            answer -> "complete".equals(answer.field("verdict")));
  }

  private static String lines(String name) {
    var text = new StringBuilder();
    IntStream.range(0, LINES).forEach(i -> text.append(name).append(' ').append(i).append('\n'));
    return text.toString();
  }

  @Test
  void everyNodeAnswersForAllAndSaysWhoIsMissing() throws IOException {
    try (NodeProcess first = start("ingest", "i1");
        NodeProcess second = start("ingest", "i2");
        NodeProcess query = start("query", "q");
        NodeProcess store = start("store", "s1", "--replication-factor=1");
        NodeProcess other = start("store", "s2", "--replication-factor=1")) {
      List<NodeProcess> all = List.of(first, second, query, store, other);
      all.forEach(node -> awaitMet(node, all.size() - 1));
      first.send(lines("pears"));
      second.send(lines("plums"));
      for (NodeProcess node : all) {
        assertThat(node.grep("-c", "p").text()).isEqualTo(2 * LINES + "\n");
      }
      awaitComplete(query);
      Program.Result found = query.grep("plums 77");
      assertThat(found.text()).isEqualTo("plums 77\n");
      assertThat(found.exitCode()).isZero();
      assertThat(found.errors()).isEmpty();
      assertThat(query.grep("grapes").exitCode()).isEqualTo(1);

      // Consumed by one of the stores: the answer is the same, and lacks that store's part without
      // it.
      await().until(() -> consumed(store) + consumed(other) == 2 * LINES);
      assertThat(query.grep("-c", "p").text()).isEqualTo(2 * LINES + "\n");
      other.kill();
      Program.Result doubtful = query.grep("pears 77");
      assertThat(doubtful.exitCode()).isEqualTo(2);
      assertThat(doubtful.errors()).contains("records may be missing").contains("store ");
    }
  }

  @Test
  void anIngestNodeThatLeftWithNothingIsNotMissed() throws IOException {
    try (NodeProcess ingest = start("ingest", "i1");
        NodeProcess store = start("store", "s1", "--replication-factor=1")) {
      awaitMet(store, 1);
      ingest.send(lines("pears"));
      await().until(() -> consumed(store) == LINES);
      await().until(() -> ingest.metric("cordwood_ingest_segments") == 0);
      ingest.stop();
      await().until(() -> !store.get("/cluster").contains("\talive\t"));
      awaitComplete(store);
      Program.Result found = store.grep("pears 77");
      assertThat(found.text()).isEqualTo("pears 77\n");
      assertThat(found.exitCode()).isZero();
      assertThat(found.errors()).isEmpty();
    }
  }

  private static long consumed(NodeProcess store) throws IOException {
    return Long.parseLong(store.query("here=true&count=true").strip());
  }

  @Test
  void aNodeThatHasMetNobodyDoesNotCallItsAnswerComplete() throws IOException {
    try (NodeProcess query = start("query", "q")) {
      Program.Result result = query.grep("x");
      assertThat(result.exitCode()).isEqualTo(2);
      assertThat(result.errors()).contains("this node has met no other one that holds records");
      assertThat(status(query, "/-/ready")).isEqualTo(503);
      assertThat(status(query, "/-/healthy")).isEqualTo(200);
      try (NodeProcess store = start("store", "s1")) {
        await().until(() -> status(query, "/-/ready") == 200);
        awaitMet(store, 1);
      }
    }
  }

  private static int status(NodeProcess node, String path) throws IOException {
    return node.request("GET", path).statusCode();
  }
}
