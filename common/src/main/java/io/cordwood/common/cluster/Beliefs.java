package io.cordwood.common.cluster;

import java.time.InstantSource;

/**
 * All that a node believes of the others, each part under the care of its class.
 *
 * @param seeds the peers that it was told of
 */
record Beliefs(Peers peers, Departures departures, Seeds seeds, Twins twins) {
  static Beliefs of(NodeInfo self, ClusterOptions options, GossipMetrics metrics) {
    InstantSource clock = InstantSource.system();
    Departures departures = new Departures(clock);
    Peers peers = new Peers(self.nodeId(), departures, clock, metrics);
    Twins twins = new Twins(peers, options.timing(), clock);
    return new Beliefs(peers, departures, new Seeds(options.seeds()), twins);
  }
}
