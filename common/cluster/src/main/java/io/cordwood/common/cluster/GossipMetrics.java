package io.cordwood.common.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * The counters of one node's gossip.
 *
 * @param framesReceived well-formed messages
 * @param framesSent messages handed to a connection
 * @param messagesDropped well-formed messages that came faster than they could be taken in
 * @param framesRefused garbage and strangers: each also ended its connection
 * @param connectionsRefused strangers beyond their bound, or too slow to introduce themselves
 * @param connectionsReplaced those that were used the longest ago and made room for others
 * @param sendsRefused messages not sent: no connection, or too much waiting for it
 * @param metadataRefused members whose own description could not be read
 */
record GossipMetrics(
    Counter framesReceived,
    Counter framesSent,
    Counter messagesDropped,
    Refusals framesRefused,
    Counter connectionsRefused,
    Counter connectionsReplaced,
    Counter sendsRefused,
    Refusals metadataRefused) {

  static GossipMetrics in(MeterRegistry registry) {
    return new GossipMetrics(
        registry.counter("cordwood.cluster.frames.received"),
        registry.counter("cordwood.cluster.frames.sent"),
        registry.counter("cordwood.cluster.messages.dropped"),
        new Refusals("gossip", registry, "cordwood.cluster.frames.refused"),
        registry.counter("cordwood.cluster.connections.refused"),
        registry.counter("cordwood.cluster.connections.replaced"),
        registry.counter("cordwood.cluster.sends.refused"),
        new Refusals("the description", registry, "cordwood.cluster.metadata.refused"));
  }
}
