package io.cordwood.common.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What the gossip of one node counts.
 *
 * @param framesReceived well-formed messages
 * @param framesSent messages handed to a connection
 * @param messagesDropped well-formed messages that came faster than they could be taken in
 * @param framesRefused garbage: each also ended its connection
 * @param connectionsRefused connections beyond the bound
 * @param sendsRefused messages not sent: no connection, or too much waiting for it
 * @param metadataRefused members whose own description could not be read, by why
 */
record GossipMetrics(
    Counter framesReceived,
    Counter framesSent,
    Counter messagesDropped,
    Counter framesRefused,
    Counter connectionsRefused,
    Counter sendsRefused,
    Map<GossipFormatException.Reason, Counter> metadataRefused) {

  static GossipMetrics in(MeterRegistry registry) {
    return new GossipMetrics(
        registry.counter("cordwood.cluster.frames.received"),
        registry.counter("cordwood.cluster.frames.sent"),
        registry.counter("cordwood.cluster.messages.dropped"),
        registry.counter("cordwood.cluster.frames.refused"),
        registry.counter("cordwood.cluster.connections.refused"),
        registry.counter("cordwood.cluster.sends.refused"),
        byReason(registry, "cordwood.cluster.metadata.refused"));
  }

  private static Map<GossipFormatException.Reason, Counter> byReason(
      MeterRegistry registry, String name) {
    Map<GossipFormatException.Reason, Counter> counters =
        new EnumMap<>(GossipFormatException.Reason.class);
    for (GossipFormatException.Reason reason : GossipFormatException.Reason.values()) {
      counters.put(
          reason, registry.counter(name, "reason", reason.name().toLowerCase(Locale.ROOT)));
    }
    return counters;
  }

  void metadataRefused(GossipFormatException why) {
    Objects.requireNonNull(metadataRefused.get(why.reason())).increment();
  }
}
