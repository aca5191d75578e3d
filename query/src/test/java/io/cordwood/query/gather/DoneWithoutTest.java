package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cordwood.common.segment.Segment;
import io.cordwood.common.segment.SegmentSource;
import io.cordwood.common.segment.SegmentSource.Evicted;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.query.Answer;
import io.cordwood.query.GatedSource;
import io.cordwood.query.TestCluster;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No store is done without beside one that lacks something, whenever the answer has enough. */
final class DoneWithoutTest {
  private static final String PATH = "/query?from=" + Ulid.firstOf(GatedSource.FIRST_MILLIS);

  /** Why a store does not give its first record. */
  enum Hole {
    LOST,
    EVICTED,
    DAMAGED;

    SegmentSource of(GatedSource whole) {
      return this == DAMAGED
          ? whole.spoilFirst()
          : range -> new WithoutFirst(whole.view(range), this);
    }
  }

  /** All but the first segment, and it says so. */
  private record WithoutFirst(SegmentSource.View all, Hole hole) implements SegmentSource.View {
    @Override
    public List<? extends Segment> segments() {
      return all.segments().subList(1, all.segments().size());
    }

    @Override
    public Optional<Lack> lack() {
      return Optional.of(new Lack(all.segments().getFirst().range(), "it was damaged"))
          .filter(_ -> hole == Hole.LOST);
    }

    @Override
    public List<Evicted> evicted() {
      var gone = new Evicted(all.segments().getFirst().range(), "s3://elsewhere");
      return hole == Hole.EVICTED ? List.of(gone) : List.of();
    }

    @Override
    public void close() {
      all.close();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOST,asked",
    "EVICTED,asked",
    "DAMAGED,asked",
    "LOST,own",
    "EVICTED,own",
    "DAMAGED,own"
  })
  void anAnswerWithEnoughRecordsIsNotCompleteWhileAnotherStoreMayHaveOneBeforeThem(
      Hole hole, String asked) throws IOException {
    try (var cluster = new TestCluster(2);
        SlowStore _ = SlowStore.in(cluster)) {
      boolean isOwn = asked.equals("own"); // a node ends its own search before its answer
      GatedSource whole = new GatedSource(10).letFirst(isOwn ? 10 : 5);
      TestCluster.Node lacking = cluster.store("lacking", hole.of(whole));
      TestCluster.Node node = isOwn ? lacking : cluster.query(asked);
      Answer answer = node.get(PATH + "&limit=3&time_limit=1s");
      whole.letAll();
      assertThat(answer.field("verdict")).isEqualTo("possibly-incomplete");
      assertThat(answer.field("missing")).contains("store lacking ");
    }
  }

  @Test
  void aStoreIsWaitedForIfAnotherOneLacksSomethingThatItMayHave() throws Exception {
    try (var cluster = new TestCluster(2);
        var asking = Executors.newVirtualThreadPerTaskExecutor()) {
      var late = new GatedSource(10);
      GatedSource whole = new GatedSource(10).letAll();
      cluster.store("late", late);
      cluster.store("lacking", Hole.LOST.of(whole));
      TestCluster.Node asked = cluster.query("asked");
      Future<Answer> answer = asking.submit(() -> asked.get(PATH));
      await().until(() -> whole.begun() == 9 && late.begun() > 0);
      late.letAll();
      Answer whenAllCame = answer.get(1, TimeUnit.MINUTES);
      assertThat(whenAllCame.text().lines()).startsWith("record 0", "small 0").endsWith("record 9");
      assertThat(whenAllCame.field("verdict")).isEqualTo("complete");
    }
  }
}
