package io.cordwood.forwarder;

/** Why a record was given up. Each reason has a counter of its own. */
public enum DropReason {
  /** It was new, and the window had no room. */
  NEWEST_WHEN_FULL,
  /** It was old, and had to make room for a new one. */
  OLDEST_WHEN_FULL,
  /** It came after the forwarder was closed, or was not acknowledged by the end of the closing. */
  CLOSED
}
