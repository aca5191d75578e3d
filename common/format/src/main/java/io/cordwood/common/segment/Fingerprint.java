package io.cordwood.common.segment;

import io.cordwood.common.ulid.Ulid;
import java.nio.charset.StandardCharsets;

/**
 * A summary of a set of batches: their number and size, and a sum of 128-bit hashes of their
 * identities, in which their order does not matter.
 *
 * <p>A sum and not a parity, so that a batch that is held twice is not the same as one that is not
 * held. Two stores with the same fingerprint hold the same batches, but for accidents of one in
 * 2^64; not against somebody who makes up ULIDs to deceive it. Segments have it on the disk and
 * stores exchange it, so what it is of never changes.
 *
 * @param bytes of payloads
 * @param high upper half of the sum
 * @param low lower half of the sum
 */
public record Fingerprint(long batches, long records, long bytes, long high, long low) {
  public static final Fingerprint EMPTY = new Fingerprint(0, 0, 0, 0, 0);

  private static final long PRIME = 0x100000001B3L;
  private static final long OFFSET = 0xCBF29CE484222325L;

  /**
   * The fingerprint of one batch; the topic's hash is given, since many batches have the same
   * topic.
   *
   * @param bytes of its payload
   */
  public static Fingerprint of(long topicHash, BatchIdentity batch, int bytes) {
    long labels = batch.labelsIdentity();
    long origin = labels == 0 ? topicHash : mix(topicHash ^ labels);
    Ulid first = batch.first();
    long one = mix(origin ^ mix(first.high() ^ mix(first.low())));
    return new Fingerprint(1, batch.records(), bytes, one, mix(one + origin + first.low()));
  }

  /** The fingerprint of both sets together; a batch in both counts twice. */
  public Fingerprint plus(Fingerprint other) {
    return new Fingerprint(
        batches + other.batches,
        records + other.records,
        bytes + other.bytes,
        high + other.high,
        low + other.low);
  }

  public static long hash(Topic topic) {
    return hash(topic.name());
  }

  /** FNV-1a of a name, mixed. */
  public static long hash(String name) {
    long hash = OFFSET;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xFF)) * PRIME;
    }
    return mix(hash);
  }

  /** Spreads the bits of a number over all of it. */
  static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** A hash of all of it, together with what came before. */
  public long hash(long before) {
    return mix(mix(mix(before + batches) ^ high) + low);
  }
}
