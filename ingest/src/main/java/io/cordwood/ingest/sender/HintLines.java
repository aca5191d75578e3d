package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.net.HostPort;
import io.cordwood.common.wire.Hint;
import io.cordwood.common.wire.Load;
import io.cordwood.ingest.mode.Mode;

/** Makes {@link Hint} lines of what is known of nodes. */
final class HintLines {
  private HintLines() {}

  static String self(String id, NodeLoad load) {
    return new Hint.Self(id, load.senders()).line();
  }

  /** As {@link #self}, of a node that stops: its disk takes nothing more. */
  static String stopping(String id, NodeLoad load) {
    Load full = new Load(load.connections(), load.bytesPerSecond(), load.backlogBytes(), 0);
    return new Hint.Self(id, full).line();
  }

  static String node(NodeInfo node, Mode mode) {
    int port = mode == Mode.DURABLE ? node.senderPorts().durable() : node.senderPorts().fast();
    String address = new HostPort(node.apiHost(), port).toString();
    return new Hint.Other(node.nodeId(), address, node.load().senders()).line();
  }

  static String go(NodeInfo node, Mode mode) {
    return node(node, mode) + new Hint.Go(node.nodeId()).line();
  }
}
