package io.cordwood.ingest.push;

import io.cordwood.common.ulid.Ulid;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * First ULIDs of batches whose records have times of their own.
 *
 * <pre>
 *   without a key:  48 bits time │ 48 random bits of this request │ 32 bits number of the record
 *   with a key:     48 bits time │ 48 bits of a SHA-256           │ 32 bits 0
 * </pre>
 *
 * The SHA-256 is that of the key, of the records, and of the number of the first one since the key
 * was set. So the same records become the same batch again, and others never do: not even the same
 * line that was sent twice under one key. For one thread.
 */
final class BatchStamps {
  private static final int MILLIS_SHIFT = 16;

  private final long stream = ThreadLocalRandom.current().nextLong(1L << 48);
  private byte @Nullable [] key;
  private int keyedRecords;
  private int number;

  /** Which batch it is of those with its key: the number of its first record since that was set. */
  static final class Place {
    private final byte @Nullable [] key;
    private final int firstRecord;

    private Place(byte @Nullable [] key, int firstRecord) {
      this.key = key;
      this.firstRecord = firstRecord;
    }
  }

  /** From now on, batches have this key; or none, and are never the same again. */
  void keyed(byte @Nullable [] shared) {
    key = shared == null ? null : shared.clone();
    keyedRecords = 0;
  }

  boolean areKeyed() {
    return key != null;
  }

  /** The place of a batch that begins with the next record. */
  Place place() {
    return new Place(key, keyedRecords);
  }

  void added() {
    keyedRecords++;
  }

  Ulid stamp(Place place, long millis, int records, ByteBuffer payload) {
    if (place.key != null) {
      long hashed = ByteBuffer.wrap(sha256(place.key, place.firstRecord, payload)).getLong() >>> 16;
      return ulid(millis, hashed, 0);
    }
    Ulid first = ulid(millis, stream, number);
    number += records;
    return first;
  }

  private static Ulid ulid(long millis, long stream, int number) {
    return new Ulid(
        millis << MILLIS_SHIFT | stream >>> 32, stream << 32 | Integer.toUnsignedLong(number));
  }

  private static byte[] sha256(byte[] key, int firstRecord, ByteBuffer payload) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(
          ByteBuffer.allocate(2 * Integer.BYTES).putInt(key.length).putInt(firstRecord).flip());
      digest.update(key);
      digest.update(payload.duplicate());
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("a JDK without SHA-256", e);
    }
  }
}
