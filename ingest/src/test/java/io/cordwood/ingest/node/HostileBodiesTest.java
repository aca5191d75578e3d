package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.event.StoredEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever comes over HTTP is taken or refused in words, in each protocol: never the node's fault,
 * and never "not now", since it would be the same when it comes again.
 */
final class HostileBodiesTest {
  private static final int MILLION = 1_000_000;

  /** Beyond the limits; few enough that a client has sent all of it when it is refused. */
  private static final int TOO_MANY = 100_000;

  private static final int DEEP = 10_000;

  /** Requests whose records are forced together. */
  private static final int AT_ONCE = 8;

  private static final int MAX_UPLOAD_BYTES = 24 << 20;

  /** A bomb for a protocol whose bodies have any length, but not their entries. */
  private static final int LONGEST_BOMB_BYTES = 65 << 20;

  @TempDir private static Path folder;
  private static HttpNode http;

  /** How many of the records that are stored were looked at, or were not to be. */
  private static long consumed;

  /** One for all: whatever it was sent, it goes on. */
  @BeforeAll
  static void start() throws IOException {
    IngestOptions usual = RunningNode.options(folder.resolve("data"));
    IngestOptions.Bulk bulk = usual.bulk();
    http =
        new HttpNode(
            usual.with(
                new IngestOptions.Bulk(
                    bulk.port(),
                    MAX_UPLOAD_BYTES,
                    bulk.maxUploads(),
                    bulk.longestWait(),
                    bulk.minBytes(),
                    bulk.within())));
    consumed = 0;
  }

  @AfterAll
  static void close() throws IOException {
    http.close();
  }

  private static long unconsumed() {
    return http.node.counted("records_stored") - consumed;
  }

  /** Leaves out what other tests have stored. */
  private static void consumeAll() throws IOException {
    long records = unconsumed();
    http.node.consume(records);
    consumed += records;
  }

  /** The records since {@link #consumeAll}: as many of each protocol. */
  private static List<StoredEvent> storedOfEach(int records) throws IOException {
    int all = records * HostileBody.values().length;
    await().until(() -> unconsumed() >= all);
    consumed += all;
    return StoredEvent.of(http.node, all);
  }

