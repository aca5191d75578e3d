package io.cordwood.ingest.journald;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.SequenceInputStream;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads of systemd's journal, what becomes of them, and what their sender learns. */
class JournaldTest {
  private static final String UPLOAD = "/upload";

  @TempDir Path folder;
  private HttpNode http;
  private final long nowMicros = System.currentTimeMillis() * 1000 + 17;

  @BeforeEach
  void start() throws IOException {
    http = new HttpNode(RunningNode.options(folder.resolve("data")));
  }

  @AfterEach
  void close() throws IOException {
    http.close();
  }

  /** An entry as systemd writes it: fields with control characters have their length in front. */
  private static byte[] entry(Map<String, byte[]> fields) {
    var out = new ByteArrayOutputStream();
    fields.forEach((name, value) -> field(out, name.replaceAll("#.*", ""), value));
    out.write('\n');
    return out.toByteArray();
  }

  private static void field(ByteArrayOutputStream out, String name, byte[] value) {
    out.writeBytes(name.getBytes(StandardCharsets.UTF_8));
    boolean isBinary = false;
    for (byte each : value) {
      isBinary |= each >= 0 && each < ' ' && each != '\t';
    }
    if (isBinary) {
      out.write('\n');
      out.writeBytes(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value.length).array());
    } else {
      out.write('=');
    }
    out.writeBytes(value);
    out.write('\n');
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private byte[] entry(int number, long micros, String message) {
    var fields = new LinkedHashMap<String, byte[]>();
    fields.put("__CURSOR", bytes("s=3969;i=" + number + ";b=01;m=1;t=6613354d67d9b;x=4b" + number));
    fields.put("__REALTIME_TIMESTAMP", bytes("" + micros));
    fields.put("_HOSTNAME", bytes("vm"));
    fields.put("MESSAGE", bytes(message));
    fields.put("SYSLOG_IDENTIFIER", bytes("app"));
    fields.put("PRIORITY", bytes("6"));
    return entry(fields);
  }

