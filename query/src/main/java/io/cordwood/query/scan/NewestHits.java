package io.cordwood.query.scan;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.BatchId;
import io.cordwood.query.BlockHits;
import io.cordwood.query.HitSink;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the newest records that match, reading from the end, and stops as soon as no older block
 * can add to them. Gives them in ULID order. Holds the blocks' hits that contribute.
 */
final class NewestHits {
  private record Held(BlockHits hits, BlockHits.Group group) {}

  private final TreeMap<BatchId, Held> held = new TreeMap<>();
  private final long wanted;
  private long records;

  NewestHits(long wanted) {
    this.wanted = wanted;
  }

  /**
   * Reads a stream whose blocks come in the order of their last ULIDs, the newest first, and gives
   * what was found to the sink.
   */
  void run(HitStream stream, HitSink sink) throws IOException {
    while (stream.hasNext() && !isSettledBefore(stream.peek().info().range().to())) {
      BlockHits hits = stream.next();
      hits.groups().forEach(group -> add(hits, group));
    }
    for (Held next : held.values()) {
      BlockHits.Group group = next.group();
      int surplus = (int) Math.max(0, records - wanted);
      records -= surplus;
      var newest = new BlockHits.Group(group.first(), group.from() + surplus, group.to());
      if (!sink.accept(next.hits(), newest)) {
        return;
      }
    }
  }

  /** Whether no older block can add to what was found, of which the newest holds up to a ULID. */
  boolean isSettledBefore(Ulid newestOfNextBlock) {
    return records >= wanted && held.firstKey().first().isAfter(newestOfNextBlock);
  }

  private void add(BlockHits hits, BlockHits.Group group) {
    if (held.putIfAbsent(hits.id(group), new Held(hits, group)) != null) {
      return;
    }
    records += group.size();
    while (true) {
      Map.Entry<BatchId, Held> oldest = held.firstEntry();
      if (records - oldest.getValue().group().size() < wanted) {
        return;
      }
      records -= oldest.getValue().group().size();
      held.pollFirstEntry();
    }
  }
}
