package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import io.cordwood.query.gather.ResultMerger.Outcome;
import io.cordwood.query.result.BlockHits;
import io.cordwood.query.result.BlockHits.Group;
import io.cordwood.query.result.Stop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ResultMergerTest {
  private static final int BATCHES = 5000;

  private final ResultMerger merger =
      new ResultMerger(
          () -> false,
          false,
          () -> 0,
          new CopyCount(0),
          MergeState.ofHeap(new SimpleMeterRegistry()));

  /** As many batches of one record as a partial result holds are few bytes. */
  @Test
  void partialResultThatIsFullOfSmallBatchesGoesOnWhenThereIsRoom() throws IOException {
    PartialResult partial = merger.add(new PartialResult.Holder("node", Tier.STORE), false);
    partial.opened(Optional.empty());
    Thread filling = Thread.ofPlatform().start(() -> fill(partial));
    await().until(() -> filling.getState() == Thread.State.WAITING);
    List<Ulid> given = new ArrayList<>();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    Outcome outcome = merger.run((_, group) -> given.add(group.first()), deadline);
    partial.stop();
    assertThat(outcome).isEqualTo(Outcome.ALL);
    assertThat(given).isEqualTo(LongStream.range(0, BATCHES).mapToObj(i -> ulid(i)).toList());
  }

  @Test
  void whatMayBeHeldIsDividedAmongAllAndAWaitingOneGoesOnWithItsPart() throws IOException {
    var memory = new MergeMemory(4 * MergeMemory.LEAST_EACH);
    assertThat(memory.each()).isEqualTo(4 * MergeMemory.LEAST_EACH);
    var one =
        new ResultMerger(
            () -> false,
            false,
            () -> 0,
            new CopyCount(0),
            MergeState.of(memory, FrameMemory.ofHeap(new SimpleMeterRegistry())));
    PartialResult partial = one.add(new PartialResult.Holder("node", Tier.STORE), false);
    partial.opened(Optional.empty());
    var other =
        new ResultMerger(
            () -> false,
            false,
            () -> 0,
            new CopyCount(0),
            MergeState.of(memory, FrameMemory.ofHeap(new SimpleMeterRegistry())));
    for (int i = 0; i < 100; i++) {
      other.add(new PartialResult.Holder("other" + i, Tier.STORE), false);
    }
    assertThat(memory.each()).isEqualTo(MergeMemory.LEAST_EACH);
    Thread filling = Thread.ofPlatform().start(() -> fill(partial));
    await().until(() -> filling.getState() == Thread.State.WAITING);
    other.release();
    assertThat(memory.each()).isEqualTo(4 * MergeMemory.LEAST_EACH);
    long[] given = {0};
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    assertThat(one.run((_, _) -> ++given[0] > 0, deadline)).isEqualTo(Outcome.ALL);
    assertThat(given[0]).isEqualTo(BATCHES);
    one.release();
  }

  @Test
  void aStoreThatWasSilentIsNotWaitedForAgainUntilItSpeaksOrSomeSecondsAreOver()
      throws IOException {
    var now = new AtomicLong();
    var silent = new UnreachableStores(now::get);
    var shared =
        new MergeState(MergeMemory.ofHeap(), FrameMemory.ofHeap(new SimpleMeterRegistry()), silent);
    long soon = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    assertThat(besideASilentOne(shared, soon)).isEqualTo(Outcome.ALL);
    assertThat(silent.has("silent")).isTrue();
    assertThat(silent.has("other")).isFalse();
    assertThat(besideASilentOne(shared, System.nanoTime()))
        .as("there is no time to wait")
        .isEqualTo(Outcome.ALL);

    now.addAndGet(UnreachableStores.KEPT.toNanos());
    assertThat(silent.has("silent")).isFalse();
    assertThat(besideASilentOne(shared, soon)).isEqualTo(Outcome.ALL);
    assertThat(silent.has("silent")).isTrue();
    two(shared).add(new PartialResult.Holder("silent", Tier.STORE), true).passed(ulid(1));
    assertThat(silent.has("silent")).isFalse();
  }

  @Test
  void nothingIsLostIfAStoreIsNeededAgainThatCouldBeDoneWithoutAMomentAgo() throws IOException {
    var shared = MergeState.ofHeap(new SimpleMeterRegistry());
    shared.silent().add("silent");
    var looks = new AtomicInteger();
    var merger =
        new ResultMerger(
            () -> false,
            false,
            () -> looks.getAndIncrement() % 3 == 1 ? 1 : 0,
            new CopyCount(0),
            shared);
    merger.add(new PartialResult.Holder("silent", Tier.STORE), true);
    PartialResult other = merger.add(new PartialResult.Holder("other", Tier.STORE), true);
    for (long i = 0; i < 10; i++) {
      Group group = new Group(ulid(i), 0, 1);
      other.put(oneRecord(group), group);
    }
    other.end();
    long[] given = {0};
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    assertThat(merger.run((_, _) -> ++given[0] > 0, deadline)).isEqualTo(Outcome.ALL);
    assertThat(given[0]).isEqualTo(10);
  }

  /** The stores are asked without it by then, so what it says later is no part of the answer. */
  @Test
  void aPartialResultThatHasEndedIsNotChangedByWhatComesLate() {
    PartialResult late = merger.add(new PartialResult.Holder("late", Tier.INGEST), false);
    late.fail("no answer within 5 s");
    late.opened(Optional.of(Instant.EPOCH));
    late.passed(ulid(7));
    Group group = new Group(ulid(8), 0, 1);
    late.put(oneRecord(group), group);
    late.end();
    var stop = new Stop(Stop.Limit.BYTES, new UlidRange(ulid(9), ulid(10)));
    late.endStopped(stop);
    late.lacks(new Lack(UlidRange.ALL, "damaged"));
    late.endAtDeadline();
    assertThat(late.lack()).hasValue(new Lack(UlidRange.ALL, "no answer within 5 s"));
    assertThat(late.peek()).isNull();
    assertThat(late.stampTime()).isEmpty();

    PartialResult stopped = merger.add(new PartialResult.Holder("stopped", Tier.STORE), false);
    stopped.endStopped(stop);
    stopped.passed(Ulid.MAX);
    stopped.end();
    assertThat(stopped.lack())
        .hasValue(new Lack(new UlidRange(ulid(9), ulid(10)), Stop.Limit.BYTES.text()));
  }

  private static Outcome besideASilentOne(MergeState shared, long deadline) throws IOException {
    ResultMerger two = two(shared);
    two.add(new PartialResult.Holder("silent", Tier.STORE), true);
    two.add(new PartialResult.Holder("other", Tier.STORE), true).end();
    return two.run((_, _) -> true, deadline);
  }

  /** For two stores, of which one can be done without. */
  private static ResultMerger two(MergeState shared) {
    return new ResultMerger(() -> false, false, () -> 1, new CopyCount(0), shared);
  }

  private static void fill(PartialResult partial) {
    for (long i = 0; i < BATCHES; i++) {
      Group group = new Group(ulid(i), 0, 1);
      partial.put(oneRecord(group), group);
    }
    partial.end();
  }

  private static BlockHits oneRecord(Group group) {
    return new BlockHits(
        Topic.DEFAULT, new byte[] {'\n'}, new int[] {1}, new int[0], List.of(group));
  }

  private static Ulid ulid(long number) {
    return new Ulid(1, number);
  }
}
