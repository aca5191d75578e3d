package io.cordwood.query.wire;

import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.request.Query;
import io.cordwood.query.result.AnswerFormatException;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.SearchProgress;
import io.cordwood.query.result.Stop;
import io.cordwood.query.wire.AnswerFrame.Advanced;
import io.cordwood.query.wire.AnswerFrame.End;
import io.cordwood.query.wire.AnswerFrame.Gone;
import io.cordwood.query.wire.AnswerFrame.Head;
import io.cordwood.query.wire.AnswerFrame.Hits;
import io.cordwood.query.wire.AnswerFrame.Large;
import io.cordwood.query.wire.AnswerFrame.Missed;
import io.cordwood.query.wire.AnswerFrame.Passed;
import io.cordwood.query.wire.AnswerFrame.Stopped;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a peer's {@link AnswerFrame}s and believes nothing: lengths, checksums, order, range and
 * topics are checked, and memory is taken as bytes come. For one thread.
 *
 * <p>Every method throws {@link AnswerFormatException} if the answer is not one.
 */
public final class AnswerReader {
  private static final byte[] NOTHING = {};

  /** More than the labels, topic and ULID of a frame of hits. */
  private static final int FIRST_BYTES = 16 << 10;

  private static final int EACH_BYTES = 64 << 10;

  /** A frame of hits with more is announced. */
  static final int LARGE_BYTES = 32 << 10;

  /** More than an address has. */
  private static final int MAX_PLACE_BYTES = 16 << 10;

  /** More than any node holds, of blocks and of bytes. */
  private static final long MAX_PROGRESS = 1L << 54;

  private final InputStream in;
  private final Query query;
  private final HitsDecoder hits;
  private final Duration frameTime;
  private final boolean ordered;
  private Ulid passed = Ulid.MIN;
  private @Nullable BatchId last;
  private @Nullable Begun begun;

  /** A frame of which the head is read, and the payload in part. */
  private record Begun(byte kind, int length, int checksum, byte[] part) {}

  /**
   * @param query that was asked
   * @param frameTime the longest that a frame may take from its first byte to its last
   */
  public AnswerReader(InputStream in, Query query, Duration frameTime) {
    this(in, query, frameTime, true);
  }

  private AnswerReader(InputStream in, Query query, Duration frameTime, boolean ordered) {
    this.ordered = ordered;
    this.in = in;
    this.query = query;
    this.hits = new HitsDecoder(query.detail());
    this.frameTime = frameTime;
  }

  /** A reader for a node that is followed: batches come as they are received. */
  public static AnswerReader ofArrivals(InputStream in, Query query, Duration frameTime) {
    return new AnswerReader(in, query, frameTime, false);
  }

  /** Reads the first frame. */
  public Head head() throws IOException {
    ByteBuffer start = ByteBuffer.wrap(read(Integer.BYTES + 1));
    int magic = start.getInt();
    if (magic != AnswerFrame.MAGIC) {
      throw new AnswerFormatException(
          "expected an answer that begins with %08x, found %08x"
              .formatted(AnswerFrame.MAGIC, magic));
    }
    int version = start.get();
    if (version != AnswerFrame.VERSION) {
      throw new AnswerFormatException(
          "expected version %d of the answer's form, found %d"
              .formatted(AnswerFrame.VERSION, version));
    }
    if (next() instanceof Head head) {
      return head;
    }
    throw unexpected("a frame before the head");
  }

  /**
   * Reads a frame; there is none after the end. A large one of hits is announced first, unless a
   * node is followed: its payload is read when this is called again.
   */
  public AnswerFrame next() throws IOException {
    Begun frame = begun;
    if (frame == null) {
      frame = begin();
      boolean isHits = frame.kind == AnswerFrame.HITS || frame.kind == AnswerFrame.LABELLED;
      if (ordered && isHits && frame.length > LARGE_BYTES) {
        begun = new Begun(frame.kind, frame.length, frame.checksum, read(FIRST_BYTES));
        return announced(begun);
      }
    }
    begun = null;
    byte[] payload = read(frame.part, frame.length);
    var checksum = new CRC32C();
    checksum.update(frame.kind);
    checksum.update(payload);
    if ((int) checksum.getValue() != frame.checksum) {
      throw new AnswerFormatException(
          "expected a frame with checksum %08x, found %08x"
              .formatted(frame.checksum, (int) checksum.getValue()));
    }
    try {
      return decode(frame.kind, ByteBuffer.wrap(payload));
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw notOne(frame.kind, e);
    }
  }

