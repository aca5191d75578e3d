package io.cordwood.store.keep;

import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.StoreLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Up to which time records had to go before their time, since there was no room for them. Kept in a
 * file over restarts and losses of power. One thread changes it, any may ask.
 *
 * <pre>
 *   MILLIS LF    what is older may be gone
 * </pre>
 */
final class EarlyPurges {
  private final HorizonFile file;
  private volatile Instant before;

  /**
   * @param file in which it is kept
   */
  EarlyPurges(StoreLog log, Path file) {
    this.file = new HorizonFile(log, file);
    this.before =
        this.file.read(
            text -> Instant.ofEpochMilli(Long.parseLong(text.strip())),
            Instant.MIN,
            oldest -> oldest);
  }

  /** The time before which records may be gone; {@link Instant#MIN} if none are. */
  Instant before() {
    return before;
  }

  /** Notes that records up to this time are about to go; when this returns, that is durable. */
  void goes(UlidRange range) throws IOException {
    Instant next = HorizonFile.after(range);
    if (!next.isAfter(before)) {
      return;
    }
    before = next;
    file.write(next.toEpochMilli() + "\n");
  }

  /**
   * The range of records that are gone and would be there by their age.
   *
   * @param horizon what is older is gone by its age
   */
  Optional<UlidRange> since(Instant horizon) {
    Instant end = before;
    return HorizonFile.isBeyond(horizon, end)
        ? Optional.of(HorizonFile.between(horizon, end))
        : Optional.empty();
  }
}
