package io.cordwood.forwarder;

/** Why a record was given up. Each reason has a counter of its own. */
public enum DropReason {
  /** It was new, and the window had no room. */
  NEWEST_WHEN_FULL("newest when full"),
  /** It was old, and had to make room for a new one. */
  OLDEST_WHEN_FULL("oldest when full"),
  /** It could not be made into bytes: a layout or an encoder failed. */
  NOT_ENCODED("not encoded"),
  /** It was logged by the forwarder's own thread, which must neither feed nor wait for itself. */
  OWN_THREAD("own thread"),
  /** It was spooled, and its file is damaged since. */
  SPOOL_DAMAGED("damaged in the spool"),
  /** It came after the forwarder was closed, or was not acknowledged by the end of the closing. */
  CLOSED("closed");

  private final String text;

  DropReason(String text) {
    this.text = text;
  }

  /** As in {@code dropped 12 records (newest when full)}. */
  @Override
  public String toString() {
    return text;
  }
}
