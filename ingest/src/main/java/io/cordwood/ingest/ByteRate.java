package io.cordwood.ingest;

import java.util.function.LongSupplier;

/** Bytes a second, as seen now and then; what was seen is forgotten within some 10 seconds. */
public final class ByteRate {
  private static final double MEMORY_SECONDS = 10;

  /** Two looks may fall into one moment of the clock. */
  private static final double LEAST_SECONDS = 1e-3;

  private final LongSupplier nanoTime;
  private double seenBytes;
  private long seenNanos;
  private double bytesPerSecond;

  /**
   * @param bytes so far
   */
  public ByteRate(double bytes, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.seenBytes = bytes;
    this.seenNanos = nanoTime.getAsLong();
  }

  /**
   * Looks, and tells the rate from now on.
   *
   * @param bytes so far
   */
  public double look(double bytes) {
    long now = nanoTime.getAsLong();
    double seconds = Math.max(LEAST_SECONDS, (now - seenNanos) / 1e9);
    double weight = 1 - Math.exp(-seconds / MEMORY_SECONDS);
    bytesPerSecond += weight * ((bytes - seenBytes) / seconds - bytesPerSecond);
    seenBytes = bytes;
    seenNanos = now;
    return bytesPerSecond;
  }
}
