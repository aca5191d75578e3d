package io.cordwood.ingest.unconsumed;

import io.cordwood.common.file.ReadableFile;
import io.cordwood.common.segment.ArrivedBlocks;
import io.cordwood.common.segment.Block;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.ingest.segment.ActiveSegment;
import io.cordwood.ingest.segment.IngestLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads what is appended to this node's segments, over and over. It keeps the segments open that
 * are not flushed, so that none is gone before it was read to its end; those that come flushed, as
 * uploads do, are read as a whole. One thread.
 */
final class ArrivalReader implements Closeable {
  /** More than the largest batch has. */
  private static final int CHUNK_BYTES = 2 * BatchHeader.MAX_BATCH_BYTES;

  /** Looking for segments that come flushed takes a lock, so it is done less often. */
  private static final int POLLS_A_LOOK = 4;

  private final IngestLog log;
  private final Map<Ulid, Growing> growing = new HashMap<>();
  private final Set<Ulid> known = new HashSet<>();
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
  private int polls;

  private ArrivalReader(IngestLog log) {
    this.log = log;
  }

  /** From what is received from now on. */
  static ArrivalReader fromNow(IngestLog log) throws IOException {
    var reader = new ArrivalReader(log);
    try {
      reader.known.addAll(log.ids());
      for (ActiveSegment segment : log.unflushed().values()) {
        long now = segment.wholeBytes();
        reader.open(segment).ifPresent(opened -> opened.position = now);
      }
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** A segment that is appended to. */
  private static final class Growing {
    private final ActiveSegment segment;
    private final ReadableFile file;
    private long position;

    Growing(ActiveSegment segment, ReadableFile file) {
      this.segment = segment;
      this.file = file;
    }
  }

  private Optional<Growing> open(ActiveSegment segment) throws IOException {
    known.add(segment.id());
    Optional<Growing> opened =
        log.open(segment.id()).map(found -> new Growing(segment, found.file()));
    opened.ifPresent(each -> growing.put(segment.id(), each));
    return opened;
  }

  /** Gives what was received since the last time. */
  void poll(Consumer<Block> sink) throws IOException {
    for (ActiveSegment segment : log.unflushed().values()) {
      if (!growing.containsKey(segment.id())) {
        var _ = open(segment);
      }
    }
    for (Iterator<Growing> each = growing.values().iterator(); each.hasNext(); ) {
      Growing next = each.next();
      // Asked before the length is: what is not appended to any more is read to its end.
      boolean last = !log.unflushed().containsKey(next.segment.id());
      next.position = read(next.file, next.position, next.segment.wholeBytes(), sink);
      if (last) {
        each.remove();
        next.file.close();
      }
    }
    if (++polls % POLLS_A_LOOK == 0) {
      readFlushed(sink);
    }
  }

  private void readFlushed(Consumer<Block> sink) throws IOException {
    Set<Ulid> now = log.ids();
    known.retainAll(now);
    for (Ulid id : now) {
      if (!growing.containsKey(id) && !log.unflushed().containsKey(id) && known.add(id)) {
        Optional<IngestLog.Opened> opened = log.open(id);
        if (opened.isPresent()) {
          try (ReadableFile file = opened.get().file()) {
            read(file, 0, opened.get().bytes(), sink);
          }
        }
      }
    }
  }

  /** Reads batches up to an end; gives where it came to. */
  private long read(ReadableFile file, long from, long end, Consumer<Block> sink)
      throws IOException {
    long at = Math.max(from, IngestSegmentHeader.BYTES);
    while (at < end) {
      chunk.clear().limit((int) Math.min(CHUNK_BYTES, end - at));
      file.read(chunk, at);
      chunk.flip();
      try {
        int read = ArrivedBlocks.read(chunk, at, sink);
        at = read == 0 ? end : at + read;
      } catch (CorruptException e) {
        return end; // Named and counted by those who keep the segment.
      }
    }
    return Math.max(from, Math.min(at, end));
  }

  @Override
  public void close() throws IOException {
    for (Growing each : growing.values()) {
      each.file.close();
    }
    growing.clear();
  }
}
