package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A thread that uploads lines to a bulk port, so many at a time, {@code NAME UPLOAD LINE}, and none
 * of them again, whatever becomes of it. The node may go and come back.
 */
final class RawUploads implements AutoCloseable {
  private static final int LINES = 200;
  private static final long PAUSE_NANOS = 5_000_000;

  private final String name;
  private final int port;
  private final Thread thread;
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  private RawUploads(String name, int port) {
    this.name = name;
    this.port = port;
    this.thread = Thread.ofPlatform().name(name).start(this::run);
  }

  static RawUploads start(String name, int port) {
    return new RawUploads(name, port);
  }

  private void run() {
    for (int upload = 0; !stopping; upload++) {
      try (Sender sender = new Sender(port)) {
        String text = String.join("\n", lines(upload)) + "\n";
        if (sender.send(text).end().equals("ack " + LINES + "\n")) {
          acknowledged.add(upload);
        }
      } catch (IOException e) {
        // The node was killed, or is not there yet: that is what is waited for.
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private List<String> lines(int upload) {
    return IntStream.range(0, LINES).mapToObj(i -> name + " " + upload + " " + i).toList();
  }

  /** Uploads that were acknowledged. */
  int acknowledged() {
    return acknowledged.size();
  }

  /** Waits until one more is acknowledged than now. */
  void awaitAcknowledged() {
    int before = acknowledged();
    await().pollInterval(Duration.ofMillis(10)).until(() -> acknowledged() > before);
  }

  /** Ends it when what it is uploading is acknowledged, or lost. */
  void finish() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  /**
   * Each upload must be found whole and once, or not at all; those acknowledged are. How many lines
   * they are.
   */
  long countFoundIn(NodeProcess node) throws IOException {
    List<String> found = node.find(name + " ");
    Map<Integer, List<String>> byUpload =
        found.stream()
            .collect(Collectors.groupingBy(this::uploadOf, TreeMap::new, Collectors.toList()));
    byUpload.forEach((upload, lines) ->
        assertThat(lines).as("upload %d of %s", upload, name).isEqualTo(lines(upload)));
    assertThat(byUpload.keySet()).containsAll(acknowledged);
    return found.size();
  }

  private int uploadOf(String line) {
    return Integer.parseInt(line.substring(name.length() + 1, line.lastIndexOf(' ')));
  }

  /** Ends it soon. */
  @Override
  public void close() {
    stopping = true;
  }
}
