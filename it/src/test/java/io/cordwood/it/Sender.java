package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.net.HostPort;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * A plain socket to a port of a node, by default of this machine, which sends whatever a test
 * wants.
 */
final class Sender implements AutoCloseable {
  private static final UlidStamper STAMPER = new UlidStamper(InstantSource.system());
  private static final String UNKNOWN = "no other node knows of this one yet";

  private final Socket socket;

  Sender(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  Sender(HostPort to) throws IOException {
    this(new Socket(to.host(), to.port()));
  }

  Sender(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout((int) Program.LONG.toMillis());
    socket.setTcpNoDelay(true);
  }

  Sender send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    return this;
  }

  Sender send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Waits for the next line of the answer; what was read of it when the node closes. */
  String answer() throws IOException {
    var line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
      line.append((char) c);
      if (c == '\n') {
        break;
      }
    }
    return line.toString();
  }

  /** Sends no more, but goes on reading. */
  void halfClose() throws IOException {
    socket.shutdownOutput();
  }

  /** Sends no more and waits for the node to close; all is in the file then. */
  String end() throws IOException {
    halfClose();
    return rest();
  }

  /**
   * Sends lines over a connection of their own, again as long as the node takes none because no
   * other one knows of it yet; they are in its file when this returns. A connection that breaks is
   * an error: what was taken of it is not known.
   */
  static void deliver(int port, byte[] lines) {
    await()
        .pollDelay(Duration.ZERO)
        .ignoreNoExceptions()
        .until(() -> {
          try (Sender sender = new Sender(port)) {
            sender.send(lines).halfClose();
            byte[] answer = sender.socket.getInputStream().readAllBytes();
            return !new String(answer, StandardCharsets.UTF_8).contains(UNKNOWN);
          }
        });
  }

  /** All that the node says until it closes; a reset counts as that. */
  String rest() throws IOException {
    return rest(Integer.MAX_VALUE);
  }

  /** The same, but so many lines of it at most. */
  String rest(int lines) throws IOException {
    var answer = new StringBuilder();
    try {
      for (int i = 0; i < lines; i++) {
        String line = answer();
        if (line.isEmpty()) {
          break;
        }
        answer.append(line);
      }
    } catch (SocketException e) {
      answer.append('[').append(e.getMessage()).append(']');
    }
    return answer.toString();
  }

  /** A good batch with a new stamp, as a forwarder sends it. */
  static byte[] batch(List<String> records) {
    synchronized (STAMPER) {
      return batch(STAMPER.stamp(records.size()), records);
    }
  }

  /** The same, of a sender whose clock is ahead. */
  static byte[] batch(Duration ahead, List<String> records) {
    return batch(new Origin(Topic.DEFAULT.name(), Labels.NONE), ahead, records);
  }

  /** The same, of a sender that is known by labels. */
  static byte[] batch(Origin origin, Duration ahead, List<String> records) {
    long millis = Instant.now().plus(ahead).toEpochMilli();
    return batch(origin, Ulid.firstOf(millis), records);
  }

  /** The same, of a sender that is known by labels. */
  static byte[] batch(Origin origin, List<String> records) {
    synchronized (STAMPER) {
      return batch(origin, STAMPER.stamp(records.size()), records);
    }
  }

  private static byte[] batch(Ulid first, List<String> records) {
    return batch(new Origin(Topic.DEFAULT.name(), Labels.NONE), first, records);
  }

  private static byte[] batch(Origin origin, Ulid first, List<String> records) {
    byte[] payload = (String.join("\n", records) + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.wrap(payload);
    ByteBuffer head = Batch.head(origin, Delimiter.LF, first, records.size(), body);
    return ByteBuffer.allocate(head.remaining() + payload.length).put(head).put(payload).array();
  }

  /** Closes with a reset instead of an orderly end. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
