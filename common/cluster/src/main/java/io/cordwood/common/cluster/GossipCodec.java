package io.cordwood.common.cluster;

import io.scalecube.cluster.transport.api.Message;
import io.scalecube.cluster.transport.api.MessageCodec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
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
 * <p>Whatever else arrives is refused with a {@link GossipFormatException}: unknown versions, kinds
 * and tags, an object out of place, bytes left over. Counts are checked against the bytes that are
 * left before anything is allocated. Any thread may use it. With a key, {@link FrameSeal} wraps
 * what this codec writes.
 */
final class GossipCodec implements MessageCodec {
  static final int VERSION = 1;
  static final int MAX_FRAME_BYTES = 64 * 1024;

  private final Consumer<List<String>> alive;

  GossipCodec() {
    this(_ -> {});
  }

  /**
   * @param alive is told where a message says that members live; on the thread that reads it
   */
  GossipCodec(Consumer<List<String>> alive) {
    this.alive = alive;
  }

  @Override
  public Message deserialize(InputStream stream) throws IOException {
    byte[] body = stream.readNBytes(MAX_FRAME_BYTES + 1);
    if (body.length > MAX_FRAME_BYTES) {
      throw new GossipFormatException("longer than " + MAX_FRAME_BYTES + " bytes");
    }
    var input = new GossipInput(ByteBuffer.wrap(body));
    Message message = input.readFrame();
    if (!input.alive().isEmpty()) {
      alive.accept(input.alive());
    }
    return message;
  }

  @Override
  public void serialize(Message message, OutputStream stream) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream(256);
    new GossipOutput(body).writeFrame(message);
    if (body.size() > MAX_FRAME_BYTES) {
      throw new GossipFormatException(
          message.qualifier() + " needs " + body.size() + " bytes, a frame has " + MAX_FRAME_BYTES);
    }
    body.writeTo(stream);
  }
}
