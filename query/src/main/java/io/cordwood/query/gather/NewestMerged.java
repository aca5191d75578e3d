package io.cordwood.query.gather;

import io.cordwood.query.BlockHits;
import io.cordwood.query.HitSink;
import java.io.IOException;
import java.util.ArrayDeque;

/**
 * Keeps the newest so many records of what comes in ULID order. Holds these records' groups. For
 * one thread.
 */
final class NewestMerged implements HitSink {
  private record Held(BlockHits hits, BlockHits.Group group) {}

  private final ArrayDeque<Held> held = new ArrayDeque<>();
  private final long wanted;
  private final HitSink sink;
  private long records;

  /**
   * @param sink that is to get them, and is told meanwhile that they are waited for
   */
  NewestMerged(long wanted, HitSink sink) {
    this.wanted = wanted;
    this.sink = sink;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) {
    held.add(new Held(hits, group));
    records += group.size();
    while (records - held.element().group().size() >= wanted) {
      records -= held.remove().group().size();
    }
    return true;
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
  }

  /** Gives what was kept, in ULID order. */
  void give() throws IOException {
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
