package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.ObjectContent;
import io.cordwood.common.file.Filesystem;
import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.SegmentTail;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * Puts segments into a bucket. Before the first one it sees to it that the bucket has a mark, and
 * then no more: nobody deletes it, and where it is gone, those who read doubt what is there, and
 * those who let go of copies look for it each time. One thread.
 */
public final class ColdUpload {
  private final Bucket bucket;
  private boolean isMarked;

  /**
   * Makes no request.
   *
   * @param bucket which stays the caller's
   */
  public ColdUpload(Bucket bucket) {
    this.bucket = bucket;
  }

  /** Puts one segment, see {@link #put(Path, String)}. */
  public static ColdObject put(Bucket bucket, Path file, String retention) throws IOException {
    return new ColdUpload(bucket).put(file, retention);
  }

  /**
   * Uploads a settled segment of one day, and reads its tail back. To do it again, after whatever
   * happened, changes nothing.
   *
   * @param file which must not change meanwhile
   * @param retention the class of all its records
   * @throws IllegalArgumentException if its records are of several days in UTC
   * @throws BucketException if it is not in the bucket, or is another one there
   */
  public ColdObject put(Path file, String retention) throws IOException {
    int tailBytes;
    ByteBuffer tail;
    ColdName name;
    ObjectContent content = ObjectContent.of(file);
    try (ReadableFile source = Filesystem.real().open(file)) {
      tailBytes = SegmentTail.lengthOf(source);
      tail = ByteBuffer.allocate(tailBytes);
      source.read(tail, source.size() - tailBytes);
      var range = SegmentTail.of(tail.flip(), source.size()).range();
      name = ColdName.of(retention, range, tailBytes, content.sha256Hex());
    }
    if (!LocalDate.ofInstant(name.range().to().time(), ZoneOffset.UTC).equals(name.day())) {
      throw new IllegalArgumentException(
          "expected records of one day, found %s in %s".formatted(name.range(), file));
    }
    if (!isMarked) {
      var _ = BucketPlace.mark(bucket);
      isMarked = true;
    }
    bucket.put(name.key(), content);
    Bucket.Tail back = bucket.tail(name.key(), tailBytes);
    if (back.size() != content.size() || !back.bytes().equals(tail)) {
      throw new BucketException(
          Kind.UNEXPECTED, "%s/%s: what was put there is not there".formatted(bucket, name));
    }
    return new ColdObject(name, content.size(), Instant.now());
  }
}
