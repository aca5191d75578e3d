package io.cordwood.agent.follow;

import io.cordwood.agent.follow.ContainerCutter.Ends;
import io.cordwood.agent.follow.ContainerCutter.Way;
import io.cordwood.common.wire.ForeignBytes;
import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.Lines;
import io.cordwood.forwarder.PreparedBatch;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of what a followed file holds: those that an earlier process has planned, as they
 * were, and then the records that come after. Owned by the follower's thread.
 */
final class FileBatches {
  private static final Comparator<PlannedBatch> IN_ORDER =
      Comparator.comparingLong(PlannedBatch::from);

  private final FollowedFile file;
  private final BatchParts parts;
  private final RecordCutter cutter;

  /** Batches that are planned, and are to be sent again. */
  private final TreeSet<PlannedBatch> again = new TreeSet<>(IN_ORDER);

  private @Nullable LineFormat format;
  private long triedSize = -1;
  private long nulEnd;
  private boolean isPacked;

  FileBatches(FollowedFile file, BatchParts parts) {
    this.file = file;
    this.parts = parts;
    this.cutter = new RecordCutter(file.state.multiline);
    this.again.addAll(file.state.planned());
    this.nulEnd = file.state.position() == 0 ? 0 : -1;
  }

  /** Whether what comes next was planned before: by an earlier process, or before a refusal. */
  boolean repeatsPlans() {
    return !again.isEmpty();
  }

  /** The position at which what comes next begins. */
  long from() {
    return again.isEmpty() ? file.state.position() : again.getFirst().from();
  }

  /** The labels of what comes next. */
  Labels labels() {
    return again.isEmpty() ? file.state.labels : again.getFirst().labels();
  }

  /** The origins of what comes next. */
  List<Origin> origins() {
    Origin origin = file.state.origin(labels());
    return isOfContainer() ? List.of(ContainerOrigins.of(origin)) : List.of(origin);
  }

  private boolean isOfContainer() {
    return format != null && format.isOfContainers();
  }

  /** A batch was refused, and is to be sent again. */
  void takeBack(PlannedBatch plan) {
    again.add(plan);
  }

  /** Whether it holds no lines, so that nothing is read of it. */
  boolean isPacked() {
    return isPacked;
  }

  /** Whether the file had another size when it held no whole record. */
  boolean wereNotTriedAt(long size) {
    return size != triedSize;
  }

  /** Gives up the batches that were to be sent again, and returns them. */
  List<PlannedBatch> giveUpPlans() {
    List<PlannedBatch> unsent = List.copyOf(again);
    again.clear();
    return unsent;
  }

  /** As {@link FollowedFile#next}. */
  FollowedFile.@Nullable Made next(BatchArrays arrays, long joinNanos) throws IOException {
    return again.isEmpty() ? readOn(arrays, joinNanos) : made(again.getFirst(), arrays);
  }

  /** Null if its bytes are not all there yet, as in a copy that is being made. */
  private FollowedFile.@Nullable Made made(PlannedBatch plan, BatchArrays arrays)
      throws IOException {
    FileChannel opened = file.openAsItArrived();
    int at = PreparedBatch.payloadAt(file.state.origin(plan.labels()));
    byte[] bytes = arrays.take(at, plan.length());
    int length = file.state.read(opened, bytes, at, plan.from(), plan.length());
    boolean isShort = length < plan.length();
    if (isShort || Content.checksum(bytes, at, at + length) != plan.crc()) {
      arrays.giveBack(bytes);
      if (!file.state.isAsItArrived(opened)) {
        throw new FollowedFile.ReplacedException(file.place());
      }
      if (isShort && !file.isPartDue(System.nanoTime())) {
        return null;
      }
      throw new FollowedFile.ChangedException(file.place(), plan);
    }
    if (plan.records() == 0) { // it went on in another file, or was blank
      arrays.giveBack(bytes);
      again.remove(plan);
      return new FollowedFile.Made(file, plan, List.of(), new Delivery(), true, null);
    }
    if (!knowsFormat(opened)) {
      format = LineFormat.plain;
    }
    FollowedFile.Made made = cut(plan, FileEncoding.of(opened), arrays, bytes, at, true);
    if (made.plan().records() != plan.records()) {
      throw new FollowedFile.ChangedException(file.place(), plan);
    }
    again.remove(plan);
    parts.counters().recordsSentAgain.add(plan.records());
    return made;
  }

