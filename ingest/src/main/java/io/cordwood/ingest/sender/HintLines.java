package io.cordwood.ingest.sender;

import io.cordwood.common.cluster.NodeInfo;
import io.cordwood.common.cluster.NodeLoad;
import io.cordwood.common.net.HostPort;
import io.cordwood.ingest.mode.Mode;

/**
 * Lines among the acknowledgements that tell a sender of the cluster's nodes, if it asks for it:
 *
 * <pre>
 *   self ID LOAD             the node that speaks
 *   node ID HOST:PORT LOAD   another one, and where it takes batches in the same mode
 *   go ID                    the sender had better go to that one, of which a line came before
 *
 *   ID    1 to 64 visible ASCII characters
 *   LOAD  connections, bytes a second, bytes that wait for stores, bytes free on the disk
 * </pre>
 */
final class HintLines {
  private HintLines() {}

  static String self(String id, NodeLoad load) {
    return "self " + id + figures(load);
  }

  /** As {@link #self}, of a node that stops: its disk takes nothing more. */
  static String stopping(String id, NodeLoad load) {
    return "self " + id + figures(load, 0);
  }

  static String node(NodeInfo node, Mode mode) {
    int port = mode == Mode.DURABLE ? node.senderPorts().durable() : node.senderPorts().fast();
    return "node "
        + node.nodeId()
        + " "
        + new HostPort(node.apiHost(), port)
        + figures(node.load());
  }

  static String go(NodeInfo node, Mode mode) {
    return node(node, mode) + "go " + node.nodeId() + "\n";
  }

  private static String figures(NodeLoad load) {
    return figures(load, load.freeDiskBytes());
  }

  private static String figures(NodeLoad load, long freeBytes) {
    return " %d %d %d %d\n"
        .formatted(load.connections(), load.bytesPerSecond(), load.backlogBytes(), freeBytes);
  }
}
