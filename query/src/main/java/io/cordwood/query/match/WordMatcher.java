package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/**
 * Looks again at records that match as far as an automaton over bytes can tell, which takes
 * characters beyond ASCII for borders of words: only where a record holds such characters.
 */
final class WordMatcher implements Matcher {
  private final Matcher candidates;
  private final ProgramParts parts;

  WordMatcher(Matcher candidates, ProgramParts parts) {
    this.candidates = candidates;
    this.parts = parts;
  }

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    int searched = from;
    int found = candidates.find(payloads, searched, to, delimiter);
    while (found >= 0) {
      int start = payloads.startOf(searched, found, delimiter);
      int end = payloads.endOf(found, to, delimiter);
      byte[] bytes = payloads.array(start, end);
      if (isAscii(bytes, start, end) || parts.matches(bytes, start, end)) {
        return found;
      }
      searched = Math.min(end + 1, to);
      found = candidates.find(payloads, searched, to, delimiter);
    }
    return -1;
  }

  private static boolean isAscii(byte[] bytes, int from, int to) {
    int all = 0;
    for (int i = from; i < to; i++) {
      all |= bytes[i];
    }
    return all >= 0;
  }

  @Override
  public List<AnyOf> required() {
    return candidates.required();
  }
}
