package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import java.time.InstantSource;

/**
 * Shared by all files of a follower.
 *
 * @param clock gives records their time
 * @param sent hears of each batch that is over, those of one file in their order
 * @param wake is run after that
 */
record BatchParts(FollowCounters counters, InstantSource clock, SentBatches sent, Runnable wake) {
  void end(FollowedFile file, Delivery delivery, Origin origin, boolean acknowledged) {
    sent.end(file, delivery, origin, acknowledged);
    wake.run();
  }
}
