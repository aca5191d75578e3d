package io.cordwood.common.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

final class MetricsTest {
  private static final Pattern BUCKET =
      Pattern.compile("waits_seconds_bucket\\{le=\"([0-9.E-]+)\"} ([0-9.]+)");

  @Test
  void percentilesOfATimerCanBeInterpolatedFromItsBuckets() {
    var registry = Metrics.registry();
    var timer = registry.timer("waits_seconds");
    for (int micros = 100; micros <= 1_000_000; micros += 100) {
      timer.record(micros, TimeUnit.MICROSECONDS);
    }

    var buckets = buckets(registry.scrape());

    for (double share : new double[] {0.01, 0.1, 0.5, 0.9, 0.99}) {
      assertThat(quantile(buckets, share)).isCloseTo(share, Percentage.withPercentage(20));
    }
  }

  @Test
  void whatIsNoTimerHasNoBuckets() {
    var registry = Metrics.registry();
    registry.summary("sizes").record(1);

    assertThat(registry.scrape()).contains("sizes_count 1").doesNotContain("_bucket");
  }

  private static NavigableMap<Double, Double> buckets(String scraped) {
    NavigableMap<Double, Double> buckets = new TreeMap<>();
    BUCKET
        .matcher(scraped)
        .results()
        .forEach(it -> buckets.put(Double.valueOf(it.group(1)), Double.valueOf(it.group(2))));
    assertThat(buckets.firstKey()).isCloseTo(50e-6, within(1e-9));
    assertThat(buckets.lastKey()).isBetween(13.0, 14.0);
    return buckets;
  }

  /** As Prometheus' histogram_quantile does it. */
  private static double quantile(NavigableMap<Double, Double> buckets, double share) {
    double rank = share * 10_000;
    double lowerBound = 0;
    double lowerCount = 0;
    for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
      if (bucket.getValue() >= rank) {
        double part = (rank - lowerCount) / (bucket.getValue() - lowerCount);
        return lowerBound + (bucket.getKey() - lowerBound) * part;
      }
      lowerBound = bucket.getKey();
      lowerCount = bucket.getValue();
    }
    throw new AssertionError("beyond the last bucket");
  }
}
