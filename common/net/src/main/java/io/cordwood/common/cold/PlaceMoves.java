package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket;
import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.bucket.ObjectContent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The addresses that a place had before, as a person has said in the place itself. Each is said
 * with the address that came after it: so a copy of the place, at a third address, is not taken for
 * it.
 *
 * <pre>
 *   moved    lines: FROM SPACE TO
 * </pre>
 */
record PlaceMoves(String url, List<Move> moves) {
  private static final String KEY = "moved";
  private static final int MOST_BYTES = 64 << 10;

  /** The addresses before and after. */
  record Move(String from, String to) {
    static Optional<Move> parse(String line) {
      int space = line.indexOf(' ');
      return space < 1
          ? Optional.empty()
          : Optional.of(new Move(line.substring(0, space), line.substring(space + 1)));
    }
  }

  PlaceMoves {
    moves = List.copyOf(moves);
  }

  /**
   * Reads what a place says.
   *
   * @throws IOException if it does not tell
   */
  static PlaceMoves read(Bucket bucket) throws IOException {
    Bucket.Tail read;
    try {
      read = bucket.tail(KEY, MOST_BYTES);
    } catch (BucketException e) {
      if (e.kind() == Kind.MISSING) {
        return new PlaceMoves(bucket.url(), List.of());
      }
      throw e;
    }
    if (read.size() > MOST_BYTES) {
      throw new BucketException(
          Kind.UNEXPECTED,
          "%s/%s: expected at most %d bytes, found %d"
              .formatted(bucket, KEY, MOST_BYTES, read.size()));
    }
    List<Move> moves = new ArrayList<>();
    ByteBuffer bytes = read.bytes();
    StandardCharsets.UTF_8
        .decode(bytes)
        .toString()
        .lines()
        .forEach(line -> Move.parse(line).ifPresent(moves::add));
    return new PlaceMoves(bucket.url(), moves);
  }

  /**
   * Notes in a place that it was at another address. To do it again changes nothing.
   *
   * @param from the other address, as {@link Bucket#url} has it
   * @throws BucketException if there is no room
   */
  static void note(Bucket bucket, String from) throws IOException {
    PlaceMoves known = read(bucket);
    if (!known.before().contains(from)) {
      var text = new StringBuilder();
      known.moves.forEach(it -> text.append(it.from).append(' ').append(it.to).append('\n'));
      text.append(from).append(' ').append(bucket.url()).append('\n');
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      if (bytes.length > MOST_BYTES) {
        throw new BucketException(
            Kind.UNEXPECTED,
            "%s/%s: expected room in %d bytes, found none".formatted(bucket, KEY, MOST_BYTES));
      }
      bucket.put(KEY, ObjectContent.of(bytes));
    }
  }

  /** All addresses from which moves lead to this one. */
  Set<String> before() {
    Set<String> found = new HashSet<>(Set.of(url));
    boolean more = true;
    while (more) {
      more = false;
      for (Move each : moves) {
        more |= found.contains(each.to) && found.add(each.from);
      }
    }
    found.remove(url);
    return found;
  }
}
