package io.cordwood.ingest.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.Refusals;
import io.cordwood.common.access.Scope;
import io.cordwood.common.access.Token;
import io.cordwood.common.access.TokenFile;
import io.cordwood.common.access.TokenText;
import io.cordwood.common.access.Tokens;
import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.RunningNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ports for records, of a node that asks for tokens. */
final class TokensOnPortsTest {
  private static final Duration LONG = Patience.LONG;
  private static final InstantSource CLOCK = InstantSource.system();

  /** Connections that a node takes. */
  private static final int MANY = 2000;

  @TempDir Path folder;

  private final String shop = TokenText.random();
  private final String reader = TokenText.random();
  private final String free = TokenText.random();
  private final String narrow = TokenText.random();
  private Path file = Path.of("set later");
  private Duration patience = LONG;
  private RunningNode node;
  private Tokens tokens;

  /** A port, by how its node is reached. */
  enum Port {
    FAST,
    DURABLE,
    BULK;

    int of(RunningNode node) {
      return switch (this) {
        case FAST -> node.node.fastPort();
        case DURABLE -> node.node.durablePort();
        case BULK -> node.node.bulkPort();
      };
    }
  }

  private static Token token(String name, String text, Scope scope, long rate) {
    return new Token(
        name,
        HexFormat.of().formatHex(TokenText.hash(text)),
        Set.of(scope),
        new TopicPatterns(List.of("shop*")),
        Optional.empty(),
        rate,
        Token.NO_QUERIES_BOUND);
  }

  private Token narrowed() {
    return new Token(
        "narrow",
        HexFormat.of().formatHex(TokenText.hash(narrow)),
        Set.of(Scope.INGEST),
        TopicPatterns.ALL,
        Labels.of(Map.of("team", "shop")),
        Optional.empty(),
        Token.NO_RATE,
        Token.NO_QUERIES_BOUND);
  }

  @BeforeEach
  void start() throws IOException {
    start(false, Token.NO_RATE, MANY);
  }

  private void start(boolean open, long rate, int maxConnections) throws IOException {
    file = folder.resolve("tokens");
    TokenFile.write(
        file,
        List.of(
            token("shop", shop, Scope.INGEST, rate),
            token("free", free, Scope.INGEST, Token.NO_RATE),
            token("reader", reader, Scope.QUERY, rate),
            narrowed()));
    Tokens known = Tokens.of(file, CLOCK, new SimpleMeterRegistry());
    tokens = known;
    node =
        new RunningNode(
            RunningNode.options(folder.resolve("ingest-" + open + rate + maxConnections))
                .withLimits(
                    new IngestOptions.Limits(
                        maxConnections,
                        64 << 20,
                        1 << 20,
                        Duration.ofHours(24),
                        Duration.ofSeconds(2))),
            Filesystem.real(),
            registry ->
                new Admission(known, new Refusals(registry, AuditLog.NONE), open, patience));
  }

  @AfterEach
  void close() throws IOException {
    tokens.close();
    node.close();
  }

  private Socket connect(Port port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port.of(node));
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** Sends all, and gives what the node says until it closes the connection. */
  private String send(Port port, byte[] bytes) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String send(Port port, String text) throws IOException {
    return send(port, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends to a port whose answer comes only after the stores have it, in the background. */
  private List<Batch> sendAndConsume(Port port, byte[] bytes, int records) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return node.consume(records);
    }
  }

  private static byte[] batch(String topic, String line) {
    return batch(topic, Labels.NONE, line);
  }

  private static byte[] batch(String topic, Labels labels, String line) {
    ByteBuffer payload = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    Ulid first = Ulid.firstOf(CLOCK.millis());
    ByteBuffer[] all = {payload};
    ByteBuffer header = Batch.head(new Origin(topic, labels), Delimiter.LF, first, 1, all);
    var bytes = new ByteArrayOutputStream();
    for (ByteBuffer each : new ByteBuffer[] {header, payload.duplicate().rewind()}) {
      byte[] copy = new byte[each.remaining()];
      each.duplicate().get(copy);
      bytes.writeBytes(copy);
    }
    return bytes.toByteArray();
  }

  private static byte[] joined(String line, byte[]... rest) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(line.getBytes(StandardCharsets.US_ASCII));
    Stream.of(rest).forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @EnumSource
  void linesBehindATokenAreTaken(Port port) throws IOException {
    byte[] bytes = joined("CORDWOOD/1 token=" + shop + " topic=shop-1\nan order\n");
    List<Batch> found = sendAndConsume(port, bytes, 1);
    assertThat(found).hasSize(1);
    assertThat(found.getFirst().topic()).isEqualTo(new Topic("shop-1"));
  }

  @ParameterizedTest
  @EnumSource
  void batchesBehindATokenAreTakenWithTheirTopics(Port port) throws IOException {
    byte[] bytes =
        joined("CORDWOOD/1 token=" + shop + "\n", batch("shop-1", "a"), batch("shop-2", "b"));
    assertThat(sendAndConsume(port, bytes, 2).stream().map(Batch::topic))
        .containsExactlyInAnyOrder(new Topic("shop-1"), new Topic("shop-2"));
  }

