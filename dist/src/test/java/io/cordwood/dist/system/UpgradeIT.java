package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster of an earlier build becomes one of this build, node by node, while senders send. The
 * earlier build is a folder with its launcher and jars, {@code -Dcordwood.it.before}; {@code
 * src/test/package/try-upgrade} makes one of a commit, and runs this.
 */
final class UpgradeIT {
  private static final int EACH_ROLE = 3;
  private static final Duration PAUSE = Duration.ofMillis(1);

  @TempDir private Path folder;

  private final List<NodeProcess> ingest = new ArrayList<>();
  private final List<NodeProcess> stores = new ArrayList<>();

  @AfterEach
  void end() {
    ingest.forEach(NodeProcess::close);
    stores.forEach(NodeProcess::close);
  }

  @Test
  void nothingAcknowledgedIsLostOrDoubledWhenNodesAreUpgradedOneByOne() throws IOException {
    String before = System.getProperty("cordwood.it.before");
    if (before == null) {
      Skipped.say("a rolling upgrade", "no -Dcordwood.it.before; src/test/package/try-upgrade");
      return;
    }
    for (int i = 0; i < EACH_ROLE; i++) {
      ingest.add(start(before, "ingest", i, i == 0 ? "" : peer()));
    }
    for (int i = 0; i < EACH_ROLE; i++) {
      stores.add(start(before, "store", i, peer()));
    }
    awaitAllSeen();
    List<HostPort> ports =
        ingest.stream().map(node -> new HostPort("localhost", node.durablePort())).toList();
    try (AcknowledgedLoad load = AcknowledgedLoad.start("upgraded", PAUSE, ports)) {
      for (int i = 0; i < EACH_ROLE; i++) {
        load.awaitAcknowledged(load.acknowledged() + 500);
        stores.set(i, upgraded(stores.get(i), "store", i));
      }
      for (int i = 0; i < EACH_ROLE; i++) {
        load.awaitAcknowledged(load.acknowledged() + 500);
        ingest.set(i, upgraded(ingest.get(i), "ingest", i));
      }
      load.awaitAcknowledged(load.acknowledged() + 500);
      long sent = load.finish();
      for (NodeProcess node : stores) {
        load.assertFound(node, sent);
        assertThat(node.metric("cordwood_cluster_frames_refused_total")).isZero();
      }
    }
  }

  private String peer() {
    return "--peer=127.0.0.1:" + ingest.getFirst().port("gossip");
  }

  private NodeProcess start(String before, String role, int number, String peer)
      throws IOException {
    String launcher = "shift; exec '" + before + "/cordwood' \"$@\"";
    Path home = folder.resolve(role + number);
    return NodeProcess.startBy(launcher, role, home, flags(peer));
  }

  private static String[] flags(String peer, String... ports) {
    List<String> flags = new ArrayList<>(List.of("--gossip-profile", "local"));
    if (!peer.isEmpty()) {
      flags.add(peer);
    }
    flags.addAll(List.of(ports));
    return flags.toArray(String[]::new);
  }

  /** This build's, over the data of the one before and on its ports, so that its peers find it. */
  private NodeProcess upgraded(NodeProcess node, String role, int number) throws IOException {
    List<String> ports = new ArrayList<>(List.of(node.samePorts()));
    ports.addAll(List.of("--gossip-port", Integer.toString(node.port("gossip"))));
    String peer = node.equals(ingest.getFirst()) ? "--peer=127.0.0.1:" + other() : peer();
    node.stop();
    NodeProcess started =
        NodeProcess.start(
            role, folder.resolve(role + number), flags(peer, ports.toArray(String[]::new)));
    awaitAllSeen(started);
    return started;
  }

  private int other() {
    return ingest.get(1).port("gossip");
  }

  private void awaitAllSeen() {
    ingest.forEach(UpgradeIT::awaitAllSeen);
    stores.forEach(UpgradeIT::awaitAllSeen);
  }

  private static void awaitAllSeen(NodeProcess node) {
    await()
        .atMost(Program.LONG)
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(() ->
            node.get("/cluster").lines().filter(line -> line.contains("\talive\t")).count()
                == 2 * EACH_ROLE);
  }
}
