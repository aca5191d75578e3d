package io.cordwood.common.ulid;

import io.cordwood.common.wire.Stamper;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Gives the batches of one connection, or of one sender, their first ULIDs by a clock, as {@link
 * Stamper} does; also when it is set back by up to {@link #MAX_AHEAD}. Not for use by several
 * threads.
 */
public final class UlidStamper {
  /** How long stamps may be ahead of the clock. */
  static final Duration MAX_AHEAD = Duration.ofSeconds(10);

  private final Stamper stamper = new Stamper(MAX_AHEAD.toMillis());
  private final InstantSource clock;

  public UlidStamper(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The first ULID of a batch; the record at position i has this ULID plus i.
   *
   * @param records of the batch, at least 1 and less than 2^31
   */
  public Ulid stamp(int records) {
    stamper.stamp(records, clock.millis());
    return new Ulid(stamper.high(), stamper.low());
  }
}
