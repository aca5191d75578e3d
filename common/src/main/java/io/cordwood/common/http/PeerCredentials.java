package io.cordwood.common.http;

import io.cordwood.common.access.NodeKeys;
import io.cordwood.common.tls.ClientTls;
import java.util.Optional;

/**
 * The credentials that a node shows when it calls others.
 *
 * @param keys of the cluster
 * @param tls for those at {@code https}
 */
public record PeerCredentials(NodeKeys keys, Optional<ClientTls> tls) {
  /** The credentials in a cluster without a key whose nodes speak plain text. */
  public static final PeerCredentials NONE = new PeerCredentials(NodeKeys.NONE, Optional.empty());
}
