package io.cordwood.forwarder;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
  final int count;
  final byte delimiter;
  final byte[] raw;
  private final int payloadAt;

  private ReceivedBatch(byte[] raw, int topicLength) {
    ByteBuffer header = ByteBuffer.wrap(raw);
    this.raw = raw;
    this.ulid = "%016x%016x".formatted(header.getLong(16), header.getLong(24));
    this.topic = new String(raw, 36, topicLength, US_ASCII);
    this.count = header.getInt(8);
    this.delimiter = (byte) (raw[5] == 1 ? 0 : '\n');
    this.payloadAt = 36 + topicLength;
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
    int topicLength = view.getShort(6);
    int payloadLength = view.getInt(12);
    check(view.getInt(0) == 0xFC435742, "magic");
    check(header[4] == 1, "version");
    check((header[5] & ~1) == 0, "flags");
    check(topicLength >= 1 && topicLength <= 128, "topic length");
    check(payloadLength >= 1 && payloadLength <= MAX_PAYLOAD_BYTES, "payload length");
    byte[] raw = Arrays.copyOf(header, 36 + topicLength + payloadLength);
    in.readFully(raw, 36, raw.length - 36);
    return checked(raw, topicLength, view.getInt(32));
  }

  private static ReceivedBatch checked(byte[] raw, int topicLength, int checksum) {
    CRC32C crc = new CRC32C();
    crc.update(raw, 4, 28);
    crc.update(raw, 36, raw.length - 36);
    check((int) crc.getValue() == checksum, "checksum");
    ReceivedBatch batch = new ReceivedBatch(raw, topicLength);
    check(batch.topic.matches("[A-Za-z0-9][A-Za-z0-9._-]*"), "topic");
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