  private static void inParallel(int count, Sending sending) throws Exception {
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        running.add(
            threads.submit(() -> {
              sending.send(number);
              return null;
            }));
      }
      for (Future<Void> each : running) {
        each.get();
      }
    }
  }

  private interface Sending {
    void send(int number) throws Exception;
  }

  private HttpResponse<String> post(HostileBody to, byte[] body, String... headers)
      throws Exception {
    String[] all = Arrays.copyOf(headers, headers.length + 2);
    all[headers.length] = "content-type";
    all[headers.length + 1] = to.type();
    return http.post(to.path(), body, all);
  }

  private void isTaken(HostileBody to, byte[] body) throws Exception {
    HttpResponse<String> answer = post(to, body);
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
    assertThat(answer.body()).doesNotContain("\"status\":4");
  }

  /** The bulk requests of Elasticsearch have a status for each document. */
  private void isRefused(HostileBody to, byte[] body) throws Exception {
    HttpResponse<String> answer = post(to, body);
    if (to == HostileBody.ELASTIC && answer.statusCode() == 200) {
      assertThat(answer.body()).contains("\"errors\":true", "\"status\":400");
    } else {
      assertThat(answer.statusCode()).as(answer.body()).isIn(400, 413);
      assertThat(answer.body()).containsAnyOf("expected", "JSON");
    }
  }

  /** Beside whatever was refused, others are served. */
  @AfterEach
  void allAreServed() throws Exception {
    HostileBody[] all = HostileBody.values();
    inParallel(all.length, i -> isTaken(all[i], all[i].with("good")));
    http.node.assertLedgerIsExact();
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON_LINE", "JOURNAL"})
  void whatIsDeepIsALineLikeAnyOther(HostileBody to) throws Exception {
    isTaken(to, to.deep(DEEP));
  }

  @ParameterizedTest
  @EnumSource(
      names = {"JSON_LINE", "JOURNAL"},
      mode = EnumSource.Mode.EXCLUDE)
  void whatIsDeepIsRefused(HostileBody to) throws Exception {
    isRefused(to, to.deep(DEEP));
  }

  @Test
  void aNameThatIsThereTwiceIsTaken() throws Exception {
    consumeAll();
    for (HostileBody each : HostileBody.values()) {
      isTaken(each, each.twice());
    }
    assertThat(storedOfEach(1)).hasSize(HostileBody.values().length);
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON_LINE", "GELF", "JOURNAL"})
  void bytesThatAreNoTextAreTakenWhereProtocolsHaveThem(HostileBody to) throws Exception {
    isTaken(to, to.with("\u00ff\u00fe\u00c0"));
  }

  @ParameterizedTest
  @EnumSource(names = {"LOKI", "SPLUNK", "DATADOG", "ELASTIC", "OTLP"})
  void bytesThatAreNoTextAreRefusedByTheOthers(HostileBody to) throws Exception {
    isRefused(to, to.with("\u00ff\u00fe\u00c0"));
  }

  @ParameterizedTest
  @EnumSource(names = {"JSON_LINE", "LOKI", "SPLUNK", "DATADOG"})
  void aMillionNamesAreTaken(HostileBody to) throws Exception {
    isTaken(to, to.many(MILLION));
  }

  @ParameterizedTest
  @EnumSource(names = {"ELASTIC", "GELF", "JOURNAL"})
  void veryManyNamesAreRefused(HostileBody to) throws Exception {
    isRefused(to, to.many(TOO_MANY));
  }

  @Test
  void timesFarAwayAreTakenAndStoredAtTheTimeOfTheirArrival() throws Exception {
    consumeAll();
    long before = System.currentTimeMillis();
    for (HostileBody each : HostileBody.values()) {
      isTaken(each, each.at(Instant.EPOCH));
      isTaken(each, each.at(Instant.parse("2554-07-21T23:34:33Z")));
    }
    long day = Duration.ofDays(1).toMillis();
    assertThat(storedOfEach(2))
        .allSatisfy(event -> assertThat(event.millis()).isBetween(before - day, before + day));
  }

  private static byte[] bomb(String coding, int bytes) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream packing =
        coding.equals("gzip") ? new GZIPOutputStream(packed) : new DeflaterOutputStream(packed)) {
      byte[] spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < bytes; i += spaces.length) {
        packing.write(spaces);
      }
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void aBombIsNotUnpackedToItsEnd(String coding) throws Exception {
    byte[] bomb = bomb(coding, MAX_UPLOAD_BYTES + 1);
    byte[] longest = bomb(coding, LONGEST_BOMB_BYTES);
    for (HostileBody each : HostileBody.values()) {
      byte[] body = each == HostileBody.JOURNAL ? longest : bomb;
      HttpResponse<String> answer = post(each, body, "content-encoding", coding);
      assertThat(answer.statusCode()).as(each + answer.body()).isEqualTo(413);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsCutAtAnyByteIsTakenOrRefused(HostileBody to) throws Exception {
    byte[] whole = to.with("b");
    inParallel(
        whole.length,
        length ->
            assertThat(post(to, Arrays.copyOf(whole, length)).statusCode())
                .as("%d bytes", length)
                .isIn(200, 202, 204, 400));
  }

  private static byte[] head(HostileBody to, String framing, String connection) {
    List<String> head =
        List.of(
            "POST " + to.path() + " HTTP/1.1",
            "Host: x",
            "Connection: " + connection,
            "Content-Type: " + to.type(),
            framing,
            "\r\n");
    return String.join("\r\n", head).getBytes(StandardCharsets.US_ASCII);
  }

  private static Socket begin(HttpNode node, HostileBody to, String framing) throws IOException {
    Socket socket = node.connect();
    socket.getOutputStream().write(head(to, framing, "close"));
    return socket;
  }

  @Test
  void aBodyThatDribblesIsTaken() throws Exception {
    consumeAll();
    for (HostileBody to : HostileBody.values()) {
      try (Socket socket = begin(http, to, "Transfer-Encoding: chunked")) {
        socket.setTcpNoDelay(true);
        for (byte each : to.with("b")) {
          socket.getOutputStream().write(new byte[] {'1', '\r', '\n', each, '\r', '\n'});
        }
        socket.getOutputStream().write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .as(to.name())
            .startsWith("HTTP/1.1 20");
      }
    }
    assertThat(storedOfEach(1)).hasSize(HostileBody.values().length);
  }

  /** As pygelf and graypy do. */
  @Test
  void whoEndsTheConnectionAfterTheBodyIsNotForgotten() throws Exception {
    consumeAll();
    for (HostileBody to : HostileBody.values()) {
      byte[] body = to.with("b");
      try (Socket socket = begin(http, to, "Content-Length: " + body.length)) {
        socket.getOutputStream().write(body);
      }
    }
    assertThat(storedOfEach(1)).hasSize(HostileBody.values().length);
  }

  /** Requests of all protocols on one connection, and a message that is none of HTTP. */
  @Test
  void protocolsMayFollowEachOtherOnAConnectionButForWhatIsNoRequest() throws Exception {
    consumeAll();
    try (Socket socket = http.connect()) {
      var all = new ByteArrayOutputStream();
      for (HostileBody to : HostileBody.values()) {
        byte[] body = to.with("b");
        all.writeBytes(head(to, "Content-Length: " + body.length, "keep-alive"));
        all.writeBytes(body);
      }
      all.writeBytes("<13>app: syslog\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().write(all.toByteArray());
      String answers = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Pattern.compile("HTTP/1.1 (\\d)").matcher(answers).results())
          .extracting(answer -> answer.group(1))
          .containsExactly("2", "2", "2", "2", "2", "2", "2", "2", "4");
    }
    assertThat(storedOfEach(1)).hasSize(HostileBody.values().length);
  }

  @Test
  void ofClientsThatVanishBeforeTheAnswerAllOrNothingIsStored() throws Exception {
    try (var own = new HttpNode(RunningNode.options(folder.resolve("vanished")))) {
      for (HostileBody each : HostileBody.values()) {
        byte[] body = each.with("b");
        for (int sent : List.of(0, body.length / 2, body.length)) {
          try (Socket socket = begin(own, each, "Content-Length: " + body.length)) {
            socket.getOutputStream().write(body, 0, sent);
            socket.setSoLinger(true, 0); // so that closing it resets the connection
          }
        }
      }
      own.node.assertLedgerIsExact();
      assertThat(own.node.counted("records_stored"))
          .isLessThanOrEqualTo(HostileBody.values().length);
    }
  }
}
