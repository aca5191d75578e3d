package io.cordwood.ingest.unconsumed;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.LeftOut;
import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource.View;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.ingest.IngestOptions;
import io.cordwood.ingest.node.HttpNode;
import io.cordwood.ingest.node.RunningNode;
import io.cordwood.ingest.segment.IngestBackup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A segment that no store can store is kept from them, and queries find its records all the same.
 */
final class QuarantineTest {
  private static final int MOST = 10;

  @TempDir Path folder;
  private HttpNode http;

  @BeforeEach
  void start() throws IOException {
    http =
        new HttpNode(
            RunningNode.options(folder.resolve("ingest"))
                .with(
                    new IngestOptions.Flushing(
                        16 << 20, Duration.ofMillis(100), Duration.ofMillis(5), 64)));
  }

  private void restart() throws IOException {
    http.close();
    start();
  }

  @AfterEach
  void close() throws IOException {
    http.close();
  }

  private void makeSegment(String line) throws Exception {
    int held = held();
    assertThat(http.postAsync("bulk?wait=0s", line + "\n").get().statusCode()).isEqualTo(504);
    assertThat(held()).isEqualTo(held + 1);
  }

  private int held() {
    return http.node.log().claims().held();
  }

  /** The id of the next segment, or nothing. */
  private String claim(String store) throws Exception {
    String answer = http.post("claim?node=" + store).body();
    return answer.isEmpty() ? "" : answer.substring(0, 26);
  }

  private String fail(String store) throws Exception {
    String id = claim(store);
    assertThat(http.post("fail?unstorable=true&id=" + id).statusCode()).isEqualTo(200);
    return id;
  }

  private String failTimes(int times, String store) throws Exception {
    String id = "";
    for (int i = 0; i < times; i++) {
      id = fail(store);
    }
    return id;
  }

  /** Another segment that this store can store. */
  private void commitAnother(String store) throws Exception {
    makeSegment("another");
    String bad = claim("somebody");
    assertThat(http.post("commit?id=" + claim(store)).statusCode()).isEqualTo(200);
    assertThat(http.post("fail?id=" + bad).statusCode()).isEqualTo(200);
  }

  private String quarantined() throws Exception {
    return http.get("/quarantine").body();
  }

  private String found() throws IOException {
    try (View view = http.node.node.unconsumed().view(UlidRange.ALL)) {
      var text = new StringBuilder();
      for (Segment segment : view.segments()) {
        text.append(UnconsumedSegmentsTest.text(segment));
      }
      return text.toString();
    }
  }

  private double gauge() {
    return http.node
        .registry
        .get("cordwood_ingest_segments")
        .tag("state", "quarantined")
        .gauge()
        .value();
  }

  private String quarantine() throws Exception {
    makeSegment("bad");
    String id = fail("a");
    commitAnother("a");
    assertThat(failTimes(MOST - 2, "a")).isEqualTo(id);
    assertThat(quarantined()).isEmpty();
    assertThat(fail("a")).isEqualTo(id);
    return id;
  }

  @Test
  void whatTheOnlyStoreCannotStoreWhileItStoresOthersIsKeptFromItAndFound() throws Exception {
    String id = quarantine();
    assertThat(quarantined()).startsWith(id + " ").hasLineCount(1);
    assertThat(claim("a")).isEmpty();
    assertThat(held()).isZero();
    assertThat(http.node.files()).containsExactly(id + ".quarantined");
    assertThat(found()).isEqualTo("bad\n");
    assertThat(gauge()).isEqualTo(1);
    assertThat(http.node.counted("segments_quarantined")).isEqualTo(1);
    assertThat(http.node.node.load().quarantinedSegments()).isEqualTo(1);
    assertThat(http.node.node.isEmpty()).isFalse();
    assertThat(http.node.node.warning())
        .hasValueSatisfying(text -> assertThat(text).startsWith("1 segments are quarantined"));
    assertThat(http.node.node.trouble()).isEmpty();
  }

  @Test
  void itIsStillSoAfterARestartAndInABackup() throws Exception {
    String id = quarantine();
    Path copy = Files.createDirectories(folder.resolve("copy"));
    assertThat(IngestBackup.copy(folder.resolve("ingest"), copy))
        .containsExactly(copy.resolve(id + ".quarantined"));
    restart();
    assertThat(quarantined()).startsWith(id + " ");
    assertThat(claim("a")).isEmpty();
    assertThat(found()).isEqualTo("bad\n");
    assertThat(gauge()).isEqualTo(1);
  }

