package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A part of the list of departed nodes that a node remembers, for another one. {@link GossipCodec}
 * draws it. Times are ages, since clocks differ.
 */
final class Recollection implements Externalizable {
  /** The bytes of nodes in one frame, about; they leave room for the rest of it. */
  private static final int MAX_NODE_BYTES = 48 * 1024;

  private static final int ASKS = 4;

  private MemberHistory past = MemberHistory.FRESH;
  private boolean asks;
  private long first;
  private long total;
  private List<Gone> nodes = List.of();

  private record Gone(
      byte[] node, String gossipAddress, long ageMillis, boolean left, long newsAgeMillis) {
    static Gone of(DepartedNode node, Instant now) {
      return new Gone(
          NodeInfoCodec.encode(node.node()),
          node.gossipAddress(),
          age(node.since(), now),
          node.left(),
          age(node.asOf(), now));
    }

    private static long age(Instant time, Instant now) {
      return Math.max(0, Duration.between(time, now).toMillis());
    }

    int bytes() {
      return node.length + gossipAddress.length() + 2 + 2 * Long.BYTES + 1 + Integer.BYTES;
    }
  }

  /** To be filled by {@link #readExternal}. */
  Recollection() {}

  /**
   * All that is to be said, in as many parts as it takes; at least one.
   *
   * @param asks whether the other one should answer with its own
   */
  static List<Recollection> of(
      MemberHistory past, boolean asks, List<DepartedNode> nodes, Instant now) {
    List<Recollection> parts = new ArrayList<>();
    int from = 0;
    do {
      Recollection part = new Recollection();
      part.past = past;
      part.asks = asks && from == 0;
      part.first = from;
      part.total = nodes.size();
      part.nodes = new ArrayList<>();
      int bytes = 0;
      while (from < nodes.size() && bytes < MAX_NODE_BYTES) {
        Gone next = Gone.of(nodes.get(from++), now);
        part.nodes.add(next);
        bytes += next.bytes();
      }
      parts.add(part);
    } while (from < nodes.size());
    return parts;
  }

  MemberHistory past() {
    return past;
  }

  boolean asks() {
    return asks;
  }

  /** The place of its first node in the whole list. */
  long first() {
    return first;
  }

  /** The place after its last node. */
  long end() {
    return first + nodes.size();
  }

  boolean isLast() {
    return end() == total;
  }

  /**
   * The nodes, by this node's clock.
   *
   * @throws GossipFormatException if one is described in a way that this version does not know
   */
  List<DepartedNode> nodes(Instant now) throws GossipFormatException {
    List<DepartedNode> found = new ArrayList<>();
    for (Gone gone : nodes) {
      found.add(
          new DepartedNode(
              NodeInfoCodec.decode(gone.node),
              gone.gossipAddress,
              before(now, gone.ageMillis),
              gone.left,
              before(now, gone.newsAgeMillis)));
    }
    return found;
  }

  private static Instant before(Instant now, long millis) {
    return now.minusMillis(Math.min(millis, now.toEpochMilli()));
  }

  @Override
  public void writeExternal(ObjectOutput out) throws IOException {
    out.writeByte(past.tag() | (asks ? ASKS : 0));
    out.writeLong(first);
    out.writeLong(total);
    out.writeInt(nodes.size());
    for (Gone gone : nodes) {
      out.writeLong(gone.ageMillis);
      out.writeLong(gone.newsAgeMillis);
      out.writeByte(gone.left ? 1 : 0);
      out.writeUTF(gone.gossipAddress);
      out.writeInt(gone.node.length);
      out.write(gone.node);
    }
  }

  @Override
  public void readExternal(ObjectInput in) throws IOException {
    int flags = in.readUnsignedByte();
    past = MemberHistory.ofTag(flags & ~ASKS);
    asks = (flags & ASKS) != 0;
    first = in.readLong();
    total = in.readLong();
    int count = in.readInt();
    List<Gone> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long age = in.readLong();
      long newsAge = in.readLong();
      boolean left = left(in.readUnsignedByte());
      String address = address(in.readUTF());
      byte[] node = new byte[in.readInt()];
      in.readFully(node);
      found.add(new Gone(node, address, age, left, newsAge));
    }
    nodes = found;
  }

  private static boolean left(int value) throws GossipFormatException {
    if (value > 1) {
      throw new GossipFormatException("expected 0 or 1, found " + value);
    }
    return value == 1;
  }

  private static String address(String text) throws GossipFormatException {
    try {
      HostPort.parse(text, 0);
      return text;
    } catch (IllegalArgumentException e) {
      throw new GossipFormatException("not an address: " + e.getMessage());
    }
  }
}
