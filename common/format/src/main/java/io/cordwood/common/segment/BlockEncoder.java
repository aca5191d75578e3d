package io.cordwood.common.segment;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.Labels;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Collects batches of one topic, in their order, and makes a block of them.
 *
 * <p>Holds the raw payloads, the table and the compressed form: some 9 MiB at the largest. One
 * thread.
 */
final class BlockEncoder implements AutoCloseable {
  /** A block is closed once its payloads have this many bytes. */
  static final int TARGET_RAW_BYTES = 320 << 10;

  /** A batch that would take a block beyond this begins the next one. */
  private static final int MAX_JOINED_BYTES = 448 << 10;

  private static final int COMPRESSION_LEVEL = 1;

  private final ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(COMPRESSION_LEVEL);
  private ByteBuffer table = ByteBuffer.allocate(16 << 10);
  private ByteBuffer payloads = ByteBuffer.allocate(MAX_JOINED_BYTES);
  private ByteBuffer raw = ByteBuffer.allocate(0);
  private ByteBuffer block = ByteBuffer.allocate(0);
  private final LabelSets sets = new LabelSets();
  private BatchTable.Encoder entries = new BatchTable.Encoder();
  private int batches;
  private int records;
  private int delimiters;
  private Ulid first = Ulid.MIN;
  private Ulid last = Ulid.MIN;

  boolean isEmpty() {
    return batches == 0;
  }

  /** Whether the batch belongs into the next block. */
  boolean isFullFor(Batch batch) {
    return batches > 0
        && (payloads.position() >= TARGET_RAW_BYTES
            || payloads.position() + batch.payload().remaining() > MAX_JOINED_BYTES
            || batches == BlockHeader.MAX_BATCHES
            || !sets.hasRoomFor(batch.labels()));
  }

  void add(Batch batch) {
    table = withRoom(table, BatchTable.MAX_ENTRY_BYTES);
    payloads = withRoom(payloads, batch.payload().remaining());
    entries.put(table, batch, sets.number(batch.labels()));
    payloads.put(batch.payload().duplicate());
    UlidRange range = batch.range();
    first = batches == 0 ? range.from() : first;
    last = range.to().isAfter(last) ? range.to() : last;
    batches++;
    records += batch.records();
    delimiters |= BlockHeader.bit(batch.delimiter());
  }

  private static ByteBuffer withRoom(ByteBuffer buffer, int bytes) {
    if (buffer.remaining() >= bytes) {
      return buffer;
    }
    int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
    return ByteBuffer.allocate(capacity).put(buffer.flip());
  }

  /**
   * The payloads collected so far, for the filter; valid until the next call of {@link #add}, also
   * while and after {@link #finish} runs.
   */
  ByteBuffer payloads() {
    return payloads.duplicate().flip();
  }

  /** The text of the labels collected so far, for the filter; valid as long. */
  ByteBuffer labels() {
    return sets.text();
  }

  /**
   * Makes the block and begins a new one.
   *
   * @param ordinal and {@code offset} of the block in its segment
   * @return the block's bytes with what the index says of it; valid until the next call
   */
  Encoded finish(Topic topic, int ordinal, long offset) {
    ByteBuffer labels = sets.encode();
    int setsBytes = labels.remaining();
    int tableBytes = setsBytes + table.position();
    int rawBytes = tableBytes + payloads.position();
    raw = atLeast(raw, rawBytes);
    raw.clear().put(labels).put(table.flip()).put(payloads.flip());
    int head = BlockHeader.BYTES + topic.bytes().length;
    int storedBytes = store(head, rawBytes);
    var codec = storedBytes < rawBytes ? BlockHeader.Codec.ZSTD : BlockHeader.Codec.PLAIN;
    if (codec == BlockHeader.Codec.PLAIN) {
      block.put(head, raw, 0, rawBytes);
      storedBytes = rawBytes;
    }
    var range = new UlidRange(first, last);
    int bodySum = Checksums.of(block, head, storedBytes);
    new BlockHeader(
            !sets.isEmpty(),
            codec,
            delimiters,
            topic.bytes().length,
            batches,
            records,
            tableBytes,
            rawBytes,
            storedBytes,
            range,
            bodySum,
            0)
        .encode(block, 0, topic);
    var info =
        new BlockInfo(
            ordinal,
            topic,
            range,
            offset,
            head + storedBytes,
            rawBytes,
            batches,
            records,
            tableBytes);
    var encoded =
        new Encoded(
            info,
            block.clear().limit(head + storedBytes),
            sets.sets(),
            raw.slice(setsBytes, tableBytes - setsBytes));
    clear();
    return encoded;
  }

  /**
   * A finished block.
   *
   * @param sets of labels that its table begins with
   * @param entries of its table, as they were before compression
   */
  record Encoded(BlockInfo info, ByteBuffer bytes, List<Labels> sets, ByteBuffer entries) {}

  private int store(int head, int rawBytes) {
    int bound = (int) Zstd.compressBound(rawBytes);
    block = atLeast(block, head + bound).clear();
    return zstd.compressByteArray(block.array(), head, bound, raw.array(), 0, rawBytes);
  }

  private static ByteBuffer atLeast(ByteBuffer buffer, int bytes) {
    return buffer.capacity() >= bytes ? buffer : ByteBuffer.allocate(bytes + bytes / 4);
  }

  private void clear() {
    table.clear();
    payloads.clear();
    sets.clear();
    entries = new BatchTable.Encoder();
    batches = 0;
    records = 0;
    delimiters = 0;
    last = Ulid.MIN;
  }

  @Override
  public void close() {
    zstd.close();
  }
}
