package io.cordwood.common.testing;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what comes: {@link #LONG}, by default, unless a test has a reason for
 * another time; they look at once, and then less and less often, up to ten times a second. On a
 * slow machine {@code -Dcordwood.slow=N} makes all times N times as long.
 */
public final class Patience implements BeforeAllCallback {
  private static final long FACTOR = Long.getLong("cordwood.slow", 1);

  /**
   * Far beyond what anything takes on a busy machine. It costs nothing where a condition comes
   * true; a test that waits so long has failed.
   */
  public static final Duration LONG = Duration.ofMinutes(2).multipliedBy(FACTOR);

  private static final int FIRST_LOOK_MILLIS = 5;
  private static final int LONGEST_LOOK_MILLIS = 100;
  private static final int MOST_DOUBLINGS = 5;

  /** A time that a test keeps short, such as when an idle connection is closed. */
  public static Duration millis(long millis) {
    return Duration.ofMillis(millis * FACTOR);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONG);
    Awaitility.setDefaultPollInterval((looks, _) -> untilNextLook(looks));
    // A file that is not written yet, a port that nobody listens on yet.
    Awaitility.ignoreExceptionsByDefaultMatching(IOException.class::isInstance);
  }

  private static Duration untilNextLook(int looks) {
    int doublings = Math.min(looks - 1, MOST_DOUBLINGS);
    return Duration.ofMillis(Math.min(FIRST_LOOK_MILLIS << doublings, LONGEST_LOOK_MILLIS));
  }
}
