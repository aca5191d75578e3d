package io.cordwood.store.segment;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchIdentity;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.BatchLists;
import io.cordwood.common.segment.BlockDecoder;
import io.cordwood.common.segment.BlockInfo;
import io.cordwood.common.segment.StoreSegment;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The batches of several segments in a store segment's order, each once.
 *
 * <p>A block is decoded when its first batch is due, by the index, and released after its last. So
 * memory holds one block for each segment with records of the current moment, not for each segment.
 * One thread.
 */
public final class SegmentMerge<T extends BatchIdentity> implements AutoCloseable {
  private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();
  private final ArrayDeque<BlockDecoder> spare = new ArrayDeque<>();
  private final Opener<T> opener;
  private long duplicateRecords;

  /** Takes what is merged. */
  @FunctionalInterface
  public interface Sink<T> {
    void accept(T batch) throws IOException;
  }

  /** Reads the batches of a segment's block, with a decoder if it needs one. */
  private interface BlockReader<T> {
    Iterator<T> read(BlockInfo block, Supplier<BlockDecoder> decoder) throws IOException;
  }

  /** Begins to read a segment. */
  private interface Opener<T> {
    BlockReader<T> open(StoreSegment segment) throws IOException;
  }

  /**
   * Merges the batches of the wanted blocks.
   *
   * @throws UnreadableSegmentException if the index of a segment cannot be read
   */
  public static SegmentMerge<Batch> ofBatches(
      Collection<LiveSegment> segments, Predicate<BlockInfo> wanted)
      throws UnreadableSegmentException {
    return new SegmentMerge<>(
        segments,
        wanted,
        segment -> (block, decoder) -> segment.read(block, decoder.get()).toBatches().iterator());
  }

  /**
   * Merges what segments list of the wanted blocks; only of those that have no list are the blocks
   * read.
   *
   * @throws UnreadableSegmentException if the index of a segment cannot be read
   */
  public static SegmentMerge<BatchInfo> ofLists(
      Collection<LiveSegment> segments, Predicate<BlockInfo> wanted)
      throws UnreadableSegmentException {
    return new SegmentMerge<>(segments, wanted, SegmentMerge::lists);
  }

  private static BlockReader<BatchInfo> lists(StoreSegment segment) throws IOException {
    Optional<BatchLists> lists = segment.lists();
    if (lists.isPresent()) {
      return (block, _) -> lists.get().of(block).iterator();
    }
    return (block, decoder) ->
        segment.read(block, decoder.get()).toBatches().stream().map(BatchInfo::of).iterator();
  }

  private SegmentMerge(
      Collection<LiveSegment> segments, Predicate<BlockInfo> wanted, Opener<T> opener)
      throws UnreadableSegmentException {
    this.opener = opener;
    for (LiveSegment segment : segments) {
      var cursor = new Cursor(segment, wanted);
      if (cursor.nextBlock()) {
        cursors.add(cursor);
      }
    }
  }

  /**
   * Gives every batch to the sink.
   *
   * @throws UnreadableSegmentException if a segment cannot be read
   */
  public void run(Sink<T> sink) throws IOException {
    T last = null;
    Cursor cursor;
    while ((cursor = cursors.poll()) != null) {
      if (cursor.reads()) {
        cursors.add(cursor);
        continue;
      }
      T batch = cursor.batch();
      if (last != null && batch.isSameAs(last)) {
        duplicateRecords += batch.records();
      } else {
        sink.accept(batch);
        last = batch;
      }
      if (cursor.advance()) {
        cursors.add(cursor);
      }
    }
  }

  /** Records dropped so far, since their batch had come before. */
  public long duplicateRecords() {
    return duplicateRecords;
  }

  @Override
  public void close() {
    cursors.forEach(Cursor::giveUp);
    spare.forEach(BlockDecoder::close);
  }

  /**
   * The position of the merge in one segment: at a batch, or before a block that is not decoded
   * yet.
   */
  private final class Cursor implements Comparable<Cursor> {
    private final LiveSegment segment;
    private final Iterator<BlockInfo> blocks;
    private Iterator<T> batches = List.<T>of().iterator();
    private @Nullable BlockInfo block;
    private @Nullable BlockDecoder decoder;
    private @Nullable T batch;
    private @Nullable BlockReader<T> reader;
    private Topic topic = Topic.DEFAULT;
    private Ulid first = Ulid.MIN;
    private long labels;

    Cursor(LiveSegment segment, Predicate<BlockInfo> wanted) throws UnreadableSegmentException {
      this.segment = segment;
      try {
        this.blocks = segment.segment().blocks().stream().filter(wanted).iterator();
      } catch (IOException e) {
        throw new UnreadableSegmentException(segment, e);
      }
    }

    boolean nextBlock() {
      giveUp();
      if (!blocks.hasNext()) {
        return false;
      }
      BlockInfo next = blocks.next();
      block = next;
      batch = null;
      topic = next.topic();
      first = next.range().from();
      labels = 0;
      return true;
    }

    void giveUp() {
      if (decoder != null) {
        spare.push(decoder);
        decoder = null;
      }
    }

    T batch() {
      return Objects.requireNonNull(batch);
    }

    /**
     * Reads the block, if it is not read yet; only then the labels of its first batch are known.
     */
    boolean reads() throws IOException {
      if (batch != null) {
        return false;
      }
      read();
      return true;
    }

    private BlockDecoder takeDecoder() {
      BlockDecoder own = spare.isEmpty() ? new BlockDecoder() : spare.pop();
      decoder = own;
      return own;
    }

    private void read() throws IOException {
      try {
        BlockReader<T> from = reader != null ? reader : opener.open(segment.segment());
        reader = from;
        batches = from.read(Objects.requireNonNull(block), this::takeDecoder);
      } catch (IOException e) {
        giveUp();
        throw new UnreadableSegmentException(segment, e);
      }
      T first = batches.next();
      batch = first;
      labels = first.labelsIdentity();
    }

    boolean advance() {
      if (!batches.hasNext()) {
        return nextBlock();
      }
      T next = batches.next();
      batch = next;
      first = next.first();
      labels = next.labelsIdentity();
      return true;
    }

    @Override
    public int compareTo(Cursor other) {
      int order = topic.compareTo(other.topic);
      order = order != 0 ? order : first.compareTo(other.first);
      return order != 0 ? order : Long.compareUnsigned(labels, other.labels);
    }
  }
}
