package io.cordwood.agent.follow;

import io.cordwood.common.wire.Labels;
import io.cordwood.common.wire.Origin;
import java.io.IOException;
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
  final long id;
  final String topic;
  final Multiline multiline;
  final LineFormat format;
  FileStat.Key key;
  Path path;
  Home home;
  Content.Head head;

  /** Labels of what will be planned; what is planned keeps those that it has. */
  Labels labels = Labels.NONE;

  /** Since when it was not found, of which nobody knows whether it still exists; 0 if it was. */
  long awayMillis;

  private final ArrayDeque<PlannedBatch> planned = new ArrayDeque<>();
  private long arrived;
  private int arrivedTail;
  private RecordStamp next;

  FileState(long id, FileStat.Key key, Path path, Content.Head head, Cut cut, RecordStamp next) {
    this.id = id;
    this.key = key;
    this.path = path;
    this.home = new Home(path, null);
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
