package io.cordwood.store.keep;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Two times that prove a segment's age, of which no single clock makes both.
 *
 * @param newestRecord by its ULID, which some ingest node's clock made
 * @param written the file's time, which this machine's clock made
 */
record AgeEvidence(Instant newestRecord, Instant written) {
  /** Whether they agree that it is older. */
  boolean agreeOn(Instant horizon) {
    return newestRecord.isBefore(horizon) && written.isBefore(horizon);
  }

  /** The latest time that has passed by both times of one of some segments. */
  static Optional<Instant> latest(Collection<AgeEvidence> all) {
    return all.stream().map(AgeEvidence::earlier).max(Comparator.naturalOrder());
  }

  private Instant earlier() {
    return newestRecord.isBefore(written) ? newestRecord : written;
  }
}
