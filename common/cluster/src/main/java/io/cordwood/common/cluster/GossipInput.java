package io.cordwood.common.cluster;

import io.cordwood.common.net.HostPort;
import io.scalecube.cluster.Member;
import io.scalecube.cluster.membership.MemberStatus;
import io.scalecube.cluster.transport.api.Message;
import java.io.Externalizable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message in the form that {@link GossipCodec} draws, and refuses everything else.
 *
 * <p>The library's objects fill themselves by calling back; {@link #parent} is the type of the one
 * that is being filled, which decides what each call may return.
 */
final class GossipInput extends RefusingObjectInput {
  static final int MAX_TEXT_CHARS = 320;
  static final int MAX_METADATA_BYTES = 1024;

  /** Far above what real clusters reach; leaves room to count on from. */
  static final int MAX_INCARNATION = 1 << 30;

  /** The shortest text is its length and one character. */
  private static final int MIN_TEXT_BYTES = 3;

  private static final int MAX_TEXT_BYTES = 2 + MAX_TEXT_CHARS;

  private static final int MIN_RECORD_BYTES = recordBytes(MIN_TEXT_BYTES);
  private static final int MIN_GOSSIP_BYTES = gossipBytes(MIN_TEXT_BYTES);

  /** As many fit into a frame with one request, however long their texts are. */
  static final int MOST_GOSSIPS =
      (Frame.MAX_BYTES - (2 + 2 * MAX_TEXT_BYTES + 1 + 4 + MAX_TEXT_BYTES))
          / gossipBytes(MAX_TEXT_BYTES);

  private static final MemberStatus[] STATUSES = MemberStatus.values();

  private final ByteBuffer in;
  private WireType parent = WireType.NULL;
  private int place;
  private boolean table;
  private String lastMember = "";
  private String lastMemberId = "";
  private int lastStatus;
  private int lastIncarnation;
  private @Nullable Message lastNews;
  private final List<String> alive = new ArrayList<>();

  GossipInput(ByteBuffer in) {
    this.in = in;
  }

  private static int recordBytes(int textBytes) {
    int member = 1 + 3 * textBytes;
    return 1 + member + 2 + 4;
  }

  private static int gossipBytes(int textBytes) {
    return 1 + textBytes + 1 + recordBytes(textBytes) + 8;
  }

  Message readFrame() throws IOException {
    int version = readUnsignedByte();
    if (version != GossipOutput.VERSION) {
      throw new GossipFormatException(
          GossipFormatException.Reason.VERSION, "unknown version " + version);
    }
    MessageKind kind = MessageKind.ofTag(readUnsignedByte());
    String correlationId = readText(0);
    String sender = readAddress();
    table = kind.payload() == WireType.SYNC;
    Object data = readObjectOf(kind.payload());
    if (in.hasRemaining()) {
      throw new GossipFormatException(in.remaining() + " bytes are left over");
    }
    Message.Builder message = Message.withData(data).qualifier(kind.qualifier()).sender(sender);
    return correlationId.isEmpty() ? message.build() : message.correlationId(correlationId).build();
  }

  /** Reads a message that has to be a table of members. */
  Message readTable() throws IOException {
    Message message = readFrame();
    if (!table) {
      throw new GossipFormatException("expected SYNC, found " + message.qualifier() + ", packed");
    }
    return message;
  }

  /** The addresses of living members in the frame that was read. */
  List<String> alive() {
    return alive;
  }

  @Override
  public @Nullable Object readObject() throws IOException {
    WireType type = WireType.ofTag(readUnsignedByte());
    if (!parent.mayHold(place, type)) {
      throw new GossipFormatException(type + " at place " + place + " of " + parent);
    }
    place++;
    return readBody(type);
  }

  private @Nullable Object readObjectOf(WireType expected) throws IOException {
    WireType type = WireType.ofTag(readUnsignedByte());
    if (type != expected) {
      throw new GossipFormatException("expected " + expected + ", found " + type);
    }
    return readBody(type);
  }

  private @Nullable Object readBody(WireType type) throws IOException {
    return switch (type) {
      case NULL -> null;
      case MEMBER -> readMember();
      case STATUS -> readStatus();
      case ACK -> PeerClasses.ack(readUnsignedByte());
      case NEWS -> readNews();
      default -> fill(type);
    };
  }

