package io.cordwood.common.bucket;

import java.io.IOException;

/** A place for objects does not do what it was asked for; the message says where and why. */
public final class BucketException extends IOException {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  /** Why, as far as it matters to who asked. */
  public enum Kind {
    /** There is no object of that key. */
    MISSING,
    /** The place does not answer, or not now. */
    UNREACHABLE,
    /** The place refuses who asks. */
    DENIED,
    /** The credentials were good and are too old now, or there are none any more. */
    EXPIRED,
    /** It is encrypted, but not by a key that is here; or it is not, and should be. */
    KEY,
    /** The place has no room for more. */
    FULL,
    /** It is there, and has to be brought back from an archive first. */
    ARCHIVED,
    /** Something else was answered than was asked for. */
    UNEXPECTED
  }

  public BucketException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public BucketException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** An object ends before all that was asked for. */
  static BucketException atEnd(Object object, long position, int bytes) {
    return new BucketException(
        Kind.UNEXPECTED,
        "%s: expected %d bytes at %d, found the end".formatted(object, bytes, position));
  }

  public Kind kind() {
    return kind;
  }

  /** Throws it, unless it says nothing of other objects of the place. */
  public void throwUnlessOfOneObject() throws BucketException {
    if (kind != Kind.MISSING && kind != Kind.ARCHIVED && kind != Kind.UNEXPECTED) {
      throw this;
    }
  }
}
