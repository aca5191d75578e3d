package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.TestServer;
import io.cordwood.common.http.VersionedClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Long bodies both ways, over HTTP/1.1 and HTTP/2. */
class StreamingTest {
  private static final int MIB = 1 << 20;
  private static final int LONG_BYTES = 64 * MIB;
  private static final long SEED = 20_261_121;

  private final TestServer server = new TestServer();
  @TempDir Path folder;

  @AfterEach
  void closeServer() {
    server.close();
  }

  private static MessageDigest md5() throws Exception {
    return MessageDigest.getInstance("MD5");
  }

  private static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  private Path randomFile(int bytes) throws IOException {
    Random random = new Random(SEED);
    Path file = folder.resolve("random");
    byte[] piece = new byte[MIB];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int written = 0; written < bytes; written += piece.length) {
        random.nextBytes(piece);
        out.write(piece);
      }
    }
    return file;
  }

  private static String md5(Path file) throws Exception {
    MessageDigest digest = md5();
    try (InputStream in = Files.newInputStream(file)) {
      in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    return hex(digest);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void longFileArrivesByteExact(Version version) throws Exception {
    Path file = randomFile(LONG_BYTES);
    server.routes.get(
        "/file",
        (_, response) -> {
          try (FileChannel channel = FileChannel.open(file)) {
            response.contentLength(channel.size());
            response.sendFile(channel, 0, channel.size());
          }
        });
    MessageDigest digest = md5();
    try (var client = new VersionedClient(version);
        InputStream body = client.get(server.uri("/file"))) {
      body.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    assertThat(hex(digest)).isEqualTo(md5(file));
    await().until(() -> server.metric("cordwood_http_sent_bytes_total") == LONG_BYTES);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void longBodyOfUnknownLengthArrivesByteExact(Version version) throws Exception {
    Path file = randomFile(LONG_BYTES);
    server.routes.get("/stream", (_, response) -> Files.copy(file, response.body()));
    MessageDigest digest = md5();
    try (var client = new VersionedClient(version);
        InputStream body = client.get(server.uri("/stream"))) {
      body.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
    }
    assertThat(hex(digest)).isEqualTo(md5(file));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void longPostArrivesByteExact(Version version) throws Exception {
    Path file = randomFile(LONG_BYTES);
    server.routes.post(
        "/take",
        LONG_BYTES,
        (request, response) -> {
          MessageDigest digest = digest();
          request
              .body()
              .transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
          response.text(200, hex(digest));
        });
    try (var client = new VersionedClient(version)) {
      assertThat(client.post(server.uri("/take"), BodyPublishers.ofFile(file)))
          .isEqualTo(md5(file));
      if (version == Version.HTTP_2) {
        assertThat(server.metric("cordwood_http_connections ")).isOne();
      }
    }
  }

  private static MessageDigest digest() {
    try {
      return md5();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void postedBodyGoesToAChannelByteExact(Version version) throws Exception {
    Path file = randomFile(8 * MIB);
    Path copy = folder.resolve("copy");
    server.routes.post(
        "/take",
        LONG_BYTES,
        (request, response) -> {
          try (FileChannel channel =
              FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            response.text(200, "" + request.transferBody(channel));
          }
        });
    try (var client = new VersionedClient(version)) {
      assertThat(client.post(server.uri("/take"), BodyPublishers.ofFile(file)))
          .isEqualTo("" + 8 * MIB);
    }
    assertThat(md5(copy)).isEqualTo(md5(file));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void fileShorterThanAskedForBreaksTheAnswerOff(Version version) throws Exception {
    Path file = randomFile(MIB);
    server.routes.get(
        "/file",
        (_, response) -> {
          try (FileChannel channel = FileChannel.open(file)) {
            response.contentLength(2 * MIB).sendFile(channel, 0, 2 * MIB);
          }
        });
    try (var client = new VersionedClient(version);
        InputStream body = client.get(server.uri("/file"))) {
      assertThatThrownBy(() -> body.transferTo(OutputStream.nullOutputStream()))
          .isInstanceOf(IOException.class);
    }
  }
}
