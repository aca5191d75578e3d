package io.cordwood.dist.follow;

import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One content that is read: where it is now, and how far it was read. It holds no bytes between two
 * calls, since what was not taken is read again. Owned by the follower's thread.
 */
final class FollowedFile {
  /** For a last line without an end. Whoever writes one usually goes on at once. */
  private static final long PART_OF_LINE_NANOS = TimeUnit.SECONDS.toNanos(5);

  final FileState state;
  private final RecordCutter cutter;
  private final FollowCounters counters;
  private final Runnable acknowledged;

  /** Batches that are planned, and were not sent by this process. */
  private final ArrayDeque<PlannedBatch> again;

  private Path place;
  private @Nullable FileChannel channel;
  private boolean isLive = true;
  private boolean isMissing;
  private boolean isFinal;
  private long size;
  private long modifiedMillis;
  private long triedSize = -1;
  private long changedNanos = System.nanoTime();
  private long nulEnd;

  /**
   * @param acknowledged is run once for each batch that has arrived, in the order of sending
   */
  FollowedFile(FileState state, Path place, FollowCounters counters, Runnable acknowledged) {
    this.acknowledged = acknowledged;
    this.state = state;
    this.place = place;
    this.counters = counters;
    this.cutter = new RecordCutter(state.multiline);
    this.again = new ArrayDeque<>(state.planned());
    this.nulEnd = state.position() == 0 ? 0 : -1;
  }

  /** Other bytes than those that were read so far are in the file. */
  static final class ReplacedException extends IOException {
    private static final long serialVersionUID = 1;

    ReplacedException(Path place) {
      super(place + " was truncated or replaced");
    }
  }

  /** Thrown when a planned batch cannot be made again. */
  static final class ChangedException extends IOException {
    private static final long serialVersionUID = 1;

    final long from;

    ChangedException(Path place, PlannedBatch plan) {
      super(
          place
              + ": expected the bytes "
              + plan.from()
              + " to "
              + plan.to()
              + " as they were when they were sent, found others: they are sent anew, and may be"
              + " there twice");
      this.from = plan.from();
    }
  }

  /** A batch that is ready to be planned and sent, or to be sent again. */
  record Made(FollowedFile file, PlannedBatch plan, PreparedBatch batch, boolean isAgain) {}

  Path place() {
    return place;
  }

  boolean isLive() {
    return isLive;
  }

  boolean isOpen() {
    return channel != null;
  }

  /**
   * The file is here now.
   *
   * @param live whether it has the name by which it was found first
   * @return whether it was written to since it was looked at before
   */
  boolean isAt(Path path, FileStat stat, boolean live) {
    place = path;
    isLive = live;
    isMissing = false;
    boolean written = stat.modifiedMillis() != modifiedMillis;
    modifiedMillis = stat.modifiedMillis();
    sized(stat.size());
    return written;
  }

  private void sized(long now) {
    if (size != now) {
      size = now;
      changedNanos = System.nanoTime();
    }
  }

  /** It has no name any more; who has it open may still write to it. */
  void lost() {
    if (!isMissing) {
      changedNanos = System.nanoTime();
    }
    isMissing = true;
    isLive = false;
  }

  /** No more will come, so that a last line need not have an end. */
  void isFinal() {
    isFinal = true;
  }

  /** Whether it can be opened again. */
  boolean hasName() {
    return !isMissing;
  }

  long unread() {
    return Math.max(0, size - state.position());
  }

  long quietNanos(long now) {
    return now - changedNanos;
  }

  /** The size as it is now; a file that is not open was looked at by the last search. */
  private long sizeNow() throws IOException {
    if (channel != null) {
      sized(channel.size());
    }
    return size;
  }

  /** Whether {@link #next} could give something. */
  boolean hasMore(long now, long joinNanos) throws IOException {
    if (!again.isEmpty()) {
      return true;
    }
    long there = sizeNow();
    if (there < state.position()) {
      throw new ReplacedException(place);
    }
    if (there == state.position()) {
      return false;
    }
    return there != triedSize || isPartDue(now) || isJoinDue(now, joinNanos);
  }