  private FollowedFile.@Nullable Made readOn(BatchArrays arrays, long joinNanos)
      throws IOException {
    FileChannel opened = file.open();
    if (!knowsFormat(opened)) {
      triedSize = file.size();
      return null;
    }
    FileEncoding encoding = FileEncoding.of(opened);
    int most = encoding.most(BatchArrays.BATCH_BYTES);
    int longest = encoding.most(BatchArrays.LONGEST_BYTES);
    long from = file.state.position();
    long there = file.size() - from;
    int at = PreparedBatch.payloadAt(file.state.origin(file.state.labels));
    int wanted = (int) Math.min(there, most);
    byte[] bytes = arrays.take(at, wanted);
    int length = file.state.read(opened, bytes, at, from, wanted);
    if (from == 0 && ForeignBytes.packing(Arrays.copyOfRange(bytes, at, at + length)).isPresent()) {
      arrays.giveBack(bytes);
      isPacked = true;
      return null;
    }
    int whole = whole(encoding, arrays, bytes, at, length, joinNanos);
    if (whole == 0 && length == most) {
      arrays.giveBack(bytes);
      wanted = (int) Math.min(there, longest);
      bytes = arrays.take(at, wanted);
      length = file.state.read(opened, bytes, at, from, wanted);
      whole = whole(encoding, arrays, bytes, at, length, joinNanos);
      if (whole == 0 && length == longest) {
        whole = cutAnyway(encoding, arrays, bytes, at, length);
      }
    }
    if (!file.state.head.isOf(opened) || opened.size() < from + whole) {
      throw new FollowedFile.ReplacedException(file.place());
    }
    if (whole == 0) {
      boolean isDue = from + length == file.size() && isEnded(arrays, bytes, at + length);
      FollowedFile to = isDue ? later(encoding) : null;
      FollowedFile.Made carried =
          to == null ? null : carried(plan(opened, bytes, at, length), bytes, at, to);
      triedSize = file.size();
      arrays.giveBack(bytes);
      return carried;
    }
    return cut(plan(opened, bytes, at, whole), encoding, arrays, bytes, at, false);
  }

  private PlannedBatch plan(FileChannel opened, byte[] bytes, int at, int length)
      throws IOException {
    long from = file.state.position();
    int crc = Content.checksum(bytes, at, at + length);
    int tail =
        Math.min(length, from + length) >= Content.TAIL_BYTES
            ? Content.checksum(bytes, at + length - Content.TAIL_BYTES, at + length)
            : Content.tail(opened, from + length);
    RecordStamp stamp = file.state.next();
    return new PlannedBatch(from, from + length, stamp, 0, crc, tail, file.state.labels);
  }

  private FollowedFile.Made carried(PlannedBatch plan, byte[] bytes, int at, FollowedFile to) {
    var carried = Rotation.Carried.of(bytes, at, plan.length(), to.state);
    return new FollowedFile.Made(file, plan, List.of(), new Delivery(), false, carried);
  }

  /** The file that takes what is left of this one; null while lines may come here. */
  private @Nullable FollowedFile later(FileEncoding encoding) {
    boolean isDue = file.rotation.isDue(System.nanoTime());
    return isDue && encoding.isOfBytes() ? file.rotation.next(format) : null;
  }

  /** Whether its lines are of a format; not if that cannot be known yet, or is no ASCII's. */
  boolean areOf(LineFormat other) {
    try {
      FileChannel opened = file.open();
      return FileEncoding.of(opened).isOfBytes() && knowsFormat(opened) && format == other;
    } catch (IOException e) {
      return false; // which is said when it is read
    }
  }

