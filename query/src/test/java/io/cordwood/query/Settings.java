package io.cordwood.query;

import io.cordwood.common.segment.SegmentSource;
import io.cordwood.query.api.QueryApi;
import io.cordwood.query.gather.ClusterNodes;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.scan.QueryCaches;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Optional;

/** What nodes of tests answer from. */
public final class Settings {
  private Settings() {}

  /** The queries of a node that is alone, receives and is a store. */
  public static QueryApi api(SegmentSource source, MeterRegistry meters, InstantSource clock) {
    return api(source, QueryCaches.NONE, meters, clock);
  }

  /** The same with room for what queries keep. */
  public static QueryApi api(
      SegmentSource source, QueryCaches caches, MeterRegistry meters, InstantSource clock) {
    var records = new LocalRecords(Optional.of(source), Optional.empty());
    return new QueryApi(
        new QueryApi.Setting(
            "alone", records, () -> ClusterNodes.NONE, clock, QueryLimits.DEFAULT, caches),
        2,
        meters);
  }
}
