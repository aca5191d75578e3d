package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.KeptIndexes;
import io.cordwood.common.segment.SegmentTail;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Opens segments that are in a bucket: one request for the tail, then one for what is read. */
public final class ColdSegment {
  private ColdSegment() {}

  /**
   * Opens an object's segment.
   *
   * @throws CorruptException if its tail is damaged, or is not what its name says
   * @throws BucketException if it cannot be read
   */
  public static StoreSegment open(Bucket bucket, ColdObject object) throws IOException {
    return StoreSegment.open(tail(bucket, object).over(new Blocks(bucket, object)).unclosed());
  }

  /** Reads an object's tail, and checks that it is one, and of the range that the name says. */
  public static SegmentTail tail(Bucket bucket, ColdObject object) throws IOException {
    Bucket.Tail read = tailBytes(bucket, object);
    SegmentTail tail = SegmentTail.of(read.bytes(), read.size());
    check(object, tail);
    return tail;
  }

  /** Reads an object's tail, and checks that the object has as many bytes as were listed. */
  static Bucket.Tail tailBytes(Bucket bucket, ColdObject object) throws IOException {
    ColdName name = object.name();
    Bucket.Tail read = bucket.tail(name.key(), name.tailBytes());
    read.refuseEncrypted(name.key());
    if (read.size() != object.bytes()) {
      throw new BucketException(
          Kind.UNEXPECTED,
          "%s: expected the %d bytes that were listed, found %d"
              .formatted(name, object.bytes(), read.size()));
    }
    return read;
  }

  private static void check(ColdObject object, SegmentTail tail) throws CorruptException {
    UlidRange expected = object.name().range();
    if (!tail.range().equals(expected)) {
      throw new CorruptException(
          object.bytes(), "expected records %s, found %s".formatted(expected, tail.range()));
    }
  }

  /**
   * Opens an object's segment by its tail, which is here; no request is made before a block is
   * read.
   *
   * @throws CorruptException if the tail is damaged, or is not what the object's name says
   */
  static StoreSegment open(Bucket bucket, ColdObject object, SegmentTail tail, KeptIndexes indexes)
      throws IOException {
    check(object, tail);
    return StoreSegment.open(tail.over(new Blocks(bucket, object)).unclosed(), indexes);
  }

  /** The object by ranges. */
  private record Blocks(Bucket bucket, ColdObject object) implements ByteSource {
    @Override
    public long size() {
      return object.bytes();
    }

    @Override
    public void read(ByteBuffer target, long position) throws IOException {
      bucket.read(object.name().key(), position, target);
    }
  }
}
