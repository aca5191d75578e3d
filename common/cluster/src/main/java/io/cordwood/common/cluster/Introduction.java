package io.cordwood.common.cluster;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The first message of each side of a connection: the accepting side's comes at once, then the
 * caller's.
 *
 * <pre>
 *   u32   0x43574731, "CWG1": the version is part of it
 *   u8    length, then the name of the cluster in ASCII
 *   u8    number of keys, 0 to 8
 *   8 B   id of each: of those that the accepting side has, of the one that the calling side
 *         chose from them (or, if there is none to choose, of all that it has)
 *   32 B  random, never the same twice
 * </pre>
 *
 * Immutable.
 */
final class Introduction {
  static final int MAX_BYTES = 4 + 1 + 255 + 1 + ClusterKeys.MAX_KEYS * ClusterKey.ID_BYTES + 32;

  private static final int MAGIC = 0x43574731;
  private static final int RANDOM_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] bytes;
  private final String clusterName;
  private final List<String> keyIds;

  private Introduction(byte[] bytes, String clusterName, List<String> keyIds) {
    this.bytes = bytes;
    this.clusterName = clusterName;
    this.keyIds = List.copyOf(keyIds);
  }

  /** A new one, which is used once. */
  static Introduction of(String clusterName, List<String> keyIds) {
    byte[] name = clusterName.getBytes(StandardCharsets.US_ASCII);
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    ByteBuffer out =
        ByteBuffer.allocate(
            4 + 1 + name.length + 1 + keyIds.size() * ClusterKey.ID_BYTES + RANDOM_BYTES);
    out.putInt(MAGIC).put((byte) name.length).put(name).put((byte) keyIds.size());
    keyIds.forEach(id -> out.put(HexFormat.of().parseHex(id)));
    out.put(random);
    return new Introduction(out.array(), clusterName, keyIds);
  }

  /**
   * @throws GossipFormatException if the bytes are anything else
   */
  static Introduction read(byte[] bytes) throws GossipFormatException {
    try {
      return read(bytes, ByteBuffer.wrap(bytes));
    } catch (BufferUnderflowException e) {
      throw new GossipFormatException("an introduction that is cut off");
    }
  }

  private static Introduction read(byte[] bytes, ByteBuffer in) throws GossipFormatException {
    if (in.getInt() != MAGIC) {
      throw new GossipFormatException("expected an introduction, found something else");
    }
    byte[] name = new byte[in.get() & 0xff];
    in.get(name);
    for (byte b : name) {
      if (b <= ' ' || b == 0x7f) {
        throw new GossipFormatException("a cluster name with byte " + (b & 0xff));
      }
    }
    int keys = in.get() & 0xff;
    if (keys > ClusterKeys.MAX_KEYS) {
      throw new GossipFormatException("an introduction with " + keys + " keys");
    }
    List<String> keyIds = new ArrayList<>(keys);
    byte[] id = new byte[ClusterKey.ID_BYTES];
    for (int i = 0; i < keys; i++) {
      in.get(id);
      keyIds.add(HexFormat.of().formatHex(id));
    }
    if (in.remaining() != RANDOM_BYTES) {
      throw new GossipFormatException("an introduction that ends in the wrong place");
    }
    return new Introduction(bytes, new String(name, StandardCharsets.US_ASCII), keyIds);
  }

  String clusterName() {
    return clusterName;
  }

  List<String> keyIds() {
    return keyIds;
  }

  /** As it goes over the wire; not to be changed. */
  byte[] bytes() {
    return bytes;
  }
}
