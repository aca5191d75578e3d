package io.cordwood.query.template;

import io.cordwood.query.match.Substitution;
import java.util.List;

/**
 * A function by its name.
 *
 * @param least of its arguments
 * @param most of its arguments
 * @param ofRegex whether the first of them is a regular expression, a {@link Substitution} that is
 *     read once
 */
record Function(String name, int least, int most, boolean ofRegex, Body body) {
  /** Any number of arguments. */
  static final int MANY = Integer.MAX_VALUE;

  /** Gets as many arguments as it takes. */
  @FunctionalInterface
  interface Body {
    Object of(List<Object> arguments);
  }

  /**
   * Makes a value.
   *
   * @throws TemplateException if that is too long a text
   */
  Object of(List<Object> arguments) {
    Object made = body.of(arguments);
    if (made instanceof String text) {
      BoundedText.check(text.length());
    }
    return made;
  }
}
