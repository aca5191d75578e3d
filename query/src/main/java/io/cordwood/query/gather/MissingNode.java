package io.cordwood.query.gather;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;

/**
 * A node whose part an answer lacks.
 *
 * @param range only records in it can be missing
 * @param replicated whether each of them is on as many stores as it should be
 */
public record MissingNode(
    String nodeId, Tier tier, UlidRange range, String reason, boolean replicated) {
  /** {@code FROM/TO} as times, with {@code ..} for an end that is open. */
  public String interval() {
    String from = range.from().equals(Ulid.MIN) ? ".." : range.from().time().toString();
    String to = range.to().equals(Ulid.MAX) ? ".." : range.to().time().toString();
    return from + "/" + to;
  }

  /** This, and more of the same node's part. */
  MissingNode and(MissingNode other) {
    return new MissingNode(
        nodeId, tier, range.union(other.range), reason, replicated && other.replicated);
  }

  @Override
  public String toString() {
    return tier + " " + nodeId + " " + interval() + " " + reason;
  }
}
