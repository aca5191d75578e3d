package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.testing.Patience;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A node to send to and the archive of what it stores; it must have found no fault in any of it.
 */
public abstract class NodeFixture {
  protected static final Duration LONG = Patience.LONG;

  protected final Archive archive = new Archive();
  protected TestNode node;

  @BeforeEach
  void startNode() throws IOException {
    node = new TestNode(archive);
  }

  @AfterEach
  void stopNode() throws IOException {
    node.close();
    assertThat(node.faults).isEmpty();
  }

  /** Another process, in effect, on the port of the node that is closed. */
  protected void startNodeAgain() throws IOException {
    node = new TestNode(archive, node.port());
  }

  /** Gives up no connection because a machine is slow. */
  protected ForwarderOptions.Builder options() {
    return ForwarderOptions.builder()
        .target(node.target())
        .connectTimeout(LONG)
        .ackTimeout(LONG)
        .backoff(Duration.ofMillis(1), Duration.ofMillis(20));
  }

  static Forwarder start(ForwarderOptions.Builder options) {
    return Forwarder.start(options.build(), ForwarderListener.NONE);
  }

  protected static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  static boolean sendLines(Forwarder forwarder, String text) {
    return forwarder.sendLines(bytes(text), 0, text.length());
  }

  static void stream(Forwarder forwarder, String text) throws IOException {
    var stream = new ForwardStream(new ByteArrayInputStream(bytes(text)), forwarder);
    assertThat(stream.run()).isTrue();
  }

  /** All that was sent must arrive. */
  static void flush(Forwarder forwarder) {
    assertThat(forwarder.flush(LONG).isNothing()).isTrue();
  }
}