  private Begun begin() throws IOException {
    ByteBuffer head = ByteBuffer.wrap(read(AnswerFrame.FRAME_HEAD_BYTES));
    byte kind = head.get();
    int length = head.getInt();
    if (length < 0 || length > AnswerFrame.MAX_PAYLOAD_BYTES) {
      throw unexpected("a frame of " + length + " bytes");
    }
    return new Begun(kind, length, head.getInt(), NOTHING);
  }

  private Large announced(Begun frame) throws AnswerFormatException {
    try {
      Ulid first = hits.first(ByteBuffer.wrap(frame.part), frame.kind == AnswerFrame.LABELLED);
      return new Large(first, frame.length);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw notOne(frame.kind, e);
    }
  }

  private static AnswerFormatException notOne(byte kind, RuntimeException e) {
    return unexpected("a frame of kind " + kind + " that is not one: " + e);
  }

  /** Waits for the stream's end; without that, the peer would be told to stop. */
  public void awaitEnd() throws IOException {
    if (in.read() >= 0) {
      throw unexpected("something after the end");
    }
  }

  private AnswerFrame decode(byte kind, ByteBuffer payload) throws AnswerFormatException {
    AnswerFrame frame =
        switch (kind) {
          case AnswerFrame.HEAD -> head(payload);
          case AnswerFrame.HITS -> checked(hits.decode(payload));
          case AnswerFrame.LABELLED -> checked(hits.decodeLabelled(payload));
          case AnswerFrame.PASSED -> passed(payload);
          case AnswerFrame.END -> end(payload);
          case AnswerFrame.MISSED -> missed(payload);
          case AnswerFrame.STOPPED -> stopped(payload);
          case AnswerFrame.PROGRESS -> advanced(payload);
          default -> throw unexpected("a frame of kind " + kind);
        };
    if (payload.hasRemaining()) {
      throw unexpected(payload.remaining() + " bytes too many in a frame of kind " + kind);
    }
    return frame;
  }

