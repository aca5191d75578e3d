package io.cordwood.query;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;

/**
 * A node whose part an answer lacks.
 *
 * @param range only records in it can be missing
 */
record Missing(String nodeId, Tier tier, UlidRange range, String reason) {
  /** {@code FROM/TO} as times, with {@code ..} for an end that is open. */
  String interval() {
    String from = range.from().equals(Ulid.MIN) ? ".." : range.from().time().toString();
    String to = range.to().equals(Ulid.MAX) ? ".." : range.to().time().toString();
    return from + "/" + to;
  }

  /** This, and more of the same node's part. */
  Missing and(Missing other) {
    return new Missing(nodeId, tier, range.union(other.range), reason);
  }

  @Override
  public String toString() {
    return tier + " " + nodeId + " " + interval() + " " + reason;
  }
}
