package io.cordwood.common.deletion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each deletion waits by itself, for whatever parts of a node say so. */
final class WaitingDeletionsTest {
  private static final long MILLIS = 1_700_000_000_000L;

  private static Tombstone of(int second) throws RefusedTombstoneException {
    Ulid record = Ulid.firstOf(MILLIS + second * 1000L);
    return RandomTombstones.naming(new Topic("shop"), record).all().iterator().next();
  }

  @Test
  void onlyThoseWaitOfWhichAPartHasSomething() throws RefusedTombstoneException {
    Tombstone first = of(0);
    Tombstone second = of(10);
    Tombstone third = of(20);
    Tombstones known = Tombstones.NONE.plus(List.of(first, second, third));
    var waiting = new WaitingDeletions(known);
    waiting.allBut(known, "nothing");
    waiting.within(new UlidRange(Ulid.firstOf(MILLIS - 5), Ulid.lastOf(MILLIS - 1)), "too early");
    assertThat(waiting.carriedOut()).containsExactlyInAnyOrder(first, second, third);
    waiting.within(new UlidRange(Ulid.firstOf(MILLIS + 1), Ulid.lastOf(MILLIS + 10_000)), "file");
    assertThat(waiting.carriedOut()).containsExactlyInAnyOrder(first, third);
    waiting.allBut(Tombstones.NONE.plus(first), "bucket");
    waiting.allBut(Tombstones.NONE.plus(first), "bucket");
    assertThat(waiting.carriedOut()).containsExactly(first);
    assertThat(waiting.why(first)).isEmpty();
    assertThat(waiting.why(second)).contains("file; bucket");
    assertThat(waiting.why(third)).contains("bucket");
  }
}
