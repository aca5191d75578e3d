package io.cordwood.common.cluster;

import java.io.IOException;

/** Bytes from the network that are not what a peer of this cluster and version would have sent. */
final class GossipFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** The kind of error, as it is counted, with what an operator can do about it. */
  enum Reason {
    MALFORMED("not from a node of this version; keep strangers off the gossip port"),
    VERSION("run the same version on all nodes"),
    OTHER_CLUSTER("start both with the same --cluster-name, or keep them apart"),
    PEER_HAS_NO_KEY("start it with this node's --cluster-key-file"),
    ONLY_PEER_HAS_KEY("start this node with the cluster's --cluster-key-file"),
    OTHER_KEY("give both a --cluster-key-file with the same key"),
    BROKEN_SEAL("changed on its way, or sent by somebody who does not have the key");

    private final String advice;

    Reason(String advice) {
      this.advice = advice;
    }

    String advice() {
      return advice;
    }
  }

  GossipFormatException(String message) {
    this(Reason.MALFORMED, message);
  }

  GossipFormatException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  Reason reason() {
    return reason;
  }

  /** Without a stack trace: garbage comes at the sender's pace, and the message says it all. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
