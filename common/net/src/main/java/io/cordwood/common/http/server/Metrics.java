package io.cordwood.common.http.server;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.stream.DoubleStream;

/** The registry for the counters and timers of a node's parts. */
public final class Metrics {
  private static final double SHORTEST_NANOS = 50e3;

  /** The number of bounds, the last of which is a little over 13 seconds. */
  private static final int BOUNDS = 37;

  private Metrics() {}

  /**
   * A registry of which every timer has buckets, so that percentiles can be asked for over any time
   * and any number of nodes. A bound is 1.41 times the one before, from 50 µs to 13 s: a percentile
   * that is interpolated between two is off by less than a fifth.
   */
  public static PrometheusMeterRegistry registry() {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(new TimerBuckets());
    return registry;
  }

  private static final class TimerBuckets implements MeterFilter {
    private final DistributionStatisticConfig buckets =
        DistributionStatisticConfig.builder()
            .serviceLevelObjectives(
                DoubleStream.iterate(SHORTEST_NANOS, bound -> bound * Math.sqrt(2))
                    .limit(BOUNDS)
                    .toArray())
            .build();

    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
      return id.getType() == Meter.Type.TIMER ? buckets.merge(config) : config;
    }
  }
}