  /** False if its first line, which shows it, is not there yet. */
  private boolean knowsFormat(FileChannel opened) throws IOException {
    if (format != null) {
      return true;
    }
    boolean isWide = FileEncoding.of(opened).text().utf16().isPresent();
    format = isWide ? LineFormat.plain : FormatFinder.of(opened, file.state.format);
    if (format == null && file.isPartDue(System.nanoTime())) {
      format = LineFormat.plain;
    }
    nulEnd = format == LineFormat.local ? Long.MIN_VALUE : nulEnd; // lengths begin with NULs
    return format != null;
  }

  private Way way(LineFormat of, Ends ends, long joinNanos, int payloadAt) {
    return new Way(of, file.state.multiline, ends, joinNanos, payloadAt);
  }

  private static int cut(BatchArrays arrays, byte[] bytes, int at, int length, Way way) {
    return arrays.cutter.cut(arrays.pieces, bytes, at, at + length, way) - at;
  }

  /** As {@link #whole}, of the lines of a container. */
  private int wholeOfContainer(
      LineFormat of, BatchArrays arrays, byte[] bytes, int at, int length, long joinNanos) {
    Origin[] origins = ContainerOrigins.of(file.state.origin(file.state.labels));
    int before = ContainerOrigins.payloadAt(origins);
    int whole = cut(arrays, bytes, at, length, way(of, Ends.WHOLE, joinNanos, before));
    if (whole > 0) {
      return whole;
    }
    if (arrays.cutter.isFull()) {
      parts.counters().longRecords.increment();
      int reached = arrays.cutter.reached() - at;
      return cut(arrays, bytes, at, reached, way(of, Ends.ALL, joinNanos, before));
    }
    long now = System.nanoTime();
    boolean isLast = isLast(arrays, bytes, at, length);
    if (isLast && file.isPartDue(now)) {
      return cut(arrays, bytes, at, length, way(of, Ends.ALL, joinNanos, before));
    }
    if (isLast && file.isJoinDue(now, joinNanos)) {
      return cut(arrays, bytes, at, length, way(of, Ends.JOINED, joinNanos, before));
    }
    return 0;
  }

  /** Whether nothing comes after bytes, here or in a later file of the name. */
  private boolean isLast(BatchArrays arrays, byte[] bytes, int at, int length) {
    return file.state.position() + length == file.size()
        && (length == 0
            || !isEnded(arrays, bytes, at + length)
            || file.rotation.next(format) == null);
  }

  private boolean isEnded(BatchArrays arrays, byte[] bytes, int end) {
    return isOfContainer() ? arrays.cutter.reached() == end : bytes[end - 1] == '\n';
  }

  /** How many bytes of the file are whole records; all of them when their time is up. */
  private int whole(
      FileEncoding encoding, BatchArrays arrays, byte[] bytes, int at, int length, long joinNanos) {
    FileEncoding.Lines lines = encoding.lines(bytes, at, length, file.state.position());
    int nuls = lines.isWide() ? 0 : leadingNuls(bytes, at, length);
    if (nuls > 0) {
      return nuls;
    }
    if (format != null && format.isOfContainers()) {
      return wholeOfContainer(format, arrays, bytes, at, length, joinNanos);
    }
    int end = at + lines.length();
    int whole = lines.inFile(at, cutter.wholeRecords(lines.bytes(), at, end));
    long now = System.nanoTime();
    if (whole == 0 && isLast(arrays, bytes, at, length)) {
      if (file.isPartDue(now)) {
        return length;
      }
      if (file.isJoinDue(now, joinNanos)) {
        return lines.inFile(at, Math.max(0, Lines.last(lines.bytes(), at, end) + 1 - at));
      }
    }
    return whole;
  }

  /** A program that goes on where it was, after a truncation, leaves a hole before it. */
  private int leadingNuls(byte[] bytes, int at, int length) {
    int nuls = 0;
    if (nulEnd == file.state.position()) {
      while (nuls < length && bytes[at + nuls] == 0) {
        nuls++;
      }
    }
    return nuls;
  }

