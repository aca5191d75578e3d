package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.segment.FilterLayout.Digest;
import java.io.IOException;
import java.util.List;

/**
 * The digest of a filter: says that no block of a segment contains a given substring, by one page
 * for each gram that is looked up. It is all of a filter that is kept of a segment whose index is
 * not. Safe for many threads.
 *
 * @param at where the filter begins in the file
 * @param headerBytes of the filter; its pages follow
 * @param dataBytes of all pages
 * @param bytes of the whole filter
 */
record FilterDigest(
    ByteSource source, long at, int headerBytes, long dataBytes, long bytes, Digest digest) {
  /** A longer literal is looked up by this many of its grams, from its start. */
  static final int MAX_GRAMS = 256;

  enum Answer {
    NOWHERE,
    SOMEWHERE,
    UNKNOWN,
    DAMAGED
  }

  FilterPages pages() {
    return new FilterPages(source, at + headerBytes, dataBytes);
  }

  /** Whether no block holds what every clause asks for. A damaged page rules nothing out. */
  boolean rulesOut(List<AnyOf> required) throws IOException {
    if (digest.keyBits() == 0) {
      return false;
    }
    FilterPages pages = pages();
    var pair = new long[2];
    for (AnyOf clause : required) {
      if (isNowhere(clause, pages, pair)) {
        return true;
      }
    }
    return false;
  }

  private boolean isNowhere(AnyOf clause, FilterPages pages, long[] pair) throws IOException {
    for (byte[] literal : clause.literals()) {
      if (!isNowhere(literal, pages, pair)) {
        return false;
      }
    }
    return true;
  }

  private boolean isNowhere(byte[] literal, FilterPages pages, long[] pair) throws IOException {
    int grams = Math.min(literal.length - Gram.BYTES + 1, MAX_GRAMS);
    for (int i = 0; i < grams; i++) {
      int key = Gram.key(literal, i);
      if (key >= 0 && look(key, pages, pair) == Answer.NOWHERE) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether any block has a key.
   *
   * @param pair is overwritten
   */
  Answer look(int key, FilterPages pages, long[] pair) throws IOException {
    if (digest.keyBits() == 0) {
      return Answer.SOMEWHERE;
    }
    if (!pages.read(digest.at(key), pair, digest.stride())) {
      return Answer.DAMAGED;
    }
    if (((pair[0] >>> key) & 1) == 0) {
      return Answer.NOWHERE;
    }
    boolean stops = digest.tellsStopKeys() && ((pair[1] >>> key) & 1) != 0;
    return stops ? Answer.UNKNOWN : Answer.SOMEWHERE;
  }
}
