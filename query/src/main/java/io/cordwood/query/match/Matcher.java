package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/**
 * Finds records that match, in a whole block of records at once. Immutable to its callers and safe
 * for many threads; what a matcher learns while it searches is inside it and bounded.
 *
 * <p>Time is linear in the bytes searched, whatever the pattern.
 */
public interface Matcher {
  /**
   * Where the first matching record of {@code [from, to)} is, or -1. The answer is the index of one
   * of that record's bytes, its delimiter included; {@link Records} finds its borders.
   *
   * @param from the start of a record
   * @param to the end of a record, behind its delimiter
   * @param delimiter LF or NUL: the byte that ends each record, the last one too, and is never
   *     inside one. A match never spans records.
   */
  int find(Haystack payloads, int from, int to, byte delimiter);

  /** The same in an array. */
  default int find(byte[] bytes, int from, int to, byte delimiter) {
    return find(Haystack.of(bytes), from, to, delimiter);
  }

  /** What every matching record contains: all of these hold. Empty if nothing is known. */
  List<AnyOf> required();
}
