package io.cordwood.common.testing;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what comes: {@link #LONG}, by default, unless a test has a reason for
 * another time. On a slow machine {@code -Dcordwood.slow=N} makes all times N times as long.
 */
public final class Patience implements BeforeAllCallback {
  private static final long FACTOR = Long.getLong("cordwood.slow", 1);

  /**
   * Far beyond what anything takes on a busy machine. It costs nothing where a condition comes
   * true; a test that waits so long has failed.
   */
  public static final Duration LONG = Duration.ofMinutes(2).multipliedBy(FACTOR);

  /** A time that a test keeps short, such as when an idle connection is closed. */
  public static Duration millis(long millis) {
    return Duration.ofMillis(millis * FACTOR);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONG);
    // A file that is not written yet, a port that nobody listens on yet.
    Awaitility.ignoreExceptionsByDefaultMatching(IOException.class::isInstance);
  }
}
