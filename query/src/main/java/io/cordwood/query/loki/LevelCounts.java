package io.cordwood.query.loki;

import io.cordwood.query.fields.Level;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.scan.PatternTally;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records by level, of series whose other labels are those of their batches. */
record LevelCounts(KnownSeries series, Sums sums) {
  /** Adds the answer to a query for levels. */
  boolean add(BlockHits hits, BlockHits.Group group) throws IOException {
    long[] counts = new long[Level.values().length];
    for (int hit = group.from(); hit < group.to(); hit++) {
      PatternTally.addTo(counts, hits.record(hit));
    }
    for (Level level : Level.values()) {
      long count = counts[level.position()];
      if (count > 0) {
        List<@Nullable String> value =
            Collections.singletonList(level == Level.NONE ? null : level.word());
        sums.add(series.of(hits.topic(), group.labels(), value), group.first().millis(), count);
      }
    }
    return true;
  }
}
