package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * From an older build to this one. {@code -Dcordwood.it.before=FOLDER} names the older one: a
 * checkout that is built, as {@code it/upgrade/with-last-commit} makes it, or an archive that is
 * unpacked. Without it no cluster is upgraded, and a node opens the data of its own build.
 */
final class UpgradeIT {
  private static final int COPIES = 2;
  private static final int PROGRESS = 50;
  private static final int RECORDS = 1000;
  private static final Duration POLL = Duration.ofMillis(250);

  @TempDir private Path folder;
  private final List<NamespaceHost> hosts = new ArrayList<>();
  private final List<ClusterNode> nodes = new ArrayList<>();

  private static Path before() {
    String named = System.getProperty("cordwood.it.before");
    if (named == null) {
      return Program.LAUNCHER;
    }
    Path launcher = Path.of(named).toAbsolutePath().resolve("cordwood");
    assertThat(launcher).as("-Dcordwood.it.before=%s", named).isExecutable();
    return launcher;
  }

  @AfterEach
  void keepWhatTheNodesSay() throws IOException {
    if (!hosts.isEmpty()) {
      List<String> said = hosts.stream().map(NamespaceHost::says).toList();
      Files.writeString(Path.of("target", "UpgradeIT-nodes.txt"), String.join("\n", said));
    }
  }

  /** Stores first, as operators do it; whoever is asked meanwhile finds all, each record once. */
  @Test
  @EnabledIfSystemProperty(named = "cordwood.it.before", matches = ".+")
  void clusterIsUpgradedNodeByNodeWhileSendersGoOn() throws IOException {
    try (NamespaceHosts network = NamespaceHosts.orSkip("an upgrade of a cluster", folder)) {
      addNodes(network);
      TestCluster.start(nodes);
      TestCluster.awaitTogether(nodes);
      String old = version(nodes.getFirst().api());
      try (ClusterLoad load = ClusterLoad.start("load", nodes.subList(0, 3))) {
        load.awaitProgress(PROGRESS);
        for (int i = nodes.size() - 1; i >= 0; i--) {
          upgrade(i, load);
        }
        load.finish();
        for (ClusterNode node : nodes) {
          assertThat(version(node.api())).isNotEqualTo(old);
          assertThat(load.assertConsistent(() -> TestCluster.findFrom(node)))
              .as("found by " + node)
              .isEqualTo(load.sent());
        }
        await()
            .alias(COPIES + " copies of each record")
            .pollInterval(POLL)
            .until(() -> load.areOnStores(load.acknowledged(), COPIES, stored()));
      }
    }
  }

  private void addNodes(NamespaceHosts network) throws IOException {
    for (String name : List.of("i0", "i1", "i2", "s0", "s1", "s2")) {
      NamespaceHost host = network.add(name);
      host.install(before());
      hosts.add(host);
    }
    List<String> flags =
        Stream.concat(
                hosts.stream().flatMap(peer -> Stream.of("--peer", peer.address())),
                Stream.of("--gossip-profile=local"))
            .toList();
    for (NamespaceHost host : hosts) {
      nodes.add(new ClusterNode(host, host.name().startsWith("s") ? "store" : "ingest", flags));
    }
  }

  private void upgrade(int index, ClusterLoad load) throws IOException {
    ClusterNode node = nodes.get(index);
    hosts.get(index).stop();
    load.awaitProgressOfTheOneWithAChoice(PROGRESS);
    hosts.get(index).install(Program.LAUNCHER);
    node.start();
    TestCluster.awaitTogether(nodes);
    load.awaitProgress(PROGRESS);
    ClusterNode next = nodes.get((index + nodes.size() - 1) % nodes.size());
    for (ClusterNode asked : List.of(node, next)) {
      assertThat(load.assertConsistent(() -> TestCluster.findFrom(asked))).isPositive();
    }
  }

  private static String version(NodeApi api) throws IOException {
    return api.get("/version");
  }

  private List<FoundRecords> stored() throws IOException {
    List<FoundRecords> stored = new ArrayList<>();
    for (ClusterNode store : nodes.subList(3, nodes.size())) {
      stored.add(TestCluster.find(List.of(store)));
    }
    return stored;
  }

  /** With what is stored, what waits for a store, and what it was writing. */
  @Test
  void dataOfANodeThatWasKilledIsOpened() throws IOException {
    long acknowledged;
    long sent;
    try (NodeProcess node = NodeProcess.startOf(before(), folder, "--flush-age", "100ms")) {
      node.send("stored\n".repeat(RECORDS));
      node.awaitStored(RECORDS);
      try (var load = AcknowledgedLoad.start("load", node.durablePort())) {
        load.awaitAcknowledged(RECORDS);
        acknowledged = load.acknowledged();
        node.kill();
        sent = load.sent();
      }
    }
    try (NodeProcess node = NodeProcess.start(folder, "--flush-age", "100ms")) {
      assertThat(node.count("stored")).isEqualTo(RECORDS);
      assertThat(node.count("load")).isBetween(acknowledged, sent);
      node.send("of this build\n");
      node.awaitCount("of this build", 1);
    }
  }
}
