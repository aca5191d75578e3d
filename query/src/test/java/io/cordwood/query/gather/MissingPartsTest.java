package io.cordwood.query.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.cluster.Partners;
import io.cordwood.common.segment.SegmentSource.Lack;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import io.cordwood.query.Tier;
import io.cordwood.query.gather.ClusterNodes.Gone;
import io.cordwood.query.gather.ClusterNodes.Peer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two copies of each record, on some of three stores. */
final class MissingPartsTest {
  private static final UlidRange RANGE = new UlidRange(ulid(0), ulid(100));

  private final ResultMerger merger =
      new ResultMerger(
          () -> false,
          false,
          () -> 1,
          new CopyCount(2),
          MergeState.ofHeap(new SimpleMeterRegistry()));
  private final PartialResult late = merger.add(new PartialResult.Holder("late", Tier.STORE), true);
  private final PartialResult other =
      merger.add(new PartialResult.Holder("other", Tier.STORE), true);

  private static Ulid ulid(long millis) {
    return Ulid.firstOf(millis);
  }

  private static Verdicts judging(Gone... gone) {
    List<Peer> stores =
        List.of("late", "other").stream()
            .map(id -> new Peer(id, URI.create("http://" + id), 0, Partners.UNKNOWN))
            .toList();
    var nodes =
        new ClusterNodes(List.of(), stores, List.of(gone), 2, Optional.empty(), Optional.empty());
    return Verdicts.of("asked", false, nodes, RANGE, InstantSource.system());
  }

  private Verdict verdict(Verdicts judging, UlidRange wanted) {
    return judging.of(new MissingParts(judging, wanted).of(merger.all()));
  }

  @Test
  void aStoreThatWasNotWaitedForIsMissedOnceAnotherIsKnownToBeGone() {
    late.doneWithout(ulid(5));
    other.end();
    assertThat(verdict(judging(), RANGE).isComplete()).isTrue();
    var gone = new Gone("gone", false, true, Instant.EPOCH, 0, Partners.UNKNOWN);
    Verdict verdict = verdict(judging(gone), RANGE);
    assertThat(verdict.isComplete()).isFalse();
    assertThat(verdict.named()).extracting(MissingNode::nodeId).containsExactly("gone", "late");
    assertThat(verdict.named().getLast().range()).isEqualTo(new UlidRange(ulid(0), ulid(5)));
  }

  @Test
  void aStoreThatWasNotWaitedForIsMissedOnlyWhereAnotherLacksSomething() {
    late.doneWithout(ulid(5));
    other.lacks(new Lack(new UlidRange(ulid(6), ulid(7)), "it was damaged"));
    other.end();
    assertThat(verdict(judging(), RANGE).isComplete()).isTrue();
    late.doneWithout(ulid(6));
    assertThat(verdict(judging(), RANGE).isComplete()).isFalse();
    assertThat(verdict(judging(), RANGE.until(ulid(5))).isComplete()).isTrue();
  }
}
