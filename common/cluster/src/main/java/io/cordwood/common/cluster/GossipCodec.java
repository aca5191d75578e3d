package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * The wire form of gossip: a fixed set of messages in a bounded binary form, never Java
 * serialization.
 *
 * <pre>
 *   frame body (at most 64 KiB; the transport puts its length in front)
 *     u8    version, 1
 *     u8    message kind, see MessageKind
 *     text  correlation id; empty: none
 *     text  sender, host:port
 *     object of the one type that the kind carries
 *
 *   text    u16 length (at most 320), visible ASCII
 *   object  u8 tag, see WireType, then
 *     member             text id, text host:port, text namespace
 *     status, ack        u8 ordinal
 *     record             object member, object status, i32 incarnation
 *     ping               object member, object member, object member|null, object ack|null
 *     sync               i32 count, object record ...
 *     news               object record
 *     gossip             text gossiper, object news, i64 sequence
 *     gossip request     i32 count, object gossip ..., text from
 *     metadata request   object member
 *     metadata response  object member, i32 length (at most 1 KiB), bytes
 *     recollection       u8 0 fresh, 1 whole, 2 lost, and 4 if it asks for an answer; i64 place of
 *                        the first node in the list, i64 nodes of the list, i32 count of
 *                          i64 milliseconds since it went, i64 since that was learned, u8 whether
 *                          it said so, text host:port, i32 length, bytes: NodeInfoCodec
 * </pre>
 *
 * <p>A sync whose body is longer than 64 KiB is packed, and nothing else is:
 *
 * <pre>
 *   packed frame (at most 64 KiB)
 *     u8    version, 2
 *     raw deflate of a body of version 1 with a sync, at most 512 KiB
 * </pre>
 *
 * <p>If that does not fit either, as many records as fit are sent: the sender's own, and others in
 * turn from a place drawn anew each time.
 *
 * <p>Whatever else arrives is refused with a {@link GossipFormatException}: unknown versions, kinds
 * and tags, an object out of place, bytes left over. Counts are checked against the bytes that are
 * left before anything is allocated. Who began a gossip, and its number, are read as {@link
 * NewsName} says. Any thread may use it. With a key, {@link FrameSeal} wraps what this codec
 * writes.
 */
final class GossipCodec implements MessageCodec {
  /** Some 4,000 to 6,500 members. */
  static final int MAX_TABLE_BYTES = 512 * 1024;

  private final Consumer<List<String>> alive;
  private final Runnable onCut;

  GossipCodec() {
    this(_ -> {}, () -> {});
  }

  /**
   * @param alive is told where a message says that members live; on the thread that reads it
   * @param onCut is told of each table of which only a part fits; on the thread that writes it
   */
  GossipCodec(Consumer<List<String>> alive, Runnable onCut) {
    this.alive = alive;
    this.onCut = onCut;
  }

  @Override
  public Message deserialize(InputStream stream) throws IOException {
    byte[] body = stream.readNBytes(Frame.MAX_BYTES + 1);
    if (body.length > Frame.MAX_BYTES) {
      throw new GossipFormatException("longer than " + Frame.MAX_BYTES + " bytes");
    }
    boolean packed = body.length > 0 && body[0] == PackedBody.VERSION;
    byte[] plain = packed ? PackedBody.unpack(body, MAX_TABLE_BYTES) : body;
    var input = new GossipInput(ByteBuffer.wrap(plain));
    Message message = packed ? input.readTable() : input.readFrame();
    if (!input.alive().isEmpty()) {
      alive.accept(input.alive());
    }
    return message;
  }

  @Override
  public void serialize(Message message, OutputStream stream) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    GossipOutput output = new GossipOutput(bytes);
    output.writeFrame(message);
    byte[] body = bytes.toByteArray();
    boolean fits = body.length <= Frame.MAX_BYTES;
    stream.write(fits ? body : packed(message, body, output.records()));
  }

  private byte[] packed(Message message, byte[] body, List<MemberTable.Place> records)
      throws GossipFormatException {
    boolean isTable = MessageKind.ofQualifier(message.qualifier()).payload() == WireType.SYNC;
    if (isTable && !records.isEmpty()) {
      String self = Objects.requireNonNullElse(message.sender(), "");
      MemberTable table = new MemberTable(body, records, self);
      byte[] whole = PackedBody.pack(body);
      if (fits(body, whole)) {
        return whole;
      }
      onCut.run();
      int first = ThreadLocalRandom.current().nextInt(table.size());
      for (long count = fitting(table.size(), body, whole); count > 0; ) {
        byte[] part = table.part(Math.toIntExact(count), first);
        byte[] packed = PackedBody.pack(part);
        if (fits(part, packed)) {
          return packed;
        }
        count = fitting(count, part, packed);
      }
    }
    throw new GossipFormatException(
        message.qualifier() + " needs " + body.length + " bytes, a frame has " + Frame.MAX_BYTES);
  }

  private static boolean fits(byte[] body, byte[] packed) {
    return body.length <= MAX_TABLE_BYTES && packed.length <= Frame.MAX_BYTES;
  }

  /** How many records will fit, if they are like those that did not; fewer than these. */
  private static long fitting(long count, byte[] body, byte[] packed) {
    long fewer = count * Frame.MAX_BYTES / packed.length;
    return Math.min(Math.min(fewer, count * MAX_TABLE_BYTES / body.length), count - 1);
  }
}
