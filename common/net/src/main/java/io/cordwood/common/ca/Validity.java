package io.cordwood.common.ca;

import java.time.Duration;
import java.time.Instant;

/** When a certificate is valid. */
public record Validity(Instant from, Instant until) {
  /** Clocks differ; a certificate should be valid at once wherever it is copied to. */
  private static final Duration SKEW = Duration.ofMinutes(10);

  /** From now on. */
  public static Validity forDays(int days) {
    Instant now = Instant.now();
    return new Validity(now.minus(SKEW), now.plus(Duration.ofDays(days)));
  }

  Validity endingBy(Instant end) {
    return until.isAfter(end) ? new Validity(from, end) : this;
  }
}
