package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The checkpoint's knowledge of one file's content: which it is, how far it has arrived, and what
 * is planned beyond. When a file is truncated, what comes then is another content. Owned by the
 * follower's thread.
 */
final class FileState {
  private static final byte[] NOTHING = {};

  final long id;
  final String topic;
  final Multiline multiline;
  final LineFormat format;
  FileStat.Key key;
  Path path;
  FileLocation home;
  Content.Head head;

  /** Labels of what will be planned; what is planned keeps those that it has. */
  Labels labels = Labels.NONE;

  /** Since when it was not found, of which nobody knows whether it still exists; 0 if it was. */
  long awayMillis;

  private final ArrayDeque<PlannedBatch> planned = new ArrayDeque<>();
  private long arrived;
  private int arrivedTail;
  private RecordStamp next;
  private byte[] carried = NOTHING;

  FileState(long id, FileStat.Key key, Path path, Content.Head head, Cut cut, RecordStamp next) {
    this.id = id;
    this.key = key;
    this.path = path;
    this.home = new FileLocation(path, null);
    this.head = head;
    this.topic = cut.topic();
    this.multiline = cut.multiline();
    this.format = cut.format();
    this.next = next;
  }

  /** How its records are made; it stays for as long as the content does. */
  record Cut(String topic, Multiline multiline, LineFormat format) {
    /** Plain lines, each of which is a record. */
    static Cut ofLines(String topic) {
      return new Cut(topic, Multiline.NONE, LineFormat.plain);
    }
  }

  /** The origin of batches with some labels. */
  Origin origin(Labels of) {
    return new Origin(topic, of);
  }

  /** Up to here all is acknowledged. */
  long arrived() {
    return arrived;
  }

  int arrivedTail() {
    return arrivedTail;
  }

  /** Up to here all is acknowledged or planned. */
  long position() {
    return planned.isEmpty() ? arrived : planned.getLast().to();
  }

  int positionTail() {
    return planned.isEmpty() ? arrivedTail : planned.getLast().tail();
  }

  /** Whether a file holds all that arrived; it does not after a truncation. */
  boolean isAsItArrived(FileChannel file) throws IOException {
    return Content.isSame(file, head, arrived, arrivedTail);
  }

  /** Whether a file holds all that arrived or is planned. */
  boolean isAsItWasRead(FileChannel file) throws IOException {
    return Content.isSame(file, head, position(), positionTail());
  }

  Queue<PlannedBatch> planned() {
    return planned;
  }

  RecordStamp next() {
    return next;
  }

  /** Sets where it stands. */
  void standAt(long position, int tail, RecordStamp stamp) {
    arrived = position;
    arrivedTail = tail;
    next = stamp;
  }

  void goOnAt(RecordStamp stamp) {
    next = stamp;
  }

  void plan(PlannedBatch batch) {
    planned.add(batch);
    next = batch.stamp().after(batch.records());
    arrive(arrived);
  }

  /**
   * Notes that everything planned up to a position has arrived, with any recordless bytes after it.
   */
  void arrive(long to) {
    PlannedBatch first = planned.peek();
    while (first != null && (first.to() <= to || first.records() == 0)) {
      planned.remove();
      arrived = first.to();
      arrivedTail = first.tail();
      first = planned.peek();
    }
    if (arrived >= 0) {
      carried = NOTHING;
    }
  }

  /**
   * Bytes that stand before the file's own, from a position below nought on: the end of a file that
   * had its name before, with records that go on here. Empty once they have arrived.
   */
  byte[] carried() {
    return carried;
  }

  /** Puts bytes before those of a file of which nothing was read. */
  void carry(byte[] bytes) {
    holdCarried(bytes);
    arrived = -bytes.length;
    arrivedTail = 0;
  }

  /** Has bytes again that are before the file's own. */
  void holdCarried(byte[] bytes) {
    carried = bytes;
  }

  /** Reads what is carried and what is in the file; returns how much it has read. */
  int read(FileChannel file, byte[] bytes, int at, long from, int length) throws IOException {
    int before = from >= 0 ? 0 : (int) Math.min(-from, length);
    if (before > 0) {
      System.arraycopy(carried, carried.length + (int) from, bytes, at, before);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes, at + before, length - before);
    Content.read(file, buffer, from + before);
    return buffer.position() - at;
  }

  /**
   * Forgets what is planned from a position on; whatever of it was sent may come twice, with other
   * stamps.
   */
  void giveUpPlans(long from, long millis) {
    planned.removeIf(plan -> plan.from() >= from);
    renewStream(millis);
  }

  /** A new stream, when it is not known which stamps of this one are taken. */
  void renewStream(long millis) {
    next = RecordStamp.first(millis);
  }
}
