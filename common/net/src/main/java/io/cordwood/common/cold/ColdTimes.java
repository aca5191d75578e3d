package io.cordwood.common.cold;

import java.time.Duration;

/**
 * The times by which nodes rely on what they saw of a bucket, and do their work there, without
 * asking each other. All nodes of a cluster have the usual ones; they are no settings, since
 * shorter ones lose records as soon as a node is paused for as long. Tests have shorter ones.
 *
 * @param fresh an older list is made again before it is relied on
 * @param proof an object that was listed so long ago, and is still listed, is in the bucket for
 *     everybody; younger records are in no bucket alone
 * @param look between looks at what is to be uploaded
 * @param turn until the next store uploads what one has not; a day is not looked at sooner again
 * @param wholeDays whether a day has to be over before it is uploaded
 */
public record ColdTimes(
    Duration fresh, Duration proof, Duration look, Duration turn, boolean wholeDays) {
  public static final ColdTimes USUAL =
      new ColdTimes(
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          true);

  /**
   * @throws IllegalArgumentException if a list could be relied on that is older than a proof
   */
  public ColdTimes {
    if (!fresh.isPositive() || fresh.multipliedBy(2).compareTo(proof) > 0) {
      throw new IllegalArgumentException(
          "expected a proof that takes twice as long as a list is fresh, found %s and %s"
              .formatted(proof, fresh));
    }
  }

  /** The usual ones, so much shorter; days are uploaded before they are over. */
  public static ColdTimes shorter(int times) {
    return new ColdTimes(
        USUAL.fresh.dividedBy(times),
        USUAL.proof.dividedBy(times),
        USUAL.look.dividedBy(times),
        USUAL.turn.dividedBy(times),
        false);
  }

  /** Records that are younger are not looked for in a bucket: the clocks of nodes may differ. */
  Duration young() {
    return proof.dividedBy(2);
  }

  /** Between looks at what may be deleted on a disk, if there was nothing before. */
  public Duration evictionPause() {
    return fresh.dividedBy(3);
  }
}
