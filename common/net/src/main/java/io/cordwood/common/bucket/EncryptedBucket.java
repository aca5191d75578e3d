package io.cordwood.common.bucket;

import static io.cordwood.common.bucket.EncryptedFrames.FRAME_BYTES;
import static io.cordwood.common.bucket.EncryptedFrames.PLAIN_BYTES;

import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A place whose objects are encrypted here, under their own keys. Positions and lengths are those
 * of the objects' bytes; what is asked for is rounded to {@linkplain EncryptedFrames frames}. Bytes
 * that are not what was put there under this name are a {@link CorruptException}; objects that are
 * not encrypted, or by another key, are a {@link BucketException}.
 */
final class EncryptedBucket extends ForwardingBucket {
  private final EncryptionKeys keys;

  /**
   * @param bucket which is closed with this
   */
  EncryptedBucket(Bucket bucket, EncryptionKeys keys) {
    super(bucket);
    this.keys = keys;
  }

  /** Stores the same for the same bytes, name and key. */
  @Override
  public void put(String key, ObjectContent content) throws IOException {
    ObjectKeys.check(key);
    EncryptionKey first = keys.first();
    byte[] salt = first.salt(key, content);
    bucket.put(
        key,
        ObjectContent.of(() -> new EncryptingStream(content, new FrameCipher(first, key, salt))));
  }

  @Override
  public void read(String key, long position, ByteBuffer target) throws IOException {
    int wanted = target.remaining();
    if (wanted == 0) {
      return;
    }
    Tail part = part(key, position, wanted);
    if (part.bytes().remaining() < wanted) {
      throw BucketException.atEnd(bucket + "/" + key, position, wanted);
    }
    target.put(part.bytes());
  }

  @Override
  public Tail part(String key, long position, int bytes) throws IOException {
    long first = position / PLAIN_BYTES;
    int skipped = (int) (position % PLAIN_BYTES);
    long frames = ((long) skipped + bytes + PLAIN_BYTES - 1) / PLAIN_BYTES;
    Tail stored = bucket.part(key, first * FRAME_BYTES, Math.toIntExact(frames * FRAME_BYTES));
    ByteBuffer plain = decrypt(key, stored, first);
    if (skipped >= plain.limit()) {
      throw BucketException.atEnd(bucket + "/" + key, position, bytes);
    }
    return new Tail(
        plain.slice(skipped, Math.min(bytes, plain.limit() - skipped)),
        EncryptedFrames.plainBytes(stored.size()));
  }

  @Override
  public Tail tail(String key, int bytes) throws IOException {
    Tail stored = bucket.tail(key, EncryptedFrames.storedTail(bytes));
    long start = stored.size() - stored.bytes().remaining();
    long first = EncryptedFrames.count(start);
    int cut = (int) Math.min(first * FRAME_BYTES - start, stored.bytes().remaining());
    stored.bytes().position(stored.bytes().position() + cut);
    ByteBuffer plain = decrypt(key, stored, first);
    int from = Math.max(0, plain.limit() - bytes);
    return new Tail(
        plain.slice(from, plain.limit() - from), EncryptedFrames.plainBytes(stored.size()));
  }

  private ByteBuffer decrypt(String key, Tail stored, long first) throws IOException {
    FrameCipher cipher = cipher(key, stored.bytes());
    return cipher.decrypt(stored.bytes(), first, EncryptedFrames.count(stored.size()));
  }

  /** By the first frame that says its key: one may be damaged there. */
  private FrameCipher cipher(String key, ByteBuffer stored) throws IOException {
    String found = "one that is not encrypted";
    for (int at = stored.position(); at < stored.limit(); at += FRAME_BYTES) {
      int bytes = Math.min(FRAME_BYTES, stored.limit() - at);
      if (bytes < EncryptedFrames.OVERHEAD_BYTES) {
        continue;
      }
      byte[] salt = new byte[EncryptionKey.SALT_BYTES];
      byte[] id = new byte[EncryptionKey.ID_BYTES];
      byte[] magic = new byte[EncryptedFrames.MAGIC.length];
      stored
          .slice(at, bytes)
          .position(bytes - EncryptedFrames.TRAILER_BYTES)
          .get(salt)
          .get(id)
          .get(magic);
      Optional<EncryptionKey> known = keys.nearest(id);
      if (known.isPresent() && EncryptedFrames.isNearly(magic)) {
        return new FrameCipher(known.get(), key, salt); // which finds out what was flipped
      }
      if (EncryptedFrames.isNearly(magic)) {
        found = "one that is encrypted by " + HexFormat.of().formatHex(id);
      }
    }
    throw new BucketException(
        Kind.KEY,
        "%s/%s: expected an object that is encrypted by a key of %s, found %s"
            .formatted(bucket, key, keys, found));
  }

  @Override
  public OptionalLong size(String key) throws IOException {
    OptionalLong stored = bucket.size(key);
    return stored.isEmpty()
        ? stored
        : OptionalLong.of(EncryptedFrames.plainBytes(stored.getAsLong()));
  }

  @Override
  public Page list(String prefix, String after) throws IOException {
    Page page = bucket.list(prefix, after);
    return new Page(page.entries().stream().map(Entry::decrypted).toList(), page.next());
  }
}
