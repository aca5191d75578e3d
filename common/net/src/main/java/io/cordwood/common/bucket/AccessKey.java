package io.cordwood.common.bucket;

import java.time.Instant;
import java.util.Optional;

/**
 * Credentials of S3.
 *
 * @param token of a session; empty for keys that last
 * @param expires when they end; empty if that is not known
 */
record AccessKey(String id, String secret, Optional<String> token, Optional<Instant> expires) {
  AccessKey(String id, String secret) {
    this(id, secret, Optional.empty(), Optional.empty());
  }

  boolean endsBefore(Instant time) {
    return expires.isPresent() && expires.get().isBefore(time);
  }

  /** Never shows a secret. */
  @Override
  public String toString() {
    return id;
  }
}
