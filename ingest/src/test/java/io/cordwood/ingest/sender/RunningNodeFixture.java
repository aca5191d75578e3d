package io.cordwood.ingest.sender;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node for each test. */
abstract class RunningNodeFixture {
  @TempDir Path folder;
  RunningNode node;

  @BeforeEach
  void start() throws IOException {
    node = new RunningNode(options());
  }

  @AfterEach
  void stop() throws IOException {
    node.close();
  }

  IngestOptions options() {
    return RunningNode.options(folder);
  }

  /** Sends each byte once the node has read those before it. */
  void sendByteByByte(String text) throws IOException {
    byte[] sent = text.getBytes(StandardCharsets.UTF_8);
    try (Socket socket = node.connect()) {
      socket.setTcpNoDelay(true);
      for (int i = 0; i < sent.length; i++) {
        socket.getOutputStream().write(sent[i]);
        node.awaitRead(i + 1L);
      }
    }
  }
}
