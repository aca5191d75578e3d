package io.cordwood.query.result;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.wire.Labels;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.List;

/** The records of one block that match, copied out of it, in ULID order. Immutable. */
public final class BlockHits {
  private final Topic topic;
  private final byte[] bytes;
  private final int[] ends;
  private final int[] places;
  private final List<Group> groups;

  /**
   * @param bytes the records back to back, each ended by LF, whatever its delimiter was; empty when
   *     only counted
   * @param ends for each record, where it ends in {@code bytes}, after its LF; empty when only
   *     counted
   * @param places for each record, its position in its batch; empty unless ULIDs are wanted
   * @param groups the records batch by batch; never an empty group
   */
  public BlockHits(Topic topic, byte[] bytes, int[] ends, int[] places, List<Group> groups) {
    this.topic = topic;
    this.bytes = bytes;
    this.ends = ends;
    this.places = places;
    this.groups = groups;
  }

  public static BlockHits none(Topic topic) {
    return new BlockHits(topic, new byte[0], new int[0], new int[0], List.of());
  }

  /**
   * The matching records of one batch: {@code [from, to)} of the block's hits.
   *
   * @param first the ULID of the batch's first record, matching or not
   */
  public record Group(Ulid first, Labels labels, int from, int to) {
    /** One of a batch without labels. */
    public Group(Ulid first, int from, int to) {
      this(first, Labels.NONE, from, to);
    }

    /** Some of its records. */
    public Group part(int fromHit, int toHit) {
      return new Group(first, labels, fromHit, toHit);
    }

    public int size() {
      return to - from;
    }
  }

  public Topic topic() {
    return topic;
  }

  public BatchId id(Group group) {
    return new BatchId(group.first(), topic, group.labels());
  }

  public List<Group> groups() {
    return groups;
  }

  public boolean isEmpty() {
    return groups.isEmpty();
  }

  /** The ULID of a record; only if ULIDs are wanted. */
  public Ulid ulid(Group group, int hit) {
    return group.first().plus(places[hit]);
  }

  /** The record without its LF. */
  public String text(int hit, Charset charset) {
    return new String(bytes, start(hit), end(hit) - start(hit), charset);
  }

  /** The record without its LF; a view. */
  public ByteBuffer record(int hit) {
    return ByteBuffer.wrap(bytes, start(hit), end(hit) - start(hit));
  }

  /** Writes the records {@code [from, to)}, each ended by LF. */
  public void write(int from, int to, OutputStream out) throws IOException {
    out.write(bytes, start(from), ends[to - 1] - start(from));
  }

  /** Bytes of a group's records, including the LF after each. */
  public int bytes(Group group) {
    return ends.length == 0 ? 0 : ends[group.to() - 1] - start(group.from());
  }

  /** Bytes of a record, its LF included. */
  public int length(int hit) {
    return ends[hit] - start(hit);
  }

  /** Puts the records of a group, each ended by LF. */
  public void copy(Group group, ByteBuffer target) {
    target.put(bytes, start(group.from()), bytes(group));
  }

  /** The record's position in its batch; only if ULIDs are wanted. */
  public int place(int hit) {
    return places[hit];
  }

  /** A batch's records alone, which hold no memory of the others. */
  public BlockHits only(Group group) {
    if (groups.size() == 1) {
      return this;
    }
    int start = start(group.from());
    int[] ownEnds = Arrays.copyOfRange(ends, group.from(), group.to());
    Arrays.setAll(ownEnds, i -> ownEnds[i] - start);
    return new BlockHits(
        topic,
        Arrays.copyOfRange(bytes, start, start + bytes(group)),
        ownEnds,
        places.length == 0 ? places : Arrays.copyOfRange(places, group.from(), group.to()),
        List.of(group.part(0, group.size())));
  }

  /** Bytes of memory that this holds, roughly. */
  public long heldBytes() {
    long held = bytes.length + 4L * (ends.length + places.length) + 48L * groups.size();
    Labels before = Labels.NONE;
    for (Group group : groups) {
      held += group.labels().equals(before) ? 0 : heldBytes(group.labels());
      before = group.labels();
    }
    return held;
  }

  /** Bytes of memory that a group's records and labels hold, roughly. */
  public int heldBytes(Group group) {
    return bytes(group) + heldBytes(group.labels());
  }

  /** Labels hold their bytes, texts, and a node of a tree for each. */
  private static int heldBytes(Labels labels) {
    return labels.isEmpty() ? 0 : 3 * labels.bytes().length + 160 * labels.size();
  }

  private int start(int hit) {
    return hit == 0 ? 0 : ends[hit - 1];
  }

  private int end(int hit) {
    return ends[hit] - 1;
  }
}
