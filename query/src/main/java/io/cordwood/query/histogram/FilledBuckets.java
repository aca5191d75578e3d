package io.cordwood.query.histogram;

import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.HitSink;
import java.io.IOException;

/**
 * Counts what is found, which comes in order, and lets out the buckets that nothing more can come
 * to, so that who asks sees a histogram fill. For the query's own thread.
 *
 * @param counting adds to the histogram
 */
record FilledBuckets(Histogram histogram, HitSink counting, HistogramOutput output)
    implements HitSink {
  @Override
  public boolean accept(BlockHits hits, BlockHits.Group group) throws IOException {
    output.writeBefore(histogram.buckets().at(group.first().millis()), histogram);
    return counting.accept(hits, group);
  }

  @Override
  public void idle() throws IOException {
    output.flush();
  }
}
