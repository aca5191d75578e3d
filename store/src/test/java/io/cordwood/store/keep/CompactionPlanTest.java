package io.cordwood.store.keep;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.store.segment.SegmentInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which segments are merged, and what that costs over a day. */
final class CompactionPlanTest {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long TARGET = 128 * MIB;
  private static final int DAY_SECONDS = 24 * 60 * 60;

  private final CompactionPlan plan = new CompactionPlan(TARGET);

  private static SegmentInfo segment(long fromMillis, long toMillis, long bytes) {
    var range = new UlidRange(Ulid.firstOf(fromMillis), Ulid.lastOf(toMillis));
    return new SegmentInfo(range + "-" + bytes, range, bytes, bytes / 4, blocks(bytes), 1);
  }

  private static int blocks(long bytes) {
    return (int) (bytes / (256 * KIB)) + 1;
  }

  private static List<SegmentInfo> oneEachSecond(int count, long bytes) {
    List<SegmentInfo> segments = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      segments.add(segment(1000L * i, 1000L * i + 999, bytes));
    }
    return segments;
  }

  @ParameterizedTest(name = "{0} segments of {1} KiB: {2} are merged")
  @CsvSource({
    "0, 1, 0",
    "1, 1, 0",
    "127, 10, 0",
    "128, 10, 128",
    "200, 10, 128",
    "127, 1000, 0",
    "128, 1000, 128",
    "10, 12000, 0",
    "11, 12000, 11",
    "6, 20000, 0",
    "7, 20000, 7",
    "3, 60000, 2",
    "100, 65536, 0",
    "100, 131072, 0",
  })
  void segmentsOfOneSizeAreMergedWhenThereAreEnough(int segments, long kib, int merged) {
    Optional<List<SegmentInfo>> next = plan.next(oneEachSecond(segments, kib * KIB));

    assertThat(next.map(List::size).orElse(0)).isEqualTo(merged);
  }

  @Test
  void theOldestAreMergedFirst() {
    List<SegmentInfo> segments = oneEachSecond(300, 10 * KIB);

    assertThat(plan.next(segments.reversed())).contains(segments.subList(0, 128));
  }

  @Test
  void overlappingFullSegmentsAreLeft() {
    List<SegmentInfo> segments = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      segments.add(segment(100L * i, 100L * i + 400, TARGET));
    }

    assertThat(plan.next(segments)).isEmpty();
  }

  @Test
  void fullSegmentsOfOneRangeAreMergedSinceTheyHoldTheSame() {
    var first = segment(0, 999, TARGET);
    var again = new SegmentInfo("again", first.range(), TARGET, TARGET, 512, 1);

    assertThat(plan.next(List.of(first, again, segment(0, 500, TARGET))).orElseThrow())
        .containsExactlyInAnyOrder(first, again);
  }

  @Test
  void aSegmentOfModerateSizeThatSpansLongIsLeft() {
    List<SegmentInfo> segments = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      segments.add(segment(3_600_000L * i, 3_600_000L * i + 3_599_999, 20 * MIB));
    }

    assertThat(plan.next(segments)).isEmpty();
  }

  @Test
  void nearlyFullSegmentsDoNotMakeOneFarBeyondTheTarget() {
    List<SegmentInfo> next = plan.next(oneEachSecond(40, 50 * MIB)).orElseThrow();

    assertThat(next.stream().mapToLong(SegmentInfo::rawBytes).sum()).isLessThan(TARGET * 5 / 4);
  }

  @Test
  void oneMergeTakesNoMoreOverlappingSegmentsThanItCanHoldInMemory() {
    List<SegmentInfo> segments = new ArrayList<>();
    for (int i = 0; i < 128; i++) {
      segments.add(segment(i, 100_000 + i, 10 * KIB));
    }

    assertThat(plan.next(segments).orElseThrow()).hasSize(CompactionPlan.MAX_OVERLAP);
  }

  @Test
  void aLargerSegmentIsNotRewrittenForTheSakeOfSmallOnes() {
    List<SegmentInfo> segments = oneEachSecond(128, 10 * KIB);
    segments.addFirst(segment(0, 100, MIB));

    assertThat(plan.next(segments)).contains(segments.subList(1, 129));
  }

  @Test
  void oneMergeTakesNoMoreBlocksThanAnIndexHolds() {
    List<SegmentInfo> segments =
        oneEachSecond(128, 10 * KIB).stream()
            .map(s -> new SegmentInfo(s.name(), s.range(), s.rawBytes(), 1, 1000, 1))
            .toList();

    assertThat(plan.next(segments).orElseThrow()).hasSize(60);
  }

  /** What is written, the first time included, is at most three times what came in. */
  @ParameterizedTest(name = "{0} bytes a second")
  @CsvSource({"200", "1000", "3000", "10000", "130000", "1000000", "4000000"})
  void aSteadyTrickleIsWrittenAtMostThreeTimes(long bytesPerSecond) {
    assertWrittenAtMostThreeTimes(bytesPerSecond, 1);
  }

  /**
   * With several copies of each record, a store writes a segment of its own gather and receives as
   * many more of other stores in the same time, which cover the same seconds.
   */
  @ParameterizedTest(name = "{0} bytes a second, {1} copies")
  @CsvSource({"200, 2", "900, 2", "130000, 2", "2000000, 2", "700, 3", "130000, 3", "700, 5"})
  void aTrickleWithReplicasOfOtherStoresIsWrittenAtMostThreeTimes(long bytesPerSecond, int copies) {
    assertWrittenAtMostThreeTimes(bytesPerSecond, copies);
  }

  /** Some hours; more of a trickle that is merged rarely. */
  private void assertWrittenAtMostThreeTimes(long bytesPerSecond, int copies) {
    int seconds = bytesPerSecond * copies < 2000 ? DAY_SECONDS / 3 : DAY_SECONDS / 6;
    List<SegmentInfo> segments = new ArrayList<>();
    long in = 0;
    long written = 0;
    int most = 0;
    for (int second = 0; second < seconds; second++) {
      for (int copy = 0; copy < copies; copy++) {
        long bytes = bytesPerSecond * (75 + (second * 7919L + copy * 31L) % 50) / 100;
        segments.add(segment(1000L * second - 90L * copy, 1000L * second + 999, bytes));
        in += bytes;
        written += bytes;
      }
      if (second % 8 == 0) {
        for (var next = plan.next(segments); next.isPresent(); next = plan.next(segments)) {
          written += merge(segments, next.get());
        }
      }
      most = Math.max(most, segments.size());
    }

    assertThat((double) written / in).isLessThanOrEqualTo(3.0);
    assertThat(most).isLessThan(3 * CompactionPlan.FAN_IN + (int) (8 * in / TARGET));
  }

  private static long merge(List<SegmentInfo> segments, List<SegmentInfo> chosen) {
    long bytes = chosen.stream().mapToLong(SegmentInfo::rawBytes).sum();
    long from = chosen.stream().mapToLong(s -> s.range().from().millis()).min().orElseThrow();
    long to = chosen.stream().mapToLong(s -> s.range().to().millis()).max().orElseThrow();
    segments.removeAll(chosen);
    segments.add(segment(from, to, bytes));
    return bytes;
  }
}
