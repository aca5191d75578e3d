package io.cordwood.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw lines from a socket come back from the segment API, byte-exact. */
class RawLinesTest {
  @TempDir Path folder;

  @Test
  void linesComeBack() throws IOException {
    try (var node = RunningNode.in(folder)) {
      assertThat(node.send("one\ntwo\nthree\n")).isEmpty();
      assertThat(RunningNode.text(node.consume(3))).isEqualTo("one\ntwo\nthree\n");
    }
  }

  @Test
  void lastLineWithoutLfIsARecord() throws IOException {
    try (var node = RunningNode.in(folder)) {
      node.send("one\ntwo");
      assertThat(RunningNode.text(node.consume(2))).isEqualTo("one\ntwo\n");
    }
  }
}
