package io.cordwood.ingest.bulk;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.BatchHeader;
import io.cordwood.common.wire.Delimiter;
import io.cordwood.common.wire.Origin;
import io.cordwood.ingest.sender.LinePayload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;

/**
 * Makes batches of an upload's raw lines, as {@code LineReader} does of a connection's: cut after a
 * LF, counted, stamped; blank lines are left out; a line longer than a record becomes several; the
 * end counts as a LF.
 */
final class UploadedLines implements UploadReader {
  private static final byte LF = '\n';

  /** The longest line, with its LF; lines inside of a payload of this size need no look. */
  private static final int PAYLOAD_BYTES = BatchHeader.MAX_RECORD_BYTES + 1;

  private final Topic topic;
  private final Origin origin;
  private final UploadTarget target;
  private final UlidStamper stamper;
  private final boolean nulEnded;

  /**
   * @param nulEnded whether each NUL is taken for a LF
   */
  UploadedLines(Origin origin, UploadTarget target, InstantSource clock, boolean nulEnded) {
    this.nulEnded = nulEnded;
    this.origin = origin;
    this.topic = new Topic(origin.topic());
    this.target = target;
    this.stamper = new UlidStamper(clock);
  }

  @Override
  public void take(UploadBuffer window) throws IOException, UploadRefusedException {
    ByteBuffer unread = window.unread();
    if (nulEnded) {
      endWithLf(unread);
    }
    for (int bytes = next(unread, window.ended()); bytes > 0; ) {
      int start = unread.position();
      store(unread.slice(start, bytes));
      unread.position(start + bytes);
      bytes = next(unread, window.ended());
    }
  }

  private static void endWithLf(ByteBuffer unread) {
    for (int at = unread.position(); at < unread.limit(); at++) {
      if (unread.get(at) == 0) {
        unread.put(at, LF);
      }
    }
  }

  /** Bytes of the next payload; 0 if there is none yet. */
  private static int next(ByteBuffer unread, boolean ended) {
    int left = unread.remaining();
    int lines = linesWithin(unread, Math.min(left, PAYLOAD_BYTES));
    if (lines > 0) {
      return lines;
    }
    return left > BatchHeader.MAX_RECORD_BYTES ? BatchHeader.MAX_RECORD_BYTES : ended ? left : 0;
  }

  private static int linesWithin(ByteBuffer unread, int bytes) {
    int start = unread.position();
    int end = start + bytes;
    while (end > start && unread.get(end - 1) != LF) {
      end--;
    }
    return end - start;
  }

  private void store(ByteBuffer cut) throws IOException, UploadRefusedException {
    boolean addsLf = cut.get(cut.limit() - 1) != LF;
    var payload = LinePayload.of(new ByteBuffer[] {cut}, cut.remaining(), addsLf);
    if (payload.blankLines() > 0) {
      target.countBlank(topic, payload.blankLines(), payload.blankBytes());
    }
    if (payload.lines() > 0) {
      target.count(topic, payload.lines(), payload.wireBytes());
      target.append(batch(payload));
    }
  }

  private ByteBuffer[] batch(LinePayload payload) {
    int lines = payload.lines();
    ByteBuffer[] buffers = payload.buffers();
    ByteBuffer[] batch = new ByteBuffer[buffers.length + 1];
    batch[0] = Batch.head(origin, Delimiter.LF, stamper.stamp(lines), lines, buffers);
    System.arraycopy(buffers, 0, batch, 1, buffers.length);
    return batch;
  }
}
