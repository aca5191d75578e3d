package io.cordwood.ingest.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.file.Filesystem;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.IngestSegmentHeader;
import io.cordwood.common.segment.Records;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidStamper;
import io.cordwood.common.wire.Labels;
import io.cordwood.ingest.IngestMetrics;
import io.cordwood.ingest.IngestOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of claimed segments as time goes by. */
final class LeasesTest {
  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final Duration ALMOST = LEASE.minusNanos(1);

  @TempDir Path folder;
  private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - LEASE.toNanos());
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final UlidStamper stamper = new UlidStamper(InstantSource.system());

  private IngestLog open() throws IOException {
    return IngestLog.open(
        folder,
        new Lease(LEASE, time::get),
        Filesystem.real(),
        new IngestMetrics(registry, IngestOptions.in(folder)),
        new UlidStamper(InstantSource.system()));
  }

  /** A flushed one, as the process before left it. */
  private Ulid segment(int recordBytes) throws IOException {
    return segment(Records.lines(stamper.stamp(1), "x".repeat(recordBytes)));
  }

  private Ulid segment(Batch... batches) throws IOException {
    Ulid id = stamper.stamp(1);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new IngestSegmentHeader(id).encode().array());
    bytes.writeBytes(Records.wire(batches));
    Files.write(file(id, IngestSegmentState.FLUSHED), bytes.toByteArray());
    return id;
  }

  private Path file(Ulid id, IngestSegmentState state) {
    return folder.resolve(new IngestSegmentState.Name(id, state).fileName());
  }

  private static List<Ulid> claim(IngestLog log, String store) throws IOException {
    return claim(log, new Claimant(store, true));
  }

  private static List<Ulid> claim(IngestLog log, Claimant store) throws IOException {
    return log.claims().claim(store, 9, Long.MAX_VALUE, Duration.ZERO, () -> false).stream()
        .map(PendingSegment::id)
        .toList();
  }

  private void pass(Duration passed) {
    time.addAndGet(passed.toNanos());
  }

  private double expired() {
    return registry.get("cordwood_ingest_leases_expired_total").counter().count();
  }

  @Test
  void aClaimedSegmentIsFlushedAgainWhenItsLeaseRunsOutAndNotBefore() throws Exception {
    Ulid id = segment(10);
    try (IngestLog log = open()) {
      assertThat(claim(log, "a")).containsExactly(id);
      pass(ALMOST);
      assertThat(claim(log, "b")).isEmpty();
      assertThat(expired()).isZero();
      pass(Duration.ofNanos(1));
      assertThatThrownBy(() -> log.claims().commit(id))
          .isInstanceOfSatisfying(
              SegmentRefusedException.class,
              e -> assertThat(e.reason()).isEqualTo(SegmentRefusedException.Reason.NOT_CLAIMED));
      assertThat(claim(log, "b")).containsExactly(id);
      assertThat(expired()).isEqualTo(1);
      log.claims().commit(id);
    }
  }

  @Test
  void aStoreThatDoesNotKnowLabelsIsGivenTheSegmentsWithoutThem() throws Exception {
    Batch plain = Records.lines(stamper.stamp(1), "plain");
    Batch labelled =
        Records.labelled(
            Records.lines(stamper.stamp(1), "labelled"), Labels.of(Map.of("pod", "web-1")));
    Ulid first = segment(plain, labelled);
    Ulid second = segment(plain);
    Ulid third = segment(labelled);
    Ulid fourth = segment(plain);
    var before = new Claimant("before", false);
    try (IngestLog log = open()) {
      assertThat(claim(log, before)).containsExactly(second, fourth);
      assertThat(claim(log, before)).isEmpty();
      assertThat(registry.get("cordwood_ingest_segments_withheld_total").counter().count())
          .isEqualTo(2);
      assertThat(log.claims().waiting()).isEqualTo(2);
      assertThat(claim(log, "now")).containsExactly(first, third);
    }
  }

  @Test
  void theLeaseOfALargeSegmentIsLonger() throws Exception {
    Ulid id = segment(1 << 22);
    try (IngestLog log = open()) {
      assertThat(claim(log, "a")).containsExactly(id);
      pass(LEASE);
      assertThat(claim(log, "b")).isEmpty();
      pass(Duration.ofSeconds(1));
      assertThat(claim(log, "b")).containsExactly(id);
    }
  }

  @Test
  void aClaimedSegmentThatIsGoneHarmsNoOther() throws Exception {
    Ulid gone = segment(10);
    Ulid other = segment(10);
    try (IngestLog log = open()) {
      assertThat(claim(log, "a")).containsExactly(gone, other);
      Files.delete(file(gone, IngestSegmentState.PENDING));
      pass(LEASE);
      assertThat(claim(log, "a")).as("flushed again").containsExactly(other);
      log.claims().commit(other);
      assertThat(log.claims().held()).isZero();
    }
  }

  @Test
  void aLeaseThatRunsOutIsAFailure() throws Exception {
    Ulid bad = segment(10);
    Ulid good = segment(10);
    try (IngestLog log = open()) {
      assertThat(claim(log, "a")).containsExactly(bad, good);
      pass(LEASE);
      assertThat(claim(log, "a")).containsExactlyInAnyOrder(bad, good);
      log.claims().commit(good);
      pass(LEASE);
      for (int failures = 2; failures < StoreFailures.MOST; failures++) {
        assertThat(claim(log, "a")).containsExactly(bad);
        assertThat(log.claims().quarantined()).isEmpty();
        pass(LEASE);
      }
      assertThat(claim(log, "a")).isEmpty();
      assertThat(log.claims().quarantined()).hasSize(1);
      assertThat(expired()).isEqualTo(StoreFailures.MOST + 1);
      assertThat(file(bad, IngestSegmentState.QUARANTINED)).exists();
    }
  }

  @Test
  void aStoreAskedLatelyUntilThatTimeHasPassed() throws Exception {
    try (IngestLog log = open()) {
      assertThat(log.claims().claimedWithin(LEASE)).isFalse();
      assertThat(claim(log, "a")).isEmpty();
      pass(ALMOST);
      assertThat(log.claims().claimedWithin(LEASE)).isTrue();
      pass(Duration.ofNanos(1));
      assertThat(log.claims().claimedWithin(LEASE)).isFalse();
    }
  }
}
