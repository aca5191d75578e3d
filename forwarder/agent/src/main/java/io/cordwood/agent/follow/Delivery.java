package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The fate of the batches of one plan. Several may be made of one, and those of one origin may be
 * refused while others arrive. Owned by the follower's thread.
 */
final class Delivery {
  private final Set<Origin> refused = new LinkedHashSet<>();
  private int left;

  /** A number of batches is on its way. */
  void begin(int batches) {
    refused.clear();
    left = batches;
  }

  /** One of them is over. */
  void end(Origin origin, boolean acknowledged) {
    left--;
    if (!acknowledged) {
      refused.add(origin);
    }
  }

  boolean isOver() {
    return left == 0;
  }

  /** The origins of those that were refused. */
  Set<Origin> refused() {
    return refused;
  }
}
