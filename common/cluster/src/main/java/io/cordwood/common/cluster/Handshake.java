package io.cordwood.common.cluster;

import io.cordwood.common.cluster.GossipFormatException.Reason;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * How two nodes find out whether they belong together, before a message goes either way.
 *
 * <pre>
 *   caller                            accepting side
 *      |  <------- Introduction -------  |    at once
 *      |  -------- Introduction ------>  |
 *      |  -------- frames ------------>  |    sealed, if both have the same key
 * </pre>
 *
 * <p>Both must be of the same cluster, and have a key in common or none at all. Who does not agree
 * hangs up, counts it and says so in its log; the caller introduces itself before it does, so that
 * the other side knows, too. Immutable; any thread may use it.
 */
final class Handshake {
  private final String clusterName;
  private final ClusterKeys keys;

  Handshake(String clusterName, ClusterKeys keys) {
    this.clusterName = clusterName;
    this.keys = keys;
  }

  Introduction greeting() {
    return Introduction.of(clusterName, keys.ids());
  }

  /** The caller's answer, also to one with whom it does not agree. */
  Introduction answer(Introduction greeting) {
    List<String> ids =
        keys.sharedWith(greeting.keyIds()).map(key -> List.of(key.id())).orElseGet(keys::ids);
    return Introduction.of(clusterName, ids);
  }

  /**
   * The seal for the frames of this connection; none if neither side has a key.
   *
   * @param peer which of the two the other side said
   * @throws GossipFormatException if the two do not belong together
   */
  Optional<FrameSeal> agree(Introduction greeting, Introduction answer, Introduction peer)
      throws GossipFormatException {
    check(peer);
    byte[] context =
        ByteBuffer.allocate(greeting.bytes().length + answer.bytes().length)
            .put(greeting.bytes())
            .put(answer.bytes())
            .array();
    return keys.sharedWith(answer.keyIds()).map(key -> new FrameSeal(key.forConnection(context)));
  }

  private void check(Introduction peer) throws GossipFormatException {
    if (!peer.clusterName().equals(clusterName)) {
      throw new GossipFormatException(
          Reason.OTHER_CLUSTER,
          "expected cluster '" + clusterName + "', found '" + peer.clusterName() + "'");
    }
    boolean peerHasKey = !peer.keyIds().isEmpty();
    if (!keys.isEmpty() && !peerHasKey) {
      throw new GossipFormatException(Reason.PEER_HAS_NO_KEY, "it has no cluster key");
    }
    if (keys.isEmpty() && peerHasKey) {
      throw new GossipFormatException(
          Reason.ONLY_PEER_HAS_KEY, "it has a cluster key, this node has none");
    }
    if (peerHasKey && keys.sharedWith(peer.keyIds()).isEmpty()) {
      throw new GossipFormatException(
          Reason.OTHER_KEY, "expected a key of " + keys.ids() + ", found " + peer.keyIds());
    }
  }
}
