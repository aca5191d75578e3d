package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with a key file: those with the same one are a cluster, and another stays out. */
final class KeyedNodesIT {
  @TempDir Path folder;

  @Test
  void nodesWithOneKeyAreAClusterAndAnotherSaysWhyItIsNotInIt() throws IOException {
    String key = "--cluster-key-file=" + Files.writeString(folder.resolve("key"), "5a".repeat(32));
    Path otherFile = Files.writeString(folder.resolve("other"), "a5".repeat(32));
    try (NodeProcess ingest = NodeProcess.start("ingest", folder.resolve("i"), key)) {
      String peer = "--peer=127.0.0.1:" + ingest.port("gossip");
      try (NodeProcess store = NodeProcess.start("store", folder.resolve("s"), peer, key);
          NodeProcess other =
              NodeProcess.start(
                  "store", folder.resolve("o"), peer, "--cluster-key-file=" + otherFile)) {
        eventually(ingest, "/cluster", "\tstore,query\t[^\n]*\talive\t");
        eventually(store, "/cluster", "\tingest\t[^\n]*\talive\t");
        eventually(ingest, "/metrics", "frames_refused_total\\{reason=\"other_key\"} [1-9]");
        eventually(other, "/cluster", "\tunreachable: expected a key of \\[\\p{XDigit}{16}], ");
        await()
            .untilAsserted(() ->
                assertThat(
                        ingest.get("/cluster").lines().filter(line -> line.contains("\talive\t")))
                    .hasSize(1));
        assertThat(other.get("/cluster")).doesNotContain("\talive\t");
        assertThat(store.get("/cluster?format=json")).startsWith("{\"cluster_name\":\"cordwood\"");
      }
    }
  }

  private static void eventually(NodeProcess node, String path, String expected) {
    await().untilAsserted(() -> assertThat(node.get(path)).containsPattern(expected));
  }
}
