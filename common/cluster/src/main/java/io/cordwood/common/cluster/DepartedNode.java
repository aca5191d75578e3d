package io.cordwood.common.cluster;

import java.time.Instant;

/**
 * A node that was a member and is gone, or is going, as far as the one who asks can see.
 *
 * @param node what it last said about itself
 * @param gossipAddress host:port where it was
 * @param since when it said so, or was dropped, which is some seconds after it was last heard
 * @param left whether it said that it goes; otherwise it went silent
 * @param asOf when it was found to have these roles, at or before {@code since}: whoever found it
 *     with others later knows better
 */
public record DepartedNode(
    NodeInfo node, String gossipAddress, Instant since, boolean left, Instant asOf) {
  /** A node that was seen to go. */
  public DepartedNode(NodeInfo node, String gossipAddress, Instant since, boolean left) {
    this(node, gossipAddress, since, left, since);
  }
}
