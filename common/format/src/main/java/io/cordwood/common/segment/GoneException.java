package io.cordwood.common.segment;

import java.io.IOException;

/** Something is not there any more, and rightly so: nothing is lacking without it. */
public final class GoneException extends IOException {
  private static final long serialVersionUID = 1;

  public GoneException(String message, Throwable cause) {
    super(message, cause);
  }
}
