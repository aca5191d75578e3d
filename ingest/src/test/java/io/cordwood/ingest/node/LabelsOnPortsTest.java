package io.cordwood.ingest.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Labels up to their limits and beyond, through each port and as parameters of an upload. */
final class LabelsOnPortsTest extends HttpNodeFixture {
  private static final String TOO_LONG =
      "expected labels of at most 8192 bytes in all, found 8193 bytes";
  private static final String TOO_MANY = "expected at most 64 labels, found 65";

  private final UlidStamper stamper = new UlidStamper(InstantSource.system());

  private CompletableFuture<String> send(Port port, byte[] bytes) {
    var answer = new CompletableFuture<String>();
    Thread.ofVirtual()
        .start(() -> {
          try (var socket = new Socket(InetAddress.getLoopbackAddress(), port.of(http.node.node))) {
            socket.setSoTimeout((int) RunningNode.PATIENCE.toMillis());
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            byte[] all = socket.getInputStream().readAllBytes();
            answer.complete(new String(all, StandardCharsets.UTF_8));
          } catch (IOException e) {
            answer.completeExceptionally(e);
          }
        });
    return answer;
  }

  private CompletableFuture<String> send(Port port, String text) {
    return send(port, text.getBytes(StandardCharsets.UTF_8));
  }

  /** One pair that takes so many bytes in a batch. */
  private static Map<String, String> ofBytes(int bytes) {
    return Map.of("a", "x".repeat(bytes - "\na=".length()));
  }

  private static Map<String, String> ofPairs(int count) {
    return IntStream.range(0, count).boxed().collect(Collectors.toMap(i -> "n" + i, i -> "v" + i));
  }