  @Test
  void failuresAreCountedAnewAfterARestart() throws Exception {
    makeSegment("bad");
    String id = fail("a");
    commitAnother("a");
    failTimes(MOST - 2, "a");
    restart();
    assertThat(fail("a")).isEqualTo(id);
    commitAnother("a");
    failTimes(MOST - 2, "a");
    assertThat(quarantined()).isEmpty();
    assertThat(fail("a")).isEqualTo(id);
    assertThat(quarantined()).startsWith(id + " ");
  }

  @Test
  void onceReleasedItCanBeStored() throws Exception {
    String id = quarantine();
    assertThat(http.post("/quarantine/release?id=" + id).body()).isEqualTo(id + " flushed\n");
    assertThat(http.post("/quarantine/release?id=" + id).statusCode()).isEqualTo(404);
    assertThat(quarantined()).isEmpty();
    assertThat(claim("a")).isEqualTo(id);
    assertThat(http.post("commit?id=" + id).statusCode()).isEqualTo(200);
    assertThat(http.node.node.isEmpty()).isTrue();
    assertThat(http.node.node.warning()).isEmpty();
  }

  @Test
  void oneWhoseFileAPersonTookAwayIsForgottenWhenItIsReleased() throws Exception {
    String id = quarantine();
    Files.delete(folder.resolve("ingest").resolve(id + ".quarantined"));
    assertThat(http.post("/quarantine/release?id=" + id).statusCode()).isEqualTo(404);
    assertThat(quarantined()).isEmpty();
    assertThat(found()).isEmpty();
  }

  @Test
  void noSegmentIsToBlameForAStoreThatStoresNothing() throws Exception {
    makeSegment("good");
    failTimes(5 * MOST, "a");
    assertThat(quarantined()).isEmpty();
    assertThat(claim("b")).isNotEmpty();
  }

  @Test
  void norForAStoreThatStoresNothingBesideOneThatDoes() throws Exception {
    makeSegment("good");
    fail("a");
    commitAnother("b");
    failTimes(MOST, "a");
    assertThat(quarantined()).isEmpty();
    assertThat(http.post("commit?id=" + claim("b")).statusCode()).isEqualTo(200);
  }

  @Test
  void aStoreThatStoredOthersAndIsGoneIsNotWaitedForForEver() throws Exception {
    makeSegment("bad");
    fail("a");
    commitAnother("gone");
    failTimes(MOST, "a");
    assertThat(quarantined()).isEmpty();
    commitAnother("a");
    failTimes(MOST - 1, "a");
    assertThat(quarantined()).hasLineCount(1);
  }

  @Test
  void withManyStoresThreeAreEnough() throws Exception {
    makeSegment("bad");
    fail("a");
    commitAnother("d");
    fail("b");
    failTimes(MOST - 2, "c");
    assertThat(quarantined()).hasLineCount(1);
  }

  @Test
  void givenBackForAnotherReasonIsNoFailure() throws Exception {
    makeSegment("good");
    fail("a");
    commitAnother("a");
    for (int i = 0; i < 2 * MOST; i++) {
      assertThat(http.post("fail?id=" + claim("a")).statusCode()).isEqualTo(200);
    }
    assertThat(quarantined()).isEmpty();
  }

  @Test
  void whoStoresItTooLateShowsThatItCanBeStored() throws Exception {
    makeSegment("good");
    fail("a");
    commitAnother("a");
    String id = failTimes(MOST - 2, "a");
    assertThat(http.post("commit?id=" + id).statusCode()).isEqualTo(409);
    failTimes(MOST - 1, "a");
    assertThat(quarantined()).isEmpty();
  }

  @Test
  void emptyIdsAndUnknownOnesAreRefused() throws Exception {
    assertThat(http.post("/quarantine/release").statusCode()).isEqualTo(400);
    assertThat(http.post("/quarantine/release?id=x").statusCode()).isEqualTo(400);
    assertThat(http.post("/quarantine/release?id=01JD000000000000000000000X").statusCode())
        .isEqualTo(404);
    try (Stream<Path> files = Files.list(folder.resolve("ingest"))) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void whatIsDeletedGoesOutOfASegmentInQuarantine() throws Exception {
    String id = quarantine();
    http.node.log().leaveOut(() -> LeftOut.NOTHING);
    assertThat(quarantined()).startsWith(id + " ");
    http.node.log().leaveOut(Everything::new);
    assertThat(quarantined()).isEmpty();
    assertThat(http.node.files()).noneMatch(name -> name.endsWith(".quarantined"));
  }

  private record Everything() implements LeftOut {
    @Override
    public boolean touches(UlidRange range) {
      return true;
    }

    @Override
    public Extent of(Topic topic, UlidRange range) {
      return Extent.ALL;
    }

    @Override
    public boolean has(Topic topic, Ulid record) {
      return true;
    }
  }
}
