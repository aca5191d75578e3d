package io.cordwood.ingest.loki;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.loki4j.pkg.google.protobuf.Timestamp;
import com.github.loki4j.pkg.loki.protobuf.Push.EntryAdapter;
import com.github.loki4j.pkg.loki.protobuf.Push.LabelPairAdapter;
import com.github.loki4j.pkg.loki.protobuf.Push.PushRequest;
import com.github.loki4j.pkg.loki.protobuf.Push.StreamAdapter;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNodeFixture;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** Loki's push: what its entries become, and what senders are answered. */
class LokiPushTest extends HttpNodeFixture {
  private static final String PATH = "/loki/api/v1/push";
  private static final String PROTOBUF = "application/x-protobuf";

  private HttpResponse<String> push(String body, String... headers) throws Exception {
    String[] all =
        headers.length == 0 ? new String[] {"content-type", "application/json"} : headers;
    return http.post(PATH, body.getBytes(StandardCharsets.UTF_8), all);
  }

  private HttpResponse<String> push(byte[] protobuf) throws Exception {
    return http.post(PATH, Snappy.compress(protobuf), "content-type", PROTOBUF);
  }

  private static String now() {
    return System.currentTimeMillis() + "000123";
  }

  @ParameterizedTest
  @ValueSource(strings = {PATH, "/insert/loki/api/v1/push"})
  void jsonIsTakenAndAnsweredWithNothing(String path) throws Exception {
    String time = now();
    String body =
        """
        {"streams":[{"stream":{"app":"shop","pod":"shop-7"},"values":[
          ["%s","payment failed",{"trace_id":"4bf92f35","time":"x"}],
          ["%s","a \\"line\\"\\nmore"]]}]}\
        """
            .formatted(time, time);
    HttpResponse<String> answer =
        http.post(path, body.getBytes(StandardCharsets.UTF_8), "content-type", "application/json");
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(204);
    assertThat(answer.body()).isEmpty();
    Map<String, String> labels = Map.of("app", "shop", "pod", "shop-7");
    long millis = Long.parseLong(time) / 1_000_000;
    assertThat(StoredEvent.of(http.node, 2))
        .containsExactlyInAnyOrder(
            new StoredEvent(
                "shop",
                labels,
                millis,
                "payment failed",
                Map.of("trace_id", "4bf92f35", "attr.time", "x")),
            new StoredEvent("shop", labels, millis, "a \"line\"\nmore", Map.of()));
    assertThat(http.node.counted("requests", "protocol", "loki", "outcome", "stored")).isEqualTo(1);
    http.node.assertLedgerIsExact();
  }

  @Test
  void anyPushCanBeBuiltAgain() throws Exception {
    var random = new Random(17);
    var sent = new ArrayList<StoredEvent>();
    for (int i = 0; i < 30; i++) {
      var push = PushRequest.newBuilder();
      for (int n = random.nextInt(4); n > 0; n--) {
        push.addStreams(stream(random, sent));
      }
      assertThat(push(push.build().toByteArray()).statusCode()).isEqualTo(204);
    }
    assertThat(StoredEvent.of(http.node, sent.size())).containsExactlyInAnyOrderElementsOf(sent);
    http.node.assertLedgerIsExact();
  }

  private static StreamAdapter stream(Random random, List<StoredEvent> sent) {
    var labels = new LinkedHashMap<String, String>();
    labels.put("app", "a" + random.nextInt(3));
    for (int n = random.nextInt(3); n > 0; n--) {
      labels.put("l" + n, "v" + piece(random).replaceAll("[\\n\\t\\x00]", ""));
    }
    var text = new StringBuilder();
    labels.forEach((name, value) ->
        text.append(text.isEmpty() ? "{" : ", ")
            .append(name)
            .append("=\"")
            .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
            .append('"'));
    var stream = StreamAdapter.newBuilder().setLabels(text + "}").setHash(7);
    for (int n = random.nextInt(5); n > 0; n--) {
      stream.addEntries(entry(random, labels, sent));
    }
    return stream.build();
  }

  private static EntryAdapter entry(
      Random random, Map<String, String> labels, List<StoredEvent> sent) {
    Instant time = Instant.now().plusNanos(random.nextInt(1_000_000_000));
    var beside = new LinkedHashMap<String, String>();
    String line = "t" + piece(random);
    var entry =
        EntryAdapter.newBuilder()
            .setTimestamp(
                Timestamp.newBuilder().setSeconds(time.getEpochSecond()).setNanos(time.getNano()))
            .setLine(line);
    for (int n = random.nextInt(3); n > 0; n--) {
      String value = piece(random);
      beside.put("m" + n, value);
      entry.addStructuredMetadata(LabelPairAdapter.newBuilder().setName("m" + n).setValue(value));
    }
    sent.add(
        new StoredEvent(labels.getOrDefault("app", ""), labels, time.toEpochMilli(), line, beside));
    return entry.build();
  }

