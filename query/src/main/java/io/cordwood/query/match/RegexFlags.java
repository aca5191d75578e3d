package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion.Kind;

/** The flags that hold at one place of a regular expression. */
record RegexFlags(boolean ignoreCase, boolean multiLine, boolean dotIsAll) {
  static final RegexFlags DEFAULT = new RegexFlags(false, false, true);

  /** U, which swaps greedy and lazy, does not change what matches. */
  RegexFlags with(int flag, boolean on) {
    return switch (flag) {
      case 'i' -> new RegexFlags(on, multiLine, dotIsAll);
      case 'm' -> new RegexFlags(ignoreCase, on, dotIsAll);
      case 's' -> new RegexFlags(ignoreCase, multiLine, on);
      default -> this;
    };
  }

  Kind lineStart() {
    return multiLine ? Kind.LINE_START : Kind.RECORD_START;
  }

  Kind lineEnd() {
    return multiLine ? Kind.LINE_END : Kind.RECORD_END;
  }
}
