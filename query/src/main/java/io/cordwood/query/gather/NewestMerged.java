package io.cordwood.query.gather;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.BlockHits;
import io.cordwood.query.HitSink;
import io.cordwood.query.scan.NewestBudget;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Keeps the newest so many records of what comes in ULID order; as many as there is memory for. For
 * one thread; to be closed.
 */
final class NewestMerged implements HitSink, AutoCloseable {
  private record Held(BlockHits hits, BlockHits.Group group) {}

  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private final long wanted;
  private final HitSink sink;
  private final NewestBudget.Share memory;
  private long records;
  private Optional<Ulid> cutBefore = Optional.empty();

  /**
   * @param sink that is to get them, and is told meanwhile that they are waited for
   */
  NewestMerged(long wanted, NewestBudget budget, HitSink sink) {
    this.wanted = wanted;
    this.memory = budget.open();
    this.sink = sink;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) {
    boolean fits = memory.take(hits.bytes(group));
    while (!fits && !held.isEmpty()) {
      cutAt(dropOldest());
      fits = memory.take(hits.bytes(group));
    }
    if (!fits) {
      cutAt(group);
      return true;
    }
    held.add(new Held(hits, group));
    records += group.size();
    while (records - held.element().group().size() >= wanted) {
      dropOldest();
    }
    return true;
  }

  private BlockHits.Group dropOldest() {
    Held oldest = held.remove();
    records -= oldest.group().size();
    memory.free(oldest.hits().bytes(oldest.group()));
    return oldest.group();
  }

  private void cutAt(BlockHits.Group group) {
    cutBefore = Optional.of(Ulid.lastOf(group.first().millis()));
  }

  private boolean isCut(BlockHits.Group group) {
    return cutBefore.isPresent() && !group.first().isAfter(cutBefore.get());
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

  @Override
  public void idle() throws IOException {
    sink.idle();
  }

  /** Gives what was kept, in ULID order. */
  void give() throws IOException {
    while (!held.isEmpty() && isCut(held.element().group())) {
      dropOldest();
    }
    for (Held next : held) {
      BlockHits.Group group = next.group();
      int surplus = (int) Math.max(0, records - wanted);
      records -= surplus;
      var newest = new BlockHits.Group(group.first(), group.from() + surplus, group.to());
      if (!sink.accept(next.hits(), newest)) {
        return;
      }
    }
  }
}
