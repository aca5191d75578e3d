package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Walks the batches of a source from header to header. Payloads are neither read nor checked, so
 * that a segment of large batches costs one small read for each of them.
 *
 * <p>Holds a window of 64 KiB. One thread.
 */
final class BatchWalk {
  private static final int WINDOW_BYTES = 64 << 10;
  private static final int HEAD_BYTES = BatchHeader.BYTES + Origin.MAX_BYTES;

  /** Batches up to this size come in by whole windows. */
  private static final int SMALL_BYTES = 8 << 10;

  /** Each is read once, unless there are more. */
  private static final int MAX_KEPT_ORIGINS = 4_096;

  private final ByteSource source;
  private final long end;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private final Map<String, Head.From> origins = new HashMap<>();
  private long windowAt;
  private long position;
  private boolean small = true;

  /** A batch's header, and where its payload stands. */
  record Head(From from, BatchHeader header, long payloadAt) {
    record From(Topic topic, Labels labels) {}
  }

  /** Takes heads. */
  @FunctionalInterface
  interface Sink {
    void accept(Head head);
  }

  /**
   * @param from where the first batch begins
   * @param end of what may be read
   */
  BatchWalk(ByteSource source, long from, long end) {
    this.source = source;
    this.position = from;
    this.windowAt = from;
    this.end = end;
  }

  /**
   * Gives the head of each batch that lies before the end, up to the first bytes that are none.
   *
   * @return where it stopped: the end, if all were batches
   */
  long run(Sink sink) throws IOException {
    try {
      while (position + BatchHeader.BYTES < end) {
        Head head = read();
        long next = head.payloadAt() + head.header().payloadBytes();
        if (next > end) {
          break;
        }
        sink.accept(head);
        small = next - position <= SMALL_BYTES;
        position = next;
      }
    } catch (CorruptException e) {
      // No batch begins here: the caller is told where, and what that means is for it to say.
    }
    return position;
  }

  private Head read() throws IOException {
    fill();
    int at = (int) (position - windowAt);
    BatchHeader header = BatchHeader.parse(window, at, position);
    int headBytes = BatchHeader.BYTES + header.originBytes();
    if (at + headBytes > window.limit() || wraps(header)) {
      throw new CorruptException(position, "expected a topic, labels and ULIDs in order");
    }
    return new Head(from(at, header), header, position + headBytes);
  }

  /** Makes a header and its origin stand in the window, unless the end comes before. */
  private void fill() throws IOException {
    long wanted = Math.min(HEAD_BYTES, end - position);
    if (position >= windowAt && position + wanted <= windowAt + window.limit()) {
      return;
    }
    window.clear().limit((int) Math.min(small ? WINDOW_BYTES : HEAD_BYTES, end - position));
    source.read(window, position);
    window.flip();
    windowAt = position;
  }

  private static boolean wraps(BatchHeader header) {
    Ulid first = Ulid.firstOf(header);
    return first.plus(header.records() - 1L).isBefore(first);
  }

  private Head.From from(int at, BatchHeader header) throws CorruptException {
    int from = at + BatchHeader.BYTES;
    String encoded =
        new String(window.array(), from, header.originBytes(), StandardCharsets.ISO_8859_1);
    Head.From known = origins.get(encoded);
    if (known == null) {
      Origin origin = header.origin(window, at, position);
      known = new Head.From(new Topic(origin.topic()), origin.labels());
      if (origins.size() == MAX_KEPT_ORIGINS) {
        origins.clear();
      }
      origins.put(encoded, known);
    }
    return known;
  }
}
