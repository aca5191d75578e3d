package io.cordwood.common.cold;

import io.cordwood.common.bucket.Bucket.Entry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * A cold object that was listed.
 *
 * @param bytes length of the whole object
 * @param uploaded by the clock of the bucket, in whole milliseconds
 */
public record ColdObject(ColdName name, long bytes, Instant uploaded) {
  public ColdObject {
    uploaded = uploaded.truncatedTo(ChronoUnit.MILLIS);
  }

  /** One that is encrypted, with the length of what was put. */
  ColdObject decrypted() {
    Entry entry = new Entry(name.key(), bytes, uploaded).decrypted();
    return new ColdObject(name, entry.bytes(), uploaded);
  }
}
