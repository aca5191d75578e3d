package io.cordwood.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What anyone who can reach a node can do to it: its addresses, its metrics, its queries. */
final class OpenNodeIT {
  private static final int RECORDS = 100_000;

  /** More than what sockets hold of an answer that nobody reads. */
  private static final String FILLER = "f".repeat(300);

  /** As {@code /proc/net/tcp} writes 127.0.0.1 and the same as an IPv6 address. */
  private static final List<String> LOOPBACK =
      List.of("0100007F", "0000000000000000FFFF00000100007F");

  @TempDir private static Path folder;
  private static NodeProcess node;

  @BeforeAll
  static void startNodeWithRecords() throws IOException {
    node = NodeProcess.start(folder);
    try (Sender sender = node.connect()) {
      for (int i = 0; i < RECORDS; i++) {
        sender.send("record " + i + " " + FILLER + "\n");
      }
      sender.end();
    }
    node.awaitCount("", RECORDS);
  }

  @AfterAll
  static void stopNode() {
    node.stop();
  }

  @Test
  void nodeListensOnLoopbackAlone() throws IOException {
    List<String> listening = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      Path file = node.program().proc(table);
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.strip().split("\\s+", -1);
        if (fields[3].equals("0A") && isOwnPort(fields[1])) {
          listening.add(fields[1].substring(0, fields[1].indexOf(':')));
        }
      }
    }
    assertThat(listening).hasSizeGreaterThanOrEqualTo(2);
    assertThat(LOOPBACK).containsAll(listening);
  }

  private static boolean isOwnPort(String address) {
    int port = HexFormat.fromHexDigits(address.substring(address.indexOf(':') + 1));
    return port == node.apiPort() || port == node.fastPort();
  }

  @Test
  void statisticsQueriesLeakNeitherDescriptorsNorThreads() throws IOException {
    node.request("HEAD", "/query?q=record");
    int files = node.program().openFiles();
    int threads = node.program().threads();
    for (int i = 0; i < 50; i++) {
      assertThat(node.request("HEAD", "/query?q=record").statusCode()).isEqualTo(200);
    }
    assertThat(node.program().openFiles()).isLessThan(files + 20);
    assertThat(node.program().threads()).isLessThan(threads + 20);
  }

  @Test
  void requestedPathsDoNotBecomeMetricLabels() throws IOException {
    var random = new Random(5);
    node.metrics();
    long before = httpSeries(node.metrics());
    for (int i = 0; i < 100; i++) {
      String path = "/secret-" + Long.toHexString(random.nextLong());
      assertThat(node.request("GET", path).statusCode()).isEqualTo(404);
    }
    String after = node.metrics();
    assertThat(after).doesNotContain("secret-");
    assertThat(httpSeries(after)).isLessThan(before + 20);
  }

  /** Others may begin at any time, when a node first does what they count. */
  private static long httpSeries(String metrics) {
    return metrics.lines().filter(line -> line.startsWith("cordwood_http_")).count();
  }

  @Test
  void wrongMethodIs405() throws IOException {
    var answer = node.request("DELETE", "/query");
    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("allow"))
        .hasValueSatisfying(allowed -> assertThat(allowed).contains("GET"));
    assertThat(node.request("GET", "/ingest/commit").statusCode()).isEqualTo(405);
  }

  @Test
  void queryEndsWhenItsReaderLeaves() throws IOException {
    double abandoned = node.metric("cordwood_query_abandoned_total");
    List<Socket> readers = askWithoutReading(3);
    await().until(() -> node.metric("cordwood_query_running") == 3);
    for (Socket reader : readers) {
      reader.close();
    }
    await().until(() -> node.metric("cordwood_query_running") == 0);
    assertThat(node.metric("cordwood_query_abandoned_total")).isEqualTo(abandoned + 3);
    awaitIdle();
  }

  /** Waits for a second in which the node takes less than a fifth of a processor. */
  private static void awaitIdle() throws IOException {
    long[] ticks = {node.program().processorTicks()};
    await()
        .pollInterval(java.time.Duration.ofSeconds(1))
        .until(() -> {
          long before = ticks[0];
          ticks[0] = node.program().processorTicks();
          return ticks[0] - before < 20;
        });
  }

  @Test
  void queriesWithoutReadersAreBoundedAndHoldUpNobodyElse() throws IOException {
    List<Socket> readers = askWithoutReading(40);
    try {
      await().until(() -> node.metric("cordwood_query_running") == 40);
      assertThat(node.count("record 4711 ")).isEqualTo(1);
      readers.addAll(askWithoutReading(40));
      await().until(() -> node.metric("cordwood_query_refused_total") >= 16);
      assertThat(node.request("GET", "/query?q=x").statusCode()).isEqualTo(503);
      node.send("written beside them\n");
    } finally {
      for (Socket reader : readers) {
        reader.close();
      }
    }
    await().until(() -> node.metric("cordwood_query_running") == 0);
    node.awaitCount("written beside them", 1);
  }

  private static List<Socket> askWithoutReading(int readers) throws IOException {
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      var socket = new Socket();
      socket.setReceiveBufferSize(4096);
      socket.connect(
          new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), node.apiPort()));
      String request = "GET /query?q=record HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    }
    return sockets;
  }
}
