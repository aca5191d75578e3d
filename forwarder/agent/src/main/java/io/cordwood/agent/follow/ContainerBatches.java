package io.cordwood.agent.follow;

import io.cordwood.common.wire.Origin;
import io.cordwood.forwarder.PreparedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The batches of records of a container: one of each stream and millisecond, since all records of a
 * batch have one origin and one time.
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
  private final RecordStamp stamp;
  private final List<Group> groups = new ArrayList<>();
  private final @Nullable Group[] open;

  int blankLines;
  int unlikeLines;
  int replacedTimes;

  /** Makes a batch of records with an array. */
  interface Maker {
    PreparedBatch make(Origin origin, byte[] bytes);
  }

  private static final class Group {
    final int stream;
    final long millis;
    final List<Integer> firsts = new ArrayList<>(1);
    int bytes;
    boolean hasLines;

    Group(int stream, long millis) {
      this.stream = stream;
      this.millis = millis;
    }
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
    this.stamp = stamp;
    this.open = new Group[origins.length];
    for (int i = 0; i < pieces.count() && pieces.begin(i) < whole; i++) {
      unlikeLines += pieces.isUnlike(i) ? 1 : 0;
      if (pieces.lastOfRecord(i) >= 0) {
        add(i);
      }
    }
  }

  private void add(int first) {
    int last = pieces.lastOfRecord(first);
    int length = 0;
    boolean hasLines = false;
    for (int i = first; i >= 0; i = pieces.next(i)) {
      boolean endsLine = i != last && !pieces.isPart(i);
      length += pieces.length(i) + (endsLine ? 1 : 0);
      hasLines |= endsLine || pieces.hasLines(i);
    }
    if (length == 0) {
      blankLines++;
      return;
    }
    int stream = pieces.stream(first);
    long millis = time(pieces.millis(first));
    Group group = open[stream];
    if (group == null || group.millis != millis) {
      group = new Group(stream, millis);
      open[stream] = group;
      groups.add(group);
    }
    group.firsts.add(first);
    group.bytes += length + 1;
    group.hasLines |= hasLines;
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

  List<PreparedBatch> make(Maker maker) {
    List<PreparedBatch> made = new ArrayList<>(groups.size());
    RecordStamp next = stamp;
    for (Group group : groups) {
      PreparedBatch batch = make(group, maker);
      RecordStamp timed = next.ofTime(group.millis);
      batch.stamp(timed.high(), timed.low());
      next = next.after(batch.records());
      made.add(batch);
    }
    return made;
  }

  private PreparedBatch make(Group group, Maker maker) {
    Origin origin = origins[group.stream];
    int payloadAt = PreparedBatch.payloadAt(origin);
    byte[] array = new byte[payloadAt + group.bytes];
    boolean isJoined = group.hasLines;
    int at = copy(group, array, payloadAt, isJoined ? (byte) 0 : (byte) '\n');
    PreparedBatch batch = maker.make(origin, array);
    if (isJoined && count(array, payloadAt, at) != group.firsts.size()) {
      at = copy(group, array, payloadAt, (byte) '\n'); // a text has NULs: its lines stay apart
      isJoined = false;
    }
    if (isJoined) {
      batch.takeRecords(at - payloadAt, group.firsts.size());
    } else {
      int _ = batch.takeLines(at - payloadAt);
    }
    return batch;
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
    for (int first : group.firsts) {
      int last = pieces.lastOfRecord(first);
      for (int i = first; i >= 0; i = pieces.next(i)) {
        at = pieces.copy(i, bytes, to, at);
        if (i != last && !pieces.isPart(i)) {
          to[at++] = '\n';
        }
      }
      to[at++] = end;
    }
    return at;
  }
}
