package io.cordwood.forwarder;

/**
 * The records that were not acknowledged when a wait ended.
 *
 * @param records nought when all had arrived
 */
public record Unacknowledged(long records) {
  public boolean isNothing() {
    return records == 0;
  }
}
