package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Transport;

/** Carries messages between members: the gossip library's transport, and more. */
interface MemberTransport extends Transport {
  /** On which it listens. */
  int port();

  /**
   * Begins to pass on messages, as the first that is sent does, too. Before, they are dropped: the
   * library listens to them before it has anybody to tell of members whom it meets, and does not
   * tell of them again. It speaks once all of it has started; with nobody to speak to, its owner
   * has to call this.
   */
  void hear();

  /** The next message to this address goes to wherever its name leads then. */
  void renew(String address);
}