  @ParameterizedTest
  @EnumSource
  void whatShowsNoTokenIsToldHowTo(Port port) throws IOException {
    String how = "error: expected a first line such as CORDWOOD/1 token=cw_";
    assertThat(send(port, "a line\nanother\n")).startsWith(how);
    assertThat(send(port, "CORDWOOD/1 topic=shop-1\na line\n")).startsWith(how);
    assertThat(send(port, batch("shop-1", "a"))).startsWith(how);
    assertThat(node.log().claims().waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anotherScopeOrTopicIsRefused(Port port) throws IOException {
    assertThat(send(port, "CORDWOOD/1 token=" + reader + " topic=shop-1\na\n"))
        .isEqualTo(
            "error: expected a token with the scope ingest, found the token reader without\n");
    String topic = "error: expected a topic of the token shop, found other\n";
    assertThat(send(port, "CORDWOOD/1 token=" + shop + " topic=other\na\n")).isEqualTo(topic);
    assertThat(send(port, joined("CORDWOOD/1 token=" + shop + "\n", batch("other", "a"))))
        .isEqualTo(topic);
    assertThat(send(port, "CORDWOOD/1 token=" + shop + "\nof the usual topic\n"))
        .contains("expected a topic of the token shop");
    assertThat(node.log().claims().waiting()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whoMaySendSomeLabelsSendsNoOthers(Port port) throws IOException {
    String token = "CORDWOOD/1 token=" + narrow;
    byte[] own = batch("any", Labels.of(Map.of("team", "shop", "pod", "a")), "a");
    byte[] other = batch("any", Labels.of(Map.of("team", "pay")), "b");
    String refused = "error: expected labels of the token narrow, found others, named [";
    assertThat(send(port, joined(token + "\n", other))).startsWith(refused);
    assertThat(send(port, joined(token + "\n", batch("any", "none")))).startsWith(refused);
    assertThat(send(port, token + " topic=any\na line\n")).startsWith(refused);
    assertThat(node.log().claims().waiting()).isZero();
    assertThat(sendAndConsume(port, joined(token + "\n", own), 1)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void oddTokensAreRefusedAndNeverShown(Port port) throws IOException {
    var random = new Random(11);
    for (String odd :
        List.of(
            "",
            "cw_",
            shop.substring(1),
            shop + "x",
            shop.replace('c', 'C'),
            TokenText.random(),
            "\u0001\u00ff")) {
      String said = send(port, "CORDWOOD/1 token=" + odd + " topic=shop-1\na\n");
      assertThat(said).startsWith("error: ").doesNotContain(shop.substring(3));
    }
    for (int i = 0; i < 20; i++) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      send(port, joined("CORDWOOD/1 token=", bytes));
    }
    assertThat(send(port, "CORDWOOD/1 token=" + shop + " token=" + shop + "\na\n"))
        .contains("expected one token, found two")
        .doesNotContain(shop);
    assertThat(send(port, "CORDWOOD/1 tokn=" + shop + "\na\n"))
        .startsWith("error: ")
        .doesNotContain(shop);
    assertThat(node.log().claims().waiting()).isZero();
  }

  @Test
  void aTokenThatIsRemovedEndsItsOpenConnections() throws IOException {
    try (Socket socket = connect(Port.DURABLE)) {
      var in = socket.getInputStream();
      var out = socket.getOutputStream();
      out.write(joined("CORDWOOD/1 token=" + shop + " topic=shop-1\nfirst\n"));
      assertThat(new String(in.readNBytes(6), StandardCharsets.US_ASCII)).isEqualTo("ack 1\n");
      Object before = tokens.version();
      TokenFile.write(file, List.of());
      await().until(() -> !tokens.version().equals(before));
      out.write("second\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(in.readAllBytes(), StandardCharsets.US_ASCII))
          .isEqualTo("error: expected a token, found one not known here\n");
    }
  }

  @Test
  void aFullNodeTellsOfOthersToThoseWhoMaySendAlone() throws IOException {
    close();
    start(false, Token.NO_RATE, 1);
    try (Socket first = connect(Port.DURABLE)) {
      assertThat(first.isConnected()).isTrue();
      await().until(() -> node.registry.get("cordwood_ingest_connections").gauge().value() == 1);
      node.node.tellSendersOf("self", List::of);
      String full = "error: expected at most 1 connections, found more\n";
      assertThat(send(Port.DURABLE, "CORDWOOD/1 hints=1\n")).isEqualTo(full);
      assertThat(send(Port.FAST, "CORDWOOD/1 hints=1 token=" + reader + "\n")).isEqualTo(full);
      assertThat(send(Port.FAST, "CORDWOOD/1 hints=1 topic=other token=" + shop + "\n"))
          .isEqualTo(full);
      assertThat(send(Port.DURABLE, "CORDWOOD/1 hints=1 token=" + shop + "\n"))
          .startsWith("self self 1 ")
          .endsWith(full);
    }
  }

  /** More uploads of it than there are turns, each of which would take a minute and more. */
  @Test
  void uploadsOfATokenWithARateHoldUpNobodyElse() throws Exception {
    close();
    start(false, 10, MANY);
    List<Socket> slow = new ArrayList<>();
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      byte[] lines = ("x".repeat(99) + "\n").repeat(6000).getBytes(StandardCharsets.US_ASCII);
      for (int i = 0; i < 6; i++) {
        Socket socket = connect(Port.BULK);
        slow.add(socket);
        senders.execute(() -> {
          try {
            socket.getOutputStream().write(joined("CORDWOOD/1 token=" + shop + " topic=shop-1\n"));
            socket.getOutputStream().write(lines);
          } catch (IOException e) {
            // closed at the end
          }
        });
      }
      await().until(() -> pauses() >= 6);
      assertThat(
              sendAndConsume(
                  Port.BULK, joined("CORDWOOD/1 token=" + free + " topic=shop-2\na line\n"), 1))
          .extracting(Batch::topic)
          .containsExactly(new Topic("shop-2"));
      assertThat(uploads("slow")).isZero();
      node.node.stopTaking();
      await().until(() -> uploads("closing") == 6);
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private double pauses() {
    return node.registry.counter("cordwood_ingest_token_pauses_total", "token", "shop").count();
  }

  private double uploads(String outcome) {
    return node.registry.counter("cordwood_ingest_uploads_total", "outcome", outcome).count();
  }

  @Test
  void anOpenNodeTakesLinesWithoutATokenAndRefusesWrongOnes() throws IOException {
    close();
    start(true, Token.NO_RATE, MANY);
    assertThat(send(Port.DURABLE, "a line\n")).isEqualTo("ack 1\n");
    assertThat(send(Port.DURABLE, "CORDWOOD/1 topic=other\na line\n")).isEqualTo("ack 1\n");
    assertThat(send(Port.DURABLE, "CORDWOOD/1 token=" + TokenText.random() + "\na\n"))
        .startsWith("error: ");
  }

  @Test
  void aNodeWithoutTokensTakesWhatShowsOne() throws IOException {
    try (RunningNode free = RunningNode.in(folder.resolve("free"))) {
      assertThat(free.sendDurable(joined("CORDWOOD/1 token=" + shop + " topic=x\na\n")))
          .isEqualTo("ack 1\n");
      assertThat(free.sendDurable(joined("CORDWOOD/1 token=" + shop + "\n", batch("y", "b"))))
          .isEqualTo("ack 1\n");
    }
  }

  @Test
  void sendersOfATokenAreReadAtItsRate() throws IOException {
    close();
    start(false, 100_000, MANY);
    byte[] preamble = joined("CORDWOOD/1 token=" + shop + " topic=shop-1\n");
    byte[] lines = ("x".repeat(99) + "\n").repeat(500).getBytes(StandardCharsets.US_ASCII);
    for (int connection = 0; connection < 2; connection++) {
      try (Socket socket = connect(Port.DURABLE)) {
        var out = socket.getOutputStream();
        out.write(preamble);
        out.write(lines);
        socket.shutdownOutput();
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
            .endsWith("ack 500\n");
      }
    }
    assertThat(node.registry.counter("cordwood_ingest_token_pauses_total", "token", "shop").count())
        .isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void aSenderThatShowsNothingIsLetGo(Port port) throws IOException {
    close();
    patience = Duration.ofMillis(300);
    start();
    try (Socket silent = connect(port);
        Socket slow = connect(port)) {
      slow.getOutputStream().write("CORDWOOD/1 tok".getBytes(StandardCharsets.US_ASCII));
      for (Socket socket : List.of(silent, slow)) {
        assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("error: ")
            .contains("for too long");
      }
    }
  }

  /** Twice as many as are let go gently. */
  @ParameterizedTest
  @EnumSource
  void manyWrongTokensAreCountedAndOthersAreServed(Port port) throws Exception {
    int many = 1000;
    try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> wrong =
          Stream.generate(() -> attackers.submit(() -> sendWrong(port))).limit(many).toList();
      assertThat(send(Port.DURABLE, "CORDWOOD/1 token=" + shop + " topic=shop-1\na line\n"))
          .isEqualTo("ack 1\n");
      for (Future<String> each : wrong) {
        assertThat(each.get()).matches("(?s)(error: .*)?");
      }
    }
    await()
        .untilAsserted(() ->
            assertThat(
                    node.registry
                        .counter("cordwood_access_refused_total", "reason", "unknown")
                        .count())
                .isEqualTo(many));
  }

  /** What the node says; nothing, if it closed the connection before it was read. */
  private String sendWrong(Port port) {
    try {
      return send(port, "CORDWOOD/1 token=" + TokenText.random() + "\na line\n");
    } catch (IOException e) {
      return "";
    }
  }

  @Test
  void refusalsAreCounted() throws IOException {
    send(Port.FAST, "a line\n");
    send(Port.BULK, "a line\n");
    assertThat(node.registry.counter("cordwood_access_refused_total", "reason", "missing").count())
        .isEqualTo(2);
  }
}
