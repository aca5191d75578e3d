package io.cordwood.common.http.server;

import io.cordwood.common.run.ByteBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Memory of all answers of a server that are being written, or that clients have not taken yet.
 * While half of it is left, an answer has pieces on its way that are as large as it wants; then
 * usual ones, and beyond, small ones, so that clients who do not read cannot use up what the others
 * need. For all threads.
 */
final class ResponseMemoryBudget {
  /** A piece that needs no budget; an answer holds three of them at most. */
  static final int SMALL_BYTES = 8 << 10;

  /** A piece of most answers; only bulk bytes have larger ones. */
  static final int USUAL_BYTES = 64 << 10;

  private final ByteBudget held;
  private final Counter narrowed;

  /**
   * @param maxBytes of all pieces but small ones
   */
  ResponseMemoryBudget(long maxBytes, MeterRegistry registry) {
    this.held = new ByteBudget(maxBytes);
    this.narrowed = registry.counter("cordwood.http.narrowed");
    Gauge.builder("cordwood.http.held.bytes", held, ByteBudget::heldBytes).register(registry);
  }

  /** Takes memory for a piece: so much as is wanted, or less. */
  int take(int wantedBytes) {
    if (wantedBytes > USUAL_BYTES && held.take(wantedBytes, held.mostBytes() / 2)) {
      return wantedBytes;
    }
    int bytes = Math.min(wantedBytes, USUAL_BYTES);
    if (bytes <= SMALL_BYTES || !held.take(bytes)) {
      held.takeAnyway(SMALL_BYTES);
      bytes = SMALL_BYTES;
    }
    if (bytes < wantedBytes) {
      narrowed.increment();
    }
    return bytes;
  }

  /** Gives back what was taken. */
  void release(int bytes) {
    held.release(bytes);
  }
}
