package io.cordwood.query.logql;

/**
 * A label whose numbers are measured.
 *
 * @param conversion {@code duration}, {@code duration_seconds} or {@code bytes}; empty for none
 */
public record Measured(String conversion, String name) {
  /** The number that a value is, in seconds or bytes if it is converted; NaN if it is none. */
  public double number(String value) {
    return Units.number(value, conversion);
  }

  @Override
  public String toString() {
    return "| unwrap " + (conversion.isEmpty() ? name : conversion + "(" + name + ")");
  }
}
