package io.cordwood.it;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A thread that writes numbered lines into {@code cordwood forward}, until it is ended. */
final class ForwardedLoad implements AutoCloseable {
  private static final int LINES_A_WRITE = 100;
  private static final long PAUSE_NANOS = 20_000_000;

  private final String name;
  private final Program forward;
  private final Thread thread;
  private volatile boolean ended;
  private volatile long written;

  private ForwardedLoad(String name, Program forward) {
    this.name = name;
    this.forward = forward;
    this.thread = Thread.ofPlatform().name(name).start(this::run);
  }

  static ForwardedLoad start(int port) throws IOException {
    return new ForwardedLoad("forwarded", Program.start("forward", "localhost:" + port));
  }

  /** In bulk mode, to any of several nodes. */
  static ForwardedLoad startBulk(String name, NodeProcess... nodes) throws IOException {
    var arguments = new ArrayList<>(List.of("forward", "--bulk", "--upload-size=2MiB"));
    for (NodeProcess node : nodes) {
      arguments.add("localhost:" + node.bulkPort());
    }
    return new ForwardedLoad(name, Program.start(arguments.toArray(String[]::new)));
  }

  private void run() {
    try (OutputStream in = forward.in()) {
      for (long next = 0; !ended; written = next) {
        var lines = new StringBuilder();
        for (int i = 0; i < LINES_A_WRITE; i++) {
          lines.append(line(next++)).append('\n');
        }
        in.write(lines.toString().getBytes(US_ASCII));
        in.flush();
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the forwarder must take all lines", e);
    }
  }

  private String line(long number) {
    return name + " " + number;
  }

  /** How many lines the forwarder got. */
  long written() {
    return written;
  }

  /** Ends the forwarder's input, and waits until all is acknowledged. */
  void finish() throws InterruptedException {
    ended = true;
    thread.join();
    Program.Result result = forward.end();
    assertThat(result.exitCode()).as(result.errors()).isZero();
  }

  /** All lines are found in their order, once each. */
  void assertFound(NodeProcess node) throws IOException {
    node.awaitCount(name + " ", written);
    long next = 0;
    for (String found : node.find(name + " ")) {
      assertThat(found).isEqualTo(line(next++));
    }
    assertThat(next).isEqualTo(written);
  }

  /** Ends at once, whatever is acknowledged. */
  @Override
  public void close() {
    ended = true;
    forward.close();
  }
}
