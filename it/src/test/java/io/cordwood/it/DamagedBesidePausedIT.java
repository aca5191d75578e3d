package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.query.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The only whole copy of records is with a process that does not run for a while. */
final class DamagedBesidePausedIT {
  private static final int LINES = 500;
  private static final String HERE = "here=true&count=true";

  @TempDir private Path folder;

  @Test
  void nothingIsCompleteUntilWhatWasDamagedIsBack() throws IOException {
    try (NodeProcess ingest = NodeProcess.start("ingest", folder.resolve("i"))) {
      String peer = "--peer=127.0.0.1:" + ingest.port("gossip");
      NodeProcess hit = store("hit", peer);
      try (NodeProcess paused = store("paused", peer)) {
        ingest.send("a line that is to be on two stores\n".repeat(LINES));
        for (NodeProcess store : List.of(hit, paused)) {
          await().until(() -> store.query(HERE).equals(LINES + "\n"));
        }
        hit.stop();
        spoil(folder.resolve("hit/data/store"));
        paused.program().pause();
        hit = store("hit", peer);
        assertLacking(hit);
        assertLacking(ingest);

        paused.program().resume();
        NodeProcess healed = hit;
        await().until(() -> healed.query(HERE).equals(LINES + "\n"));
        for (NodeProcess node : List.of(hit, ingest)) {
          Answer whole =
              await().until(() -> ask(node), answer -> "complete".equals(answer.field("verdict")));
          assertThat(whole.text().lines()).hasSize(LINES);
        }
      } finally {
        hit.close();
      }
    }
  }

  private NodeProcess store(String name, String peer) throws IOException {
    return NodeProcess.start("store", folder.resolve(name), peer, "--repair-after=5s");
  }

  private static Answer ask(NodeProcess node) throws IOException {
    return Answer.get(node.apiPort(), "/query");
  }

  /** Asked more than once, as others are found to be silent meanwhile. */
  private static void assertLacking(NodeProcess node) throws IOException {
    for (int question = 0; question < 5; question++) {
      Answer answer = ask(node);
      assertThat(answer.text().lines()).hasSizeLessThan(LINES);
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
    }
  }

  /** So that a start finds it out. */
  private static void spoil(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      List<Path> segments = files.filter(file -> file.toString().endsWith(".flushed")).toList();
      assertThat(segments).isNotEmpty();
      for (Path segment : segments) {
        try (var channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
          channel.write(ByteBuffer.allocate(16), 64);
          channel.write(ByteBuffer.allocate(8), channel.size() - 8);
        }
      }
    }
  }
}
