package io.cordwood.query.match;

import io.cordwood.query.match.RegexNode.Assertion.Kind;

/** The flags that hold at one place of a regular expression. */
record RegexFlags(boolean ignoreCase, boolean multiLine, boolean dotIsAll, boolean greedy) {
  static final RegexFlags DEFAULT = new RegexFlags(false, false, true, true);

  RegexFlags with(int flag, boolean on) {
    return switch (flag) {
      case 'i' -> new RegexFlags(on, multiLine, dotIsAll, greedy);
      case 'm' -> new RegexFlags(ignoreCase, on, dotIsAll, greedy);
      case 's' -> new RegexFlags(ignoreCase, multiLine, on, greedy);
      case 'U' -> new RegexFlags(ignoreCase, multiLine, dotIsAll, !on);
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
