package io.cordwood.dist.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with a key file: those with the same one are a cluster, and the others stay out. */
final class KeyedNodesIT {
  @TempDir Path folder;

  @Test
  void nodesWithOneKeyAreAClusterAndStrangersStayOut() throws IOException {
    String key = "--cluster-key-file=" + Files.writeString(folder.resolve("key"), "5a".repeat(32));
    String other =
        "--cluster-key-file=" + Files.writeString(folder.resolve("other"), "a5".repeat(32));
    try (NodeProcess a = NodeProcess.start("ingest", folder.resolve("a"), key)) {
      String peer = "--peer=127.0.0.1:" + a.port("gossip");
      try (NodeProcess b = NodeProcess.start("store", folder.resolve("b"), peer, key);
          NodeProcess wrong = NodeProcess.start("store", folder.resolve("w"), peer, other);
          NodeProcess none = NodeProcess.start("store", folder.resolve("n"), peer);
          NodeProcess named =
              NodeProcess.start("store", folder.resolve("x"), peer, key, "--cluster-name=x")) {
        eventually(a, "/cluster", "\tstore,query\t");
        eventually(b, "/cluster", "\tingest\t");
        eventually(a, "/metrics", "cordwood_cluster_frames_refused_total{reason=\"other_key\"} ");
        for (NodeProcess out : new NodeProcess[] {wrong, none, named}) {
          eventually(out, "/cluster", "\tunreachable: ");
          assertThat(out.get("/cluster")).doesNotContain("\talive\t");
        }
        for (String reason : new String[] {"other_key", "peer_has_no_key", "other_cluster"}) {
          assertThat(a.get("/metrics"))
              .containsPattern("frames_refused_total\\{reason=\"" + reason + "\"} [1-9]");
        }
        assertThat(a.get("/cluster").lines().filter(line -> line.contains("\talive\t"))).hasSize(1);
        assertThat(a.get("/cluster?format=json")).startsWith("{\"cluster_name\":\"cordwood\"");
      }
    }
  }

  private static void eventually(NodeProcess node, String path, String expected) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(node.get(path)).contains(expected));
  }
}
