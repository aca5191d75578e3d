package io.cordwood.query.logql;

import io.cordwood.query.match.Matcher;
import io.cordwood.query.match.Matchers;
import io.cordwood.query.match.PatternException;
import io.cordwood.query.match.PatternSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A test of a label; one that is absent is an empty text.
 *
 * @param compiled the value, if it is a regular expression
 * @param at where it begins in the query
 */
record LabelMatcher(
    String name, Operator operator, String value, Optional<Matcher> compiled, int at) {
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

    private Operator opposite() {
      return switch (this) {
        case EQUAL -> UNEQUAL;
        case UNEQUAL -> EQUAL;
        case MATCHES -> DOES_NOT_MATCH;
        case DOES_NOT_MATCH -> MATCHES;
      };
    }
  }

  /**
   * Makes one.
   *
   * @throws LogqlException if the value is to be a regular expression, and is none
   */
  static LabelMatcher of(String name, Operator operator, String value, int at) {
    try {
      Optional<Matcher> compiled =
          operator.isRegex()
              ? Optional.of(Matchers.compile(PatternSpec.regex(regex(value))))
              : Optional.empty();
      return new LabelMatcher(name, operator, value, compiled, at);
    } catch (PatternException e) {
      throw new LogqlException(at, "label " + name + ": ", e);
    }
  }

  /** A regular expression for values as a whole. */
  private static String regex(String value) {
    return "\\A(?s:" + value + ")\\z";
  }

  /** The test of another label. */
  LabelMatcher named(String other) {
    return new LabelMatcher(other, operator, value, compiled, at);
  }

  /** Passes what this one does not. */
  LabelMatcher negated() {
    return new LabelMatcher(name, operator.opposite(), value, compiled, at);
  }

  /** Whether a value passes. */
  boolean passes(String text) {
    boolean found = compiled.map(regex -> isFound(regex, text)).orElseGet(() -> text.equals(value));
    return found != operator.isNegative();
  }

  private static boolean isFound(Matcher regex, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] ended = Arrays.copyOf(bytes, bytes.length + 1);
    byte delimiter = text.indexOf('\n') < 0 ? (byte) '\n' : 0;
    ended[bytes.length] = delimiter;
    return regex.find(ended, 0, ended.length, delimiter) >= 0;
  }

  /** As a condition on a field that may be absent. */
  String condition(String field, boolean orAbsent) {
    String value =
        switch (operator) {
          case EQUAL -> " = " + Texts.quoted(this.value);
          case UNEQUAL -> " != " + Texts.quoted(this.value);
          case MATCHES -> " ~~ " + Texts.quoted(regex(this.value));
          case DOES_NOT_MATCH -> " !~~ " + Texts.quoted(regex(this.value));
        };
    return field + (orAbsent ? "?" : "") + value;
  }

  @Override
  public String toString() {
    return name + operator.sign() + Texts.quoted(value);
  }
}
