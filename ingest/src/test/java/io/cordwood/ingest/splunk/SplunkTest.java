package io.cordwood.ingest.splunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.FailingDiskFixture;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Splunk's HTTP Event Collector. */
class SplunkTest extends FailingDiskFixture {
  private static final String PATH = "/services/collector/event/1.0";
  private static final String SUCCESS = "{\"text\":\"Success\",\"code\":0}";

  private List<StoredEvent> stored(String body, int records) throws Exception {
    HttpResponse<String> answer = post(PATH, body);
    assertThat(answer.body()).isEqualTo(SUCCESS);
    assertThat(answer.statusCode()).isEqualTo(200);
    return StoredEvent.of(http.node, records);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/services/collector",
        "/services/collector/event",
        "/services/collector/event/1.0"
      })
  void eventsThatStandOneAfterTheOtherAreTaken(String path) throws Exception {
    long millis = System.currentTimeMillis() - 1000;
    String seconds = "%d.%03d".formatted(millis / 1000, millis % 1000);
    String body =
        """
        {"time":%s,"host":"web-1","source":"app","sourcetype":"st","index":"main",
         "event":"a \\"line\\"","fields":{"trace_id":"4b","n":[1,2]}}{"time":"%s456","event":"two"}
        """
            .formatted(seconds, seconds);
    assertThat(post(path, body, "content-type", "application/x-www-form-urlencoded").body())
        .isEqualTo(SUCCESS);
    assertThat(StoredEvent.of(http.node, 2))
        .containsExactlyInAnyOrder(
            new StoredEvent(
                "main",
                Map.of("host", "web-1", "source", "app", "sourcetype", "st", "index", "main"),
                millis,
                "a \"line\"",
                Map.of("trace_id", "4b", "n", "[1,2]")),
            new StoredEvent("default", Map.of(), millis, "two", Map.of()));
    http.node.assertLedgerIsExact();
  }

  @Test
  void whatDockersDriverSendsIsItsLine() throws Exception {
    String body =
        """
        {"event":{"line":"hello","source":"stdout","tag":"7d5f","attrs":{"env":"prod"}},
         "time":"%d.203511","host":"vm"}\
        """
            .formatted(System.currentTimeMillis() / 1000);
    StoredEvent event = stored(body, 1).getFirst();
    assertThat(event.text()).isEqualTo("hello");
    assertThat(event.topic()).isEqualTo("7d5f");
    assertThat(event.labels())
        .isEqualTo(Map.of("host", "vm", "source", "stdout", "tag", "7d5f", "env", "prod"));
  }

  @Test
  void aSourceThatIsThereTwiceStandsBesideTheLine() throws Exception {
    StoredEvent event =
        stored("{\"source\":\"s\",\"event\":{\"line\":\"x\",\"source\":\"stdout\"}}", 1).getFirst();
    assertThat(event.labels()).isEqualTo(Map.of("source", "s"));
    assertThat(event.beside()).isEqualTo(Map.of("source", "stdout"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"event":{ "b" : [1, {}],"a":"  {x"}}              | {"b":[1,{}],"a":"  \\u007bx"}
          {"event":{"line":"x","source":"o","other":1}}      | {"line":"x","source":"o","other":1}
          {"event":{"line":{"a":1},"source":"o"}}            | {"line":{"a":1},"source":"o"}
          {"event":{}}                                       | {}
          {"event":[1,"a"]}                                  | [1,"a"]
          {"event":1.50}                                     | 1.50
          [{"event":true}]                                   | true
          """)
  void whatIsNoTextStaysAsItIsOnOneLine(String body, String record) throws Exception {
    assertThat(post(PATH, body).body()).isEqualTo(SUCCESS);
    assertThat(RunningNode.text(http.node.consume(1))).isEqualTo(record + "\n");
  }

  @Test
  void fieldsOfAnObjectStandBesideItAndSoDoTimesThatAreNone() throws Exception {
    assertThat(
            post(
                    PATH,
                    "{\"event\":{\"a\":1},\"fields\":{\"time\":\"x\"},\"time\":\"soon\",\"y\":{}}")
                .body())
        .isEqualTo(SUCCESS);
    assertThat(RunningNode.text(http.node.consume(1)))
        .isEqualTo("{\"a\":1}  {\"attr.time\":\"x\",\"attr.time\":\"soon\",\"y\":{}}\n");
  }

  @ParameterizedTest
  @CsvSource({"0.5, 1970-01-01T00:00:00.500Z", "18446744073, 2554-07-21T23:34:33Z"})
  void timesFarAwayStandBesideTheText(String time, String expected) throws Exception {
    assertThat(stored("{\"event\":\"x\",\"time\":" + time + "}", 1).getFirst().beside())
        .isEqualTo(Map.of("time", expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                              | {"text":"No data","code":5}
          x                               | "code":6
          {"event":"x"}{"event":          | "code":6
          {"event":"x"}1                  | "code":6
          {"event":"x","fields":[]}       | "code":6
          {"event":"x","host":{}}         | "code":6
          {"event":"x","time":[]}         | "code":6
          {"event":"x"}{"host":"a"}       | Event field is required, in event 1","code":12
          {"event":null}                  | "code":12
          {"event":""}                    | Event field cannot be blank, in event 0","code":13
          """)
  void whatIsNoEventIsRefusedWithSplunksCode(String body, String expected) throws Exception {
    HttpResponse<String> answer = post(PATH, body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(expected);
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @Test
  void eventsThatAreCutOffAnywhereAreRefused() throws Exception {
    String body = "{\"event\":{\"a\":\"b\"},\"time\":\"1\",\"fields\":{\"c\":[1]}}";
    for (int length = 0; length < body.length(); length++) {
      assertThat(post(PATH, body.substring(0, length)).statusCode()).isEqualTo(400);
    }
    String deep = "{\"event\":" + "[".repeat(200) + "]".repeat(200) + "}";
    assertThat(post(PATH, deep).body()).contains("\"code\":6");
    byte[] latin = "{\"event\":\"\u00fc\"}".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(http.post(PATH, latin).body()).contains("\"code\":6");
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @Test
  void rawLinesStayAsTheyAre() throws Exception {
    HttpResponse<String> answer =
        post("/services/collector/raw?host=h&index=i&channel=c", "one\n\r\n two\r\nthree");
    assertThat(answer.body()).isEqualTo(SUCCESS);
    List<StoredEvent> events = StoredEvent.of(http.node, 3);
    assertThat(events).extracting(StoredEvent::text).containsExactly("one", " two\r", "three");
    assertThat(events).extracting(StoredEvent::topic).containsOnly("i");
    assertThat(events.getFirst().labels()).isEqualTo(Map.of("host", "h", "index", "i"));
  }

  @Test
  void packedEventsAreUnpacked() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write("{\"event\":\"x\"}".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(http.post(PATH, packed.toByteArray(), "content-encoding", "gzip").statusCode())
        .isEqualTo(200);
    assertThat(StoredEvent.of(http.node, 1).getFirst().text()).isEqualTo("x");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/services/collector", "/services/collector/event", "/services/collector/event/1.0",
        "/services/collector/raw", "/services/collector/raw/1.0", "/services/collector/health",
        "/services/collector/health/1.0"
      })
  void everyPathAnswersOptions(String path) throws Exception {
    try (Socket socket = http.connect()) {
      socket
          .getOutputStream()
          .write(
              ("OPTIONS " + path + " HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void healthAndAcknowledgementsAreAnsweredAsSplunkDoes() throws Exception {
    assertThat(http.get("/services/collector/health").body())
        .isEqualTo("{\"text\":\"HEC is healthy\",\"code\":17}");
    assertThat(post("/services/collector/ack?channel=c", "{\"acks\":[0]}").body())
        .contains("ACK is disabled", "\"code\":14");
    http.node.node.stopTaking();
    assertThat(http.get("/services/collector/health").statusCode()).isEqualTo(503);
  }

  @Test
  void aDiskThatFailsIsNotNowAndLaterItIsTaken() throws Exception {
    failing.set(true);
    HttpResponse<String> answer = post(PATH, "{\"event\":\"x\"}");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).startsWith("{\"text\":\"Server is busy: ").endsWith("\"code\":9}");
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    failing.set(false);
    await().until(() -> post(PATH, "{\"event\":\"x\"}").statusCode() == 200);
    http.node.assertLedgerIsExact();
  }
}