  private static String piece(Random random) {
    String[] parts = {" ", "  ", "{", "}", "\"", "\\", "\n", "\0", "a", "é", "\t", "  {\"a\":1}"};
    var text = new StringBuilder();
    for (int n = random.nextInt(8); n > 0; n--) {
      text.append(parts[random.nextInt(parts.length)]);
    }
    return text.toString();
  }

  @Test
  void valuesMayComeBeforeTheirLabelsAndTimesMayBeNumbers() throws Exception {
    String body =
        """
        {"a":[1],"streams":[{"values":[[%s,"x",{"n":1.50,"o":{"p":[]}}]],"stream":{"job":"j"}}]}
        """
            .formatted(now());
    assertThat(push(body).statusCode()).isEqualTo(204);
    StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
    assertThat(event.topic()).isEqualTo("j");
    assertThat(event.beside()).isEqualTo(Map.of("n", "1.50", "o", "{\"p\":[]}"));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1970-01-01T00:00:00Z",
    "-1, 1969-12-31T23:59:59.999999999Z",
    "1, 1970-01-01T00:00:00.000000001Z",
    "18446744073709551615, 2554-07-21T23:34:33.709551615Z"
  })
  void timesFarAwayStandBesideTheLine(String nanos, String expected) throws Exception {
    assertThat(
            push("{\"streams\":[{\"stream\":{},\"values\":[[\"" + nanos + "\",\"x\"]]}]}")
                .statusCode())
        .isEqualTo(204);
    assertThat(StoredEvent.of(http.node, 1).getFirst().beside())
        .isEqualTo(Map.of("time", expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          x                                                   | expected JSON, found at line 1
          []                                                  | expected an object with streams
          {"streams":{}}                                      | expected a list of streams
          {"streams":[1]}                                     | expected a stream
          {"streams":[{"stream":[]}]}                         | expected an object of labels
          {"streams":[{"stream":{"a":1}}]}                    | expected a text as the label's
          {"streams":[{"values":[1]}]}                        | expected [time, line]
          {"streams":[{"values":[["x","y"]]}]}                | expected a time in nanoseconds
          {"streams":[{"values":[[1.5,"y"]]}]}                | expected a time in nanoseconds
          {"streams":[{"values":[["99999999999999999999",1]]}]} | expected a time in nanoseconds
          {"streams":[{"values":[["1",2]]}]}                  | expected a line as text
          {"streams":[{"values":[["1","y",3]]}]}              | expected an object of metadata or ]
          {"streams":[]}x                                     | expected JSON
          {"streams":[]}{}                                    | expected nothing after the object
          """)
  void whatIsNoPushIsRefusedInWords(String body, String words) throws Exception {
    HttpResponse<String> answer = push(body);
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(words);
    assertNothingStored();
  }

  private void assertNothingStored() {
    http.node.assertLedgerIsExact();
    assertThat(http.node.counted("records_stored")).isZero();
  }

  @Test
  void whatIsDeepOrNotUtf8IsRefused() throws Exception {
    String deep = "[".repeat(200) + "]".repeat(200);
    assertThat(push("{\"a\":" + deep + "}").body()).contains("expected JSON").contains("depth");
    byte[] body = "{\"streams\":[{\"stream\":{\"a\":\"??\"}}]}".getBytes(StandardCharsets.UTF_8);
    body[27] = (byte) 0xff;
    assertThat(http.post(PATH, body, "content-type", "application/json").statusCode())
        .isEqualTo(400);
    assertNothingStored();
  }

  @Test
  void aPushThatIsCutOffAnywhereIsRefused() throws Exception {
    String json =
        "{\"streams\":[{\"stream\":{\"a\":\"b\"},\"values\":[[\"1\",\"x\",{\"c\":\"d\"}]]}]}";
    for (int length = 1; length < json.length(); length++) {
      assertThat(push(json.substring(0, length)).statusCode()).isEqualTo(400);
    }
    byte[] whole = push(new Random(1)).toByteArray();
    byte[] block = Snappy.compress(whole);
    for (int length = 0; length < block.length; length++) {
      byte[] cut = Arrays.copyOf(block, length);
      assertThat(http.post(PATH, cut, "content-type", PROTOBUF).statusCode()).isEqualTo(400);
    }
    int last = PushRequest.parseFrom(whole).getStreams(0).getSerializedSize();
    for (int length = whole.length - last + 1; length < whole.length; length++) {
      HttpResponse<String> answer = push(Arrays.copyOf(whole, length));
      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(answer.body()).contains("protobuf, at byte");
    }
    assertNothingStored();
  }

  private static PushRequest push(Random random) {
    return PushRequest.newBuilder().addStreams(stream(random, new ArrayList<>())).build();
  }

  @Test
  void labelsThatCannotBeReadAndBlocksThatAreTooLongAreRefused() throws Exception {
    var bad = StreamAdapter.newBuilder().setLabels("{a=b}");
    HttpResponse<String> answer =
        push(PushRequest.newBuilder().addStreams(bad).build().toByteArray());
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("labels: expected a quoted value at byte 3");
    byte[] bomb = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0, 'x'};
    assertThat(http.post(PATH, bomb, "content-type", PROTOBUF).statusCode()).isEqualTo(413);
    assertNothingStored();
  }

  @Test
  void metadataBeforeTheLabelsOfItsStreamIsBounded() throws Exception {
    String entry = "[\"1795722454000000000\",\"\",{\"k\":\"%s\"}]".formatted("x".repeat(1 << 20));
    String entries = String.join(",", Collections.nCopies(17, entry));
    String body = "{\"streams\":[{\"values\":[%s],\"stream\":{}}]}".formatted(entries);
    HttpResponse<String> answer =
        http.post(PATH, body.getBytes(StandardCharsets.UTF_8), "content-type", "application/json");
    assertThat(answer.statusCode()).isEqualTo(413);
    assertThat(answer.body()).contains("expected a stream's labels before");
    assertNothingStored();
  }

  @ParameterizedTest
  @CsvSource({"1000, 204", "1000000, 400"})
  void manyLabelsBecomeLabelsAsFarAsTheyCanAndVeryManyAreRefused(int count, int status)
      throws Exception {
    var labels = new StringBuilder("{");
    for (int i = 0; i < count; i++) {
      labels.append("l").append(i).append("=\"v\",");
    }
    var stream =
        StreamAdapter.newBuilder()
            .setLabels(labels + "}")
            .addEntries(EntryAdapter.newBuilder().setLine("x"));
    byte[] push = PushRequest.newBuilder().addStreams(stream).build().toByteArray();
    HttpResponse<String> answer = push(push);
    assertThat(answer.statusCode()).isEqualTo(status);
    if (status == 204) {
      StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
      assertThat(event.labels()).hasSize(64);
      assertThat(event.beside()).hasSize(count - 64);
    } else {
      assertThat(answer.body()).contains("expected at most 32768 characters");
      assertNothingStored();
    }
  }

  @Test
  void aFormsTypeAndGzipAndOtherEncodingsOfABlockAreTaken() throws Exception {
    String json = "{\"streams\":[{\"stream\":{},\"values\":[[\"" + now() + "\",\"x\"]]}]}";
    assertThat(push(json, "content-type", "application/x-www-form-urlencoded").statusCode())
        .isEqualTo(204);
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(json.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(
            http.post(
                    PATH,
                    packed.toByteArray(),
                    "content-type",
                    "application/json",
                    "content-encoding",
                    "gzip")
                .statusCode())
        .isEqualTo(204);
    byte[] block = Snappy.compress(push(new Random(1)).toByteArray());
    assertThat(
            http.post(PATH, block, "content-type", PROTOBUF, "content-encoding", "snappy")
                .statusCode())
        .isEqualTo(204);
  }

  @Test
  void parametersGiveTopicAndLabelsAndATenantIsRefused() throws Exception {
    String json =
        "{\"streams\":[{\"stream\":{\"app\":\"a\",\"env\":\"x\"},\"values\":[[\"1\",\"x\"]]}]}";
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    assertThat(http.post(PATH + "?topic=t&label.env=prod&x=1", body).statusCode()).isEqualTo(204);
    StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
    assertThat(event.topic()).isEqualTo("t");
    assertThat(event.labels()).isEqualTo(Map.of("app", "a", "env", "prod"));
    assertThat(push(json, "x-scope-orgid", "team-a").body()).contains("header x-scope-orgid");
    assertThat(push(json, "x-scope-orgid", "fake").statusCode()).isEqualTo(204);
    assertThat(http.post(PATH + "?durability=x", body).statusCode()).isEqualTo(400);
  }

  @Test
  void aNodeThatEndsSaysToTryAgain() throws Exception {
    http.node.node.stopTaking();
    HttpResponse<String> answer = push("{\"streams\":[]}");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
  }
}
