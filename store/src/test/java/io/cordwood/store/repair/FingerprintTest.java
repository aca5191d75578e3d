package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.segment.Batch;
import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Fingerprint;
import io.cordwood.common.segment.Records;
import io.cordwood.common.segment.Topic;
import io.cordwood.store.ByTopic;
import io.cordwood.store.RepairOptions;
import io.cordwood.store.StopFlag;
import io.cordwood.store.keep.TestLog;
import io.cordwood.store.repair.SliceTable.Stretch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fingerprints tell sets of batches apart, and nothing else. */
final class FingerprintTest {
  private static final long SLICE_MILLIS = 20;
  private static final RepairOptions OPTIONS =
      RepairOptions.DEFAULT.withSlice(Duration.ofMillis(SLICE_MILLIS));

  private static final Instant HORIZON = Instant.parse("2026-01-01T00:00:00Z");
  private static final ByTopic<Instant> HORIZONS =
      new ByTopic<>(Map.of("*", HORIZON.plusSeconds(60), "audit*", HORIZON));

  @TempDir Path folder;
  private final Records records = new Records(12);
  private final NavigableMap<Long, Fingerprint> fifty = bySlices(someBatches(50));

  private List<Batch> someBatches(int count) {
    return records.batches(count, 5);
  }

  private static Fingerprint of(List<Batch> batches) {
    return batches.stream()
        .map(BatchInfo::of)
        .map(b -> Fingerprint.of(Fingerprint.hash(b.topic()), b, b.bytes()))
        .reduce(Fingerprint.EMPTY, Fingerprint::plus);
  }

  @Test
  void theOrderDoesNotMatter() {
    List<Batch> batches = someBatches(100);
    Fingerprint before = of(batches);
    Collections.shuffle(batches, new Random(4));

    assertThat(of(batches)).isEqualTo(before);
  }

  @Test
  void oneBatchMoreOrLessOrTwiceOrOfAnotherTopicIsSeen() {
    List<Batch> batches = someBatches(100);
    Fingerprint before = of(batches);
    List<Batch> twice = new ArrayList<>(batches);
    twice.add(batches.get(7));
    List<Batch> moved = new ArrayList<>(batches);
    Batch old = moved.removeFirst();
    moved.add(
        new Batch(new Topic("moved"), old.delimiter(), old.first(), old.records(), old.payload()));

    assertThat(of(batches.subList(1, 100))).isNotEqualTo(before);
    assertThat(of(twice)).isNotEqualTo(before);
    assertThat(of(moved).high()).isNotEqualTo(before.high());
    assertThat(of(moved).low()).isNotEqualTo(before.low());
  }

  private static NavigableMap<Long, Fingerprint> bySlices(List<Batch> batches) {
    var slices = new TreeMap<Long, Fingerprint>();
    for (Batch batch : batches) {
      slices.merge(batch.first().millis() / SLICE_MILLIS, of(List.of(batch)), Fingerprint::plus);
    }
    return slices;
  }

  @Test
  void aStoreTellsWhatItsSegmentsHoldTogether() throws IOException {
    List<Batch> batches = someBatches(300);
    try (var test = TestLog.open(folder)) {
      test.store(batches.subList(0, 150));
      test.store(batches.subList(150, 300));
      var prints = new Fingerprints(test.log, OPTIONS, new StopFlag());
      assertThat(prints.table(ByTopic.all(Instant.EPOCH), true).slices()).isEmpty();
      assertThat(
              prints
                  .table(ByTopic.all(Instant.EPOCH), true)
                  .isKnown(batches.get(9).first().millis() / 20))
          .isFalse();

      prints.update(Instant.now(), Duration.ofMinutes(1));

      SliceTable table = prints.table(ByTopic.all(Instant.EPOCH), true);
      assertThat(table.slices()).isEqualTo(bySlices(batches)).hasSizeGreaterThan(5);
      assertThat(table.unknown()).isEmpty();
    }
  }

  @Test
  void compactionChangesNoFingerprintButDropsWhatWasThereTwice() throws IOException {
    List<Batch> batches = someBatches(100);
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      test.store(batches);
      var prints = new Fingerprints(test.log, OPTIONS, new StopFlag());
      prints.update(Instant.now(), Duration.ofMinutes(1));
      assertThat(prints.table(ByTopic.all(Instant.EPOCH), true).slices())
          .isNotEqualTo(bySlices(batches));

      assertThat(test.compact()).isEqualTo(1);
      prints.update(Instant.now(), Duration.ofMinutes(1));

      assertThat(prints.table(ByTopic.all(Instant.EPOCH), true).slices())
          .isEqualTo(bySlices(batches));
    }
  }

  @Test
  void ofSegmentsThatAreNotReadYetNothingIsClaimed() throws IOException {
    List<Batch> batches = someBatches(100);
    try (var test = TestLog.open(folder)) {
      test.store(batches);
      var prints = new Fingerprints(test.log, OPTIONS, new StopFlag());

      prints.update(batches.getFirst().first().time().minusMillis(1), Duration.ofMinutes(1));

      SliceTable table = prints.table(ByTopic.all(Instant.EPOCH), true);
      assertThat(table.slices()).isEmpty();
      assertThat(table.unknown())
          .containsExactly(
              new Stretch(
                  batches.getFirst().first().millis() / SLICE_MILLIS,
                  batches.getLast().first().millis() / SLICE_MILLIS));
    }
  }

  @Test
  void aTableIsReadAsItWasWritten() throws IOException {
    for (ByTopic<Instant> horizons : List.of(ByTopic.all(HORIZON), HORIZONS)) {
      assertThat(parse(text(table(horizons)))).isEqualTo(table(horizons));
    }
  }

  @Test
  void theHorizonOfATableIsThatOfTheTopicsThatAreKeptForLongest() {
    assertThat(text(table(HORIZONS))).contains("horizon\t" + HORIZON + "\n");
  }

  private SliceTable table(ByTopic<Instant> horizons) {
    return new SliceTable(
        600_000, horizons, true, fifty, List.of(new Stretch(1, 5), new Stretch(9, 9)));
  }

  private static String text(SliceTable table) {
    return SliceTableText.of(table, Optional.empty());
  }

  private static SliceTable parse(String text) throws IOException {
    return SliceTableText.parse(new BufferedReader(new StringReader(text)), true, null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "length\t0\nhorizon\t2026-01-01T00:00:00Z\nend\t0\n",
        "length\t600000\nend\t0\n",
        "length\t600000\nhorizon\t2026-01-01T00:00:00Z\n",
        "length\t600000\nhorizon\t2026-01-01T00:00:00Z\nend\t1\n",
        "length\t600000\nhorizon\tyesterday\nend\t0\n",
        "length\t600000\nhorizon\t2026-01-01T00:00:00Z\nkept\ta\t2026-01-01T00:00:00Z\nend\t0\n",
        "length\t600000\nhorizon\t2026-01-01T00:00:00Z\nslice\t2026-01-01T00:00:00Z\t1\t1\t1\t0\n",
      })
  void whatIsNoTableIsRefused(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected a table of time slices");
  }
}
