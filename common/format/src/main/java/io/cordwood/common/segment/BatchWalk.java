package io.cordwood.common.segment;

import io.cordwood.common.file.ByteSource;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.CorruptException;
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
  private static final int HEAD_BYTES = BatchHeader.BYTES + Topic.MAX_BYTES;

  /** Batches up to this size come in by whole windows. */
  private static final int SMALL_BYTES = 8 << 10;

  private final ByteSource source;
  private final long end;
  private final ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private final Map<String, Topic> topics = new HashMap<>();
  private long windowAt;
  private long position;
  private boolean small = true;

  /** A batch's header, and where its payload stands. */
  record Head(Topic topic, BatchHeader header, long payloadAt) {}

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
    int headBytes = BatchHeader.BYTES + header.topicBytes();
    if (at + headBytes > window.limit() || wraps(header)) {
      throw new CorruptException(position, "expected a topic and ULIDs in order");
    }
    return new Head(topic(at + BatchHeader.BYTES, header), header, position + headBytes);
  }

  /** Makes a header and its topic stand in the window, unless the end comes before. */
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

  private Topic topic(int at, BatchHeader header) throws CorruptException {
    String name = new String(window.array(), at, header.topicBytes(), StandardCharsets.ISO_8859_1);
    try {
      return topics.computeIfAbsent(name, Topic::new);
    } catch (IllegalArgumentException e) {
      throw new CorruptException(position, String.valueOf(e.getMessage()));
    }
  }
}
