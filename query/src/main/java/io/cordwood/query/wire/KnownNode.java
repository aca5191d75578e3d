package io.cordwood.query.wire;

/**
 * A node that an answering node knows to hold records, or to have held them when it went.
 *
 * @param goneSinceMillis in milliseconds since 1970; {@link #IS_THERE} if it is not gone
 * @param replicatedFromMillis what it stored from this time on was on other stores, too, when it
 *     was last heard; {@link Long#MAX_VALUE} if that is not known of anything
 */
public record KnownNode(
    String nodeId,
    boolean ingests,
    boolean stores,
    long goneSinceMillis,
    long replicatedFromMillis) {
  public static final long IS_THERE = -1;
  static final int MAX_ID_BYTES = 64;

  public boolean isGone() {
    return goneSinceMillis != IS_THERE;
  }
}
