package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.BatchInfo;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.store.repair.SliceCheck.Findings;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Single copies come first, the oldest of them before all others. */
final class DueCopiesTest {
  private static final BitSet NOBODY = new BitSet();
  private static final BitSet ONE = BitSet.valueOf(new long[] {2});
  private final DueCopies due = new DueCopies();

  private static List<BatchInfo> batches(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new BatchInfo(Topic.DEFAULT, new Ulid(1, i), 1, 1))
        .toList();
  }

  private void add(long slice, Map<BitSet, List<BatchInfo>> toCopy) {
    due.add(slice, new Findings(false, 1, toCopy));
  }

  private List<Long> slices() {
    return due.inOrder().stream().map(DueCopies.Due::slice).toList();
  }

  @Test
  void whatTheFewestHoldComesFirstAndOfThatTheOldest() {
    add(9, Map.of(ONE, batches(1)));
    add(8, Map.of(NOBODY, batches(1)));
    add(3, Map.of(ONE, batches(1)));
    add(5, Map.of(NOBODY, batches(1), ONE, batches(2)));
    add(2, Map.of());

    assertThat(slices()).containsExactly(5L, 8L, 3L, 5L, 9L);
    assertThat(due.inOrder().getFirst().holders()).isEqualTo(NOBODY);
  }

  @Test
  void ofManyOnlyTheSliceIsKeptAndItIsInItsPlace() {
    add(7, Map.of(NOBODY, batches(SliceCheck.MOST)));
    add(4, Map.of(NOBODY, batches(3), ONE, batches(3)));
    add(6, Map.of(ONE, batches(3)));

    assertThat(slices()).containsExactly(4L, 7L, 6L);
    assertThat(due.inOrder().stream().map(it -> it.batches().size()).toList())
        .containsExactly(0, SliceCheck.MOST, 0);
  }
}
