package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A sender of raw, numbered lines over one connection, until that breaks; it sends nothing again.
 * Where the node acknowledges, what it acknowledged is kept.
 */
final class RawLines {
  private static final int LINES_A_WRITE = 20;
  private static final long PAUSE_NANOS = 5_000_000;

  private final String name;
  private final Sender sender;
  private final Thread writing;
  private final Thread reading;
  private volatile boolean stopping;
  private volatile long begun;
  private volatile long acknowledged;

  private RawLines(String name, Sender sender) {
    this.name = name;
    this.sender = sender;
    this.writing = Thread.ofPlatform().name(name + "-writing").start(this::write);
    this.reading = Thread.ofPlatform().name(name + "-reading").start(this::read);
  }

  static RawLines start(String name, int port) throws IOException {
    return new RawLines(name, new Sender(port));
  }

  private void write() {
    try {
      for (long next = 0; !stopping; next += LINES_A_WRITE) {
        begun = next + LINES_A_WRITE;
        sender.send(String.join("\n", lines(next, begun)) + "\n");
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException e) {
      // The node was killed: that is what is waited for.
    }
  }

  private void read() {
    try {
      for (String answer = sender.answer();
          answer.startsWith("ack ") && answer.endsWith("\n");
          answer = sender.answer()) {
        acknowledged = Long.parseLong(answer.substring("ack ".length()).strip());
      }
    } catch (IOException e) {
      // As above; an answer that was cut is none, and behind an error comes nothing.
    }
  }

  private List<String> lines(long from, long to) {
    return LongStream.range(from, to).mapToObj(i -> name + " " + i).toList();
  }

  /** Ends it, once its node is gone. */
  void stop() throws InterruptedException, IOException {
    stopping = true;
    writing.join();
    reading.join();
    sender.close();
  }

  /** Ends it in order: all is acknowledged then, if anything is. */
  void end() throws InterruptedException, IOException {
    stopping = true;
    writing.join();
    sender.halfClose();
    stop();
  }

  long acknowledged() {
    return acknowledged;
  }

  long countFoundIn(NodeProcess node) throws IOException {
    return countFoundIn(byName(node.find(name + " ")));
  }

  /** Lines that were found, by the names of their senders. */
  static Map<String, List<String>> byName(List<String> found) {
    return found.stream()
        .collect(Collectors.groupingBy(line -> line.substring(0, line.lastIndexOf(' '))));
  }

  /**
   * Those found must be the first that were sent, without a hole, each once, and all that were
   * acknowledged among them; how many they are.
   */
  long countFoundIn(Map<String, List<String>> byName) {
    List<String> found = byName.getOrDefault(name, List.of());
    assertThat((long) found.size()).as(name).isBetween(acknowledged, begun);
    assertThat(found.equals(lines(0, found.size()))).as("an unbroken start of %s", name).isTrue();
    return found.size();
  }
}