  private boolean isPartDue(long now) {
    return isFinal || quietNanos(now) > PART_OF_LINE_NANOS;
  }

  private boolean isJoinDue(long now, long joinNanos) {
    return !state.multiline.isNone() && (isFinal || quietNanos(now) > joinNanos);
  }

  /**
   * Opens it, and looks whether it is the one that was read.
   *
   * @throws ReplacedException if it is not
   */
  FileChannel open() throws IOException {
    if (channel == null) {
      FileChannel opened = FileChannel.open(place, StandardOpenOption.READ);
      boolean same;
      try {
        same =
            FileStat.of(place).key().equals(state.key)
                && Content.isSame(opened, state.head, state.position(), state.positionTail());
        size = opened.size();
      } catch (IOException e) {
        opened.close();
        throw e;
      }
      if (!same) {
        opened.close();
        throw new ReplacedException(place);
      }
      channel = opened;
    }
    return channel;
  }

  void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
  }

  /** Looks again whether what was read is still there. */
  boolean isSame() throws IOException {
    return Content.isSame(open(), state.head, state.position(), state.positionTail());
  }

  /** Whether what comes next was planned by an earlier process. */
  boolean repeatsPlans() {
    return !again.isEmpty();
  }

  /** Knows more of its beginning, if there is more; says so. */
  boolean learnsHead() throws IOException {
    if (state.head.isWhole() || size <= state.head.bytes()) {
      return false;
    }
    FileChannel opened = open();
    Content.Head head = Content.Head.of(opened, opened.size());
    if (!state.head.isOf(opened)) {
      throw new ReplacedException(place);
    }
    state.head = head;
    return true;
  }

  /**
   * The next batch; null when there is none yet.
   *
   * @throws ReplacedException when it is no longer the file that was read
   * @throws ChangedException when what was planned is not there as it was
   */
  @Nullable Made next(BatchArrays arrays, long joinNanos) throws IOException {
    return again.isEmpty() ? readOn(arrays, joinNanos) : made(again.peek(), arrays);
  }

  /** Gives up the batches that were planned and not sent by this process, and returns them. */
  List<PlannedBatch> giveUpPlans() {
    List<PlannedBatch> unsent = List.copyOf(again);
    again.clear();
    return unsent;
  }

  private Made made(PlannedBatch plan, BatchArrays arrays) throws IOException {
    FileChannel opened = openAsItArrived();
    int at = PreparedBatch.payloadAt(state.topic);
    byte[] bytes = arrays.take(plan.length());
    int length = read(opened, bytes, at, plan.from(), plan.length());
    if (length < plan.length() || Content.checksum(bytes, at, at + length) != plan.crc()) {
      throw new ChangedException(place, plan);
    }
    Made made = cut(plan, bytes, at, true);
    if (made.plan.records() != plan.records()) {
      throw new ChangedException(place, plan);
    }
    again.remove();
    counters.recordsSentAgain.add(plan.records());
    return made;
  }

  /**
   * Opens the file if it is what arrived. A planned batch has its own checksum; more need not be
   * there yet.
   */
  private FileChannel openAsItArrived() throws IOException {
    if (channel == null) {
      FileChannel opened = FileChannel.open(place, StandardOpenOption.READ);
      if (!Content.isSame(opened, state.head, state.arrived(), state.arrivedTail())) {
        opened.close();
        throw new ReplacedException(place);
      }
      size = opened.size();
      channel = opened;
    }
    return channel;
  }

  private @Nullable Made readOn(BatchArrays arrays, long joinNanos) throws IOException {
    FileChannel opened = open();
    long from = state.position();
    long there = size - from;
    int at = PreparedBatch.payloadAt(state.topic);
    int wanted = (int) Math.min(there, BatchArrays.BATCH_BYTES);
    byte[] bytes = arrays.take(wanted);
    int length = read(opened, bytes, at, from, wanted);
    int whole = whole(bytes, at, length, joinNanos);
    if (whole == 0 && length == BatchArrays.BATCH_BYTES) {
      arrays.giveBack(bytes);
      wanted = (int) Math.min(there, BatchArrays.LONGEST_BYTES);
      bytes = arrays.take(wanted);
      length = read(opened, bytes, at, from, wanted);
      whole = whole(bytes, at, length, joinNanos);
      if (whole == 0 && length == BatchArrays.LONGEST_BYTES) {
        whole = cutAnyway(bytes, at);
      }
    }
    if (!state.head.isOf(opened) || opened.size() < from + whole) {
      throw new ReplacedException(place);
    }
    if (whole == 0) {
      triedSize = size;
      arrays.giveBack(bytes);
      return null;
    }
    int crc = Content.checksum(bytes, at, at + whole);
    int tail =
        whole >= Content.TAIL_BYTES
            ? Content.checksum(bytes, at + whole - Content.TAIL_BYTES, at + whole)
            : Content.tail(opened, from + whole);
    PlannedBatch plan = new PlannedBatch(from, from + whole, state.next(), 0, crc, tail);
    return cut(plan, bytes, at, false);
  }

  /** How many bytes are whole records; all of them when their time is up. */
  private int whole(byte[] bytes, int at, int length, long joinNanos) {
    int nuls = leadingNuls(bytes, at, length);
    if (nuls > 0) {
      return nuls;
    }
    int whole = cutter.wholeRecords(bytes, at, at + length);
    long now = System.nanoTime();
    if (whole == 0 && state.position() + length == size) {
      if (isPartDue(now)) {
        return length;
      }
      if (isJoinDue(now, joinNanos)) {
        return Math.max(0, RecordCutter.last(bytes, at, at + length) + 1 - at);
      }
    }
    return whole;
  }

  /** A program that goes on where it was, after a truncation, leaves a hole before it. */
  private int leadingNuls(byte[] bytes, int at, int length) {
    int nuls = 0;
    if (nulEnd == state.position()) {
      while (nuls < length && bytes[at + nuls] == 0) {
        nuls++;
      }
    }
    return nuls;
  }

  /** A record that is longer than one may be goes on as another. */
  private int cutAnyway(byte[] bytes, int at) {
    int lastLf = RecordCutter.last(bytes, at, at + PreparedBatch.MAX_RECORD_BYTES);
    if (lastLf >= 0) {
      counters.longRecords.increment();
      return lastLf + 1 - at;
    }
    counters.longLines.increment();
    return PreparedBatch.MAX_RECORD_BYTES;
  }

  private Made cut(PlannedBatch plan, byte[] bytes, int at, boolean isAgain) {
    PreparedBatch batch = new PreparedBatch(state.topic, bytes, acknowledged);
    int blank = 0;
    if (plan.from() == nulEnd && bytes[at] == 0) {
      nulEnd = plan.to();
      counters.nulBytes.add(plan.length());
    } else {
      blank = cutter.take(batch, at, plan.length());
    }
    RecordStamp stamp =
        isAgain ? plan.stamp() : plan.stamp().at(System.currentTimeMillis(), batch.records());
    batch.stamp(stamp.high(), stamp.low());
    PlannedBatch planned =
        new PlannedBatch(plan.from(), plan.to(), stamp, batch.records(), plan.crc(), plan.tail());
    if (!isAgain) {
      counters.blankLines.add(blank);
      counters.bytes.add(plan.length());
      counters.records.add(batch.records());
    }
    return new Made(this, planned, batch, isAgain);
  }

  private static int read(FileChannel file, byte[] bytes, int at, long from, int length)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, at, length);
    Content.read(file, buffer, from);
    return buffer.position() - at;
  }
}