  private static String words(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> " label." + label.getKey() + "=" + label.getValue())
        .collect(Collectors.joining());
  }

  private static String parameters(Map<String, String> labels) {
    return labels.entrySet().stream()
        .map(label -> "&label." + label.getKey() + "=" + encoded(label.getValue()))
        .collect(Collectors.joining());
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** A batch of one record whose labels nobody has checked. */
  private byte[] batch(Map<String, String> labels) {
    String origin =
        labels.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(label -> "\n" + label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining("", "app", ""));
    byte[] encoded = origin.getBytes(StandardCharsets.UTF_8);
    var payload = ByteBuffer.wrap("a record\n".getBytes(StandardCharsets.UTF_8));
    var all = ByteBuffer.allocate(BatchHeader.BYTES + encoded.length + payload.remaining());
    var first = stamper.stamp(1);
    BatchHeader.write(all, encoded, Delimiter.LF, first.high(), first.low(), 1, payload);
    return all.put(BatchHeader.BYTES + encoded.length, payload, 0, payload.remaining()).array();
  }

  private void assertTaken(Map<String, String> labels) throws IOException {
    assertThat(http.node.consume(1))
        .singleElement()
        .extracting(batch -> batch.labels().pairs())
        .isEqualTo(labels);
  }

  private void assertNothingKept() throws IOException {
    assertThat(http.node.consumeWaiting()).isEmpty();
    http.node.assertLedgerIsExact();
  }

  @ParameterizedTest
  @EnumSource
  void preamblesHaveTheMostLabelsAndNotOneMore(Port port) throws Exception {
    assertThat(send(port, "CORDWOOD/1" + words(ofBytes(8193)) + "\nno\n").get()).contains(TOO_LONG);
    assertThat(send(port, "CORDWOOD/1" + words(ofPairs(65)) + "\nno\n").get()).contains(TOO_MANY);
    assertNothingKept();
    for (var most : List.of(ofBytes(8192), ofPairs(64))) {
      var answer = send(port, "CORDWOOD/1" + words(most) + "\nyes\n");
      assertTaken(most);
      assertThat(answer.get()).doesNotContain("error");
    }
  }

  @ParameterizedTest
  @EnumSource
  void batchesHaveTheMostLabelsAndNotOneMore(Port port) throws Exception {
    assertThat(send(port, batch(ofBytes(8193))).get()).contains(TOO_LONG);
    assertThat(send(port, batch(ofPairs(65))).get()).contains(TOO_MANY);
    assertNothingKept();
    for (var most : List.of(ofBytes(8192), ofPairs(64))) {
      var answer = send(port, batch(most));
      assertTaken(most);
      assertThat(answer.get()).doesNotContain("error");
    }
  }

  @ParameterizedTest
  @EnumSource
  void batchesOfOneConnectionKeepEachItsOwnLabels(Port port) throws Exception {
    var sets = List.of(Map.of("pod", "a"), Map.of("pod", "b"), Map.<String, String>of());
    var sent = new ByteArrayOutputStream();
    for (int i = 0; i < 9; i++) {
      sent.writeBytes(batch(sets.get(i % sets.size())));
    }
    var answer = send(port, sent.toByteArray());
    List<Batch> batches = http.node.consume(9);
    for (int i = 0; i < 9; i++) {
      assertThat(batches.get(i).labels().pairs()).isEqualTo(sets.get(i % sets.size()));
    }
    assertThat(answer.get()).doesNotContain("error");
  }

  @Test
  void parametersHaveTheMostLabelsAndNotOneMore() throws Exception {
    assertRefused("topic=app" + parameters(ofBytes(8193)), TOO_LONG);
    assertRefused("topic=app" + parameters(ofPairs(65)), TOO_MANY);
    assertThat(http.node.counted("uploads", "outcome", "malformed")).isEqualTo(2);
    assertNothingKept();
    for (var most : List.of(ofBytes(8192), ofPairs(64))) {
      var answer = http.postAsync("bulk?topic=app" + parameters(most), "yes\n");
      assertTaken(most);
      assertThat(answer.get().statusCode()).isEqualTo(200);
    }
  }

  private void assertRefused(String parameters, String why) throws Exception {
    var answer = http.postAsync("bulk?" + parameters, "no\n").get();
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "label.a=1&label.a=2 | parameters label.NAME: expected each label once, found a twice",
        "label.a=1&label.a=1 | expected each label once, found a twice",
        "label.a%20b=1       | expected a label's name as [A-Za-z_][A-Za-z0-9_.-]{0,127}, found",
        "label.=1            | expected a label's name as",
        "label.topic=1       | expected a label with another name, since each record has a topic",
        "label.a=%0A         | expected a value of label a without line feed and NUL, found",
        "label.a=%FF         | parameter label.a: expected UTF-8, found the byte 0xFF",
        "label.%FF=a         | parameter label.NAME: expected UTF-8, found the byte 0xFF",
        "label=a             | parameter label: /ingest/bulk has none; it has topic, wait, ",
      })
  void whatIsNoLabelIsRefusedAndNothingIsKept(String parameters, String why) throws Exception {
    assertRefused(parameters, why);
    assertNothingKept();
  }

  @Test
  void parametersArePercentDecodedAndJoinThoseOfAPreamble() throws Exception {
    var given = Map.of("pod", "web-1", "x.y", "größe 100%+=&\u202e\t", "empty", "");
    var answer = http.postAsync("bulk?topic=app" + parameters(given), "a\nb\n");
    List<Batch> batches = http.node.consume(2);
    assertThat(batches).allMatch(batch -> batch.labels().pairs().equals(given));
    var both = http.postAsync("bulk?label.pod=web-1", "CORDWOOD/1 topic=b label.env=test\nc\n");
    assertTaken(Map.of("pod", "web-1", "env", "test"));
    assertThat(answer.get().statusCode() + both.get().statusCode()).isEqualTo(400);
    var twice = http.postAsync("bulk?label.pod=a", "CORDWOOD/1 label.pod=a\nc\n").get();
    assertThat(twice.body())
        .contains("parameters label.NAME and preamble: expected each label once, found pod twice");
    assertNothingKept();
  }

  @Test
  void batchesHaveTheirOwnLabelsAndNoneOfParameters() throws Exception {
    var body = BodyPublishers.ofByteArray(batch(Map.of("pod", "a")));
    var answer = http.postAsync("bulk?label.pod=b", body).get();
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains("label.NAME: expected lines, found batches, which have their own labels");
    assertNothingKept();
  }
}
