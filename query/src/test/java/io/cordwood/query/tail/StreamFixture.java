package io.cordwood.query.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Receiver;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import io.cordwood.query.TestCluster.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Three nodes that receive, a store and a node that holds nothing, and what follows them. They stay
 * for the next test, unless one has spoiled them.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class StreamFixture {
  TestCluster cluster = new TestCluster(1);
  List<Receiver> receivers = newReceivers();
  final List<TailClient> clients = new ArrayList<>();

  /** Whether the next test must not find what this one leaves. */
  boolean spoiled;

  private static List<Receiver> newReceivers() {
    return List.of(new Receiver(), new Receiver(), new Receiver());
  }

  @BeforeEach
  void start() throws IOException {
    if (!cluster.nodes.isEmpty()) {
      return;
    }
    for (int i = 0; i < 3; i++) {
      cluster.ingest("ingest-" + i, receivers.get(i));
    }
    cluster.store("store", new SegmentFixture(1, 1, List.of()));
    cluster.query("query");
    for (Node node : cluster.nodes) {
      TailClient.awaitAllFollowedAtOnce(node, receivers);
    }
  }

  @AfterEach
  void leave() throws IOException {
    for (TailClient client : clients) {
      client.close();
    }
    clients.clear();
    Receiver.awaitUnfollowed(receivers);
    if (spoiled) {
      stop();
      cluster = new TestCluster(1);
      receivers = newReceivers();
      spoiled = false;
    }
  }

  @AfterAll
  void stop() throws IOException {
    cluster.close();
  }

  int followers() {
    return receivers.stream().mapToInt(Receiver::followers).sum();
  }

  TailClient open(Node node, String parameters) throws IOException {
    return open(node, parameters, "");
  }

  TailClient open(Node node, String parameters, String header) throws IOException {
    TailClient client = TailClient.open(node, "/stream?" + parameters, header);
    clients.add(client);
    assertThat(client.head()).startsWith("HTTP/1.1 200");
    return client;
  }

  Node query() {
    return cluster.nodes.getLast();
  }

  /** The id of the newest event. */
  static Ulid position(TailClient events) {
    return events.lines().stream()
        .filter(line -> line.startsWith("id: "))
        .reduce((_, newer) -> newer)
        .map(line -> Ulid.parse(line.substring(4)))
        .orElseThrow();
  }

  TailClient events(Node node, String parameters) throws IOException {
    return open(node, "format=sse&" + parameters);
  }
}
