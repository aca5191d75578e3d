package io.cordwood.query.template;

import java.util.List;

/**
 * A function by its name.
 *
 * @param least of its arguments
 * @param most of its arguments
 */
record Function(String name, int least, int most, Body body) {
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
