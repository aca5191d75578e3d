package io.cordwood.ingest.segment;

/** A segment was asked for that is not there, or that is not claimed. */
public final class SegmentRefusedException extends Exception {
  /** Why. */
  public enum Reason {
    /** No such segment: never was here, or is committed. */
    UNKNOWN,
    /** It is here, but its lease ran out, or nobody claimed it. */
    NOT_CLAIMED
  }

  private final Reason reason;

  SegmentRefusedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
