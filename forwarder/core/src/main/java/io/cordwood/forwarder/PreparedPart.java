package io.cordwood.forwarder;

import io.cordwood.common.wire.Delimiter;

/**
 * One of the batches that lie one after another in the array of a {@link PreparedBatch}.
 *
 * @param at the position of its records; its header and its origin end there
 * @param payloadBytes of the records with their ends
 * @param high of its first ULID
 * @param low of that
 */
public record PreparedPart(
    int at, Delimiter delimiter, int payloadBytes, int records, long high, long low) {

  /** The position after the records. */
  public int end() {
    return at + payloadBytes;
  }

  /** With the same records elsewhere in the array. */
  PreparedPart movedTo(int position) {
    return new PreparedPart(position, delimiter, payloadBytes, records, high, low);
  }

  PreparedPart stamped(long newHigh, long newLow) {
    return new PreparedPart(at, delimiter, payloadBytes, records, newHigh, newLow);
  }
}
