package io.cordwood.query.scan;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BatchId;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Keeps the newest records that it is given, in any order, each batch once, up to a number and as
 * far as there is memory. For one thread; close it after use.
 */
public final class NewestRecords implements AutoCloseable {
  private record Held(BlockHits hits, BlockHits.Group group) {}

  private final TreeMap<BatchId, Held> held = new TreeMap<>();
  private final long wanted;
  private final AnswerMemory.Share memory;
  private long records;
  private Optional<Ulid> cutBefore = Optional.empty();

  public NewestRecords(long wanted, AnswerMemory budget) {
    this.wanted = wanted;
    this.memory = budget.open();
  }

  /** Takes a batch's records. */
  public void add(BlockHits hits, BlockHits.Group group) {
    BatchId id = hits.id(group);
    if (held.containsKey(id) || isCut(id)) {
      return;
    }
    while (!memory.take(hits.heldBytes(group))) {
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
    memory.free(oldest.getValue().hits().heldBytes(group));
    return oldest.getKey();
  }

  /** Whether nothing up to a ULID can add to what is kept. */
  boolean isSettledBefore(Ulid ulid) {
    if (cutBefore.isPresent()) {
      return !ulid.isAfter(cutBefore.get());
    }
    return records >= wanted && held.firstKey().first().isAfter(ulid);
  }

  /** Up to where records were left out, since there was no memory for them; empty if none were. */
  public Optional<Ulid> cutBefore() {
    return cutBefore;
  }

  /** Gives what was kept, in ULID order. */
  public void give(HitSink sink) throws IOException {
    while (!held.isEmpty() && isCut(held.firstKey())) {
      dropOldest();
    }
    long left = records;
    for (Held next : held.values()) {
      BlockHits.Group group = next.group();
      int surplus = (int) Math.max(0, left - wanted);
      left -= surplus;
      BlockHits.Group newest = group.part(group.from() + surplus, group.to());
      if (!sink.accept(next.hits(), newest)) {
        return;
      }
    }
  }

  @Override
  public void close() {
    held.clear();
    memory.close();
  }
}
