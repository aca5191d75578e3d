package io.cordwood.forwarder;

/** Why nodes refused what was sent, or a connection. Each reason has a counter of its own. */
public enum RefusalReason {
  /** The node does not take this topic: the token is not for it, or it is one too many. */
  TOPIC,
  /** The token is for other labels. */
  LABELS,
  /** A batch is not as it should be. */
  BATCH,
  /** An upload is larger than the node takes. Smaller ones are made, of one batch at least. */
  SIZE,
  /** The node knows no such token, or asks for one. */
  TOKEN,
  /** One side speaks TLS and the other does not, or a certificate is not accepted. */
  TLS,
  /** The port answers as no ingest node's port for records does. */
  FOREIGN,
  /** Anything else: the node is full, is being stopped, or its disk fails. */
  OTHER
}
