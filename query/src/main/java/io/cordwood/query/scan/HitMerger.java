package io.cordwood.query.scan;

import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts the hits of many blocks in ULID order, oldest first, and drops what comes twice. The blocks
 * come in the order of their first ULIDs; a block is opened only when everything before it was
 * given on, so that no more is held than overlaps in time.
 *
 * <p>Batches are merged, not records: the ranges of batches are disjoint, and equal {@link
 * BatchId}s are the same batch.
 */
final class HitMerger {
  private final HitStream stream;
  private final PriorityQueue<Cursor> open = new PriorityQueue<>();
  private @Nullable BatchId lastGiven;

  HitMerger(HitStream stream) {
    this.stream = stream;
  }

  /** Gives every group once, in order, until there are no more or the sink wants no more. */
  void run(HitSink sink) throws IOException {
    boolean wanted = true;
    while (wanted && advance(sink)) {
      Cursor cursor = open.remove();
      BlockHits.Group group = cursor.group();
      if (!cursor.id.equals(lastGiven)) {
        wanted = sink.accept(cursor.hits, group);
        lastGiven = cursor.id;
      }
      if (cursor.toNext()) {
        open.add(cursor);
      }
    }
  }

  /** Opens all blocks that may hold something before the head; false if nothing is left. */
  private boolean advance(HitSink sink) throws IOException {
    while (stream.hasNext() && !isBeforeNextBlock()) {
      if (open.isEmpty()) {
        sink.passed(stream.peek().info().range().from());
      }
      BlockHits hits = stream.next();
      if (!hits.isEmpty()) {
        open.add(new Cursor(hits));
      }
    }
    return !open.isEmpty();
  }

  private boolean isBeforeNextBlock() {
    Cursor head = open.peek();
    return head != null && head.group().first().isBefore(stream.peek().info().range().from());
  }

  private static final class Cursor implements Comparable<Cursor> {
    private final BlockHits hits;
    private int at;
    private BatchId id;

    Cursor(BlockHits hits) {
      this.hits = hits;
      this.id = hits.id(group());
    }

    boolean toNext() {
      if (++at == hits.groups().size()) {
        return false;
      }
      id = hits.id(group());
      return true;
    }

    BlockHits.Group group() {
      return hits.groups().get(at);
    }

    @Override
    public int compareTo(Cursor other) {
      return id.compareTo(other.id);
    }
  }
}
