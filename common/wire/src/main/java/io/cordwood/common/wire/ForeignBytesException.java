package io.cordwood.common.wire;

import java.io.IOException;

/** Something else came where lines were expected, as its first bytes say. */
public final class ForeignBytesException extends IOException {
  private static final long serialVersionUID = 1L;

  /** A kind of bytes that are no lines. */
  public enum Kind {
    TLS,
    HTTP,
    PACKED,
    PICKLED,
    OCTET_COUNTED
  }

  private final Kind kind;

  /**
   * @param found after the word "found"
   */
  public ForeignBytesException(Kind kind, String found) {
    super("expected lines or batches, found " + found);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
