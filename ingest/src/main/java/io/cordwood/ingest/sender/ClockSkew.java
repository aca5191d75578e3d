package io.cordwood.ingest.sender;

import java.time.Duration;
import java.time.InstantSource;

/**
 * Says which batches of senders have a time that cannot be meant, and are stamped anew. Any thread.
 *
 * @param maxSkew how far a time may be from this node's clock
 * @param keepsTimes whether times of the past are meant, however far; those of the future never are
 */
public record ClockSkew(Duration maxSkew, InstantSource clock, boolean keepsTimes) {
  /** Whether a batch of this time, in Unix milliseconds, is one of them. */
  public boolean is(long millis) {
    long ahead = millis - clock.millis();
    long most = maxSkew.toMillis();
    return ahead > most || (ahead < -most && !keepsTimes);
  }
}
