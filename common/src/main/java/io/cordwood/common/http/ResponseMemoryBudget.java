package io.cordwood.common.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory of all answers of a server that are being written, or that clients have not taken yet.
 * While there is some left, an answer has large pieces on its way; beyond, small ones, so that
 * clients who do not read cannot use up what the others need. For all threads.
 */
final class ResponseMemoryBudget {
  /** A piece that needs no budget; an answer holds three of them at most. */
  static final int SMALL_BYTES = 8 << 10;

  private final long maxBytes;
  private final AtomicLong heldBytes = new AtomicLong();
  private final Counter narrowed;

  /**
   * @param maxBytes of large pieces
   */
  ResponseMemoryBudget(long maxBytes, MeterRegistry registry) {
    this.maxBytes = maxBytes;
    this.narrowed =
        Counter.builder("cordwood.http.narrowed")
            .description("Pieces of answers made small, since others hold too much memory")
            .register(registry);
    Gauge.builder("cordwood.http.held.bytes", heldBytes, AtomicLong::get)
        .description("Memory of answers that clients have not taken yet")
        .register(registry);
  }

  /** Takes memory for a piece: so much as is wanted, or a small one. */
  int take(int wantedBytes) {
    if (wantedBytes <= SMALL_BYTES || heldBytes.addAndGet(wantedBytes) > maxBytes) {
      int back = wantedBytes <= SMALL_BYTES ? 0 : wantedBytes;
      heldBytes.addAndGet(SMALL_BYTES - back);
      if (back > 0) {
        narrowed.increment();
      }
      return SMALL_BYTES;
    }
    return wantedBytes;
  }

  /** Gives back what was taken. */
  void release(int bytes) {
    heldBytes.addAndGet(-bytes);
  }
}
