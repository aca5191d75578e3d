package io.cordwood.query.logql;

import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.PatternSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A test of the label of a stream; one that is absent is an empty text.
 *
 * @param at where it begins in the query
 */
record LabelMatcher(String name, Operator operator, String value, int at) {
  /** How a label is compared. */
  enum Operator {
    EQUAL("="),
    UNEQUAL("!="),
    MATCHES("=~"),
    DOES_NOT_MATCH("!~");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    String sign() {
      return sign;
    }

    boolean isRegex() {
      return this == MATCHES || this == DOES_NOT_MATCH;
    }

    boolean isNegative() {
      return this == UNEQUAL || this == DOES_NOT_MATCH;
    }
  }

  /** A regular expression for values as a whole. */
  String regex() {
    return "\\A(?s:" + value + ")\\z";
  }

  /** Whether a value passes. */
  boolean passes(String text) {
    boolean found = operator.isRegex() ? isFound(text) : text.equals(value);
    return found != operator.isNegative();
  }

  private boolean isFound(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
    byte delimiter = text.indexOf('\n') < 0 ? (byte) '\n' : 0;
    ended[bytes.length] = delimiter;
    return matcher().find(ended, 0, ended.length, delimiter) >= 0;
  }

  private Matcher matcher() {
    try {
      return Matchers.compile(PatternSpec.regex(regex()));
    } catch (PatternException e) {
      throw new LogqlException(at, "label " + name + ": ", e);
    }
  }

  /** As a condition on a field that may be absent. */
  String condition(String field, boolean orAbsent) {
    String value =
        switch (operator) {
          case EQUAL -> " = " + Texts.quoted(this.value);
          case UNEQUAL -> " != " + Texts.quoted(this.value);
          case MATCHES -> " ~~ " + Texts.quoted(regex());
          case DOES_NOT_MATCH -> " !~~ " + Texts.quoted(regex());
        };
    return field + (orAbsent ? "?" : "") + value;
  }

  @Override
  public String toString() {
    return name + operator.sign() + Texts.quoted(value);
  }
}
