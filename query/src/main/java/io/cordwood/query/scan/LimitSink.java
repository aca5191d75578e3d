package io.cordwood.query.scan;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import io.cordwood.query.result.ScanStats;
import java.io.IOException;

/** Counts the records that go through, and ends it at a number of them. For one thread. */
public final class LimitSink implements HitSink {
  private final ScanStats stats;
  private final HitSink sink;
  private long left;
  private boolean open = true;

  public LimitSink(long limit, ScanStats stats, HitSink sink) {
    this.left = limit;
    this.stats = stats;
    this.sink = sink;
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    int taken = (int) Math.min(left, group.size());
    BlockHits.Group within = group.part(group.from(), group.from() + taken);
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
