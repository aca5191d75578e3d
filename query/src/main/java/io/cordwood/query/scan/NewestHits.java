package io.cordwood.query.scan;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.BatchId;
import io.cordwood.query.BlockHits;
import io.cordwood.query.HitSink;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the newest records that match, reading from the end, and stops as soon as no older block
 * can add to them. Gives them in ULID order. Holds these records, as many as there is memory for:
 * if that is not enough, only the newest of them. For one thread; to be closed.
 */
final class NewestHits implements AutoCloseable {
  private record Held(BlockHits hits, BlockHits.Group group) {}

  private final TreeMap<BatchId, Held> held = new TreeMap<>();
  private final long wanted;
  private final NewestBudget.Share memory;
  private long records;
  private Optional<Ulid> cutBefore = Optional.empty();

  NewestHits(long wanted, NewestBudget budget) {
    this.wanted = wanted;
    this.memory = budget.open();
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
    while (!held.isEmpty() && isCut(held.firstKey())) {
      dropOldest();
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
    if (cutBefore.isPresent()) {
      return !newestOfNextBlock.isAfter(cutBefore.get());
    }
    return records >= wanted && held.firstKey().first().isAfter(newestOfNextBlock);
  }

  /** Up to where records were left out, since there was no memory for them; empty if none were. */
  Optional<Ulid> cutBefore() {
    return cutBefore;
  }

  @Override
  public void close() {
    held.clear();
    memory.close();
  }

  private void add(BlockHits hits, BlockHits.Group group) {
    BatchId id = hits.id(group);
    if (held.containsKey(id) || isCut(id)) {
      return;
    }
    while (!memory.take(hits.bytes(group))) {
      if (held.isEmpty() || held.firstKey().compareTo(id) > 0) {
        cutAt(id);
        return;
      }
      cutAt(dropOldest());
    }
    held.put(id, new Held(hits, group));
    records += group.size();
    while (records - held.firstEntry().getValue().group().size() >= wanted) {
      dropOldest();
    }
  }

  private boolean isCut(BatchId id) {
    return cutBefore.isPresent() && !id.first().isAfter(cutBefore.get());
  }

  private void cutAt(BatchId id) {
    Ulid last = Ulid.lastOf(id.first().millis()); // of the batch, too
    cutBefore = cutBefore.filter(before -> before.isAfter(last)).or(() -> Optional.of(last));
  }

  private BatchId dropOldest() {
    Map.Entry<BatchId, Held> oldest = Objects.requireNonNull(held.pollFirstEntry());
    BlockHits.Group group = oldest.getValue().group();
    records -= group.size();
    memory.free(oldest.getValue().hits().bytes(group));
    return oldest.getKey();
  }
}
