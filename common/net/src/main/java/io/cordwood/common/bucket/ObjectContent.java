package io.cordwood.common.bucket;

import io.cordwood.common.http.client.ForeignClient.Body;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The bytes of an object that is to be put, and their hash. For all threads. */
public final class ObjectContent {
  private static final int BUFFER_BYTES = 64 << 10;

  private final Body.Opening opening;
  private final Body body;
  private final long size;
  private final String sha256;

  private ObjectContent(Body.Opening opening, Body body, long size, String sha256) {
    this.opening = opening;
    this.body = body;
    this.size = size;
    this.sha256 = sha256;
  }

  /** Reads a file once, for its hash; it must not change as long as this is used. */
  public static ObjectContent of(Path file) throws IOException {
    Body.Opening opening = () -> Files.newInputStream(file);
    Hashed hashed = Hashed.of(opening);
    return new ObjectContent(opening, new Body.Content(file), hashed.size, hashed.sha256);
  }

  /** Reads a stream once, for its hash; it must be the same each time it is opened. */
  static ObjectContent of(Body.Opening opening) throws IOException {
    Hashed hashed = Hashed.of(opening);
    Body body = new Body.Streamed(opening, hashed.size);
    return new ObjectContent(opening, body, hashed.size, hashed.sha256);
  }

  /** Bytes in memory, which must not change any more. */
  public static ObjectContent of(byte[] bytes) {
    String hash = HexFormat.of().formatHex(sha256().digest(bytes));
    return new ObjectContent(
        () -> new ByteArrayInputStream(bytes), new Body.Bytes(bytes), bytes.length, hash);
  }

  /** Length and hash of a stream. */
  private record Hashed(long size, String sha256) {
    static Hashed of(Body.Opening opening) throws IOException {
      MessageDigest digest = ObjectContent.sha256();
      byte[] buffer = new byte[BUFFER_BYTES];
      long size = 0;
      try (InputStream in = opening.open()) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          digest.update(buffer, 0, n);
          size += n;
        }
      }
      return new Hashed(size, HexFormat.of().formatHex(digest.digest()));
    }
  }

  /** A new computation of a hash. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** As it is sent. */
  Body body() {
    return body;
  }

  InputStream open() throws IOException {
    return opening.open();
  }

  public long size() {
    return size;
  }

  /** SHA-256 in 64 hexadecimal digits. */
  public String sha256Hex() {
    return sha256;
  }
}
