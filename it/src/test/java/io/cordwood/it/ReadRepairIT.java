package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query that finds fewer copies than there should be tells the store that is to make them. */
final class ReadRepairIT {
  private static final int LINES = 500;
  private static final int MOST_ROUNDS = 30;
  private static final String ALL = "here=true&count=true";

  private final List<String> peers = new ArrayList<>();

  @TempDir private Path folder;

  private NodeProcess start(String role, String name, String... flags) throws IOException {
    List<String> all = new ArrayList<>(peers);
    all.addAll(List.of(flags));
    NodeProcess node = NodeProcess.start(role, folder.resolve(name), all.toArray(String[]::new));
    peers.add("--peer=127.0.0.1:" + node.port("gossip"));
    return node;
  }

  private static void awaitHeld(NodeProcess store) {
    await().until(() -> store.query(ALL).equals(LINES + "\n"));
  }

  private static double hintsSent(NodeProcess node) throws IOException {
    return node.metric("cordwood_query_hints_total{outcome=\"sent\"}");
  }

  @Test
  void queryThatMissesCopiesTellsTheStoreThatMakesThem() throws IOException {
    try (NodeProcess ingest = start("ingest", "i");
        NodeProcess whole = startStore("whole")) {
      NodeProcess lacking = startStore("lacking");
      try {
        ingest.send("a line that is to be on two stores\n".repeat(LINES));
        awaitHeld(whole);
        awaitHeld(lacking);
        for (int round = 0; round < MOST_ROUNDS && hintsSent(ingest) == 0; round++) {
          lacking.stop();
          deleteSegments(folder.resolve("lacking/data/store"));
          lacking = startStore("lacking");
          awaitHintOrRepair(ingest, lacking);
        }
        assertThat(hintsSent(ingest)).isPositive();
        await().until(() -> whole.metric("cordwood_store_repair_hints_total") > 0);
        assertThat(lacking.metric("cordwood_store_repair_hints_total")).isZero();

        awaitHeld(lacking);
        await().until(() -> whole.metric("cordwood_store_repair_copied_batches_total") > 0);
      } finally {
        lacking.close();
      }
    }
  }

  private NodeProcess startStore(String name) throws IOException {
    return start("store", name, "--repair-after=5s");
  }

  /** Repair also looks without a hint, and is quicker now and then. */
  private static void awaitHintOrRepair(NodeProcess ingest, NodeProcess lacking) {
    await()
        .until(() -> {
          // One that is silent for some ms is not waited for: it said that the other holds all,
          // too.
          assertThat(ingest.query("q=line&count=true")).isIn(LINES + "\n", "0\n");
          return hintsSent(ingest) > 0 || lacking.query(ALL).equals(LINES + "\n");
        });
  }

  private static void deleteSegments(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> segments = files.filter(file -> file.toString().endsWith(".flushed")).toList();
      assertThat(segments).isNotEmpty();
      for (Path segment : segments) {
        Files.delete(segment);
      }
    }
  }
}