  private Head head(ByteBuffer payload) throws AnswerFormatException {
    int detail = payload.get();
    if (detail != AnswerFrame.code(query.detail())) {
      throw unexpected("an answer to another question");
    }
    long millis = payload.getLong();
    List<KnownNode> known = new ArrayList<>();
    while (payload.hasRemaining()) {
      known.add(node(payload));
    }
    return new Head(
        millis < 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis)), known);
  }

  private static KnownNode node(ByteBuffer payload) throws AnswerFormatException {
    byte[] id = new byte[Byte.toUnsignedInt(payload.get())];
    payload.get(id);
    int tiers = payload.get();
    long since = payload.getLong();
    long replicatedFrom = payload.getLong();
    boolean possible =
        id.length > 0
            && id.length <= KnownNode.MAX_ID_BYTES
            && (tiers & ~3) == 0
            && since >= KnownNode.IS_THERE
            && replicatedFrom >= 0;
    if (!possible) {
      throw unexpected("a node that is none");
    }
    return new KnownNode(
        new String(id, StandardCharsets.US_ASCII),
        (tiers & 1) != 0,
        (tiers & 2) != 0,
        since,
        replicatedFrom);
  }

  private Hits checked(Hits found) throws AnswerFormatException {
    BatchId id = found.hits().id(found.group());
    boolean back = id.first().isBefore(passed) || (last != null && id.compareTo(last) <= 0);
    if (ordered && back) {
      throw unexpected("a batch out of order");
    }
    boolean asked =
        query.topics().contain(id.topic())
            && (query.detail().isOfIndex() || query.topics().admit(id.labels()));
    if (!asked || id.first().isAfter(query.range().to())) {
      throw unexpected("a batch that was not asked for");
    }
    last = id;
    passed = id.first();
    return found;
  }

  private Passed passed(ByteBuffer payload) throws AnswerFormatException {
    Ulid ulid = HitsDecoder.ulid(payload);
    if (ordered && ulid.isBefore(passed)) {
      throw unexpected("a step back");
    }
    passed = ulid;
    return new Passed(ulid);
  }

  private Missed missed(ByteBuffer payload) throws AnswerFormatException {
    long records = payload.getLong();
    if (ordered || records < 1) {
      throw unexpected("missed records");
    }
    return new Missed(records);
  }

  private AnswerFrame stopped(ByteBuffer payload) throws AnswerFormatException {
    byte code = payload.get();
    if (ordered && code == AnswerFrame.EVICTED) {
      return new Gone(evicted(payload));
    }
    Stop.Limit limit =
        Arrays.stream(Stop.Limit.values())
            .filter(each -> ordered && AnswerFrame.code(each) == code)
            .findFirst()
            .orElseThrow(() -> unexpected("a limit " + code));
    var range = new UlidRange(HitsDecoder.ulid(payload), HitsDecoder.ulid(payload));
    return new Stopped(new Stop(limit, range));
  }

  private static Evicted evicted(ByteBuffer payload) throws AnswerFormatException {
    var range = new UlidRange(HitsDecoder.ulid(payload), HitsDecoder.ulid(payload));
    if (payload.remaining() > MAX_PLACE_BYTES) {
      throw unexpected("a place of " + payload.remaining() + " bytes");
    }
    return new Evicted(range, StandardCharsets.UTF_8.decode(payload).toString());
  }

  /** Numbers that could not be added up, or that make no sense, are none. */
  private Advanced advanced(ByteBuffer payload) throws AnswerFormatException {
    var progress =
        new SearchProgress(
            payload.getLong(), payload.getLong(), payload.getLong(), payload.getLong());
    boolean possible =
        isPart(progress.blocksDone(), progress.blocks())
            && isPart(progress.bytesDone(), progress.bytes());
    if (!ordered || !possible) {
      throw unexpected(progress.toString());
    }
    return new Advanced(progress);
  }

  private static boolean isPart(long done, long all) {
    return done >= 0 && done <= all && all <= MAX_PROGRESS;
  }

  private static End end(ByteBuffer payload) throws AnswerFormatException {
    long[] numbers = new long[AnswerFrame.STATISTICS];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = payload.getLong();
      if (numbers[i] < 0) {
        throw unexpected("a negative number");
      }
    }
    return new End(
        new ScanStats.Snapshot(
            numbers[0],
            new ScanStats.Blocks(numbers[1], numbers[2], numbers[3], numbers[4]),
            numbers[5],
            numbers[6],
            numbers[7],
            numbers[8],
            0));
  }

  private static AnswerFormatException unexpected(String found) {
    return new AnswerFormatException("expected a node's part of an answer, found " + found);
  }

  /** Waits for the first byte as long as the stream does, and for the others not much longer. */
  private byte[] read(int length) throws IOException {
    return read(NOTHING, length);
  }

  /**
   * Reads the rest of something.
   *
   * @param part of {@code length} bytes or fewer
   */
  private byte[] read(byte[] part, int length) throws IOException {
    byte[] bytes = Arrays.copyOf(part, Math.max(part.length, Math.min(length, FIRST_BYTES)));
    long begin = System.nanoTime();
    for (int at = part.length; at < length; ) {
      if (at == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.min(length, 2 * bytes.length));
      }
      int read = in.read(bytes, at, Math.min(bytes.length - at, EACH_BYTES));
      if (read < 0) {
        throw new EOFException("the answer ends before its end");
      }
      begin = at == part.length ? System.nanoTime() : begin;
      at += read;
      if (System.nanoTime() - begin > frameTime.toNanos()) {
        throw new IOException("the answer comes too slowly");
      }
    }
    return bytes;
  }
}
