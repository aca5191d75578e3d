package io.cordwood.common.run;

import java.time.Duration;

/** How long to wait after failures in a row: twice as long each time, up to a bound. One thread. */
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private Duration next;

  public Backoff(Duration first, Duration longest) {
    this.first = first;
    this.longest = longest;
    this.next = first;
  }

  /** The wait after one more failure. */
  public Duration next() {
    Duration wait = next;
    Duration doubled = wait.multipliedBy(2);
    next = doubled.compareTo(longest) < 0 ? doubled : longest;
    return wait;
  }

  public boolean isBackingOff() {
    return next.compareTo(first) > 0;
  }

  /** Something worked. */
  public void reset() {
    next = first;
  }
}
