package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.net.URI;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A node's description of itself for the others.
 *
 * @param nodeId the identity that outlives a restart; 1 to 64 visible ASCII characters
 * @param roles in the order of {@link Role}; none for a node that gave up its own
 * @param apiHost where peers reach its HTTP API; an IPv6 address without brackets
 * @param apiPort 1 to 65535
 * @param replicationFactor on how many stores it wants each record to be, 1 to 255; 0 for a node
 *     that is no store
 * @param senderPorts where it takes senders, at the same host; none for a node that takes none, or
 *     whose version does not tell
 * @param reads what nodes of earlier versions cannot read
 */
public record NodeInfo(
    String nodeId,
    Set<Role> roles,
    String apiHost,
    int apiPort,
    int replicationFactor,
    NodeLoad load,
    SenderPorts senderPorts,
    Reads reads) {
  public static final int MAX_NODE_ID_CHARS = 64;
  public static final int MAX_REPLICATION_FACTOR = 255;

  /**
   * The forms that a node can read.
   *
   * @param lists store segments of version 3, which list their batches; nodes of earlier versions
   *     refuse them
   * @param labels batches with labels; to nodes of earlier versions they are damage
   * @param deletions sets of deletions; nodes of earlier versions show what is deleted
   */
  public record Reads(boolean lists, boolean labels, boolean deletions) {
    private static final Reads ALL = new Reads(true, true, true);
  }

  /**
   * @throws IllegalArgumentException if a part is outside its bounds
   */
  public NodeInfo {
    if (nodeId.isEmpty() || nodeId.length() > MAX_NODE_ID_CHARS || !isVisibleAscii(nodeId)) {
      throw new IllegalArgumentException(
          "expected a node id of 1 to " + MAX_NODE_ID_CHARS + " visible ASCII characters");
    }
    Set<Role> inOrder = EnumSet.noneOf(Role.class);
    inOrder.addAll(roles);
    roles = Collections.unmodifiableSet(inOrder);
    if (new HostPort(apiHost, apiPort).port() == 0) {
      throw new IllegalArgumentException("expected an API port from 1 to 65535, found 0");
    }
    if (replicationFactor < 0 || replicationFactor > MAX_REPLICATION_FACTOR) {
      throw new IllegalArgumentException(
          "expected a replication factor from 0 to "
              + MAX_REPLICATION_FACTOR
              + ", found "
              + replicationFactor);
    }
  }

  /** A node of this version. */
  public NodeInfo(
      String nodeId,
      Set<Role> roles,
      String apiHost,
      int apiPort,
      int replicationFactor,
      NodeLoad load,
      SenderPorts senderPorts) {
    this(nodeId, roles, apiHost, apiPort, replicationFactor, load, senderPorts, Reads.ALL);
  }

  /** A node of this version that takes no senders. */
  public NodeInfo(
      String nodeId,
      Set<Role> roles,
      String apiHost,
      int apiPort,
      int replicationFactor,
      NodeLoad load) {
    this(nodeId, roles, apiHost, apiPort, replicationFactor, load, SenderPorts.NONE);
  }

  private static boolean isVisibleAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        return false;
      }
    }
    return true;
  }

  public NodeInfo withSenderPorts(SenderPorts ports) {
    return new NodeInfo(nodeId, roles, apiHost, apiPort, replicationFactor, load, ports, reads);
  }

  public boolean has(Role role) {
    return roles.contains(role);
  }

  /**
   * A node's identity with its address. Two with one id are a copied folder; two at one address, an
   * old disk and the new one that took its place.
   */
  public record Place(String nodeId, HostPort apiAddress) {}

  public Place place() {
    return new Place(nodeId, apiAddress());
  }

  /** Whether another one has the same {@link #place}. */
  public boolean isAtPlaceOf(NodeInfo other) {
    return apiPort == other.apiPort && nodeId.equals(other.nodeId) && apiHost.equals(other.apiHost);
  }

  public HostPort apiAddress() {
    return new HostPort(apiHost, apiPort);
  }

  /**
   * The base address of its HTTP API.
   *
   * @param tls whether the nodes of this cluster speak TLS
   */
  public URI apiUri(boolean tls) {
    return URI.create((tls ? "https://" : "http://") + apiAddress());
  }

  NodeInfo withoutRoles() {
    return withRoles(Set.of());
  }

  private NodeInfo withRoles(Set<Role> left) {
    return new NodeInfo(
        nodeId, left, apiHost, apiPort, replicationFactor, load, senderPorts, reads);
  }

  NodeInfo without(Role role) {
    Set<Role> left = EnumSet.noneOf(Role.class);
    left.addAll(roles);
    left.remove(role);
    return withRoles(left);
  }

  NodeInfo withLoad(NodeLoad newLoad) {
    return new NodeInfo(
        nodeId, roles, apiHost, apiPort, replicationFactor, newLoad, senderPorts, reads);
  }
}
