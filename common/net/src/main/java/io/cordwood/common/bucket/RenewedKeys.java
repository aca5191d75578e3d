package io.cordwood.common.bucket;

import io.cordwood.common.bucket.BucketException.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a session, which a service gives. They are replaced a quarter of an hour before
 * they end, since a call that was signed may take its time; while that fails, once a minute, those
 * of before are used for as long as they last.
 */
final class RenewedKeys implements AccessKeys {
  private static final Duration EARLY = Duration.ofMinutes(15);
  private static final Duration AGAIN = Duration.ofMinutes(1);

  private final Source source;
  private final InstantSource clock;
  private @Nullable AccessKey known;
  private Instant asked = Instant.MIN;
  private boolean hadSome;

  /** A service that gives credentials. */
  @FunctionalInterface
  interface Source {
    /**
     * Asks for them.
     *
     * @throws BucketException if there are none; the message says where they were looked for
     */
    AccessKey ask() throws BucketException;
  }

  RenewedKeys(Source source, InstantSource clock) {
    this.source = source;
    this.clock = clock;
  }

  @Override
  public synchronized AccessKey current() throws IOException {
    AccessKey key = known;
    Instant now = clock.instant();
    boolean holds = key != null && !key.endsBefore(now);
    if (key != null && holds && (!key.endsBefore(now.plus(EARLY)) || isJustAsked(now))) {
      return key;
    }
    asked = now;
    try {
      AccessKey next = source.ask();
      known = next;
      hadSome = true;
      return next;
    } catch (BucketException e) {
      if (key != null && holds) {
        return key;
      }
      throw !hadSome || e.kind() == Kind.EXPIRED
          ? e
          : new BucketException(
              Kind.EXPIRED,
              "the credentials have expired, and none replace them: " + e.getMessage(),
              e);
    }
  }

  private boolean isJustAsked(Instant now) {
    return Duration.between(asked, now).abs().compareTo(AGAIN) < 0;
  }

  @Override
  public synchronized void renew() {
    known = null;
  }
}
