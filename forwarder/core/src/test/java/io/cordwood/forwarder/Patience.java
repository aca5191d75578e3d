package io.cordwood.forwarder;

import java.io.IOException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How long tests wait for what comes. On a slow machine {@code -Dcordwood.slow=N} makes it N times
 * as long.
 */
public final class Patience implements BeforeAllCallback {
  /** Far beyond what anything takes on a busy machine; a test that waits so long has failed. */
  static final Duration LONG = Duration.ofMinutes(2).multipliedBy(Long.getLong("cordwood.slow", 1));

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONG);
    // A file that is not written yet, a port that nobody listens on yet.
    Awaitility.ignoreExceptionsByDefaultMatching(IOException.class::isInstance);
  }
}
