package io.cordwood.it;

import static org.awaitility.Awaitility.await;

import io.cordwood.common.testing.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Has classes wait while {@code with-docker} installs and makes what some of them need. */
public final class Preparation implements BeforeAllCallback {
  private static final Duration LONGEST = Patience.LONG.multipliedBy(5);
  private static final Duration POLL = Duration.ofMillis(100);

  /** Names the file that is there meanwhile. */
  private static final String PROPERTY = "cordwood.it.preparing";

  @Override
  public void beforeAll(ExtensionContext context) {
    String file = System.getProperty(PROPERTY);
    if (file != null) {
      await(file + " is gone")
          .atMost(LONGEST)
          .pollDelay(Duration.ZERO)
          .pollInterval(POLL)
          .until(() -> Files.notExists(Path.of(file)));
    }
  }
}
