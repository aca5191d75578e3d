package io.cordwood.common.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.access.AuditLog;
import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.http.client.PeerClient;
import io.cordwood.common.http.client.PeerCredentials;
import io.cordwood.common.http.client.PeerResponse;
import io.cordwood.common.http.server.Guard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files go between nodes in few large frames, and to others in those that they take. */
final class FrameSizeTest {
  /** What a client takes that does not say. */
  private static final int FIRST_BYTES = 16 << 10;

  private static final int USUAL_BYTES = 64 << 10;
  private static final int BULK_BYTES = 256 << 10;
  private static final int FILE_BYTES = 2 << 20;
  private static final int WINDOW_BYTES = 4 << 20;
  private static final NodeKeys KEYS = new NodeKeys(List.of(new byte[32]), InstantSource.system());

  @TempDir Path folder;
  private final TestServer server = new TestServer();

  @AfterEach
  void close() {
    server.close();
  }

  @BeforeEach
  void addFile() throws IOException {
    Path file = folder.resolve("segment");
    Files.write(file, new byte[FILE_BYTES]);
    server.addFile("/file", file);
  }

  /** The largest frame of a file that goes to a client who takes so large ones. */
  private int largestFrame(int takenBytes) throws IOException {
    try (var client = new RawHttp2(server, RawHttp2.MAX_FRAME_SIZE, takenBytes)) {
      client.send(RawHttp2.SETTINGS, 0, 0, setting(RawHttp2.INITIAL_WINDOW_SIZE, WINDOW_BYTES));
      client.send(RawHttp2.WINDOW_UPDATE, 0, 0, number(WINDOW_BYTES));
      client.send(
          RawHttp2.HEADERS,
          RawHttp2.END_STREAM | RawHttp2.END_HEADERS,
          1,
          RawHttp2.request("GET", "/file"));
      int largest = 0;
      for (int received = 0; received < FILE_BYTES; ) {
        int bytes = Objects.requireNonNull(client.await(RawHttp2.DATA)).payload().length;
        received += bytes;
        largest = Math.max(largest, bytes);
      }
      return largest;
    }
  }

  private static byte[] setting(int id, int value) {
    return ByteBuffer.allocate(6).putShort((short) id).putInt(value).array();
  }

  private static byte[] number(int value) {
    return ByteBuffer.allocate(4).putInt(value).array();
  }

  @Test
  void fileGoesInLargeFramesToAClientThatTakesThem() throws IOException {
    assertThat(largestFrame(BULK_BYTES)).isEqualTo(BULK_BYTES);
  }

  @Test
  void noFrameIsLargerThanThatWhateverAClientTakes() throws IOException {
    assertThat(largestFrame(8 << 20)).isEqualTo(BULK_BYTES);
  }

  @Test
  void clientThatTakesSmallerFramesGetsThose() throws IOException {
    assertThat(largestFrame(BULK_BYTES - 1)).isLessThan(2 * USUAL_BYTES);
    assertThat(largestFrame(USUAL_BYTES / 2)).isEqualTo(USUAL_BYTES / 2);
    assertThat(largestFrame(FIRST_BYTES)).isEqualTo(FIRST_BYTES);
  }

  @Test
  void senderWhoIsNoNodeMaySendNoLargeFrames() throws IOException {
    try (var client = new RawHttp2(server)) {
      client.send(RawHttp2.DATA, 0, 1, new byte[USUAL_BYTES + 1]);
      assertThat(Objects.requireNonNull(client.await(RawHttp2.GOAWAY)).number(1))
          .isEqualTo(RawHttp2.FRAME_SIZE_ERROR);
    }
  }

  @Test
  void nodeSendsABodyInPiecesOfAnySize() throws IOException {
    server.routes.guardedBy(new Guard(null, KEYS, null, AuditLog.NONE));
    server.routes.post(
        "/file",
        FILE_BYTES,
        (request, response) -> {
          byte[] body = request.body().readAllBytes();
          boolean same = true;
          for (int i = 0; i < body.length; i++) {
            same &= body[i] == (byte) (i / 7);
          }
          response.text(200, body.length + " " + same);
        });
    byte[] file = new byte[FILE_BYTES];
    for (int i = 0; i < file.length; i++) {
      file[i] = (byte) (i / 7);
    }
    try (var peers =
        PeerClient.forBulk(
            TestServer.LONG, TestServer.LONG, new PeerCredentials(KEYS, Optional.empty()))) {
      for (int pieceBytes : List.of(USUAL_BYTES, BULK_BYTES, FILE_BYTES)) {
        var pieces =
            Stream.iterate(0, at -> at < FILE_BYTES, at -> at + pieceBytes)
                .map(at -> Arrays.copyOfRange(file, at, at + pieceBytes))
                .iterator();
        try (PeerResponse response =
            peers.post(server.uri("/file"), pieces, FILE_BYTES, () -> true, TestServer.LONG)) {
          assertThat(new String(response.body().readAllBytes(), StandardCharsets.US_ASCII))
              .isEqualTo(FILE_BYTES + " true");
        }
      }
    }
  }
}
