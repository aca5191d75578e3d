package io.cordwood.flags;

import javax.lang.model.element.Element;

/** A flag for which no code can be written. */
final class UnknownFlagException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Element place;

  /**
   * @param place in the source, for the compiler's message
   */
  UnknownFlagException(String message, Element place) {
    super(message);
    this.place = place;
  }

  Element place() {
    return place;
  }
}
