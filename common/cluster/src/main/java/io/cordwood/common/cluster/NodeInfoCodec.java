package io.cordwood.common.cluster;

import io.cordwood.common.wire.Load;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The wire form of a {@link NodeInfo}, which travels as a member's metadata.
 *
 * <pre>
 *   u8   version, 3
 *   u8   length, node id in ASCII
 *   u8   roles: bit 0 ingest, bit 1 store, bit 2 query; 0 for a node that gave up its own
 *   u8   length, API host in ASCII
 *   u16  API port
 *   u8   replication factor, 0 for a node that is no store
 *   i32  connections
 *   i64  bytes per second, i64 backlog bytes, i64 free disk bytes, i64 stored bytes
 *   i64  from when on what it stores is replicated
 *   u16  fast port, u16 durable port; 0 for a node that takes no senders. Earlier versions end
 *        before them
 *   i32  quarantined segments. Earlier versions end before them
 *   u8   partners, 255 if it may be any store, else i32 checksum of each one's node id. Earlier
 *        versions end before them
 *   u8   bit 0: it tells others whom it remembers; bit 1: it reads store segments of version 3;
 *        bit 2: it reads batches with labels; bit 3: it leaves out what is deleted. Earlier versions
 *        end before it
 *   i64  sum of the deletions that it knows. Earlier versions end before it
 *        what a later version may add is ignored, and so are roles not known here
 * </pre>
 */
final class NodeInfoCodec {
  private static final int VERSION = 3;
  private static final int ANY_PARTNERS = 255;
  private static final byte TELLS = 1;
  private static final byte READS_LISTS = 2;
  private static final byte READS_LABELS = 4;
  private static final byte DELETES = 8;

  private NodeInfoCodec() {}

  /**
   * A node, as it describes itself.
   *
   * @param tells whether its version tells others whom it remembers, as a {@link Recollection}
   */
  record Description(NodeInfo node, boolean tells) {}

  static byte[] encode(NodeInfo node) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      writeText(out, node.nodeId());
      out.writeByte(bits(node.roles()));
      writeText(out, node.apiHost());
      out.writeShort(node.apiPort());
      out.writeByte(node.replicationFactor());
      out.writeInt(Math.toIntExact(node.load().connections()));
      out.writeLong(node.load().bytesPerSecond());
      out.writeLong(node.load().backlogBytes());
      out.writeLong(node.load().freeDiskBytes());
      out.writeLong(node.load().storedBytes());
      out.writeLong(node.load().replicatedFromMillis());
      out.writeShort(node.senderPorts().fast());
      out.writeShort(node.senderPorts().durable());
      out.writeInt(node.load().quarantinedSegments());
      writePartners(out, node.load().partners());
      out.writeByte(TELLS | bits(node.reads()));
      out.writeLong(node.load().deletionsSum());
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  static NodeInfo decode(byte[] bytes) throws GossipFormatException {
    return describe(bytes).node;
  }

  static Description describe(byte[] bytes) throws GossipFormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return describe(in);
    } catch (GossipFormatException e) {
      throw new GossipFormatException(e.reason(), "not a node's metadata: " + e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw new GossipFormatException("not a node's metadata: " + e.getMessage());
    }
  }

  private static Description describe(DataInputStream in) throws IOException {
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new GossipFormatException(
          GossipFormatException.Reason.VERSION,
          "expected version " + VERSION + ", found " + version);
    }
    String nodeId = readText(in);
    Set<Role> roles = roles(in.readUnsignedByte());
    String apiHost = readText(in);
    int apiPort = in.readUnsignedShort();
    int replicationFactor = in.readUnsignedByte();
    NodeLoad load = readLoad(in);
    SenderPorts ports = readSenderPorts(in);
    int quarantined = in.available() == 0 ? 0 : in.readInt();
    Partners partners = in.available() == 0 ? Partners.UNKNOWN : readPartners(in);
    int knows = in.available() == 0 ? 0 : in.readUnsignedByte();
    long deletionsSum = in.available() == 0 ? 0 : in.readLong();
    var node =
        new NodeInfo(
            nodeId,
            roles,
            apiHost,
            apiPort,
            replicationFactor,
            load.withQuarantined(quarantined)
                .withStored(load.storedBytes(), load.replicatedFromMillis(), partners)
                .withDeletions(deletionsSum),
            ports,
            reads(knows));
    return new Description(node, (knows & TELLS) != 0);
  }

  private static SenderPorts readSenderPorts(DataInputStream in) throws IOException {
    return in.available() == 0
        ? SenderPorts.NONE
        : new SenderPorts(in.readUnsignedShort(), in.readUnsignedShort());
  }

  private static void writePartners(DataOutputStream out, Partners partners) throws IOException {
    out.writeByte(partners.known() ? partners.checksums().size() : ANY_PARTNERS);
    for (int checksum : partners.checksums()) {
      out.writeInt(checksum);
    }
  }

  private static Partners readPartners(DataInputStream in) throws IOException {
    int count = in.readUnsignedByte();
    if (count == ANY_PARTNERS) {
      return Partners.UNKNOWN;
    }
    List<Integer> checksums = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      checksums.add(in.readInt());
    }
    return new Partners(true, checksums);
  }

  private static NodeLoad readLoad(DataInputStream in) throws IOException {
    Load senders = new Load(in.readInt(), in.readLong(), in.readLong(), in.readLong());
    return new NodeLoad(senders, in.readLong(), in.readLong(), 0, Partners.UNKNOWN, 0);
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    out.writeByte(bytes.length);
    out.write(bytes);
  }

  private static String readText(DataInputStream in) throws IOException {
    byte[] bytes = new byte[in.readUnsignedByte()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  private static int bits(NodeInfo.Reads reads) {
    int lists = reads.lists() ? READS_LISTS : 0;
    int labels = reads.labels() ? READS_LABELS : 0;
    return lists | labels | (reads.deletions() ? DELETES : 0);
  }

  private static NodeInfo.Reads reads(int bits) {
    return new NodeInfo.Reads(
        (bits & READS_LISTS) != 0, (bits & READS_LABELS) != 0, (bits & DELETES) != 0);
  }

  private static int bits(Set<Role> roles) {
    return roles.stream().mapToInt(Role::mask).sum();
  }

  private static Set<Role> roles(int bits) {
    Set<Role> roles = EnumSet.noneOf(Role.class);
    for (Role role : Role.values()) {
      if ((bits & role.mask()) != 0) {
        roles.add(role);
      }
    }
    return roles;
  }
}
