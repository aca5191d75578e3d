package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gets whole objects out of a bucket. */
public final class ColdDownload {
  private static final int RANGE_BYTES = 8 << 20;

  private ColdDownload() {}

  /**
   * Writes an object into a new file, and checks that it is what its name says. The file stays,
   * whatever is found.
   *
   * @throws CorruptException if the bytes are not those that the name is of
   * @throws BucketException if they cannot be read, or are encrypted, and the place has no key
   */
  public static void get(Bucket bucket, ColdObject object, Path file) throws IOException {
    byte[] buffer = new byte[(int) Math.min(RANGE_BYTES, object.bytes())];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long at = 0; at < object.bytes(); at += RANGE_BYTES) {
        int bytes = (int) Math.min(RANGE_BYTES, object.bytes() - at);
        bucket.read(object.name().key(), at, ByteBuffer.wrap(buffer, 0, bytes));
        out.write(buffer, 0, bytes);
      }
    }
    String found = ObjectContent.of(file).sha256Hex();
    if (!found.startsWith(object.name().hash())) {
      int last = (int) ((object.bytes() - 1) % RANGE_BYTES) + 1;
      new Bucket.Tail(ByteBuffer.wrap(buffer, 0, last), object.bytes())
          .refuseEncrypted(object.name().key());
      throw new CorruptException(
          0,
          "expected bytes of SHA-256 %s, found %s"
              .formatted(object.name().hash(), found.substring(0, object.name().hash().length())));
    }
  }
}
