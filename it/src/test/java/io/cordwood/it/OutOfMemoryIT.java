package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose memory is full ends, so that it can be started again, and is never half alive. */
final class OutOfMemoryIT {
  /** Of a JVM that ends for that reason. */
  private static final int EXIT_CODE = 3;

  @TempDir private Path folder;

  @Test
  void aNodeThatRunsOutOfMemoryEndsAndHasAllThatItAcknowledgedWhenItIsStartedAgain()
      throws IOException {
    Path jar = folder.resolve("filler.jar");
    HeapFiller.writeJar(jar);
    Path sign = folder.resolve("fill");
    String[] arguments = NodeProcess.arguments("ingeststore", folder);
    try (Program node = Program.startWith("-Xmx64m -javaagent:" + jar + "=" + sign, arguments)) {
      int port = Integer.parseInt(node.awaitOut(NodeProcess.DURABLE_PORT).group(1));
      try (Sender sender = new Sender(port)) {
        sender.send(Sender.batch(List.of("one", "two", "three")));
        assertThat(sender.answer()).isEqualTo("ack 3\n");
        Files.createFile(sign);
        assertThat(node.exitCode()).isEqualTo(EXIT_CODE);
      }
    }
    try (NodeProcess again = NodeProcess.start(folder)) {
      again.awaitRecords(3);
    }
  }
}
