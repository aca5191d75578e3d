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
   * The position of the first matching record of {@code [from, to)}, or -1. The answer is the index
   * of one of that record's bytes, its delimiter included; {@link Records} finds its borders.
   *
   * @param from the start of a record
   * @param to the end of a record, after its delimiter
   * @param delimiter LF or NUL: the byte that ends each record, the last one too, and is never
   *     inside one. A match never spans records.
   */
  int find(Haystack payloads, int from, int to, byte delimiter);

  /** Finds the first matching record in an array. */
  default int find(byte[] bytes, int from, int to, byte delimiter) {
    return find(Haystack.of(bytes), from, to, delimiter);
  }

  /** Literals in every matching record: all of these hold. Empty if unknown. */
  List<AnyOf> required();
}
