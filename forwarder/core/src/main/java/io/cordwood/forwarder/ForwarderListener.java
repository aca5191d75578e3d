package io.cordwood.forwarder;

import java.net.SocketAddress;
import java.time.Duration;

/**
 * Hears what happens to a forwarder's connections. Called on the forwarder's own thread, so it must
 * not block; what it throws is ignored. An appender must not log from here.
 */
public interface ForwarderListener {
  /** Hears nothing. */
  ForwarderListener NONE = new ForwarderListener() {};

  default void connected(SocketAddress peer) {}

  /**
   * A connection was lost, or left.
   *
   * @param reason what was expected and found, or what the peer said: {@code error: …}
   * @param recordsToResend were sent on this connection, or in part, and not acknowledged
   */
  default void disconnected(SocketAddress peer, String reason, long recordsToResend) {}

  /**
   * A target's name is not known, or none of its addresses could be reached.
   *
   * @param reason of each address, or why there is none
   * @param pause before the next target is tried, zero when at once
   */
  default void connectFailed(Target target, String reason, Duration pause) {}

  /** A connection was left for one to a less loaded node, which is in use now. */
  default void moved(SocketAddress from, SocketAddress to) {}

  /**
   * This machine's clock is far off that of the node that is connected to: records get the node's
   * time.
   *
   * @param ahead by how much; negative for a clock that is late
   */
  default void clockIsOff(Target node, Duration ahead) {}

  /**
   * A node is of a version that knows no labels: what is sent to it goes without them. Called for
   * the first such node only.
   */
  default void labelsLeftOut(Target node) {}

  /**
   * The spool could not be opened, written to or read, or something in it is damaged.
   *
   * @param complaint which file or folder, what was expected and what was found
   */
  default void spoolFailed(String complaint) {}

  /**
   * A node refuses a topic, or some labels of it; those batches went back to their makers, and
   * others go on.
   *
   * @param topic its name, and the labels if others are not refused
   * @param reason what the node said
   */
  default void topicRefused(SocketAddress peer, String topic, String reason) {}

  /**
   * All targets, one after the other, refused in a way that stays so until somebody changes
   * something: the token, TLS, the port. They are tried on.
   *
   * @param reason of the last one
   * @param hasWorked whether a node has acknowledged something before
   */
  default void refusedByAll(String reason, boolean hasWorked) {}

  /**
   * The forwarder cannot go on: it drops what it holds, and takes no more.
   *
   * @param reason the fault
   */
  default void failed(String reason) {}

  /**
   * Records were dropped since this was called last. Called at most once in 30 s, and not for what
   * closing drops: {@link Forwarder#close} returns that.
   */
  default void dropped(ForwarderCounters counters) {}
}
