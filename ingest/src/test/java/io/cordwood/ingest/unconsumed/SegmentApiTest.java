package io.cordwood.ingest.unconsumed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.http.ApiHeaders;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The segment API over HTTP/2, as stores use it. */
class SegmentApiTest {
  private static final Duration LEASE = Duration.ofMillis(300);

  @TempDir Path folder;
  private HttpNode http;

  @BeforeEach
  void start() throws IOException {
    start(Duration.ofHours(1));
  }

  private void start(Duration lease) throws IOException {
    http =
        new HttpNode(
            RunningNode.options(folder.resolve(lease.toString()))
                .with(
                    new IngestOptions.Flushing(
                        16 << 20, Duration.ofMillis(100), Duration.ofMillis(5), 64))
                .withLease(lease));
  }

  @AfterEach
  void close() throws IOException {
    http.close();
  }

  /** Makes so many segments, one behind the other. */
  private void makeSegments(int count) throws Exception {
    for (int i = 1; i <= count; i++) {
      var answer = http.postAsync("bulk?wait=0s", "line of segment " + i + "\n");
      assertThat(answer.get().statusCode()).isEqualTo(504);
      assertThat(http.node.log().claims().waiting()).isEqualTo(i);
    }
  }

  /** The ids of an answer, each of which stands at the start of a line. */
  private static List<String> ids(String lines) {
    return lines.lines().map(line -> line.substring(0, 26)).toList();
  }

  private static String all(List<String> ids) {
    return "?id=" + String.join("&id=", ids);
  }

  @Test
  void severalSegmentsAreClaimedAndCommittedAtOnceTheOldestFirst() throws Exception {
    makeSegments(5);
    var answer = http.post("claim?max=3");
    List<String> claimed = ids(answer.body());
    assertThat(claimed).hasSize(3).isSorted();
    assertThat(http.get("read?id=" + claimed.getFirst()).body()).contains("line of segment 1\n");
    assertThat(http.post("commit" + all(claimed)).body().lines())
        .containsExactlyElementsOf(claimed.stream().map(id -> id + " committed").toList());
    List<String> rest = ids(http.post("claim?max=100").body());
    assertThat(rest).hasSize(2).doesNotContainAnyElementsOf(claimed);
    assertThat(http.post("fail" + all(rest)).statusCode()).isEqualTo(200);
    assertThat(http.node.log().claims().waiting()).isEqualTo(2);
  }

  @Test
  void claimStopsAtItsBytesButGivesOne() throws Exception {
    makeSegments(3);
    String first = http.post("claim?max=10&max_bytes=1").body();
    assertThat(first.lines()).hasSize(1);
    long bytes = Long.parseLong(first.strip().substring(27));
    assertThat(http.post("claim?max=10&max_bytes=" + 2 * bytes).body().lines()).hasSize(2);
    assertThat(http.post("claim?max=10").statusCode()).isEqualTo(204);
  }

  @Test
  void commitOfSeveralSaysWhichOnesWere() throws Exception {
    makeSegments(2);
    String claimed = ids(http.post("claim").body()).getFirst();
    String unknown = "01JD000000000000000000000X";
    String flushed = ids(http.post("claim").body()).getFirst();
    assertThat(http.post("fail?id=" + flushed).statusCode()).isEqualTo(200);
    var answer = http.post("commit" + all(List.of(unknown, flushed, claimed)));
    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body())
        .isEqualTo(unknown + " unknown\n" + flushed + " unclaimed\n" + claimed + " committed\n");
    assertThat(http.post("commit").statusCode()).isEqualTo(400);
  }

  @Test
  void claimWaitsForASegment() throws Exception {
    var waiting = http.postAsync("claim?wait=60s&max=4", BodyPublishers.noBody());
    http.node.send("at last\n");
    assertThat(waiting.get().statusCode()).isEqualTo(200);
    assertThat(waiting.get().body().lines()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-3,      206, 0, 4",
    "bytes=32-,      206, 32, 1000",
    "bytes=-5,       206, -5, 1000",
    "bytes=10-99999, 206, 10, 1000",
    "bytes=0-,       200, 0, 1000",
    "bytes=0-1 5-6,  200, 0, 1000",
    "lines=1-2,      200, 0, 1000"
  })
  void rangeIsRead(String range, int status, int from, int to) throws Exception {
    makeSegments(1);
    String id = ids(http.post("claim").body()).getFirst();
    String whole = http.get("read?id=" + id).body();
    int size = whole.length();
    int start = Math.floorMod(from, size);
    int end = Math.min(size, to);
    var part = http.get("read?id=" + id, "range", range);
    assertThat(part.statusCode()).isEqualTo(status);
    assertThat(part.body()).isEqualTo(whole.substring(start, end));
    if (status == 206) {
      assertThat(part.headers().firstValue("content-range"))
          .hasValue("bytes " + start + "-" + (end - 1) + "/" + size);
    }
  }

  @Test
  void rangeBehindTheEndIsRefused() throws Exception {
    makeSegments(1);
    String id = ids(http.post("claim").body()).getFirst();
    assertThat(http.get("read?id=" + id, "range", "bytes=99999-").statusCode()).isEqualTo(416);
  }

  @Test
  void expiredLeaseGivesTheSegmentToTheNextAndRefusesTheLateCommit() throws Exception {
    http.close();
    start(LEASE);
    makeSegments(1);
    String late = http.post("claim").body();
    String id = ids(late).getFirst();
    // The same id under another lease: whoever commits has the records on its disk.
    await()
        .alias("a commit before this lease ends too")
        .until(() -> {
          assertThat(http.post("claim?wait=60s").body()).isEqualTo(late);
          return http.post("commit?id=" + id).statusCode() == 200;
        });
    assertThat(http.node.counted("leases_expired")).isPositive();
    assertThat(http.post("commit?id=" + id).statusCode()).isEqualTo(404);
    assertThat(http.post("fail?id=" + id).statusCode()).isEqualTo(404);
  }

  @Test
  void commitBehindAnExpiredLeaseThatNobodyTookIsRefused() throws Exception {
    http.close();
    start(LEASE);
    makeSegments(1);
    String id = ids(http.post("claim").body()).getFirst();
    await().until(() -> http.get("read?id=" + id).statusCode() == 409);
    assertThat(http.post("commit?id=" + id).statusCode()).isEqualTo(409);
    assertThat(http.node.log().claims().waiting()).isOne();
    await()
        .alias("a commit before this lease ends too")
        .until(() -> {
          assertThat(ids(http.post("claim?wait=60s").body())).containsExactly(id);
          return http.get("read?id=" + id).body().contains("line of segment 1\n")
              && http.post("commit?id=" + id).statusCode() == 200;
        });
  }

  @Test
  void largeSegmentHasALongerLease() throws Exception {
    http.close();
    start(LEASE);
    String lines = "x".repeat(1023).concat("\n").repeat(5 << 10);
    assertThat(http.postAsync("bulk?wait=0s", lines).get().statusCode()).isEqualTo(504);
    var lease = http.post("claim").headers().firstValueAsLong(ApiHeaders.LEASE_MILLIS);
    assertThat(lease.orElseThrow()).isGreaterThan(LEASE.toMillis());
  }
}
