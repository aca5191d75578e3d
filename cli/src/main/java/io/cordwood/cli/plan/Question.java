package io.cordwood.cli.plan;

import java.util.Locale;

/**
 * A question that is asked again and again.
 *
 * @param rangeSeconds of time that it is about, up to now
 * @param perSecond how often it is asked
 */
record Question(Kind kind, double rangeSeconds, double perSecond) {
  /** How many blocks filters leave of what is asked for. */
  public enum Kind {
    /** A string that is nowhere. */
    ABSENT,
    /** One that is in few lines. */
    RARE,
    /** One that is in every block. */
    COMMON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @throws IllegalArgumentException if it makes no sense; the message says what was expected
   */
  public Question {
    if (!(rangeSeconds > 0 && perSecond > 0)) {
      throw new IllegalArgumentException(
          "expected a range and a rate of more than 0, found %s s and %s a second"
              .formatted(rangeSeconds, perSecond));
    }
  }

  double share(Parameters parameters) {
    return switch (kind) {
      case ABSENT -> parameters.of(Parameter.SHARE_ABSENT);
      case RARE -> parameters.of(Parameter.SHARE_RARE);
      case COMMON -> 1;
    };
  }
}
