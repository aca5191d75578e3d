package io.cordwood.common.bucket;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The bytes of an object that is to be put, and their hash. For all threads. */
public final class ObjectContent {
  private static final int BUFFER_BYTES = 64 << 10;

  private final @Nullable Path file;
  private final byte[] memory;
  private final long size;
  private final String sha256;

  private ObjectContent(@Nullable Path file, byte[] memory, long size, String sha256) {
    this.file = file;
    this.memory = memory;
    this.size = size;
    this.sha256 = sha256;
  }

  /** Reads a file once, for its hash; it must not change as long as this is used. */
  public static ObjectContent of(Path file) throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[BUFFER_BYTES];
    long size = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        size += n;
      }
    }
    return new ObjectContent(file, new byte[0], size, HexFormat.of().formatHex(digest.digest()));
  }

  /** Bytes in memory, which must not change any more. */
  public static ObjectContent of(byte[] bytes) {
    String hash = HexFormat.of().formatHex(sha256().digest(bytes));
    return new ObjectContent(null, bytes, bytes.length, hash);
  }

  /** A new computation of a hash. */
  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The file; empty if the bytes are in memory. */
  Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** The bytes, if there is no file. */
  byte[] memory() {
    return memory;
  }

  InputStream open() throws IOException {
    return file == null ? new ByteArrayInputStream(memory) : Files.newInputStream(file);
  }

  public long size() {
    return size;
  }

  /** SHA-256 in 64 hexadecimal digits. */
  public String sha256Hex() {
    return sha256;
  }
}
