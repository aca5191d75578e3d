package io.cordwood.common.http.client;

import static io.cordwood.common.http.client.RawPeer.CALL;
import static io.cordwood.common.http.client.RawPeer.DATA;
import static io.cordwood.common.http.client.RawPeer.END_HEADERS;
import static io.cordwood.common.http.client.RawPeer.END_STREAM;
import static io.cordwood.common.http.client.RawPeer.HEADERS;
import static io.cordwood.common.http.client.RawPeer.answer;
import static io.cordwood.common.http.client.RawPeer.asksForBody;
import static io.cordwood.common.http.client.RawPeer.data;
import static io.cordwood.common.http.client.RawPeer.frame;
import static io.cordwood.common.http.client.RawPeer.goAway;
import static io.cordwood.common.http.client.RawPeer.head;
import static io.cordwood.common.http.client.RawPeer.lastData;
import static io.cordwood.common.http.client.RawPeer.settings;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.http.BufferLeaks;
import io.cordwood.common.http.TestServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer may end a connection at any moment of a call: it is answered, or made on another one. */
@ExtendWith(BufferLeaks.Watch.class)
final class PeerGoawayTest {
  private static final int NO_ERROR = 0;
  private static final int MAX_CALL = Integer.MAX_VALUE;
  private static final byte[] TRAILER =
      frame(HEADERS, END_HEADERS | END_STREAM, CALL, "4001610162");
  private static final byte[] WHOLE = RawPeer.all(settings(), head(), lastData("whole"));
  private static final int PIECES = 5;
  private static final int PIECE_BYTES = 10_000;

  private final PeerClient client = new PeerClient(TestServer.LONG, TestServer.LONG);
  private final AtomicInteger bodyBytes = new AtomicInteger();

  @AfterEach
  void close() {
    client.close();
  }

  private String get(RawPeer peer) throws IOException {
    return read(client.get(peer.uri(), TestServer.LONG));
  }

  private String post(RawPeer peer) throws IOException {
    Iterator<byte[]> pieces = Stream.generate(() -> new byte[PIECE_BYTES]).limit(PIECES).iterator();
    int bytes = PIECES * PIECE_BYTES;
    return read(client.post(peer.uri(), pieces, bytes, () -> true, TestServer.LONG));
  }

  private static String read(PeerResponse response) throws IOException {
    try (response) {
      return new String(response.body().readAllBytes(), US_ASCII);
    }
  }

  /** An answer in frames, in which the peer says at some place that it ends the connection. */
  static List<byte[][]> answersWithAnEnd() {
    byte[][] answer = {head(), data("wh"), data("ole"), TRAILER};
    return IntStream.rangeClosed(0, answer.length).mapToObj(at -> withEnd(answer, at)).toList();
  }

  private static byte[][] withEnd(byte[][] answer, int at) {
    var frames = new ArrayList<>(Arrays.asList(answer));
    frames.add(at, goAway(CALL, NO_ERROR));
    frames.add(0, settings());
    return frames.toArray(byte[][]::new);
  }

  @ParameterizedTest
  @MethodSource("answersWithAnEnd")
  void callThatAPeerGoesOnWithIsAnsweredAndTheNextIsMadeOnAnother(byte[][] frames)
      throws IOException {
    try (RawPeer peer = new RawPeer(answer(frames), answer(WHOLE))) {
      assertThat(get(peer)).isEqualTo("whole");
      assertThat(get(peer)).isEqualTo("whole");
      assertThat(peer.accepted()).isEqualTo(2);
    }
  }

  /** As RFC 9113, 6.8 asks servers for: first that there will be an end, then where. */
  @Test
  void callThatMeetsTwoEndsIsAnswered() throws IOException {
    try (RawPeer peer =
        RawPeer.answering(
            settings(),
            goAway(MAX_CALL, NO_ERROR),
            head(),
            goAway(CALL, NO_ERROR),
            lastData("whole"))) {
      assertThat(get(peer)).isEqualTo("whole");
    }
  }

  @Test
  void callThatAPeerLeavesOutIsMadeOnAnother() throws IOException {
    try (RawPeer peer = new RawPeer(answer(settings(), goAway(0, NO_ERROR)), answer(WHOLE))) {
      assertThat(get(peer)).isEqualTo("whole");
      assertThat(peer.accepted()).isEqualTo(2);
    }
  }

