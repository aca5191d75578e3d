package io.cordwood.query.result;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.segment.SegmentSource.View;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Passes on what is found, and before that what is known by then to be lacking. Whoever merges may
 * have enough before the search ends, and must not take a part with a hole for whole. For the
 * query's own thread.
 */
public final class LackSink implements HitSink {
  private final HitSink sink;
  private final View view;
  private final ScanStats stats;
  private final UlidRange range;
  private final Stop.Limit limit;
  private final Teller teller;
  private @Nullable UlidRange told;
  private boolean damageTold;

  /** Tells it. */
  @FunctionalInterface
  public interface Teller {
    /**
     * Takes what is lacking, together with all that was told before.
     *
     * @param limit {@link Stop.Limit#isHole}
     */
    void tell(Stop.Limit limit, Lack lack) throws IOException;
  }

  /**
   * Reports at once what is known to be lacking.
   *
   * @param view that is searched
   * @param tier of the view
   * @param stats in which the search counts, and no other
   * @param range of the query
   */
  public LackSink(
      HitSink sink, View view, Tier tier, ScanStats stats, UlidRange range, Teller teller)
      throws IOException {
    this.sink = sink;
    this.view = view;
    this.stats = stats;
    this.range = range;
    this.limit = tier == Tier.INGEST ? Stop.Limit.UNCONSUMED : Stop.Limit.LOST;
    this.teller = teller;
    tellNews();
  }

  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    tellNews();
    return sink.accept(hits, group);
  }

  @Override
  public void passed(Ulid ulid) throws IOException {
    tellNews();
    sink.passed(ulid);
  }

  @Override
  public void idle() throws IOException {
    sink.idle();
  }

  /** Reports what was found after the last hit. Call once, after the search. */
  public void end() throws IOException {
    tellNews();
  }

  private void tellNews() throws IOException {
    if (!damageTold && stats.blocksDamaged.get() > 0) {
      damageTold = true;
      teller.tell(Stop.Limit.LOST, new Lack(range, Stop.Limit.LOST.text()));
    }
    Lack lack = view.lack().orElse(null);
    if (lack != null && !lack.range().equals(told)) {
      told = lack.range();
      teller.tell(limit, lack);
    }
  }
}
