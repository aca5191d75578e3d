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

  Object of(List<Object> arguments) {
    return body.of(arguments);
  }
}
