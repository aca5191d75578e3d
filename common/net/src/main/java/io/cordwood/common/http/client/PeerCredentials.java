package io.cordwood.common.http.client;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.tls.ClientTls;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.Optional;

/**
 * The credentials that a node shows when it calls others, and the connections on which it does.
 *
 * @param keys of the cluster
 * @param connections that all clients of the node share; whoever made them closes them
 */
public record PeerCredentials(NodeKeys keys, PeerConnections connections) {
  /** The credentials in a cluster without a key whose nodes speak plain text. */
  public static final PeerCredentials NONE = new PeerCredentials(NodeKeys.NONE, Optional.empty());

  /**
   * With connections of their own, which nobody counts.
   *
   * @param tls for those at {@code https}
   */
  public PeerCredentials(NodeKeys keys, Optional<ClientTls> tls) {
    this(keys, new PeerConnections(tls, new CompositeMeterRegistry()));
  }
}
