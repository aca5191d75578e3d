package io.cordwood.common.http.client;

import static io.cordwood.common.http.client.RawPeer.CALL;
import static io.cordwood.common.http.client.RawPeer.CONTINUATION;
import static io.cordwood.common.http.client.RawPeer.CONTINUE;
import static io.cordwood.common.http.client.RawPeer.DATA;
import static io.cordwood.common.http.client.RawPeer.END_HEADERS;
import static io.cordwood.common.http.client.RawPeer.END_STREAM;
import static io.cordwood.common.http.client.RawPeer.GOAWAY;
import static io.cordwood.common.http.client.RawPeer.HEADERS;
import static io.cordwood.common.http.client.RawPeer.OK;
import static io.cordwood.common.http.client.RawPeer.PING;
import static io.cordwood.common.http.client.RawPeer.PUSH_PROMISE;
import static io.cordwood.common.http.client.RawPeer.RST_STREAM;
import static io.cordwood.common.http.client.RawPeer.SETTINGS;
import static io.cordwood.common.http.client.RawPeer.WINDOW_UPDATE;
import static io.cordwood.common.http.client.RawPeer.all;
import static io.cordwood.common.http.client.RawPeer.asksForBody;
import static io.cordwood.common.http.client.RawPeer.data;
import static io.cordwood.common.http.client.RawPeer.frame;
import static io.cordwood.common.http.client.RawPeer.head;
import static io.cordwood.common.http.client.RawPeer.headOfData;
import static io.cordwood.common.http.client.RawPeer.lastData;
import static io.cordwood.common.http.client.RawPeer.settings;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.BufferLeaks;
import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that do not keep to RFC 9113: each ends its own call with a reason, and nothing else. */
@ExtendWith(BufferLeaks.Watch.class)
final class PeerMisbehaviourTest {
  private final TestServer good = new TestServer();
  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);

  @AfterEach
  void close() {
    client.close();
    good.close();
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
    try (RawPeer server = RawPeer.answering(all(settings(), head(), all(late), rest))) {
      assertThat(ask(server.uri())).isEqualTo("200 ok");
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
        new Misbehaviour(
            "first window beyond 2^31-1",
            "Setting INITIAL_WINDOW_SIZE",
            frame(SETTINGS, 0, 0, "000480000000")),
        new Misbehaviour(
            "frames too small", "Setting MAX_FRAME_SIZE", frame(SETTINGS, 0, 0, "000500000001")),
        new Misbehaviour("a table that was not offered", "table", settings(), table("3fe1ffff07")),
        new Misbehaviour("a header of no table", "index", settings(), table("fe")),
        new Misbehaviour("letters of no code", "HPACK", settings(), table("4083ffffff0161")),
        new Misbehaviour("large frame", "length: 8388608", settings(), headOfData("800000", CALL)),
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

  /** The head of an answer, as a peer compressed it. */
  private static byte[] table(String hex) {
    return frame(HEADERS, END_HEADERS, CALL, hex);
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
            "window of a call beyond 2^31-1",
            "overflow",
            settings(),
            frame(WINDOW_UPDATE, 0, CALL, "7fffffff")),
        new Misbehaviour(
            "trailers without an end",
            "has not answered for 6 s",
            settings(),
            head(),
            data,
            frame(HEADERS, END_STREAM, CALL, "4001610162")),
        new Misbehaviour(
            "data of no bytes without end",
            "empty data frames",
            settings(),
            head(),
            all(Stream.generate(() -> frame(DATA, 0, CALL, "")).limit(50).toArray(byte[][]::new))),
        new Misbehaviour(
            "no window", "delta 0", settings(), frame(WINDOW_UPDATE, 0, CALL, "00000000")));
  }

  @ParameterizedTest
  @MethodSource("misbehaviours")
  void endsItsOwnCallWithAReasonAndNothingElse(Misbehaviour misbehaviour) throws IOException {
    try (PeerResponse other = client.get(good.uri("/livez"), TestServer.LONG);
        RawPeer bad = RawPeer.answering(all(misbehaviour.answer))) {
      assertThatThrownBy(() -> ask(bad.uri()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(misbehaviour.reason)
          .hasMessageContaining(bad.uri().getAuthority());
      assertThat(other.body().readAllBytes()).isNotEmpty();
      assertThat(ask(good.uri("/livez"))).startsWith("200 ");
    }
  }

  @Test
  void headThatDribblesIsAwaitedForNoLongerThanAnyOther() throws IOException {
    byte[] slow = frame(HEADERS, END_HEADERS, CALL, OK + "400161" + "7f8107" + "62".repeat(1024));
    RawPeer.Script dribbling =
        wire -> {
          wire.await(HEADERS);
          wire.send(settings());
          for (byte each : slow) {
            wire.send(new byte[] {each});
            LockSupport.parkNanos(10_000_000);
          }
        };
    try (RawPeer peer = new RawPeer(dribbling)) {
      assertThatThrownBy(() -> client.get(peer.uri(), Duration.ofMillis(300)))
          .hasMessageContaining("/call: no answer within 300 ms")
          .hasMessageContaining(peer.uri().getAuthority());
    }
  }

  @Test
  void bodyInPiecesOfAByteIsTakenWhole() throws IOException {
    byte[][] pieces = new byte[5000][];
    Arrays.fill(pieces, data("a"));
    try (RawPeer peer = RawPeer.answering(settings(), head(), all(pieces), lastData("b"))) {
      assertThat(ask(peer.uri())).isEqualTo("200 " + "a".repeat(pieces.length) + "b");
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
    try (RawPeer changing = RawPeer.answering(answer)) {
      assertThat(ask(changing.uri())).isEqualTo("200 ab");
    }
  }

  @Test
  void bodyForAPeerThatNeverOpensTheWindowIsBrokenOff() throws IOException {
    byte[] asks =
        all(frame(SETTINGS, 0, 0, "000400000000"), frame(HEADERS, END_HEADERS, CALL, CONTINUE));
    var looks = new AtomicInteger();
    try (RawPeer closed = RawPeer.answering(asks)) {
      assertThatThrownBy(() ->
              client.post(
                  closed.uri(),
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
    try (RawPeer silent = RawPeer.answering(settings())) {
      assertThatThrownBy(() -> ask(silent.uri()))
          .hasMessageContaining("/call: it has not answered for 6 s");
    }
  }

  /** Otherwise the stream, and what waits on it, would stay as long as the connection. */
  @Test
  void aBodyWhoseRestNobodyTakesIsResetAfterTheAnswer() throws Exception {
    var isReset = new CountDownLatch(1);
    RawPeer.Script early =
        wire -> {
          wire.await(HEADERS);
          wire.send(settings(), asksForBody());
          wire.await(DATA);
          wire.send(frame(HEADERS, END_HEADERS | END_STREAM, CALL, OK));
          wire.await(RST_STREAM);
          isReset.countDown();
        };
    byte[] more = new byte[200_000]; // than the window that a peer has if it does not say
    try (RawPeer peer = new RawPeer(early)) {
      try (PeerResponse response =
          client.post(
              peer.uri(), List.of(more).iterator(), more.length, () -> true, TestServer.LONG)) {
        assertThat(response.status()).isEqualTo(200);
      }
      TestServer.awaitLatch(isReset);
    }
  }
}
