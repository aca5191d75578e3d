package io.cordwood.forwarder;

/**
 * What was not acknowledged when a wait ended.
 *
 * @param records nought when all had arrived
 */
public record Unacknowledged(long records) {
  public boolean isNothing() {
    return records == 0;
  }
}
