package io.cordwood.common.run;

import java.time.Duration;

/**
 * Times that tests keep short, such as when an idle connection is closed. On a slow machine {@code
 * -Dcordwood.slow=N} makes them N times as long.
 */
public final class Slow {
  private static final long FACTOR = Long.getLong("cordwood.slow", 1);

  private Slow() {}

  public static Duration millis(long millis) {
    return Duration.ofMillis(millis * FACTOR);
  }
}
