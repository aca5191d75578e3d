package io.cordwood.common.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that do not keep to RFC 9113: each ends its own call with a reason, and nothing else. */
final class PeerMisbehaviourTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PUSH_PROMISE = 5;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  /** The first stream of a client that has not become HTTP/2 by an upgrade. */
  private static final int CALL = 3;

  /** {@code :status: 200}, of HPACK's static table. */
  private static final String OK = "88";

  /** {@code :status: 100}. */
  private static final String CONTINUE = "0803313030";

  private final TestServer good = new TestServer();
  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);
  private final AtomicInteger accepted = new AtomicInteger();

  @AfterEach
  void close() {
    client.close();
    good.close();
  }

  private static byte[] frame(int type, int flags, int stream, String hex) {
    byte[] payload = HexFormat.of().parseHex(hex);
    byte[] frame = new byte[9 + payload.length];
    frame[0] = (byte) (payload.length >> 16);
    frame[1] = (byte) (payload.length >> 8);
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    for (int i = 0; i < 4; i++) {
      frame[5 + i] = (byte) (stream >>> (24 - 8 * i));
    }
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }

  /** The head of a frame of data whose length is told, and nothing after it. */
  private static byte[] frame(String length, int stream) {
    return HexFormat.of().parseHex(length + "0000" + "%08x".formatted(stream));
  }

  private static byte[] all(byte[]... frames) {
    var all = new ByteArrayOutputStream();
    for (byte[] frame : frames) {
      all.writeBytes(frame);
    }
    return all.toByteArray();
  }

  private static byte[] settings() {
    return frame(SETTINGS, 0, 0, "");
  }

  private static byte[] head() {
    return frame(HEADERS, END_HEADERS, CALL, OK);
  }

  /** Answers whoever connects with bytes as soon as a call has come, and stays connected. */
  private ServerSocket answering(byte[]... answers) throws IOException {
    var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try {
              Socket socket = server.accept();
              int turn = accepted.getAndIncrement();
              Thread.ofVirtual().start(() -> answer(socket, answers[turn % answers.length]));
            } catch (IOException e) {
              return; // closed
            }
          }
        });
    return server;
  }

  private static void answer(Socket socket, byte[] answer) {
    try (socket) {
      InputStream in = socket.getInputStream();
      in.readNBytes(24); // the preface
      awaitFrame(in, HEADERS);
      socket.getOutputStream().write(answer);
      in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // The client has enough.
    }
  }

  private static URI uri(ServerSocket server) {
    return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/call");
  }

  private String ask(URI uri) throws IOException {
    try (PeerResponse reply = client.get(uri, TestServer.LONG)) {
      return reply.status() + " " + new String(reply.body().readAllBytes(), UTF_8);
    }
  }

  /** As comes after a call was broken off, and is reset once more. */
  @Test
  void anyAmountOfDataForCallsThatAreOverHarmsNoOther() throws IOException {
    byte[][] late = new byte[1000][];
    Arrays.fill(late, frame(DATA, 0, CALL - 2, "61"));
    byte[] rest = frame(DATA, END_STREAM, CALL, HexFormat.of().formatHex("ok".getBytes(UTF_8)));
    try (ServerSocket server = answering(all(settings(), head(), all(late), rest))) {
      assertThat(ask(uri(server))).isEqualTo("200 ok");
    }
  }

  /**
   * @param reason part of the message with which the call fails
   */
  record Misbehaviour(String name, String reason, byte[]... answer) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Misbehaviour> misbehaviours() {
    return Stream.concat(brokenConnections(), brokenAnswers()).toList();
  }

  private static Stream<Misbehaviour> brokenConnections() {
    byte[] unending = frame(HEADERS, 0, CALL, OK);
    byte[] more = frame(CONTINUATION, 0, CALL, "");
    // A header of 255 bytes, which is repeated by a byte each time.
    byte[] large = frame(HEADERS, 0, CALL, OK + "400161" + "7f8001" + "62".repeat(255));
    byte[] repeated = frame(CONTINUATION, END_HEADERS, CALL, "be".repeat(8_000));
    byte[] widest = frame(WINDOW_UPDATE, 0, 0, "7fffffff");
    return Stream.of(
        new Misbehaviour("no HTTP", "expected HTTP/2", "hello, who are you?\n".getBytes(UTF_8)),
        new Misbehaviour("HTTP/1.1", "expected HTTP/2", "HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8)),
        new Misbehaviour("odd settings", "Frame length 5", frame(SETTINGS, 0, 0, "0001020304")),
        new Misbehaviour("short ping", "Frame length 4", settings(), frame(PING, 0, 0, "01020304")),
        new Misbehaviour(
            "short window", "length 3", settings(), frame(WINDOW_UPDATE, 0, 0, "010203")),
        new Misbehaviour("windows beyond 2^31-1", "overflow", settings(), widest, widest),
        new Misbehaviour("large frame", "length: 8388608", settings(), frame("800000", CALL)),
        new Misbehaviour(
            "headers without end",
            "continuations",
            settings(),
            unending,
            all(Stream.generate(() -> more).limit(50).toArray(byte[][]::new))),
        new Misbehaviour("headers of 2 MiB", "Header size", settings(), large, repeated),
        new Misbehaviour(
            "push",
            "expected no promise",
            settings(),
            frame(PUSH_PROMISE, END_HEADERS, CALL, "00000002" + OK)),
        new Misbehaviour("unknown stream", "Stream 7", settings(), frame(DATA, 0, 7, "61")));
  }

  private static Stream<Misbehaviour> brokenAnswers() {
    byte[] data = frame(DATA, 0, CALL, "61");
    byte[] trailers = frame(HEADERS, END_HEADERS, CALL, "4001610162");
    return Stream.of(
        new Misbehaviour("data without head", "expected the head", settings(), data),
        new Misbehaviour(
            "letters",
            "found \"abc\"",
            settings(),
            frame(HEADERS, END_HEADERS | END_STREAM, CALL, "0803616263")),
        new Misbehaviour(
            "no status",
            "found none",
            settings(),
            frame(HEADERS, END_HEADERS | END_STREAM, CALL, "4001610162")),
        new Misbehaviour(
            "trailers in the midst", "too many headers", settings(), head(), data, trailers),
        new Misbehaviour(
            "reset",
            "the peer reset it: INTERNAL_ERROR",
            settings(),
            head(),
            frame(RST_STREAM, 0, CALL, "00000002")),
        new Misbehaviour(
            "end",
            "the peer ends the connection",
            settings(),
            head(),
            frame(GOAWAY, 0, 0, "00000000" + "0000000b")),
        new Misbehaviour(
            "no window", "delta 0", settings(), frame(WINDOW_UPDATE, 0, CALL, "00000000")));
  }

  @ParameterizedTest
  @MethodSource("misbehaviours")
  void endsItsOwnCallWithAReasonAndNothingElse(Misbehaviour misbehaviour) throws IOException {
    try (PeerResponse other = client.get(good.uri("/livez"), TestServer.LONG);
        ServerSocket bad = answering(all(misbehaviour.answer))) {
      assertThatThrownBy(() -> ask(uri(bad)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(misbehaviour.reason);
      assertThat(other.body().readAllBytes()).isNotEmpty();
      assertThat(ask(good.uri("/livez"))).startsWith("200 ");
    }
  }

  @Test
  void callThatAPeerLeavesOutAsItEndsAConnectionIsMadeOnAnother() throws IOException {
    byte[] farewell = all(settings(), frame(GOAWAY, 0, 0, "00000000" + "00000000"));
    byte[] answer = all(settings(), head(), frame(DATA, END_STREAM, CALL, "6162"));
    try (ServerSocket ending = answering(farewell, answer)) {
      assertThat(ask(uri(ending))).isEqualTo("200 ab");
      assertThat(accepted).hasValue(2);
    }
  }

  @Test
  void callThatRunsAsAConnectionEndsIsAnsweredToItsEnd() throws IOException {
    byte[] answer =
        all(
            settings(),
            head(),
            frame(GOAWAY, 0, 0, "00000003" + "00000000"),
            frame(DATA, END_STREAM, CALL, "6162"));
    try (ServerSocket ending = answering(answer)) {
      assertThat(ask(uri(ending))).isEqualTo("200 ab");
      assertThat(ask(uri(ending))).isEqualTo("200 ab");
      assertThat(accepted).hasValue(2);
    }
  }

  @Test
  void settingsThatChangeInTheMidstAreTaken() throws IOException {
    byte[] answer =
        all(
            settings(),
            head(),
            frame(SETTINGS, 0, 0, "000400000000"),
            frame(DATA, 0, CALL, "61"),
            frame(SETTINGS, 0, 0, "00047fffffff" + "000500ffffff"),
            frame(DATA, END_STREAM, CALL, "62"));
    try (ServerSocket changing = answering(answer)) {
      assertThat(ask(uri(changing))).isEqualTo("200 ab");
    }
  }

  @Test
  void bodyForAPeerThatNeverOpensTheWindowIsBrokenOff() throws IOException {
    byte[] asks =
        all(frame(SETTINGS, 0, 0, "000400000000"), frame(HEADERS, END_HEADERS, CALL, CONTINUE));
    var looks = new AtomicInteger();
    try (ServerSocket closed = answering(asks)) {
      assertThatThrownBy(() ->
              client.post(
                  uri(closed),
                  Stream.generate(() -> new byte[64 << 10]).iterator(),
                  1L << 30,
                  () -> looks.incrementAndGet() < 3,
                  TestServer.LONG))
          .hasMessageContaining("/call: nothing went on for too long, broken off");
    }
  }

  /** As one whose machine has gone: the kernel keeps the connection, and nothing comes. */
  @Test
  void peerThatDoesNotAnswerAPingIsGivenUp() throws IOException {
    try (ServerSocket silent = answering(settings())) {
      assertThatThrownBy(() -> ask(uri(silent)))
          .hasMessageContaining("/call: it has not answered for 6 s");
    }
  }

  /** Reads frames until one of a type has come. */
  private static void awaitFrame(InputStream in, int type) throws IOException {
    int found;
    do {
      byte[] head = in.readNBytes(9);
      if (head.length < 9) {
        throw new EOFException("no frame of type " + type);
      }
      found = head[3];
      in.readNBytes(((head[0] & 0xFF) << 16) | ((head[1] & 0xFF) << 8) | (head[2] & 0xFF));
    } while (found != type);
  }

  /** Otherwise the stream, and what waits on it, would stay as long as the connection. */
  @Test
  void aBodyWhoseRestNobodyTakesIsResetAfterTheAnswer() throws Exception {
    try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Boolean> isReset =
          threads.submit(() -> {
            try (Socket socket = server.accept()) {
              InputStream in = socket.getInputStream();
              in.readNBytes(24); // the preface
              awaitFrame(in, HEADERS);
              socket
                  .getOutputStream()
                  .write(all(settings(), frame(HEADERS, END_HEADERS, CALL, CONTINUE)));
              awaitFrame(in, DATA);
              socket.getOutputStream().write(frame(HEADERS, END_HEADERS | END_STREAM, CALL, OK));
              awaitFrame(in, RST_STREAM);
              return true;
            }
          });
      byte[] more = new byte[200_000]; // than the window that a peer has if it does not say
      try (PeerResponse response =
          client.post(
              uri(server), List.of(more).iterator(), more.length, () -> true, TestServer.LONG)) {
        assertThat(response.status()).isEqualTo(200);
      }
      assertThat(isReset.get(TestServer.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
