package io.cordwood.forwarder;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has all tests await conditions for a minute unless they say otherwise, as on a slow machine that
 * may be needed. It costs nothing where a condition comes true.
 */
public final class Patience implements BeforeAllCallback {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(LONG);
  }
}
