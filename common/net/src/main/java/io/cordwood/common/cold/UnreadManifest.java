package io.cordwood.common.cold;

import io.cordwood.common.bucket.BucketException;
import io.cordwood.common.bucket.BucketException.Kind;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.CorruptException;
import java.io.IOException;
import java.time.LocalDate;

/**
 * A manifest that is listed, and does not say what it names: it is damaged, in an archive, or is
 * not given.
 *
 * @param why with its key
 * @param isPassing whether it may be read the next time without anybody's doing
 */
public record UnreadManifest(LocalDate day, String why, boolean isPassing) {
  static UnreadManifest of(String key, LocalDate day, IOException e) {
    boolean lasts =
        e instanceof CorruptException
            || (e instanceof BucketException it
                && it.kind() != Kind.UNREACHABLE
                && it.kind() != Kind.EXPIRED);
    String message = String.valueOf(e.getMessage());
    return new UnreadManifest(day, message.contains(key) ? message : key + ": " + message, !lasts);
  }

  /** Objects that it names are of this time. */
  public UlidRange range() {
    return ColdName.rangeOf(day);
  }
}
