package io.cordwood.common.deletion;

import java.io.IOException;

/** A tombstone is not added to those that there are. */
public final class RefusedTombstoneException extends IOException {
  private static final long serialVersionUID = 1;

  /** Why. */
  public enum Reason {
    /** There are as many as there may be. */
    TOMBSTONES,
    /** They name as many records one by one as they may. */
    RECORDS,
    /** Another one has its id. */
    DIFFERENT
  }

  private final Reason reason;

  RefusedTombstoneException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