  private Externalizable fill(WireType type) throws IOException {
    WireType outerParent = parent;
    int outerPlace = place;
    parent = type;
    place = 0;
    Externalizable object = PeerClasses.blank(type);
    try {
      object.readExternal(this);
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new GossipFormatException("a " + type + " does not read as one: " + e);
    }
    parent = outerParent;
    place = outerPlace;
    if (type == WireType.GOSSIP && lastNews != null) {
      new NewsName(lastMemberId, lastStatus, lastIncarnation, lastNews).give(object);
    }
    return object;
  }

  private Member readMember() throws IOException {
    String id = readUTF();
    String address = readAddress();
    lastMember = address;
    lastMemberId = id;
    return new Member(id, null, address, readUTF());
  }

  /**
   * In a table, who is leaving counts as suspected. The library takes a leaving member that it does
   * not know into its table, never lets go of it again and tells others, so that one which some had
   * dropped a little earlier than others would be handed round for ever. Suspected ones it does not
   * know it ignores; those it knows go when nobody answers. News of leaving come as gossip.
   */
  private MemberStatus readStatus() throws IOException {
    int ordinal = readUnsignedByte();
    if (ordinal >= STATUSES.length) {
      throw new GossipFormatException("unknown status " + ordinal);
    }
    lastStatus = ordinal;
    MemberStatus status = STATUSES[ordinal];
    if (status == MemberStatus.ALIVE) {
      alive.add(lastMember); // a record's status comes after its member
    }
    return table && status == MemberStatus.LEAVING ? MemberStatus.SUSPECT : status;
  }

  private Message readNews() throws IOException {
    Object news = readObjectOf(WireType.RECORD);
    lastNews = Message.withData(news).qualifier(MessageKind.NEWS_QUALIFIER).build();
    return lastNews;
  }

  private String readAddress() throws IOException {
    String address = readUTF();
    try {
      if (HostPort.parse(address, 0).port() != 0) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      throw new GossipFormatException("not an address: " + e.getMessage());
    }
    throw new GossipFormatException("an address without a port: " + address);
  }

  @Override
  public String readUTF() throws IOException {
    return readText(1);
  }

  private String readText(int minChars) throws IOException {
    need(2);
    int chars = in.getShort() & 0xffff;
    if (chars < minChars || chars > MAX_TEXT_CHARS) {
      throw new GossipFormatException("a text of " + chars + " characters");
    }
    byte[] bytes = new byte[chars];
    readFully(bytes);
    for (byte b : bytes) {
      if (b <= ' ' || b == 0x7f) {
        throw new GossipFormatException("a text with byte " + (b & 0xff));
      }
    }
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  /** An incarnation in a record; in everything else a count, which the bytes left must allow. */
  @Override
  public int readInt() throws IOException {
    need(4);
    int value = in.getInt();
    if (value < 0 || value > maxInt()) {
      throw new GossipFormatException(value + " in a " + parent + ", at most " + maxInt());
    }
    lastIncarnation = parent == WireType.RECORD ? value : lastIncarnation;
    return value;
  }

  private int maxInt() {
    return switch (parent) {
      case RECORD -> MAX_INCARNATION;
      case SYNC -> in.remaining() / MIN_RECORD_BYTES;
      case GOSSIP_REQUEST -> in.remaining() / MIN_GOSSIP_BYTES;
      case METADATA_RESPONSE -> Math.min(in.remaining(), MAX_METADATA_BYTES);
      case RECOLLECTION -> in.remaining();
      default -> 0;
    };
  }

  @Override
  public long readLong() throws IOException {
    need(8);
    long value = in.getLong();
    if (value < 0) {
      throw new GossipFormatException("a negative sequence: " + value);
    }
    return value;
  }

  @Override
  public void readFully(byte[] into) throws IOException {
    need(into.length);
    in.get(into);
  }

  @Override
  public int readUnsignedByte() throws IOException {
    need(1);
    return in.get() & 0xff;
  }

  private void need(int bytes) throws GossipFormatException {
    if (in.remaining() < bytes) {
      throw new GossipFormatException(
          "cut off: " + bytes + " bytes needed, " + in.remaining() + " left");
    }
  }
}
