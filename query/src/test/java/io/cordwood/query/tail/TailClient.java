package io.cordwood.query.tail;

import io.cordwood.common.testing.Patience;
import io.cordwood.query.Receiver;
import io.cordwood.query.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/**
 * Reads a stream over HTTP/1.0, whose body is not chunked, line by line; it begins to when it is
 * told, if need be.
 */
public final class TailClient implements AutoCloseable {
  static final Duration PATIENCE = Patience.LONG;

  private final Socket socket;
  private final BufferedReader in;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final String head;

  private TailClient(int port, String path, String header) throws IOException {
    this.socket = new Socket();
    socket.setReceiveBufferSize(16 << 10);
    socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    String request = "GET " + path + " HTTP/1.0\r\n" + header + "\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
    this.in =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    var read = new StringBuilder();
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      read.append(line).append('\n');
    }
    this.head = read.toString();
  }

  /**
   * Waits until all are followed from the beginning of a stream. The first calls of a node take
   * longest, above all on a busy machine; whoever does not answer in time is followed later, and
   * what it receives before may be missing.
   */
  public static void awaitAllFollowedAtOnce(TestCluster.Node node, List<Receiver> all) {
    Awaitility.await()
        .until(() -> {
          try (TailClient _ = open(node, "/stream")) {
            return all.stream().allMatch(receiver -> receiver.followers() == 1);
          } finally {
            Receiver.awaitUnfollowed(all);
          }
        });
  }

  /** Has begun when this returns. */
  static TailClient open(TestCluster.Node node, String path) throws IOException {
    return stalled(node, path, "").reading();
  }

  public static TailClient open(TestCluster.Node node, String path, String header)
      throws IOException {
    return stalled(node, path, header).reading();
  }

  /** One that reads nothing yet. */
  static TailClient stalled(TestCluster.Node node, String path, String header) throws IOException {
    return new TailClient(node.port(), path, header);
  }

  TailClient reading() {
    Thread.ofVirtual()
        .start(() -> {
          try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
              lines.add(line);
            }
          } catch (IOException e) {
            // The test has closed it.
          }
        });
    return this;
  }

  String head() {
    return head;
  }

  public List<String> lines() {
    return lines;
  }

  /** What is no notice. */
  List<String> records() {
    return lines.stream().filter(line -> !line.startsWith("# cordwood: ")).toList();
  }

  /** Of how many records it was said that they were dropped. */
  long told() {
    return lines.stream()
        .filter(line -> line.startsWith("# cordwood: ") && line.contains("dropped"))
        .mapToLong(line -> Long.parseLong(line.split(" ", -1)[2]))
        .sum();
  }

  /** Waits for so many records. */
  public List<String> await(int records) {
    until(() -> records().size() >= records);
    return records();
  }

  /** Waits for a line that holds a text. */
  public void awaitLine(String text) {
    until(() -> lines.stream().anyMatch(line -> line.contains(text)));
  }

  public void until(java.util.concurrent.Callable<Boolean> condition) {
    try {
      org.awaitility.Awaitility.await()
          .pollInterval(java.time.Duration.ofMillis(10))
          .until(condition);
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError("found only " + lines, e);
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
