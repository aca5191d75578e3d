package io.cordwood.common.tls;

import io.cordwood.common.run.RateLimitedLog;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/**
 * Counts how the handshakes of a port end, and logs those that fail. For all threads.
 *
 * @param port by its name
 * @param longest how long a handshake may take
 */
record HandshakeLog(String port, Duration longest, TlsMetrics metrics) {
  private static final RateLimitedLog LOG =
      new RateLimitedLog(LoggerFactory.getLogger(HandshakeLog.class));

  void succeeded() {
    metrics.done.increment();
  }

  void plain(Object address) {
    metrics.plain.increment();
    LOG.warn("TLS port " + port + ": refused", address, "it sends plain text");
  }

  void late(Object address) {
    metrics.late.increment();
    LOG.warn(
        "TLS port " + port + ": closed",
        address,
        "no end of its handshake in " + longest.toMillis() + " ms");
  }

  void failed(Object address, Throwable why) {
    metrics.failed.increment();
    LOG.warn(
        "TLS port " + port + ": handshake fails with", address, String.valueOf(why.getMessage()));
  }
}
