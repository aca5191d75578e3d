package io.cordwood.cli.plan;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The values of all parameters, and where those come from that are not the usual ones. Immutable.
 */
final class Parameters {
  /** Those of the document. */
  public static final Parameters USUAL = new Parameters(Map.of());

  private final Map<Parameter, Given> given;

  /** A value that stands in for the usual one. */
  private record Given(double value, String origin) {}

  private Parameters(Map<Parameter, Given> given) {
    this.given = given;
  }

  public double of(Parameter parameter) {
    Given known = given.get(parameter);
    return known == null ? parameter.usual() : known.value;
  }

  /** A word for people that says where its value comes from. */
  public String origin(Parameter parameter) {
    Given known = given.get(parameter);
    return known == null ? "usual" : known.origin;
  }

  /**
   * These with another value of one.
   *
   * @param origin where it comes from
   * @throws IllegalArgumentException if it is no number of 0 or more
   */
  public Parameters with(Parameter parameter, double value, String origin) {
    if (!(value >= 0 && value <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "%s: expected a number of 0 or more, found %s".formatted(parameter.symbol(), value));
    }
    Map<Parameter, Given> fresh = new EnumMap<>(Parameter.class);
    fresh.putAll(given);
    fresh.put(parameter, new Given(value, Objects.requireNonNull(origin)));
    return new Parameters(fresh);
  }
}
