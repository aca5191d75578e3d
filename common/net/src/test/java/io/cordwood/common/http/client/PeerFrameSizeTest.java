package io.cordwood.common.http.client;

import static io.cordwood.common.http.client.RawPeer.ACK;
import static io.cordwood.common.http.client.RawPeer.CALL;
import static io.cordwood.common.http.client.RawPeer.DATA;
import static io.cordwood.common.http.client.RawPeer.END_STREAM;
import static io.cordwood.common.http.client.RawPeer.HEADERS;
import static io.cordwood.common.http.client.RawPeer.SETTINGS;
import static io.cordwood.common.http.client.RawPeer.asksForBody;
import static io.cordwood.common.http.client.RawPeer.frame;
import static io.cordwood.common.http.client.RawPeer.head;
import static io.cordwood.common.http.client.RawPeer.lastData;
import static io.cordwood.common.http.client.RawPeer.opened;
import static io.cordwood.common.http.client.RawPeer.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.Http2Frames;
import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Frames are as large as the peer takes them at that moment, and no larger. */
final class PeerFrameSizeTest {
  /** What a peer takes that does not say: one of before, a proxy. */
  private static final int FIRST_BYTES = 16 << 10;

  private static final int LARGE_BYTES = 1 << 20;
  private static final int PIECE_BYTES = Http2Frames.BULK_BYTES;
  private static final int PIECES = 4;

  /** From here on the client's settings hold. */
  private static final byte[] TAKEN = frame(SETTINGS, ACK, 0, "");

  private final PeerClient client =
      PeerClient.forBulk(TestServer.LONG, TestServer.LONG, PeerCredentials.NONE);
  private final List<List<RawPeer.Frame>> bodies = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    client.close();
  }

  private static byte[] takes(int frameBytes) {
    return frame(SETTINGS, 0, 0, "0005%08x".formatted(frameBytes));
  }

  /** Takes a body and answers; then closes the connection, as one does that is started again. */
  private RawPeer.Script taking(byte[] settings) {
    return wire -> {
      wire.send(settings, opened());
      wire.await(HEADERS);
      wire.send(asksForBody());
      bodies.add(body(wire));
      wire.send(head(), lastData("taken"));
    };
  }

  private static List<RawPeer.Frame> body(RawPeer.Wire wire) throws IOException {
    List<RawPeer.Frame> body = new ArrayList<>();
    do {
      body.add(wire.await(DATA));
    } while (!body.getLast().isLast());
    return body;
  }

  private void post(RawPeer peer) throws IOException {
    try (PeerResponse response =
        client.post(
            peer.uri(),
            Stream.generate(() -> new byte[PIECE_BYTES]).limit(PIECES).iterator(),
            PIECES * PIECE_BYTES,
            () -> true,
            TestServer.LONG)) {
      assertThat(response.status()).isEqualTo(200);
    }
    assertThat(sizes(bodies.getLast()).sum()).isEqualTo(PIECES * PIECE_BYTES);
  }

  private static IntStream sizes(List<RawPeer.Frame> body) {
    return body.stream().mapToInt(frame -> frame.payload().length);
  }

  private static int largest(List<RawPeer.Frame> body) {
    return sizes(body).max().orElseThrow();
  }

  @Test
  void peerThatTakesLargeFramesGetsPiecesWhole() throws IOException {
    try (RawPeer peer = new RawPeer(taking(takes(LARGE_BYTES)))) {
      post(peer);
      assertThat(largest(bodies.getFirst())).isEqualTo(PIECE_BYTES);
    }
  }

  @Test
  void peerThatDoesNotSayGetsFramesOfTheFirstSize() throws IOException {
    try (RawPeer peer = new RawPeer(taking(settings()))) {
      post(peer);
      assertThat(largest(bodies.getFirst())).isEqualTo(FIRST_BYTES);
    }
  }

  @Test
  void whatAPeerTookBeforeItWasStartedAgainDoesNotCount() throws IOException {
    try (RawPeer peer =
        new RawPeer(taking(takes(LARGE_BYTES)), taking(settings()), taking(takes(LARGE_BYTES)))) {
      post(peer);
      post(peer);
      post(peer);
      assertThat(bodies.stream().map(PeerFrameSizeTest::largest))
          .containsExactly(PIECE_BYTES, FIRST_BYTES, PIECE_BYTES);
      assertThat(peer.accepted()).isEqualTo(3);
    }
  }

  @Test
  void peerThatTakesSmallerFramesInTheMidstOfABodyGetsThose() throws IOException {
    List<RawPeer.Frame> after = new CopyOnWriteArrayList<>();
    RawPeer.Script shrinking =
        wire -> {
          wire.send(takes(LARGE_BYTES), frame(RawPeer.WINDOW_UPDATE, 0, 0, "7fff0000"));
          wire.await(HEADERS);
          wire.send(asksForBody());
          RawPeer.Frame first = wire.await(DATA);
          wire.send(takes(FIRST_BYTES));
          RawPeer.Frame said = wire.await(SETTINGS);
          while (said.flags() != ACK) {
            said = wire.await(SETTINGS);
          }
          wire.send(frame(RawPeer.WINDOW_UPDATE, 0, CALL, "7fff0000"));
          after.addAll(body(wire));
          bodies.add(Stream.concat(Stream.of(first), after.stream()).toList());
          wire.send(head(), lastData("taken"));
          wire.readToEnd();
        };
    try (RawPeer peer = new RawPeer(shrinking)) {
      post(peer);
      assertThat(largest(after)).isEqualTo(FIRST_BYTES);
    }
  }

  @Test
  void frameOfTheSizeThatWasAskedForIsTaken() throws IOException {
    byte[] bulk = frame(DATA, END_STREAM, CALL, new byte[Http2Frames.BULK_BYTES]);
    try (RawPeer peer = RawPeer.answering(settings(), TAKEN, head(), bulk);
        PeerResponse response = client.get(peer.uri(), TestServer.LONG)) {
      assertThat(response.body().readAllBytes()).hasSize(Http2Frames.BULK_BYTES);
    }
  }

  @Test
  void largerOneThanWasAskedForEndsTheCall() throws IOException {
    byte[] larger = frame(DATA, END_STREAM, CALL, new byte[Http2Frames.BULK_BYTES + 1]);
    try (RawPeer peer = RawPeer.answering(settings(), TAKEN, head(), larger);
        PeerResponse response = client.get(peer.uri(), TestServer.LONG)) {
      assertThatThrownBy(() -> response.body().readAllBytes())
          .hasMessageContaining("length: " + (Http2Frames.BULK_BYTES + 1));
    }
  }
}
