package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The batches of records of a container: one of each stream and millisecond, since all records of a
 * batch have one origin and one time. Those of a stream lie one after another in an array, and are
 * sent as one.
 *
 * <pre>
 *   ULID:  48 bits time of the record │ 48 bits of the file's stamp │ 32 bits its counter
 * </pre>
 *
 * The counter goes on over all of them, so none has the ULIDs of another one, whatever their times.
 */
final class ContainerBatches {
  /** Bulk ports stamp anew what is further in the past. */
  private static final long MOST_BEHIND_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** Records further in the future get another stamp when they are sent. */
  private static final long MOST_AHEAD_MILLIS = TimeUnit.HOURS.toMillis(12);

  private final Pieces pieces;
  private final byte[] bytes;
  private final Origin[] origins;
  private final int[] beforeRecords;
  private final RecordStamp stamp;
  private final List<Group> groups = new ArrayList<>();
  private final Open[] streams;

  int blankLines;
  int unlikeLines;
  int replacedTimes;

  /** Makes a batch of records with an array. */
  interface Maker {
    PreparedBatch make(Origin origin, byte[] bytes);
  }

  /** Batches of a stream that lie in one array. */
  private static final class Row {
    int bytes;
    @Nullable PreparedBatch made;
  }

  /** Records of one batch, which follow each other in a stream. */
  private static final class Group {
    final int stream;
    final long millis;
    final Row row;
    final int first;
    int records;
    boolean hasLines;

    Group(int stream, long millis, Row row, int first) {
      this.stream = stream;
      this.millis = millis;
      this.row = row;
      this.first = first;
    }
  }

  /** The record of a stream whose pieces are looked at, and the group that it may be added to. */
  private static final class Open {
    int first = -1;
    int length;
    boolean hasLines;
    @Nullable Group group;
  }

  /**
   * @param whole the position where the records end, in the bytes
   * @param origins of each stream's records
   * @param stamp of the first record; its time is for those that have none, or one that is far off
   */
  ContainerBatches(Pieces pieces, byte[] bytes, int whole, Origin[] origins, RecordStamp stamp) {
    this.pieces = pieces;
    this.bytes = bytes;
    this.origins = origins;
    this.beforeRecords = ContainerOrigins.beforeRecords(origins);
    this.stamp = stamp;
    this.streams = Stream.generate(Open::new).limit(origins.length).toArray(Open[]::new);
    for (int i = 0; i < pieces.count() && pieces.begin(i) < whole; i++) {
      unlikeLines += pieces.isUnlike(i) ? 1 : 0;
      Open open = streams[pieces.stream(i)];
      open.first = open.first < 0 ? i : open.first;
      open.length += pieces.length(i) + (pieces.isJoined(i) ? 1 : 0);
      open.hasLines |= pieces.isJoined(i) || pieces.hasLines(i);
      if (pieces.endsRecord(i)) {
        add(open, pieces.stream(i));
      }
    }
    groups.sort(Comparator.comparingInt(group -> group.first));
  }

  private void add(Open record, int stream) {
    if (record.length == 0) {
      blankLines++;
    } else {
      long millis = time(pieces.millis(record.first));
      Group group = record.group;
      if (group == null || group.millis != millis) {
        group = begin(record, stream, millis);
      }
      group.records++;
      group.row.bytes += record.length + 1;
      group.hasLines |= record.hasLines;
    }
    record.first = -1;
    record.length = 0;
    record.hasLines = false;
  }

  private Group begin(Open record, int stream, long millis) {
    Group before = record.group;
    int more = beforeRecords[stream] + record.length + 1;
    Row row = before == null ? new Row() : before.row;
    row = row.bytes + more > BatchArrays.BATCH_BYTES ? new Row() : row;
    Group group = new Group(stream, millis, row, record.first);
    group.row.bytes += beforeRecords[stream];
    record.group = group;
    groups.add(group);
    return group;
  }

  private long time(long millis) {
    long now = stamp.millis();
    if (millis != ContainerTime.NONE
        && millis >= now - MOST_BEHIND_MILLIS
        && millis <= now + MOST_AHEAD_MILLIS) {
      return millis;
    }
    replacedTimes++;
    return now;
  }

  List<PreparedBatch> make(BatchArrays arrays, Maker maker) {
    List<PreparedBatch> made = new ArrayList<>();
    RecordStamp next = stamp;
    for (Group group : groups) {
      Row row = group.row;
      int at = beforeRecords[group.stream];
      if (row.made == null) {
        row.made = maker.make(origins[group.stream], arrays.take(0, row.bytes));
        made.add(row.made);
      } else {
        at = row.made.beginNext();
      }
      RecordStamp timed = next.ofTime(group.millis);
      row.made.stamp(timed.high(), timed.low());
      next = next.after(fill(group, row.made, at));
    }
    return made;
  }

  /** Returns how many records there are. */
  private int fill(Group group, PreparedBatch batch, int from) {
    int length = copy(group, batch.bytes(), from, group.hasLines ? (byte) 0 : (byte) '\n') - from;
    if (!group.hasLines) {
      batch.takeLines(length, group.records);
      return group.records;
    }
    if (count(batch.bytes(), from, from + length) == group.records) {
      batch.takeRecords(length, group.records);
      return group.records;
    }
    int before = batch.records(); // a text has NULs: its lines stay apart
    int _ = batch.takeLines(copy(group, batch.bytes(), from, (byte) '\n') - from);
    return batch.records() - before;
  }

  private static int count(byte[] array, int from, int to) {
    int nuls = 0;
    for (int at = from; at < to; at++) {
      nuls += array[at] == 0 ? 1 : 0;
    }
    return nuls;
  }

  private int copy(Group group, byte[] to, int from, byte end) {
    int at = from;
    int record = from;
    int left = group.records;
    for (int i = group.first; left > 0; i++) {
      if (pieces.stream(i) == group.stream) {
        at = pieces.copy(i, bytes, to, at);
        if (pieces.isJoined(i)) {
          to[at++] = '\n';
        } else if (at > record && pieces.endsRecord(i)) {
          to[at++] = end;
          record = at;
          left--;
        }
      }
    }
    return at;
  }
}
