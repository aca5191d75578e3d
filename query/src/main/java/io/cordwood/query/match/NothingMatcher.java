package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/** Finds nothing. */
public final class NothingMatcher implements Matcher {
  public static final NothingMatcher ONE = new NothingMatcher();

  private NothingMatcher() {}

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    return -1;
  }

  @Override
  public List<AnyOf> required() {
    return List.of();
  }
}
