package io.cordwood.query;

import io.cordwood.common.ulid.Ulid;
import java.io.IOException;

/** Counts the records that go through, and ends it at a number of them. For one thread. */
final class Limit implements HitMerger.Sink {
  private final ScanStats stats;
  private final HitMerger.Sink sink;
  private long left;
  private boolean open = true;

  Limit(long limit, ScanStats stats, HitMerger.Sink sink) {
    this.left = limit;
    this.stats = stats;
    this.sink = sink;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    int taken = (int) Math.min(left, group.size());
    var within = new BlockHits.Group(group.first(), group.from(), group.from() + taken);
    left -= taken;
    stats.matches.addAndGet(taken);
    open = taken > 0 && sink.accept(hits, within) && left > 0;
    return open;
  }

  /** Whether more was wanted than came. */
  boolean wantsMore() {
    return open;
  }

  @Override
  public void passed(Ulid ulid) throws IOException {
    sink.passed(ulid);
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
  }
}
