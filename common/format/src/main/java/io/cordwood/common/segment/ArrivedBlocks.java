package io.cordwood.common.segment;

import io.cordwood.common.segment.BatchTable.Entry;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes blocks of batches as they stand one after the other in an ingest segment: each of
 * neighbours of one topic. Headers are checked, payloads are not: who reads them later does that.
 */
public final class ArrivedBlocks {
  /** The most payload bytes in a block, unless it is a single batch. */
  private static final int BLOCK_BYTES = 256 << 10;

  private final ByteBuffer bytes;
  private final Consumer<Block> sink;
  private final List<Part> parts = new ArrayList<>();
  private long rawBytes;

  private record Part(BatchHeader header, Topic topic, Labels labels, int payloadAt) {}

  private ArrivedBlocks(ByteBuffer bytes, Consumer<Block> sink) {
    this.bytes = bytes;
    this.sink = sink;
  }

  /**
   * Reads the whole batches between a buffer's position and limit. The blocks hold nothing of it.
   *
   * @param offset of the buffer's position in its file, for messages
   * @return bytes of these batches; the first part of another one may stand after them
   * @throws CorruptException at what is no batch; blocks of those before were given
   */
  public static int read(ByteBuffer bytes, long offset, Consumer<Block> sink)
      throws CorruptException {
    var blocks = new ArrivedBlocks(bytes, sink);
    try {
      return blocks.read(offset);
    } finally {
      blocks.close();
    }
  }

  private int read(long offset) throws CorruptException {
    int start = bytes.position();
    int at = start;
    while (bytes.limit() - at >= BatchHeader.BYTES) {
      long position = offset + at - start;
      BatchHeader header = BatchHeader.parse(bytes, at, position);
      if (header.batchBytes() > bytes.limit() - at) {
        break;
      }
      add(header, header.origin(bytes, at, position), at);
      at += header.batchBytes();
    }
    return at - start;
  }

  private void add(BatchHeader header, Origin origin, int at) {
    var topic = new Topic(origin.topic());
    boolean fits = rawBytes + header.payloadBytes() <= BLOCK_BYTES;
    if (!parts.isEmpty() && !(fits && parts.getFirst().topic().equals(topic))) {
      close();
    }
    int payloadAt = at + BatchHeader.BYTES + header.originBytes();
    parts.add(new Part(header, topic, origin.labels(), payloadAt));
    rawBytes += header.payloadBytes();
  }

  /** Gives the block that is being made, if there is one. */
  private void close() {
    if (parts.isEmpty()) {
      return;
    }
    byte[] raw = new byte[Math.toIntExact(rawBytes)];
    var entries = new Entry[parts.size()];
    UlidRange range = range(parts.getFirst().header());
    int records = 0;
    int at = 0;
    for (int i = 0; i < entries.length; i++) {
      BatchHeader header = parts.get(i).header();
      bytes.get(parts.get(i).payloadAt(), raw, at, header.payloadBytes());
      int end = at + header.payloadBytes();
      Labels labels = parts.get(i).labels();
      Ulid first = Ulid.firstOf(header);
      entries[i] = new Entry(labels, first, header.delimiter(), header.records(), at, end);
      at = end;
      range = range.union(range(header));
      records += header.records();
    }
    Topic topic = parts.getFirst().topic();
    var info = new BlockInfo(0, topic, range, 0, at, at, entries.length, records, 0);
    parts.clear();
    rawBytes = 0;
    sink.accept(new Block(info, entries, raw, at));
  }

  private static UlidRange range(BatchHeader header) {
    return UlidRange.of(Ulid.firstOf(header), header.records());
  }
}
