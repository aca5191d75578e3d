package io.cordwood.ingest.gelf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.LoggerContext;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GELF over TCP, UDP and HTTP, by its senders and by their bytes. */
class GelfTest {
  private final Instant now = Instant.ofEpochMilli(System.currentTimeMillis());
  private final String time =
      now.getEpochSecond() + "." + "%03d".formatted(now.toEpochMilli() % 1000);
  private final String docker =
      "{\"version\":\"1.1\",\"host\":\"vm\",\"short_message\":\"err line\",\"timestamp\":"
          + time
          + ",\"level\":3,\"_container_name\":\"web\",\"_image_name\":\"t:1\",\"_tag\":\"18c862\"}";

  @TempDir Path folder;
  private HttpNode http;

  @BeforeEach
  void start() throws IOException {
    IngestOptions options = RunningNode.options(folder);
    http =
        new HttpNode(
            options.with(
                options.listening().withForeign(IngestOptions.ForeignPorts.NONE.withGelf(0))));
  }

  @AfterEach
  void close() throws IOException {
    http.close();
  }

  private int port() {
    return http.node.foreignPort("gelf");
  }

  private void send(byte[] bytes) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.getOutputStream().write(bytes);
    }
  }

  private void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  private void sendDatagrams(byte[]... datagrams) throws IOException {
    try (var socket = new DatagramSocket()) {
      for (byte[] each : datagrams) {
        socket.send(
            new DatagramPacket(each, each.length, InetAddress.getLoopbackAddress(), port()));
      }
    }
  }

  private HttpResponse<String> post(String parameters, byte[] body, String... headers)
      throws Exception {
    return http.post("/gelf" + parameters, body, headers);
  }

  private List<String> stored(int records) throws IOException {
    return StoredEvent.of(http.node, records).stream().map(StoredEvent::text).sorted().toList();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] zlib(byte[] bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] chunk(int id, int number, int count, byte[] part) {
    var chunk = new ByteArrayOutputStream();
    chunk.writeBytes(new byte[] {0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, (byte) id});
    chunk.write(number);
    chunk.write(count);
    chunk.writeBytes(part);
    return chunk.toByteArray();
  }

  @Test
  void anObjectIsTheRecordAndItsSenderLabels() throws Exception {
    send(docker + "\0");
    assertThat(StoredEvent.of(http.node, 1))
        .containsExactly(
            new StoredEvent(
                "default",
                Map.of("host", "vm", "container_name", "web", "image_name", "t:1"),
                now.toEpochMilli(),
                docker,
                Map.of()));
    http.node.assertLedgerIsExact();
  }

  @Test
  void anObjectIsOnOneLineAndNothingInItLooksLikeWhatStandsBesideATexts() throws Exception {
    send("{ \"a\" :\n [ 1.50 , 1e400 ],\r\n\"a\": \"x  {y} \\\" \\\\\",\t\"_app\":\"shop\" }\0");
    assertThat(StoredEvent.of(http.node, 1))
        .extracting(StoredEvent::topic, StoredEvent::text)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(
                "shop", "{\"a\":[1.50,1e400],\"a\":\"x  \\u007by} \\\" \\\\\",\"_app\":\"shop\"}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\0", "\n", "", "\r\n\0"})
  void objectsOnAConnectionMayEndInManyWays(String end) throws Exception {
    send("{\"n\":1}" + end + "{\"n\":\"}\\\"{\"}" + end + "{\"n\":{\"m\":{}}}" + end);
    assertThat(stored(3)).containsExactly("{\"n\":\"}\\\"{\"}", "{\"n\":1}", "{\"n\":{\"m\":{}}}");
    http.node.assertLedgerIsExact();
  }

  @Test
  void whatIsNoObjectIsCountedAndTheConnectionGoesOn() throws Exception {
    String deep = "{\"a\":".repeat(200) + "1" + "}".repeat(200);
    String bad = "{\"a\":tru}\0no JSON\n[1]\n{\"a\":\0{\"a\":1,}\0" + deep + "\0";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
      socket.getOutputStream().write(bytes(bad));
      socket.getOutputStream().write(bytes("{\"n\":1}\0"));
      assertThat(stored(1)).containsExactly("{\"n\":1}");
    }
    assertThat(http.node.counted("records_rejected", "reason", "invalid")).isEqualTo(6);
    http.node.assertLedgerIsExact();
  }

  @Test
  void anObjectThatIsTooLongForARecordIsDroppedAsAWhole() throws Exception {
    send("{\"a\":\"" + "x".repeat(3 << 20) + "\"}\0{\"n\":1}\0");
    assertThat(stored(1)).containsExactly("{\"n\":1}");
    assertThat(http.node.counted("records_rejected", "reason", "invalid")).isEqualTo(1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void aMessageThatIsCutAnywhereIsDroppedAndNoOther() throws Exception {
    byte[] all = bytes(docker);
    for (int length = 1; length < all.length; length++) {
      send(Arrays.copyOf(all, length));
    }
    send(all);
    assertThat(stored(1)).containsExactly(docker);
    await()
        .until(() -> http.node.counted("records_rejected", "reason", "invalid") == all.length - 1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void messagesOfOtherProtocolsOnAConnectionAreCountedAndItGoesOn() throws Exception {
    List<String> others =
        List.of(
            "<13>app: one\n",
            "15 <13>app: three",
            "POST /gelf HTTP/1.1\r\n",
            "CORDWOOD/1 hints=1\n",
            "\u0093\u00a1t\u0001\u0080\n");
    for (String other : others) {
      send("{\"n\":1}\0" + other + "\0{\"n\":2}\0");
      assertThat(stored(2)).as(other).containsExactly("{\"n\":1}", "{\"n\":2}");
    }
    await()
        .untilAsserted(() ->
            assertThat(http.node.counted("records_rejected", "reason", "invalid"))
                .isGreaterThanOrEqualTo(others.size()));
    http.node.assertLedgerIsExact();
  }

  @Test
  void bytesThatAreNoUtf8AreReplaced() throws Exception {
    byte[] latin =
        "{\"_app\":\"caf\u00e9\",\"a\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1);
    send(latin);
    assertThat(stored(1)).containsExactly("{\"_app\":\"caf\ufffd\",\"a\":\"\ufffd\"}");
  }

  @Test
  void datagramsMayBePackedAndInChunksInAnyOrder() throws Exception {
    byte[] packed = zlib(bytes("{\"n\":4}"));
    byte[] half = Arrays.copyOf(packed, 5);
    byte[] rest = Arrays.copyOfRange(packed, 5, packed.length);
    sendDatagrams(
        bytes("{\"n\":1}"),
        gzip(bytes("{\"n\":2}")),
        zlib(bytes("{\"n\":3}\0")),
        chunk(1, 1, 2, rest),
        chunk(1, 1, 2, rest),
        chunk(1, 0, 2, half),
        chunk(2, 0, 1, zlib(bytes("{\"n\":5}"))),
        bytes("{\"n\":6}\0"));
    assertThat(stored(6))
        .containsExactly(
            "{\"n\":1}", "{\"n\":2}", "{\"n\":3}", "{\"n\":4}", "{\"n\":5}", "{\"n\":6}");
    http.node.assertLedgerIsExact();
  }

  @Test
  void datagramsThatAreNothingAreCountedAndThePortGoesOn() throws Exception {
    byte[] bomb = gzip(new byte[8 << 20]);
    byte[] good = gzip(bytes(docker));
    sendDatagrams(
        bytes("no JSON"),
        bomb,
        Arrays.copyOf(good, good.length - 9),
        new byte[] {0x1f, (byte) 0x8b, 9},
        new byte[] {0x1e, 0x0f},
        chunk(1, 2, 2, good),
        chunk(1, 0, 0, good),
        chunk(1, 0, 129, good));
    await().until(() -> http.node.counted("records_rejected", "reason", "invalid") == 8);
    sendDatagrams(good);
    assertThat(stored(1)).containsExactly(docker);
    http.node.assertLedgerIsExact();
  }

  @Test
  void overHttpItIsAnsweredOnceItIsForced() throws Exception {
    byte[] one = bytes(docker);
    HttpResponse<String> answer =
        post("?topic=app&label.pod=p", gzip(one), "content-encoding", "gzip");
    assertThat(answer.statusCode()).isEqualTo(202);
    List<StoredEvent> events = StoredEvent.of(http.node, 1);
    assertThat(events.getFirst().topic()).isEqualTo("app");
    assertThat(events.getFirst().labels()).containsEntry("pod", "p").containsEntry("host", "vm");
    assertThat(post("", bytes("{\"n\":1}\n{\"n\":2}")).statusCode()).isEqualTo(202);
    assertThat(stored(2)).containsExactly("{\"n\":1}", "{\"n\":2}");
    assertThat(http.node.counted("requests", "protocol", "gelf", "outcome", "stored")).isEqualTo(2);
    http.node.assertLedgerIsExact();
  }

  @Test
  void overHttpAllOrNothingIsTakenAndWhyNotIsSaid() throws Exception {
    for (String bad : new String[] {"", " ", "x", "{\"n\":1}{\"n\":tru}", "{\"n\":1", "[{}]"}) {
      HttpResponse<String> answer = post("", bytes(bad));
      assertThat(answer.statusCode()).as(bad).isEqualTo(400);
      assertThat(answer.body()).startsWith("error: body: ");
    }
    HttpResponse<String> tooLong = post("", bytes("{\"a\":\"" + "x".repeat(1 << 20) + "\"}"));
    assertThat(tooLong.statusCode()).isEqualTo(413);
    assertThat(tooLong.body()).contains("object 1: expected at most 1048576 bytes, found more");
    assertThat(post("?topic=..", bytes("{}")).statusCode()).isEqualTo(400);
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
    http.node.node.stopTaking();
    HttpResponse<String> answer = post("", bytes("{}"));
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "udp", "http"})
  void logbackGelfIsUnderstood(String protocol) throws Exception {
    int port = protocol.equals("http") ? http.port() : port();
    var context = new LoggerContext();
    var logger = LogbackGelf.logger(context, LogbackGelf.appender(protocol, port));
    logger.info("hello");
    logger.error("x".repeat(20_000), new IllegalStateException("multi\nline"));
    List<StoredEvent> events = StoredEvent.of(http.node, 2);
    assertThat(events)
        .anyMatch(event -> event.text().contains("\"short_message\":\"hello\""))
        .anyMatch(event -> event.text().contains("IllegalStateException: multi\\nline\\n"))
        .allMatch(event -> event.labels().containsKey("host"))
        .allMatch(event -> event.topic().equals("shop"));
    context.stop();
    http.node.assertLedgerIsExact();
  }
}
