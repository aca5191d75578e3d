package io.cordwood.cli.transfer;

import io.cordwood.cli.program.CommandException;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Forwarder;
import io.cordwood.forwarder.PreparedBatch;
import java.util.Arrays;

/**
 * Makes batches of lines that have a time, and sends them. The same lines at the same place of the
 * same stream become the same batches with the same ULIDs, so sending them again changes nothing.
 *
 * <pre>
 *   ULID:  48 bits time of the line │ 48 bits stream │ 32 bits number of the line in it
 * </pre>
 *
 * One thread.
 */
final class ImportedBatches implements TimedLines.Sink {
  /** Records of one stream, as many as its counter has. */
  static final long MAX_RECORDS = 1L << 32;

  private static final int BATCH_BYTES = 256 << 10;
  private static final int MILLIS_SHIFT = 16;

  private final Forwarder forwarder;
  private final Origin origin;
  private final long stream;
  private final int payloadAt;
  private byte[] bytes = new byte[4 << 10];
  private int filled;
  private int inBatch;
  private long millis;
  private long records;

  /**
   * @param origin of all lines
   * @param stream 48 bits that no other stream of the topic has
   */
  ImportedBatches(Forwarder forwarder, Origin origin, long stream) {
    this.forwarder = forwarder;
    this.origin = origin;
    this.stream = stream;
    this.payloadAt = PreparedBatch.payloadAt(origin);
    this.filled = payloadAt;
  }

  /** Sends a line; one that is longer than a record may be as several records. */
  @Override
  public void take(byte[] line, int from, int to, long time) {
    int at = from;
    for (; to - at > PreparedBatch.MAX_RECORD_BYTES; at += PreparedBatch.MAX_RECORD_BYTES) {
      add(line, at, PreparedBatch.MAX_RECORD_BYTES, time);
    }
    add(line, at, to - at, time);
  }

  private void add(byte[] line, int from, int length, long time) {
    boolean full = filled + length + 1 - payloadAt > BATCH_BYTES;
    if (inBatch > 0 && (time != millis || full)) {
      send();
    }
    if (records + inBatch >= MAX_RECORDS) {
      throw new CommandException(
          "expected at most %d lines in a file, found more; split it".formatted(MAX_RECORDS));
    }
    if (bytes.length < filled + length + 1) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, filled + length + 1));
    }
    System.arraycopy(line, from, bytes, filled, length);
    filled += length;
    bytes[filled++] = '\n';
    inBatch++;
    millis = time;
  }

  /** Sends what is left; all that was sent is acknowledged when the forwarder is closed. */
  void finish() {
    if (inBatch > 0) {
      send();
    }
  }

  private void send() {
    var batch = new PreparedBatch(origin, Arrays.copyOf(bytes, filled), () -> {});
    int blank = batch.takeLines(filled - payloadAt);
    if (blank > 0) {
      throw new AssertionError("expected no blank lines, found " + blank);
    }
    batch.stamp(millis << MILLIS_SHIFT | stream >>> 32, stream << 32 | records);
    if (!forwarder.send(batch)) {
      throw new CommandException("expected a forwarder that takes lines, found a closed one");
    }
    records += inBatch;
    inBatch = 0;
    filled = payloadAt;
  }
}