  /** A record that is longer than one may be goes on as another. */
  private int cutAnyway(
      FileEncoding encoding, BatchArrays arrays, byte[] bytes, int at, int length) {
    if (format != null && format.isOfContainers()) {
      parts.counters().longRecords.increment();
      int reached = arrays.cutter.reached() - at;
      return cut(arrays, bytes, at, reached, way(format, Ends.ALL, 0, 0));
    }
    FileEncoding.Lines lines = encoding.lines(bytes, at, length, file.state.position());
    int most = Math.min(PreparedBatch.MAX_RECORD_BYTES, lines.length());
    int lastLf = Lines.last(lines.bytes(), at, at + most);
    if (lastLf >= 0) {
      parts.counters().longRecords.increment();
      return lines.inFile(at, lastLf + 1 - at);
    }
    parts.counters().longLines.increment();
    return lines.inFile(at, most);
  }

  private FollowedFile.Made cut(
      PlannedBatch plan,
      FileEncoding encoding,
      BatchArrays arrays,
      byte[] bytes,
      int at,
      boolean isAgain) {
    var delivery = new Delivery();
    FileEncoding.Lines lines = encoding.lines(bytes, at, plan.length(), plan.from());
    boolean isHole = !lines.isWide() && plan.from() == nulEnd && bytes[at] == 0;
    if (isHole) {
      nulEnd = plan.to();
      parts.counters().nulBytes.add(plan.length());
    } else if (format != null && format.isOfContainers()) {
      return cutContainer(format, plan, arrays, bytes, at, isAgain);
    }
    PreparedBatch batch = batch(delivery, file.state.origin(plan.labels()), lines.bytes());
    int blank = isHole ? 0 : cutter.take(batch, at, lines.length());
    RecordStamp stamp =
        isAgain ? plan.stamp() : plan.stamp().at(parts.clock().millis(), batch.records());
    batch.stamp(stamp.high(), stamp.low());
    return made(plan.of(stamp, batch.records()), List.of(batch), delivery, blank, isAgain);
  }

  private FollowedFile.Made cutContainer(
      LineFormat of, PlannedBatch plan, BatchArrays arrays, byte[] bytes, int at, boolean isAgain) {
    if (isAgain) {
      int _ = cut(arrays, bytes, at, plan.length(), way(of, Ends.ALL, 0, 0));
    }
    RecordStamp stamp =
        isAgain ? plan.stamp() : plan.stamp().at(parts.clock().millis(), plan.length());
    Origin[] origins = ContainerOrigins.of(file.state.origin(plan.labels()));
    var delivery = new Delivery();
    var records = new ContainerBatches(arrays.pieces, bytes, at + plan.length(), origins, stamp);
    List<PreparedBatch> batches =
        records.make(arrays, (origin, array) -> batch(delivery, origin, array));
    arrays.giveBack(bytes);
    if (!isAgain) {
      parts.counters().linesUnlike.add(records.unlikeLines);
      parts.counters().timesReplaced.add(records.replacedTimes);
    }
    int count = batches.stream().mapToInt(PreparedBatch::records).sum();
    return made(plan.of(stamp, count), batches, delivery, records.blankLines, isAgain);
  }

  private PreparedBatch batch(Delivery delivery, Origin origin, byte[] bytes) {
    return new PreparedBatch(
        origin,
        bytes,
        () -> parts.end(file, delivery, origin, true),
        () -> parts.end(file, delivery, origin, false));
  }

  private FollowedFile.Made made(
      PlannedBatch plan,
      List<PreparedBatch> batches,
      Delivery delivery,
      int blank,
      boolean isAgain) {
    if (!isAgain) {
      parts.counters().blankLines.add(blank);
      parts.counters().bytes.add(plan.length());
      parts.counters().records.add(plan.records());
    }
    return new FollowedFile.Made(file, plan, batches, delivery, isAgain, null);
  }
}
