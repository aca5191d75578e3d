package io.cordwood.common.access;

import java.util.Locale;

/** A caller may not do what it asked for. The message says what was needed, in one line. */
public final class DeniedException extends Exception {
  /** Why. */
  public enum Reason {
    /** No token was given. */
    MISSING(401),
    /** The given text cannot be a token. */
    MALFORMED(401),
    /** No such token. */
    UNKNOWN(401),
    EXPIRED(401),
    /** The token is not for that. */
    SCOPE(403),
    /** The token is not for that topic. */
    TOPIC(403),
    /** Only nodes of the cluster may do that. */
    NODE(403),
    /** More at once than the token may have. */
    QUOTA(429);

    private final int status;

    Reason(int status) {
      this.status = status;
    }

    /** The HTTP status that says so. */
    public int status() {
      return status;
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Reason reason;

  public DeniedException(Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
