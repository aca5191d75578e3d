package io.cordwood.query.match;

import io.cordwood.common.segment.AnyOf;
import java.util.List;

/** Matches records by a regular expression that looks at every byte. */
final class RegexMatcher implements Matcher {
  private final LazyDfa lines;
  private final LazyDfa nulEnded;
  private final List<AnyOf> required;

  RegexMatcher(Program program, List<AnyOf> required) {
    this.lines = new LazyDfa(program, (byte) '\n');
    this.nulEnded = new LazyDfa(program, (byte) 0);
    this.required = required;
  }

  @Override
  public int find(Haystack payloads, int from, int to, byte delimiter) {
    return dfa(delimiter).find(payloads.array(from, to), from, to);
  }

  LazyDfa dfa(byte delimiter) {
    return switch (delimiter) {
      case '\n' -> lines;
      case 0 -> nulEnded;
      default ->
          throw new IllegalArgumentException("delimiter: expected LF or NUL, found " + delimiter);
    };
  }

  @Override
  public List<AnyOf> required() {
    return required;
  }
}
