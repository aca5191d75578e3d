package io.cordwood.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.run.ByteBudget;
import io.cordwood.common.segment.Batch;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.SegmentFixture;
import io.cordwood.query.SegmentFixture.Expected;
import io.cordwood.query.request.Query;
import io.cordwood.query.request.QueryLimits.Effort;
import io.cordwood.query.request.Topics;
import io.cordwood.query.result.ScanStats;
import io.cordwood.query.result.Stop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The newest records are held within a bound of memory, and what it costs is said. */
final class AnswerMemoryTest {
  private final List<Batch> batches = SegmentFixture.batches(3, 200);

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 20_000, 60_000})
  void theNewestThatFitAreGivenAndWhereTheyBeginIsSaid(int bytes) throws IOException {
    var fixture = new SegmentFixture(3, 3, batches);
    List<Ulid> all = fixture.records().stream().map(Expected::ulid).toList();
    List<Ulid> found = new ArrayList<>();
    var budget = new AnswerMemory(new ByteBudget(bytes));
    Optional<Stop> stop = newest(fixture, budget, found);
    assertThat(stop).map(Stop::limit).contains(Stop.Limit.MEMORY);
    UlidRange unsearched = stop.orElseThrow().unsearched();
    assertThat(found)
        .isEqualTo(all.stream().filter(ulid -> ulid.isAfter(unsearched.to())).toList())
        .hasSizeLessThan(all.size());
    assertThat(found.isEmpty()).isEqualTo(bytes < 10_000);
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void withEnoughMemoryAllAreGiven() throws IOException {
    var fixture = new SegmentFixture(3, 3, batches);
    List<Ulid> found = new ArrayList<>();
    assertThat(newest(fixture, new AnswerMemory(new ByteBudget(10 << 20)), found)).isEmpty();
    assertThat(found).isEqualTo(fixture.records().stream().map(Expected::ulid).toList());
  }

  private static Optional<Stop> newest(
      SegmentFixture fixture, AnswerMemory budget, List<Ulid> found) throws IOException {
    var meters = new SimpleMeterRegistry();
    Query query =
        Query.everything(UlidRange.ALL, Topics.ALL, Query.Detail.ULIDS)
            .within(UlidRange.ALL, 1_000_000);
    try (var runner = new QueryRunner(2, QueryCaches.NONE, budget, meters);
        var view = fixture.view(UlidRange.ALL)) {
      return runner.run(
          query,
          view,
          new ScanStats(),
          QueryBudget.of(Effort.DEFAULT, () -> false),
          (hits, group) -> {
            for (int hit = group.from(); hit < group.to(); hit++) {
              found.add(hits.ulid(group, hit));
            }
            return true;
          });
    }
  }

  @Test
  void eachShareIsAsLargeAsAnyOther() {
    var budget = new AnswerMemory(new ByteBudget(10_000));
    try (var one = budget.open()) {
      int alone = 0;
      while (one.take(40)) {
        alone++;
      }
      assertThat(alone).isEqualTo(50);
      try (var other = budget.open()) {
        assertThat(other.take(40)).as("there is none left").isFalse();
        for (int i = 0; i < 25; i++) {
          one.free(40);
        }
        assertThat(one.take(40)).as("it has its half").isFalse();
        int others = 0;
        while (other.take(40)) {
          others++;
        }
        assertThat(others).isEqualTo(25);
      }
      assertThat(one.take(40)).isTrue();
    }
    assertThat(budget.heldBytes()).isZero();
  }
}
