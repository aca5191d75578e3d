package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/** Matches every record: the empty pattern, or a regular expression that matches nothing at all. */
final class EverythingMatcher implements Matcher {
  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    return from < to ? from : -1;
  }

  @Override
  public List<AnyOf> required() {
    return List.of();
  }
}
