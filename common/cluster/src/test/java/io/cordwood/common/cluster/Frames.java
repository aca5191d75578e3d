package io.cordwood.common.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Frame bodies written byte by byte, independently of the codec: one of every kind, and parts. */
final class Frames {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final DataOutputStream out = new DataOutputStream(bytes);

  /** A step in writing. */
  interface Step {
    void write(DataOutputStream out) throws IOException;
  }

  static byte[] of(MessageKind kind) {
    Frames frame =
        switch (kind) {
          case PING -> head(1).u8(5).member("a").member("b").u8(0).u8(0);
          case PING_REQUEST -> head(2).u8(5).member("a").member("b").u8(0).u8(0);
          case PING_ACK -> head(3).u8(5).member("a").member("b").member("c").u8(3).u8(1);
          case SYNC -> head(4).u8(6).i32(0);
          case SYNC_ACK -> head(5).u8(6).i32(3).record("a", 0).record("b", 1).record("c", 1 << 30);
          case GOSSIP -> head(6).u8(9).i32(1).gossip("a", (1L << 40) + 4).text("host-id");
          case METADATA_REQUEST -> head(7).u8(10).member("a");
          case METADATA_RESPONSE -> head(8).u8(11).member("a").i32(5).raw(new byte[5]);
          case RECOLLECTION ->
              head(9)
                  .u8(12)
                  .u8(5)
                  .i64(0)
                  .i64(1)
                  .i32(1)
                  .i64(9)
                  .i64(10)
                  .u8(1)
                  .text("h:1")
                  .i32(3)
                  .raw(new byte[3]);
        };
    return frame.body();
  }

  /** Version, kind, correlation id and sender. */
  static Frames head(int kind) {
    return new Frames().u8(1).u8(kind).text("id-1").text("127.0.0.1:7659");
  }

  Frames member(String id) {
    return u8(1).text(id).text("host-" + id + ":7659").text("cordwood-test");
  }

  Frames record(String id, int incarnation) {
    return u8(4).member(id).u8(2).u8(0).i32(incarnation);
  }

  Frames gossip(String id, long sequence) {
    return u8(8).text(id).u8(7).record(id, 4).i64(sequence);
  }

  /** A gossip that somebody began with news of another member. */
  Frames gossip(String gossiper, long sequence, String member, int status, int incarnation) {
    return u8(8)
        .text(gossiper)
        .u8(7)
        .u8(4)
        .member(member)
        .u8(2)
        .u8(status)
        .i32(incarnation)
        .i64(sequence);
  }

  Frames u8(int value) {
    return step(o -> o.writeByte(value));
  }

  Frames i32(int value) {
    return step(o -> o.writeInt(value));
  }

  Frames i64(long value) {
    return step(o -> o.writeLong(value));
  }

  Frames text(String text) {
    return step(o -> o.writeUTF(text));
  }

  Frames raw(byte[] raw) {
    return step(o -> o.write(raw));
  }

  byte[] body() {
    return bytes.toByteArray();
  }

  static byte[] roundTrip(byte[] body) throws IOException {
    GossipCodec codec = new GossipCodec();
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    codec.serialize(codec.deserialize(new ByteArrayInputStream(body)), again);
    return again.toByteArray();
  }

  private Frames step(Step step) {
    try {
      step.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }
}
