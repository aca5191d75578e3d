package io.cordwood.common.ulid;

import io.cordwood.common.wire.Stamper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Gives the batches of one connection, or of one sender, their first ULIDs by a clock, as {@link
 * Stamper} does; also when it is set back by up to {@link #MAX_AHEAD}. Not for use by several
 * threads.
 */
public final class UlidStamper {
  /** How long stamps may be ahead of the clock. */
  static final Duration MAX_AHEAD = Duration.ofSeconds(10);

  private final Stamper stamper;
  private final InstantSource clock;

  public UlidStamper(InstantSource clock) {
    this(clock, new Stamper(MAX_AHEAD.toMillis()));
  }

  /**
   * One whose random bits come from elsewhere.
   *
   * @param random asked for 64 bits at each draw, by the thread that uses this
   */
  public UlidStamper(InstantSource clock, LongSupplier random) {
    this(clock, new Stamper(MAX_AHEAD.toMillis(), random));
  }

  private UlidStamper(InstantSource clock, Stamper stamper) {
    this.clock = clock;
    this.stamper = stamper;
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
