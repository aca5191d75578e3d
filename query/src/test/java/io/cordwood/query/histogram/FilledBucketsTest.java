package io.cordwood.query.histogram;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.http.client.CliClient;
import io.cordwood.common.testing.Patience;
import io.cordwood.query.GatedSource;
import io.cordwood.query.TestCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is counted comes while the rest is searched; blocks are let through one by one. */
final class FilledBucketsTest {
  private static final Duration PATIENCE = Patience.LONG;
  private static final int BLOCKS = 20;

  /** More than those that are looked for, since a thread takes some blocks at once. */
  private static final int LET = 10;

  private static final int FIRST = 5;

  private static String line(int bucket, String counts) {
    return Instant.ofEpochMilli(GatedSource.FIRST_MILLIS + bucket) + " " + counts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"q=record", "q=7&q=record"})
  void bucketsComeAsSoonAsNothingMoreCanComeToThem(String patterns) throws IOException {
    var source = new GatedSource(BLOCKS);
    try (var cluster = new TestCluster(1)) {
      cluster.store("store", source);
      int port = cluster.query("asked").port();
      URI uri =
          URI.create(
              "http://127.0.0.1:%d/histogram?topic=large&bucket=1ms&%s".formatted(port, patterns));
      source.letFirst(LET);
      try (CliClient.Answer answer = new CliClient(PATIENCE, PATIENCE).get(uri)) {
        var lines =
            new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.US_ASCII));
        boolean split = patterns.contains("&");
        assertThat(answer.header("cordwood-buckets")).isEqualTo("" + BLOCKS);
        assertThat(answer.header("cordwood-bucket-ms")).isEqualTo("1");
        assertThat(answer.header("cordwood-first-bucket-ms"))
            .isEqualTo("" + GatedSource.FIRST_MILLIS);
        assertThat(answer.header("cordwood-range"))
            .isEqualTo(
                Instant.ofEpochMilli(GatedSource.FIRST_MILLIS)
                    + "/"
                    + Instant.ofEpochMilli(GatedSource.FIRST_MILLIS + BLOCKS - 1));
        for (int i = 0; i < FIRST; i++) {
          assertThat(lines.readLine()).isEqualTo(line(i, split ? "0 1" : "1"));
        }
        source.letAll();
        for (int i = FIRST; i < BLOCKS; i++) {
          assertThat(lines.readLine())
              .isEqualTo(line(i, !split ? "1" : i % 10 == 7 ? "1 0" : "0 1"));
        }
        assertThat(lines.readLine()).isNull();
        assertThat(answer.header("cordwood-matches")).isEqualTo("" + BLOCKS);
      } finally {
        source.letAll();
      }
    }
  }
}
