package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.ingest.event.StoredEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever comes over HTTP is taken or refused in words, in each protocol: never the node's fault,
 * and never "not now", since it would be the same when it comes again.
 */
final class HostileBodiesTest extends HttpNodeFixture {
  private static final int MILLION = 1_000_000;

  /** Beyond the limits; few enough that a client has sent all of it when it is refused. */
  private static final int TOO_MANY = 100_000;

  private static final int DEEP = 10_000;

  /** More than an upload of {@link RunningNode#options} may have. */
  private static final int BOMB_BYTES = 65 << 20;

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
    for (HostileBody each : HostileBody.values()) {
      isTaken(each, each.with("good"));
    }
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

  @ParameterizedTest
  @EnumSource
  void aNameThatIsThereTwiceIsTaken(HostileBody to) throws Exception {
    isTaken(to, to.twice());
    assertThat(StoredEvent.of(http.node, 1)).hasSize(1);
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

  @ParameterizedTest
  @EnumSource
  void timesFarAwayAreTakenAndStoredAtTheTimeOfTheirArrival(HostileBody to) throws Exception {
    long before = System.currentTimeMillis();
    isTaken(to, to.at(Instant.EPOCH));
    isTaken(to, to.at(Instant.parse("2554-07-21T23:34:33Z")));
    long day = Duration.ofDays(1).toMillis();
    assertThat(StoredEvent.of(http.node, 2))
        .allSatisfy(event -> assertThat(event.millis()).isBetween(before - day, before + day));
  }

  private static byte[] bomb(String coding) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (OutputStream packing =
        coding.equals("gzip") ? new GZIPOutputStream(packed) : new DeflaterOutputStream(packed)) {
      byte[] spaces = " ".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < BOMB_BYTES; i += spaces.length) {
        packing.write(spaces);
      }
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate"})
  void aBombIsNotUnpackedToItsEnd(String coding) throws Exception {
    byte[] bomb = bomb(coding);
    for (HostileBody each : HostileBody.values()) {
      HttpResponse<String> answer = post(each, bomb, "content-encoding", coding);
      assertThat(answer.statusCode()).as(each + answer.body()).isEqualTo(413);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsCutAtAnyByteIsTakenOrRefused(HostileBody to) throws Exception {
    byte[] whole = to.with("b");
    for (int length = 0; length < whole.length; length++) {
      assertThat(post(to, Arrays.copyOf(whole, length)).statusCode())
          .as("%d bytes", length)
          .isIn(200, 202, 204, 400);
    }
  }

  private Socket begin(HostileBody to, String framing) throws IOException {
    Socket socket = http.connect();
    List<String> head =
        List.of(
            "POST " + to.path() + " HTTP/1.1",
            "Host: x",
            "Connection: close",
            "Content-Type: " + to.type(),
            framing,
            "\r\n");
    socket.getOutputStream().write(String.join("\r\n", head).getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatDribblesIsTaken(HostileBody to) throws Exception {
    try (Socket socket = begin(to, "Transfer-Encoding: chunked")) {
      socket.setTcpNoDelay(true);
      for (byte each : to.with("b")) {
        socket.getOutputStream().write(new byte[] {'1', '\r', '\n', each, '\r', '\n'});
      }
      socket.getOutputStream().write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 20");
    }
    assertThat(StoredEvent.of(http.node, 1)).hasSize(1);
  }

  /** As pygelf and graypy do. */
  @ParameterizedTest
  @EnumSource
  void whoEndsTheConnectionAfterTheBodyIsNotForgotten(HostileBody to) throws Exception {
    byte[] body = to.with("b");
    try (Socket socket = begin(to, "Content-Length: " + body.length)) {
      socket.getOutputStream().write(body);
    }
    assertThat(StoredEvent.of(http.node, 1)).hasSize(1);
  }

  @Test
  void ofClientsThatVanishBeforeTheAnswerAllOrNothingIsStored() throws Exception {
    for (HostileBody each : HostileBody.values()) {
      byte[] body = each.with("b");
      for (int sent : List.of(0, body.length / 2, body.length)) {
        try (Socket socket = begin(each, "Content-Length: " + body.length)) {
          socket.getOutputStream().write(body, 0, sent);
          socket.setSoLinger(true, 0); // so that closing it resets the connection
        }
      }
    }
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored"))
        .isLessThanOrEqualTo(HostileBody.values().length);
  }
}
