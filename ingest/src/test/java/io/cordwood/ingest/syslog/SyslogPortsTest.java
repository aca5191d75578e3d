package io.cordwood.ingest.syslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.net.SyslogAppender;
import io.cordwood.common.file.FaultyFilesystem;
import io.cordwood.common.file.FaultyFilesystem.Call;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.tls.Certificates;
import io.cordwood.common.tls.NodeTls;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.event.StoredEvent;
import io.cordwood.ingest.message.Framing;
import io.cordwood.ingest.node.RunningNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Syslog as its senders were seen to send it, over TCP, TLS and UDP. */
class SyslogPortsTest {
  private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
  private final String bsd =
      LocalDateTime.ofInstant(now, ZoneId.systemDefault())
          .format(DateTimeFormatter.ofPattern("MMM ppd HH:mm:ss", Locale.ROOT));

  @TempDir Path folder;
  private RunningNode node;

  @BeforeEach
  void start() throws IOException {
    node = new RunningNode(options(folder));
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  private static IngestOptions options(Path folder) {
    IngestOptions options = RunningNode.patient(RunningNode.options(folder));
    return options.with(
        options.listening().withForeign(IngestOptions.ForeignPorts.NONE.withSyslog(0)));
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), node.foreignPort("syslog"));
  }

  private void send(String... parts) throws IOException {
    try (Socket socket = connect()) {
      for (String part : parts) {
        socket.getOutputStream().write(part.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private void sendDatagrams(String... texts) throws IOException {
    try (var socket = new DatagramSocket()) {
      for (String text : texts) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        socket.send(
            new DatagramPacket(
                bytes, bytes.length, InetAddress.getLoopbackAddress(), node.foreignPort("syslog")));
      }
    }
  }

  private List<StoredEvent> stored(int records) throws IOException {
    return StoredEvent.of(node, records);
  }

  @Test
  void aRecordIsTheWholeMessageAndItsHeaderSaysWhoAndWhen() throws Exception {
    String old = "<13>" + bsd + " web1 app[42]: a \"b\"  \\ é";
    String newer = "<11>1 " + now.plusMillis(7) + " web2 shop 42 ID [a@1 k=\"v\"] text";
    send(old + "\n", newer.getBytes(StandardCharsets.UTF_8).length + " " + newer);
    assertThat(stored(2))
        .containsExactlyInAnyOrder(
            new StoredEvent(
                "app", Map.of("host", "web1", "app", "app"), now.toEpochMilli(), old, Map.of()),
            new StoredEvent(
                "shop",
                Map.of("host", "web2", "app", "shop"),
                now.toEpochMilli() + 7,
                newer,
                Map.of()));
    node.assertLedgerIsExact();
  }

  @Test
  void aTimeThatIsFarIsLeftInTheTextAlone() throws Exception {
    String[] far = {
      "<13>1 1970-01-01T00:00:00Z h app - - - x",
      "<13>1 2554-07-21T23:34:33Z h app - - - x",
      "<13>"
          + bsd.replaceAll("^...", now.atZone(ZoneOffset.UTC).getMonthValue() < 7 ? "Oct" : "Jan")
          + " h app: x"
    };
    send(String.join("\n", far) + "\n");
    List<StoredEvent> events = stored(3);
    assertThat(events).extracting(StoredEvent::text).containsExactlyInAnyOrder(far);
    assertThat(events).allMatch(event -> event.beside().isEmpty());
    assertThat(events)
        .allMatch(event -> Math.abs(event.millis() - System.currentTimeMillis()) < 600_000);
  }

  @Test
  void messagesAreStoredWhileTheConnectionIsOpen() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write("<13>app: one\n<13>app: tw".getBytes(StandardCharsets.UTF_8));
      assertThat(stored(1)).extracting(StoredEvent::text).containsExactly("<13>app: one");
      socket.getOutputStream().write("o\n".getBytes(StandardCharsets.UTF_8));
      assertThat(stored(1)).extracting(StoredEvent::text).containsExactly("<13>app: two");
    }
  }

  @Test
  void aDatagramIsAMessageWithWhateverLinesItHas() throws Exception {
    String[] sent = {
      "<13>" + bsd + " h a: one",
      "<13>" + bsd + " h a: two\n",
      "<14>app: nul\0",
      "<11>" + bsd + " h a: boom\n\tat b",
      "{\"a\":1}",
      "\n",
      ""
    };
    sendDatagrams(sent);
    assertThat(stored(5))
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder(sent[0], sent[1].strip(), "<14>app: nul", sent[3], sent[4]);
    await().until(() -> node.counted("blank_lines_ignored") == 2);
    assertThat(node.counted("datagrams_received", "protocol", "syslog")).isEqualTo(7);
    node.assertLedgerIsExact();
  }

  @Test
  void aZlibStreamIsUnpacked() throws Exception {
    try (Socket socket = connect()) {
      OutputStream packed = new DeflaterOutputStream(socket.getOutputStream(), true);
      packed.write("<13>app: one\n".getBytes(StandardCharsets.UTF_8));
      packed.flush();
      assertThat(stored(1)).extracting(StoredEvent::text).containsExactly("<13>app: one");
      packed.write("<13>app: two\n<13>app: three".getBytes(StandardCharsets.UTF_8));
      packed.flush();
    }
    assertThat(stored(2))
        .extracting(StoredEvent::text)
        .containsExactly("<13>app: two", "<13>app: three");
    node.assertLedgerIsExact();
  }

  @Test
  void aZlibStreamThatIsCutOrDamagedKeepsWhatCameBefore() throws Exception {
    var packed = new ByteArrayOutputStream();
    try (var out = new DeflaterOutputStream(packed)) {
      for (int i = 0; i < 20; i++) {
        out.write(("<13>app: " + i + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    for (int length = 0; length <= packed.size(); length++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(packed.toByteArray(), 0, length);
      }
    }
    byte[] damaged = packed.toByteArray();
    Arrays.fill(damaged, 20, 30, (byte) 0xff);
    try (Socket socket = connect()) {
      socket.getOutputStream().write(damaged);
    }
    await().until(() -> node.counted("records_stored") >= 20);
    node.assertLedgerIsExact();
  }

  @Test
  void aMessageLongerThanARecordBecomesSeveralOfTheSameSender() throws Exception {
    String head = "<13>" + bsd + " web1 app: ";
    send(head + "x".repeat(2 << 20) + "\n<13>app: next\n");
    List<StoredEvent> events = stored(4);
    assertThat(events.subList(0, 3)).allMatch(event -> event.topic().equals("app"));
    assertThat(
            events.stream()
                .filter(event -> "web1".equals(event.labels().get("host")))
                .mapToInt(event -> event.text().length())
                .sum())
        .isEqualTo(head.length() + (2 << 20));
    node.assertLedgerIsExact();
  }

  @Test
  void aMillionParametersAreKeptAsRecordsOfTheSameSender() throws Exception {
    var message = new StringBuilder("<11>1 " + now + " web2 shop 42 ID [a@1");
    for (int i = 0; i < 1_000_000; i++) {
      message.append(" k").append(i).append("=\"\"");
    }
    message.append("] text");
    send(message + "\n<13>app: next\n");
    List<StoredEvent> events = stored(Math.ceilDiv(message.length(), Framing.MAX_BYTES) + 1);
    assertThat(events)
        .filteredOn(event -> event.topic().equals("shop"))
        .allMatch(event -> "web2".equals(event.labels().get("host")))
        .extracting(event -> event.text().length())
        .satisfies(lengths ->
            assertThat(lengths.stream().mapToInt(length -> length).sum())
                .isEqualTo(message.length()));
    node.assertLedgerIsExact();
  }

  @Test
  void ofAMessageThatIsCutAnywhereAllIsStoredThatHasCome() throws Exception {
    String message = "<11>1 " + now + " web2 shop 42 ID [a@1 k=\"v\"] text";
    List<String> cut =
        IntStream.rangeClosed(1, message.length())
            .mapToObj(to -> message.substring(0, to))
            .toList();
    for (String each : cut) {
      send(each);
    }
    assertThat(stored(cut.size()))
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrderElementsOf(cut);
    node.assertLedgerIsExact();
  }

  @Test
  void messagesOfOtherProtocolsOnAConnectionAreRecords() throws Exception {
    String gelf = "{\"version\":\"1.1\",\"host\":\"h\",\"short_message\":\"two\"}";
    send(
        "<13>app: one\n",
        gelf + "\0",
        "POST /ingest HTTP/1.1\r\nHost: x\r\n\r\n",
        "CORDWOOD/1 hints=1\n",
        "15 <13>app: three");
    assertThat(stored(6))
        .extracting(StoredEvent::text)
        .containsExactlyInAnyOrder(
            "<13>app: one",
            gelf,
            "POST /ingest HTTP/1.1\r",
            "Host: x\r",
            "CORDWOOD/1 hints=1",
            "<13>app: three");
    node.assertLedgerIsExact();
  }

  @Test
  void whatIsNoSyslogIsRefusedInWords() throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("error: expected ");
    }
    node.assertLedgerIsExact();
    assertThat(node.counted("records_stored")).isZero();
  }

  /** It would wait for acknowledgements, send again, and be stored as what it is not. */
  @Test
  void aSenderOfCordwoodsIsSentAway() throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("CORDWOOD/1 hints=1\none\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("error: expected messages of another protocol, found a preamble")
          .endsWith(" for the fast, durable or bulk port\n");
    }
    send("CORDWOOD is a word\n");
    assertThat(stored(1)).singleElement().matches(one -> one.text().equals("CORDWOOD is a word"));
  }

  @Test
  void syslogComesOverTls() throws Exception {
    close();
    var certificates = new Certificates(folder);
    IngestOptions options = options(folder.resolve("tls"));
    try (NodeTls tls = certificates.open(node.registry);
        var secured =
            new RunningNode(
                options.with(options.listening().withTls(java.util.Optional.of(tls))))) {
      try (Socket socket =
          certificates
              .trusting()
              .secure(
                  new Socket(InetAddress.getLoopbackAddress(), secured.foreignPort("syslog")),
                  "localhost")) {
        socket.getOutputStream().write("<13>app: one\n".getBytes(StandardCharsets.UTF_8));
        assertThat(StoredEvent.of(secured, 1))
            .extracting(StoredEvent::text)
            .containsExactly("<13>app: one");
      }
    }
    node = new RunningNode(options(folder.resolve("again")));
  }

  @Test
  void messagesWaitForADiskThatFailsAndNoneIsLost() throws Exception {
    close();
    var failing = new AtomicBoolean(true);
    Filesystem files = new FaultyFilesystem((call, _) -> call == Call.FORCE && failing.get());
    node = new RunningNode(options(folder.resolve("faulty")), files);
    try (Socket socket = connect()) {
      socket.getOutputStream().write("<13>app: one\n".getBytes(StandardCharsets.UTF_8));
      await().until(() -> node.node.trouble().isPresent());
      failing.set(false);
      await().until(() -> node.counted("records_stored", "topic", "app") > 0);
    }
    node.assertLedgerIsExact();
    assertThat(node.consume(1)).isNotEmpty();
  }

  @Test
  void whatHasComeIsStoredWhenTheNodeEnds() throws Exception {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("<13>app: one\n<13>app: rest".getBytes(StandardCharsets.UTF_8));
      sendDatagrams("<13>app: udp");
      await().until(() -> node.counted("datagrams_received") == 1);
      node.node.stopTaking();
      assertThat(node.counted("records_stored", "topic", "app")).isEqualTo(3);
    }
  }

  @Test
  void whatComesOverConnectionsThatAreNotAcceptedYetIsStoredWhenTheNodeEnds() throws Exception {
    for (int i = 0; i < 50; i++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write("<13>app: one\n".getBytes(StandardCharsets.UTF_8));
      }
    }
    node.node.stopTaking();
    assertThat(node.counted("records_stored", "topic", "app")).isEqualTo(50);
  }

  @Test
  void logbacksAppenderIsUnderstood() throws Exception {
    var context = new LoggerContext();
    var appender = new SyslogAppender();
    appender.setContext(context);
    appender.setSyslogHost("127.0.0.1");
    appender.setPort(node.foreignPort("syslog"));
    appender.setFacility("LOCAL0");
    appender.setSuffixPattern("shop: [%thread] %logger %msg");
    appender.start();
    var logger = context.getLogger("a.B");
    logger.addAppender(appender);
    logger.setLevel(Level.INFO);
    logger.info("hello");
    var thrown = new IllegalStateException("multi\nline");
    thrown.setStackTrace(new StackTraceElement[] {thrown.getStackTrace()[0]});
    logger.error("boom", thrown);
    List<StoredEvent> events = stored(4);
    assertThat(events)
        .anyMatch(event -> event.text().endsWith("\tjava.lang.IllegalStateException: multi\nline"));
    assertThat(events)
        .filteredOn(event -> event.text().matches("<134>.* shop: \\[.*] a.B hello"))
        .singleElement()
        .matches(event -> "shop".equals(event.labels().get("app")))
        .matches(event -> event.labels().containsKey("host"))
        .matches(event -> Math.abs(event.millis() - System.currentTimeMillis()) < 3_600_000);
    context.stop();
  }
}
