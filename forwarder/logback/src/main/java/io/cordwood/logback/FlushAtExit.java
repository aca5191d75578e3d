package io.cordwood.logback;

import io.cordwood.forwarder.LoggingForwarder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Waits for acknowledgements when the JVM ends, since Logback stops its appenders then only where
 * it was told to. It stops nothing: other hooks may still log.
 */
final class FlushAtExit {
  private final Thread hook;

  private FlushAtExit(Thread hook) {
    this.hook = hook;
  }

  /** Null when the JVM is ending already. */
  static @Nullable FlushAtExit of(LoggingForwarder forwarder, Duration timeout) {
    Thread hook = new Thread(() -> forwarder.flush(timeout), "cordwood-flush");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      return null;
    }
    return new FlushAtExit(hook);
  }

  void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook runs beside the stop, and no longer.
    }
  }
}
