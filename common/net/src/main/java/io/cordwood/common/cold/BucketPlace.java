package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.ObjectContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * Tells a place from all others: by its address, since a bucket may be copied into another one, and
 * by a mark in it, since a folder of another machine, or a service at another one's local address,
 * may be called the same. Has no secret, and no space.
 *
 * @param url without the parameters that do not choose the place
 * @param mark a random id, which the first one has put there who uploads
 * @param before addresses from which it was moved to this one, as far as the place says that
 */
public record BucketPlace(String url, String mark, Set<String> before) {
  private static final String KEY = "place";
  private static final int MOST_BYTES = 64;
  private static final char BEFORE_MARK = '#';
  private static final Pattern MARK = Pattern.compile("[0-9a-f-]{36}");

  public BucketPlace {
    before = Set.copyOf(before);
  }

  /** Whether another one is this, maybe from before it was moved. */
  public boolean is(BucketPlace other) {
    return mark.equals(other.mark) && (url.equals(other.url) || before.contains(other.url));
  }

  /**
   * The place of a bucket; empty if it has no mark.
   *
   * @throws IOException if it cannot be read
   */
  static Optional<BucketPlace> of(Bucket bucket) throws IOException {
    Optional<String> mark = markOf(bucket);
    return mark.isEmpty()
        ? Optional.empty()
        : Optional.of(new BucketPlace(bucket.url(), mark.get(), PlaceMoves.read(bucket).before()));
  }

  static Optional<String> markOf(Bucket bucket) throws IOException {
    Bucket.Tail read;
    try {
      read = bucket.tail(KEY, MOST_BYTES);
    } catch (BucketException e) {
      if (e.kind() == Kind.MISSING) {
        return Optional.empty();
      }
      throw e;
    }
    read.refuseEncrypted(bucket + "/" + KEY);
    String mark = StandardCharsets.US_ASCII.decode(read.bytes()).toString().strip();
    if (!MARK.matcher(mark).matches()) {
      throw new BucketException(
          Kind.UNEXPECTED,
          "%s/%s: expected an id in %d bytes, found %d bytes"
              .formatted(bucket, KEY, MOST_BYTES, read.size()));
    }
    return Optional.of(mark);
  }

  /**
   * Sees to it that a bucket has a mark. Of several who do so at once one wins: who has put one
   * does not know yet whether it stays.
   *
   * @return whether it had none
   */
  static boolean mark(Bucket bucket) throws IOException {
    if (markOf(bucket).isPresent()) {
      return false;
    }
    String mark = UUID.randomUUID() + "\n";
    bucket.put(KEY, ObjectContent.of(mark.getBytes(StandardCharsets.US_ASCII)));
    return true;
  }

  /**
   * Notes in a place that it was at another address, mark and all. To do it again changes nothing.
   *
   * @param from the other address, as {@link Bucket#url} has it
   * @throws BucketException if it has no mark, or there is no room
   */
  public static void wasAt(Bucket bucket, String from) throws IOException {
    if (markOf(bucket).isEmpty()) {
      throw new BucketException(
          Kind.MISSING,
          bucket + ": expected the mark that was moved with it, an object \"place\", found none");
    }
    PlaceMoves.note(bucket, from);
  }

  /** Reads what {@link #toString} gave, which has nothing of before. */
  public static BucketPlace parse(String text) {
    int end = text.lastIndexOf(BEFORE_MARK);
    return end < 0
        ? new BucketPlace(text, "", Set.of())
        : new BucketPlace(text.substring(0, end), text.substring(end + 1), Set.of());
  }

  @Override
  public String toString() {
    return url + BEFORE_MARK + mark;
  }
}