  @Test
  void answerThatIsBrokenOffByTheEndFailsAndNamesThePeer() throws IOException {
    RawPeer.Script half =
        wire -> {
          wire.await(HEADERS);
          wire.send(settings(), head(), goAway(CALL, NO_ERROR), data("wh"));
        };
    try (RawPeer peer = new RawPeer(half)) {
      assertThatThrownBy(() -> get(peer))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the connection ended");
    }
  }

  /** When a peer that takes a body says that it ends the connection. */
  enum Moment {
    BEFORE_IT_ASKS,
    BEHIND_ITS_ASKING,
    IN_THE_MIDST,
    BEHIND_THE_BODY,
    BEHIND_THE_ANSWER
  }

  /** Takes a body and answers; at a moment it ends the connection, with or without this call. */
  private RawPeer.Script taking(Moment end, int lastCall) {
    return wire -> {
      byte[] farewell = goAway(lastCall, NO_ERROR);
      wire.await(HEADERS);
      wire.send(settings());
      wire.send(end == Moment.BEFORE_IT_ASKS ? farewell : new byte[0]);
      wire.send(asksForBody());
      wire.send(end == Moment.BEHIND_ITS_ASKING ? farewell : new byte[0]);
      RawPeer.Frame piece = wire.await(DATA);
      bodyBytes.addAndGet(piece.payload().length);
      wire.send(end == Moment.IN_THE_MIDST ? farewell : new byte[0]);
      while (!piece.isLast()) {
        piece = wire.await(DATA);
        bodyBytes.addAndGet(piece.payload().length);
      }
      wire.send(end == Moment.BEHIND_THE_BODY ? farewell : new byte[0]);
      wire.send(head(), lastData("taken"));
      wire.send(end == Moment.BEHIND_THE_ANSWER ? farewell : new byte[0]);
      wire.readToEnd();
    };
  }

  @ParameterizedTest
  @EnumSource
  void uploadThatAPeerGoesOnWithIsTakenOnceAndTheNextGoesToAnother(Moment end) throws IOException {
    try (RawPeer peer = new RawPeer(taking(end, CALL))) {
      assertThat(post(peer)).isEqualTo("taken");
      assertThat(bodyBytes).hasValue(PIECES * PIECE_BYTES);
      assertThat(post(peer)).isEqualTo("taken");
      assertThat(peer.accepted()).isEqualTo(2);
    }
  }

  @Test
  void uploadThatAPeerLeavesOutBeforeItAsksGoesToAnotherWhole() throws IOException {
    try (RawPeer peer =
        new RawPeer(
            answer(settings(), goAway(0, NO_ERROR)), taking(Moment.BEHIND_THE_ANSWER, CALL))) {
      assertThat(post(peer)).isEqualTo("taken");
      assertThat(bodyBytes).hasValue(PIECES * PIECE_BYTES);
      assertThat(peer.accepted()).isEqualTo(2);
    }
  }

  /** Its pieces are gone, and whether the peer has done something with them nobody knows. */
  @ParameterizedTest
  @EnumSource(names = {"IN_THE_MIDST", "BEHIND_THE_BODY"})
  void uploadThatAPeerLeavesOutLaterFailsAndIsNotSentAgain(Moment end) throws IOException {
    try (RawPeer peer = new RawPeer(taking(end, 0))) {
      assertThatThrownBy(() -> post(peer))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the peer ends the connection")
          .hasMessageContaining(peer.uri().getAuthority());
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  @Test
  void uploadThatIsBrokenOffByTheEndFailsAndIsNotSentAgain() throws IOException {
    RawPeer.Script half =
        wire -> {
          wire.await(HEADERS);
          wire.send(settings(), asksForBody());
          wire.await(DATA);
          wire.send(goAway(CALL, NO_ERROR));
        };
    try (RawPeer peer = new RawPeer(half)) {
      assertThatThrownBy(() -> post(peer))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(peer.uri().getAuthority());
      assertThat(peer.accepted()).isEqualTo(1);
    }
  }

  /** As RFC 9113, 8.1 has it: the answer counts, the rest of the body is not wanted. */
  @Test
  void answerBeforeTheBodysEndCountsThoughTheRestIsReset() throws IOException {
    RawPeer.Script early =
        wire -> {
          wire.await(HEADERS);
          wire.send(settings(), asksForBody());
          wire.await(DATA);
          wire.send(head(), lastData("enough"), frame(RawPeer.RST_STREAM, 0, CALL, "00000000"));
          wire.readToEnd();
        };
    try (RawPeer peer = new RawPeer(early)) {
      assertThat(post(peer)).isEqualTo("enough");
    }
  }
}
