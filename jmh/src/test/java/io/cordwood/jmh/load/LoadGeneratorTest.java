package io.cordwood.jmh.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generator against a node of few lines: one that acknowledges each line, or only the last. */
class LoadGeneratorTest {
  private static final int MOST_RUNS = 20;

  @TempDir private Path folder;
  private final AtomicLong received = new AtomicLong();
  private ServerSocket node;

  @BeforeEach
  void listen() throws IOException {
    node = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  @Test
  void whatIsAcknowledgedWasReceived() throws IOException {
    answer(true);
    String report = run(Load.Form.LINES, "records", 0);
    assertThat(figure(report, "records")).isPositive().isLessThanOrEqualTo(received.get());
    assertThat(figure(report, "ack_max_ms")).isPositive();
  }

  @Test
  void bulkHasAConnectionForEachGroup() throws IOException {
    answer(false);
    String report = run(Load.Form.BULK, "groups", 3);
    assertThat(figure(report, "groups")).isGreaterThan(3);
  }

  @Test
  void aConnectionThatEndsIsAnError() {
    Thread.ofVirtual().start(() -> takeAll(Socket::close));
    assertThatThrownBy(() -> run(Load.Form.LINES)).isInstanceOf(IOException.class);
  }

  /** Runs until a figure is above a bound: a busy machine may get to nothing in so short a time. */
  private String run(Load.Form form, String figure, int bound) throws IOException {
    String report = run(form);
    for (int runs = 1; runs < MOST_RUNS && figure(report, figure) <= bound; runs++) {
      report = run(form);
    }
    return report;
  }

  private String run(Load.Form form) throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "one\ntwo\n".repeat(50));
    var load =
        new Load(
            new InetSocketAddress(node.getInetAddress(), node.getLocalPort()),
            3,
            form,
            0,
            0,
            Duration.ZERO,
            Duration.ofMillis(300));
    return LoadGenerator.run(load, Groups.of(lines, 40));
  }

  private static double figure(String report, String name) {
    return report
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  private interface Answer {
    void to(Socket socket) throws IOException;
  }

  private void answer(boolean eachLine) {
    Thread.ofVirtual().start(() -> takeAll(socket -> acknowledge(socket, eachLine)));
  }

  private void takeAll(Answer answer) {
    while (!node.isClosed()) {
      try {
        Socket socket = node.accept();
        Thread.ofVirtual().start(() -> answer(socket, answer));
      } catch (IOException e) {
        // The test is over: that is what closes the node.
        return;
      }
    }
  }

  private static void answer(Socket socket, Answer answer) {
    try (socket) {
      answer.to(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void acknowledge(Socket socket, boolean eachLine) throws IOException {
    var lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    long records = 0;
    while (lines.readLine() != null) {
      records++;
      received.incrementAndGet();
      if (eachLine) {
        acknowledge(socket, records);
      }
    }
    if (!eachLine) {
      acknowledge(socket, records);
    }
  }

  private static void acknowledge(Socket socket, long records) throws IOException {
    socket.getOutputStream().write(("ack " + records + "\n").getBytes(StandardCharsets.US_ASCII));
  }
}
