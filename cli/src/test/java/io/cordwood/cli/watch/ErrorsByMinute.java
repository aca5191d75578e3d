package io.cordwood.cli.watch;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Errors of the topic {@code pay} in three minutes: 20 of two hosts, none, and 5; and the times at
 * which a rule counts them, half a minute after each.
 */
public final class ErrorsByMinute {
  public static final Instant START = Instant.parse("2026-11-27T10:00:00Z");
  public static final Instant LOUD = START.plusSeconds(60 + 30);
  public static final Instant SILENT = LOUD.plusSeconds(60);
  public static final Instant QUIET = SILENT.plusSeconds(60);

  private ErrorsByMinute() {}

  /** A store that has them. */
  public static TestCluster.Node in(TestCluster cluster) throws IOException {
    List<Batch> batches =
        List.of(
            batch(START, "a", 15),
            batch(START.plusMillis(59_999), "b", 5),
            batch(START.plusSeconds(120), "a", 5));
    return cluster.store("store-1", new SegmentFixture(1, 1, batches));
  }

  private static Batch batch(Instant time, String host, int records) {
    String[] lines =
        IntStream.range(0, records)
            .mapToObj(n -> "{\"level\":\"error\",\"host\":\"%s\",\"n\":%d}".formatted(host, n))
            .toArray(String[]::new);
    return Records.lines(new Topic("pay"), Ulid.firstOf(time.toEpochMilli()), lines);
  }
}
