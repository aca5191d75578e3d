package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A batch as a strict node reads it, written apart from the code that it tests. */
public final class ReceivedBatch {
  private static final int MAX_PAYLOAD_BYTES = 2 << 20;

  final String ulid;
  public final String topic;

  /** As {@code "\nname=value\nname2=value2"}. */
  public final String labels;

  final int count;
  final byte delimiter;
  final byte[] raw;
  private final int payloadAt;

  private ReceivedBatch(byte[] raw, int originLength) {
    ByteBuffer header = ByteBuffer.wrap(raw);
    this.raw = raw;
    this.ulid = "%016x%016x".formatted(header.getLong(16), header.getLong(24));
    String origin = new String(raw, 36, originLength, UTF_8);
    int topicLength = origin.indexOf('\n') < 0 ? origin.length() : origin.indexOf('\n');
    this.topic = origin.substring(0, topicLength);
    this.labels = origin.substring(topicLength);
    this.count = header.getInt(8);
    this.delimiter = (byte) (raw[5] == 1 ? 0 : '\n');
    this.payloadAt = 36 + originLength;
  }

  /** The next batch, or null when the stream ends before one begins. */
  static @Nullable ReceivedBatch read(DataInputStream in) throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    byte[] header = new byte[36];
    header[0] = (byte) first;
    in.readFully(header, 1, 35);
    ByteBuffer view = ByteBuffer.wrap(header);
    int originLength = view.getShort(6);
    int payloadLength = view.getInt(12);
    check(view.getInt(0) == 0xFC435742, "magic");
    check(header[4] == 1 || header[4] == 2, "version");
    check((header[5] & ~1) == 0, "flags");
    check(originLength >= 1 && originLength <= (header[4] == 1 ? 128 : 8320), "origin length");
    check(payloadLength >= 1 && payloadLength <= MAX_PAYLOAD_BYTES, "payload length");
    byte[] raw = Arrays.copyOf(header, 36 + originLength + payloadLength);
    in.readFully(raw, 36, raw.length - 36);
    return checked(raw, originLength, view.getInt(32));
  }

  private static ReceivedBatch checked(byte[] raw, int originLength, int checksum) {
    CRC32C crc = new CRC32C();
    crc.update(raw, 4, 28);
    crc.update(raw, 36, raw.length - 36);
    check((int) crc.getValue() == checksum, "checksum");
    ReceivedBatch batch = new ReceivedBatch(raw, originLength);
    check(batch.topic.matches("[A-Za-z0-9][A-Za-z0-9._-]*"), "topic");
    check(batch.labels.isEmpty() == (raw[4] == 1), "version and labels");
    check(raw[raw.length - 1] == batch.delimiter, "last delimiter");
    check(Lines.first(batch.delimiter, raw, batch.payloadAt, raw.length) >= 0, "delimiter");
    return batch;
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("bad batch: " + what);
    }
  }

  List<byte[]> records() {
    List<byte[]> records = new ArrayList<>();
    for (int at = payloadAt; at < raw.length; ) {
      int end = Lines.first(delimiter, raw, at, raw.length);
      records.add(Arrays.copyOfRange(raw, at, end));
      at = end + 1;
    }
    check(records.size() == count, "record count");
    return records;
  }

  long millis() {
    return Long.parseUnsignedLong(ulid.substring(0, 12), 16);
  }

  /** Cuts the connection in the middle of a batch, as a kill does. */
  static final class Cut extends EOFException {
    private static final long serialVersionUID = 1L;
  }
}
