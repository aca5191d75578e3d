package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.query.Answer;
import io.cordwood.query.Receiver;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** As many streams of two nodes as one serves, some of whose readers are stuck. */
final class CrowdedStreamsTest {
  private static final int STUCK = 40;
  private static final Topic LOUD = new Topic("loud");
  private static final Topic QUIET = new Topic("quiet");

  /** Of a batch; so many of them are more than the sockets and the node hold for a reader. */
  private static final int BATCH_BYTES = 180_000;

  private static final int LOUD_BATCHES = 40;

  /**
   * Between two of them all readers who are not stuck have got all, and the one of all topics has
   * before the thousand others get theirs: those that lag would hold what is left. They fit into
   * that, even beside those that these have, and that the node does not know of yet.
   */
  private static final int BURST = 2;

  /** What is on its way to a reader of a stream at most. */
  private static final int ON_THE_WAY_BYTES = 24 << 10;

  private final TestCluster cluster = new TestCluster(1);
  private final Receiver receiver = new Receiver();
  private final Receiver other = new Receiver();
  private final Node node = cluster.ingest("ingest", receiver);
  private final Queue<TailClient> stuck = new ArrayDeque<>();
  private final List<TailClient> others = new ArrayList<>();

  CrowdedStreamsTest() throws IOException {
    cluster.ingest("other", other);
    TailClient.awaitAllFollowedAtOnce(node, List.of(receiver, other));
  }

  @AfterEach
  void stop() throws IOException {
    for (TailClient client : stuck) {
      client.close();
    }
    for (TailClient client : others) {
      client.close();
    }
    Receiver.awaitUnfollowed(List.of(receiver, other));
    cluster.close();
  }

  private double gauge(String name) {
    return node.meters.get(name).gauge().value();
  }

  private double count(String name) {
    return node.meters.get(name).counter().count();
  }

  /** On a machine that is busy enough the other node may be late, and the answer says so. */
  private String completeCount() {
    return await()
        .until(
            () -> node.get("/query?count=true"),
            answer -> "complete".equals(answer.field("verdict")))
        .text();
  }

  private TailClient open(String path) throws IOException {
    TailClient client = TailClient.open(node, path);
    others.add(client);
    return client;
  }

  private static void receive(Receiver at, Topic topic, String line) {
    at.receive(Records.lines(topic, Receiver.stamp(1), line));
  }

  @Test
  void tailsThatAreStuckHoldABoundedAmountAndLoseWhatTheyAreToldAndNobodyElseAnything()
      throws IOException {
    TailClient good = open("/stream?window=0s&format=ulid");
    for (int i = 0; i < STUCK; i++) {
      stuck.add(TailClient.stalled(node, "/stream?topic=loud", ""));
    }
    while (others.size() + STUCK < Tails.MAX_STREAMS) {
      open("/stream?topic=quiet");
    }
    Answer refused = node.get("/stream");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text())
        .isEqualTo("error: 1024 streams are running, which is the limit; try again in 1 s\n");
    assertThat(count("cordwood.stream.refused")).isEqualTo(1);

    List<String> quiet = new ArrayList<>();
    String padding = "x".repeat(BATCH_BYTES);
    for (int i = 1; i <= LOUD_BATCHES; i++) {
      receive(receiver, LOUD, "loud " + i + padding);
      if (i % BURST == 0) {
        good.await(i + quiet.size());
        quiet.add("quiet " + i);
        receive(other, QUIET, quiet.getLast());
        good.await(i + quiet.size());
        good.until(() -> others.stream().allMatch(reader -> reader.lines().size() >= quiet.size()));
      }
    }
    int all = LOUD_BATCHES + quiet.size();
    assertThat(gauge("cordwood.stream.running")).isEqualTo(Tails.MAX_STREAMS);
    await().until(() -> gauge("cordwood.stream.held.bytes") > TailMemory.MAX_ALL_BYTES / 2.0);
    assertThat(gauge("cordwood.stream.held.bytes"))
        .isLessThanOrEqualTo(TailMemory.MAX_ALL_BYTES + BATCH_BYTES);
    await()
        .alias("what is on the way to those who read is taken")
        .until(() -> gauge("cordwood.http.held.bytes") <= (STUCK + 1.0) * ON_THE_WAY_BYTES);
    assertThat(count("cordwood.stream.dropped.records")).isGreaterThan(STUCK);

    assertThat(good.records()).hasSize(all).doesNotHaveDuplicates();
    assertThat(completeCount()).isEqualTo(all + "\n");
    for (TailClient client : others.subList(1, others.size())) {
      assertThat(client.await(quiet.size())).isEqualTo(quiet);
      assertThat(client.records()).hasSize(quiet.size());
      assertThat(client.told()).isZero();
    }
    assertThat(gauge("cordwood.stream.running")).isEqualTo(Tails.MAX_STREAMS);

    long told = 0;
    while (!stuck.isEmpty()) {
      try (TailClient client = stuck.remove()) {
        client.reading().until(() -> client.told() + client.records().size() == LOUD_BATCHES);
        assertThat(client.records()).doesNotHaveDuplicates();
        assertThat(client.told()).isPositive();
        told += client.told();
      }
    }
    assertThat(told).isEqualTo((long) count("cordwood.stream.dropped.records"));
    await().until(() -> gauge("cordwood.stream.held.bytes") == 0);
  }
}
