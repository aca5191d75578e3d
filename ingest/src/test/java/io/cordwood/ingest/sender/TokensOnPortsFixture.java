package io.cordwood.ingest.sender;

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
import io.cordwood.common.testing.Patience;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.Admission;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.Port;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A node that asks for tokens, and what is sent to its ports for records. */
abstract class TokensOnPortsFixture {
  static final Duration LONG = Patience.LONG;
  static final InstantSource CLOCK = InstantSource.system();

  /** Connections that a node takes. */
  static final int MANY = 2000;

  @TempDir Path folder;

  final String shop = TokenText.random();
  final String reader = TokenText.random();
  final String free = TokenText.random();
  final String narrow = TokenText.random();
  Path file = Path.of("set later");
  Duration patience = LONG;
  RunningNode node;
  Tokens tokens;

  static Token token(String name, String text, Scope scope, long rate) {
    return new Token(
        name,
        HexFormat.of().formatHex(TokenText.hash(text)),
        Set.of(scope),
        new TopicPatterns(List.of("shop*")),
        Optional.empty(),
        rate,
        Token.NO_QUERIES_BOUND);
  }

  Token narrowed() {
    return Token.of("narrow", narrow, Set.of(Scope.INGEST), TopicPatterns.ALL)
        .withLabels(Labels.of(Map.of("team", "shop")));
  }

  @BeforeEach
  void start() throws IOException {
    start(false, Token.NO_RATE, MANY);
  }

  final void start(boolean open, long rate, int maxConnections) throws IOException {
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
                .with(
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

  Socket connect(Port port) throws IOException {
    var socket = new Socket(InetAddress.getLoopbackAddress(), port.of(node.node));
    socket.setSoTimeout((int) LONG.toMillis());
    return socket;
  }

  /** Sends all, and gives what the node says until it closes the connection. */
  String send(Port port, byte[] bytes) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  String send(Port port, String text) throws IOException {
    return send(port, text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Sends to a port whose answer comes only after the stores have it, in the background. */
  List<Batch> sendAndConsume(Port port, byte[] bytes, int records) throws IOException {
    try (Socket socket = connect(port)) {
      socket.getOutputStream().write(bytes);
      socket.shutdownOutput();
      return node.consume(records);
    }
  }

  static byte[] batch(String topic, String line) {
    return batch(topic, Labels.NONE, line);
  }

  static byte[] batch(String topic, Labels labels, String line) {
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

  static byte[] joined(String line, byte[]... rest) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(line.getBytes(StandardCharsets.US_ASCII));
    Stream.of(rest).forEach(bytes::writeBytes);
    return bytes.toByteArray();
  }
}