  private HttpResponse<String> upload(byte[] body) throws Exception {
    return http.post(UPLOAD, body, "content-type", "application/vnd.fdo.journal");
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  /** A recording of systemd-journal-upload 252, as far as its fields are known. */
  private static byte[] recorded() {
    String text =
        "__CURSOR=s=39696cb2cb9c449cb506937505d6b2e5;i=1;b=0123456789abcdef0123456789abcdef;m=1;"
            + "t=6613354d67d9b;x=4baccb90e93c8794\n__REALTIME_TIMESTAMP=1795722954833307\n"
            + "__MONOTONIC_TIMESTAMP=1\n_BOOT_ID=0123456789abcdef0123456789abcdef\n"
            + "MESSAGE\n\u000c\0\0\0\0\0\0\0multi\nline 0\nPRIORITY=6\nSYSLOG_IDENTIFIER=app\n\n";
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(strings = {UPLOAD, "/insert/journald/upload"})
  void anEntryIsItsMessageWithLabelsAndTheRestBeside(String path) throws Exception {
    HttpResponse<String> answer = http.post(path + "?label.env=prod", recorded());
    assertThat(answer.statusCode()).isEqualTo(202);
    assertThat(answer.body()).isEqualTo("stored records=1\n");
    StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
    assertThat(event.text()).isEqualTo("multi\nline 0");
    assertThat(event.topic()).isEqualTo("app");
    assertThat(event.labels())
        .isEqualTo(
            Map.of("app", "app", "boot_id", "0123456789abcdef0123456789abcdef", "env", "prod"));
    assertThat(event.beside())
        .containsEntry("PRIORITY", "6")
        .containsEntry("__MONOTONIC_TIMESTAMP", "1")
        .containsKey("__CURSOR");
  }

  @Test
  void aParameterIsTheTopicOfAll() throws Exception {
    assertThat(http.post(UPLOAD + "?topic=journal", recorded()).statusCode()).isEqualTo(202);
    assertThat(StoredEvent.of(http.node, 1).getFirst().topic()).isEqualTo("journal");
    assertThat(http.post(UPLOAD + "?topic=..%2F", recorded()).statusCode()).isEqualTo(400);
  }

  @Test
  void aTenantIsRefusedAndNotIgnored() throws Exception {
    String path = "/insert/journald/upload";
    HttpResponse<String> answer = http.post(path, recorded(), "AccountID", "7");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains("header accountid: expected none");
    assertThat(http.post(path, recorded(), "AccountID", "0").statusCode()).isEqualTo(202);
  }

  @Test
  void anyEntryCanBeBuiltAgain() throws Exception {
    var random = new Random(5);
    var sent = new ArrayList<Map<String, String>>();
    var body = new ByteArrayOutputStream();
    for (int i = 0; i < 1000; i++) {
      var fields = new LinkedHashMap<String, byte[]>();
      var expected = new LinkedHashMap<String, String>();
      for (int n = 1 + random.nextInt(6); n > 0; n--) {
        byte[] value = value(random);
        fields.put("F" + n, value);
        expected.put("F" + n, json(value));
      }
      String message = i + " " + random.nextInt();
      fields.put("MESSAGE", bytes(message));
      expected.put("text", message);
      body.writeBytes(entry(fields));
      sent.add(expected);
    }
    assertThat(upload(body.toByteArray()).statusCode()).isEqualTo(202);
    var found = new ArrayList<Map<String, String>>();
    for (StoredEvent event : StoredEvent.of(http.node, 1000)) {
      var fields = new LinkedHashMap<>(event.beside());
      fields.put("text", event.text());
      found.add(fields);
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(sent);
    http.node.assertLedgerIsExact();
  }

  private static byte[] value(Random random) {
    byte[] value = new byte[random.nextInt(40)];
    random.nextBytes(value);
    if (random.nextBoolean()) {
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) (value[i] & 0x7f);
      }
    }
    return value;
  }

  /** By docs/format/foreign.md. */
  private static String json(byte[] value) {
    String text = new String(value, StandardCharsets.UTF_8);
    return Arrays.equals(bytes(text), value)
        ? text
        : "{\"$base64\":\"" + Base64.getEncoder().encodeToString(value) + "\"}";
  }

  @Test
  void aFieldThatOccursSeveralTimesIsAnArray() throws Exception {
    String text = "A=1\nMESSAGE=m\n_HOSTNAME=a\nA=2\n_HOSTNAME=b\nMESSAGE=n\nA=3\n\n";
    assertThat(upload(bytes(text)).statusCode()).isEqualTo(202);
    StoredEvent event = StoredEvent.of(http.node, 1).getFirst();
    assertThat(event.text()).isEqualTo("m");
    assertThat(event.labels()).isEmpty();
    assertThat(event.beside())
        .isEqualTo(
            Map.of("A", "[\"1\",\"2\",\"3\"]", "_HOSTNAME", "[\"a\",\"b\"]", "MESSAGE", "n"));
  }

  private List<Ulid> stored(HttpNode from, int records) throws IOException {
    return from.node.consume(records).stream().map(Batch::first).toList();
  }

  private byte[][] run() {
    byte[][] run = new byte[60][];
    for (int i = 0; i < run.length; i++) {
      // Twenty of each millisecond, all with the same text.
      run[i] = entry(i, nowMicros + i / 20 * 1000L + i % 20, "tick");
    }
    return run;
  }

  @Test
  void whatIsUploadedAgainIsStoredOnceAlsoOnAnotherNode() throws Exception {
    byte[] all = joined(run());
    try (var other = new HttpNode(RunningNode.options(folder.resolve("other")))) {
      assertThat(upload(all).statusCode()).isEqualTo(202);
      assertThat(other.post(UPLOAD, all).statusCode()).isEqualTo(202);
      List<Ulid> once = stored(http, 60);
      assertThat(once).doesNotHaveDuplicates();
      assertThat(stored(other, 60)).containsExactlyInAnyOrderElementsOf(once);
    }
  }

  @Test
  void anUploadThatGoesOnInTheMidstOfAMillisecondLosesNothing() throws Exception {
    byte[][] run = run();
    assertThat(upload(joined(run)).statusCode()).isEqualTo(202);
    assertThat(upload(joined(Arrays.copyOfRange(run, 10, 60))).statusCode()).isEqualTo(202);
    List<Batch> batches = http.node.consume(110);
    var kept = new LinkedHashMap<Ulid, Batch>();
    batches.forEach(batch -> kept.putIfAbsent(batch.first(), batch));
    assertThat(RunningNode.count(List.copyOf(kept.values()))).isBetween(60L, 70L);
    String text = RunningNode.text(List.copyOf(kept.values()));
    for (int i = 0; i < 60; i++) {
      assertThat(text).contains("x=4b" + i + "\"");
    }
  }

  @Test
  void aBodyThatBreaksOffIsNoSuccess() throws Exception {
    byte[] whole = recorded();
    for (int length = 1; length < whole.length; length++) {
      HttpResponse<String> answer = upload(Arrays.copyOf(whole, length));
      assertThat(answer.statusCode()).as("cut after %d", length).isEqualTo(400);
      assertThat(answer.body()).contains("entry 1 of the body: expected");
    }
    try (Socket socket = http.connect()) {
      socket
          .getOutputStream()
          .write(bytes("POST /upload HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"));
      byte[] entry = entry(1, nowMicros, "m");
      socket.getOutputStream().write(bytes(Integer.toHexString(entry.length) + "\r\n"));
      socket.getOutputStream().write(entry);
    }
    await()
        .until(() ->
            http.node.counted("requests", "protocol", "journald", "outcome", "refused")
                == whole.length);
    http.node.assertLedgerIsExact();
  }

  @Test
  void aClientThatWaitsForContinueGetsIt() throws Exception {
    byte[] entry = entry(1, nowMicros, "m");
    try (Socket socket = http.connect()) {
      socket
          .getOutputStream()
          .write(
              bytes(
                  String.join(
                      "\r\n",
                      "POST /upload HTTP/1.1",
                      "host: x",
                      "expect: 100-continue",
                      "content-type: application/vnd.fdo.journal",
                      "transfer-encoding: chunked",
                      "",
                      "")));
      String go = "HTTP/1.1 100 Continue\r\n\r\n";
      assertThat(
              new String(
                  socket.getInputStream().readNBytes(go.length()), StandardCharsets.US_ASCII))
          .isEqualTo(go);
      for (byte each : joined(entry, entry(2, nowMicros, "n"))) {
        socket.getOutputStream().write(new byte[] {'1', '\r', '\n', each, '\r', '\n'});
      }
      socket.getOutputStream().write(bytes("0\r\n\r\n"));
      assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 202");
    }
    assertThat(StoredEvent.of(http.node, 2)).extracting(StoredEvent::text).contains("m", "n");
  }

  @Test
  void wrongLengthsAndTooMuchAreRefusedInWords() throws Exception {
    Map<String, Integer> wrong =
        Map.of(
            "MESSAGE\n\5\0\0\0\0\0\0\0abc\n\n",
            400,
            "MESSAGE\n\1\0\0\0\0\0\0\0abc\n\n",
            400,
            "MESSAGE\n\0\0\0\0\0\0\0\u0080abc\n\n",
            413,
            "MESSAGE\n\0\0\0\7\0\0\0\0abc\n\n",
            413,
            "=x\n\n",
            400,
            "\u00ff\u00fe=x\n\n",
            400,
            "{\"MESSAGE\":\"x\"}",
            400,
            "A=1\n".repeat(1025) + "\n",
            400);
    for (var each : wrong.entrySet()) {
      HttpResponse<String> answer = upload(each.getKey().getBytes(StandardCharsets.ISO_8859_1));
      assertThat(answer.statusCode()).as(each.getKey()).isEqualTo(each.getValue());
      assertThat(answer.body()).contains("entry 1 of the body: expected");
    }
    assertThat(upload(bytes("\n\n")).body()).isEqualTo("stored records=0\n");
    http.node.assertLedgerIsExact();
  }

  @Test
  void aBodyOfAnyLengthIsTakenInBoundedMemory() throws Exception {
    byte[] one = entry(1, nowMicros, "x".repeat(4000));
    // More than an upload may have elsewhere.
    int entries = 18_000;
    var body =
        new SequenceInputStream(
            Collections.enumeration(
                Collections.nCopies(entries, one).stream()
                    .map(ByteArrayInputStream::new)
                    .toList()));
    var answer = http.postAsync(UPLOAD, BodyPublishers.ofInputStream(() -> body)).get();
    assertThat(answer.body()).isEqualTo("stored records=" + entries + "\n");
  }

  @Test
  void aDiskThatCannotForceIsNoSuccessAndSaysToTryAgain() throws Exception {
    var failing = new AtomicBoolean(true);
    var files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    try (var faulty = new HttpNode(RunningNode.options(folder.resolve("faulty")), files)) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = faulty.post(UPLOAD, recorded());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).isPresent();
      }
      failing.set(false);
      await().until(() -> faulty.post(UPLOAD, recorded()).statusCode() == 202);
      faulty.node.assertLedgerIsExact();
    }
  }
}
