package io.cordwood.store.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.common.segment.Fingerprint;
import io.cordwood.store.ByTopic;
import io.cordwood.store.repair.SliceTable.Stretch;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What has its copies is what was found to have them, now or before; never what nobody knows. */
final class ProvenSlicesTest {
  private static final long LENGTH = 1000;
  private static final long YOUNG = 100;

  private List<Stretch> unknown = List.of();
  private Set<Long> held = Set.of();
  private Set<Long> unknownToOthers = Set.of();
  private Set<Long> replicated = Set.of();
  private long before = ReplicatedFrom.UNKNOWN;

  private long from() {
    var slices = new TreeMap<Long, Fingerprint>();
    held.forEach(slice -> slices.put(slice, new Fingerprint(1, 1, 1, slice, 1)));
    var own = new SliceTable(LENGTH, ByTopic.all(Instant.EPOCH), true, slices, unknown);
    return new ProvenSlices(
            own,
            slice -> slice >= YOUNG,
            slice -> own.isKnown(slice) && !unknownToOthers.contains(slice),
            replicated::contains,
            before)
        .fromMillis();
  }

  @Test
  void allThatIsHeldAndComparedHasItsCopies() {
    held = Set.of(3L, 4L, 7L, 101L);
    replicated = Set.of(3L, 4L, 7L);
    assertThat(from()).isZero();
    replicated = Set.of(3L, 7L);
    assertThat(from()).isEqualTo(7 * LENGTH);
    replicated = Set.of(3L, 4L);
    assertThat(from()).isEqualTo(101 * LENGTH);
    held = Set.of(3L, 4L, 7L);
    assertThat(from()).isEqualTo(ReplicatedFrom.UNKNOWN);
    held = Set.of();
    assertThat(from()).isZero();
  }

  @Test
  void whatThisStoreDoesNotKnowIsNotTakenToHaveItsCopies() {
    unknown = List.of(new Stretch(2, 5));
    assertThat(from()).isEqualTo(ReplicatedFrom.UNKNOWN);
    held = Set.of(1L, 8L);
    replicated = Set.of(1L, 8L);
    assertThat(from()).isEqualTo(8 * LENGTH);
    unknown = List.of(new Stretch(2, 5), new Stretch(99, 120));
    assertThat(from()).isEqualTo(120 * LENGTH);
  }

  @Test
  void whatIsMerelyUnknownStaysAsItWasFoundBefore() {
    unknown = List.of(new Stretch(2, 5));
    held = Set.of(1L, 8L);
    replicated = Set.of(1L, 8L);
    before = 0;
    assertThat(from()).isZero();
    before = 2 * LENGTH;
    assertThat(from()).isZero();
    before = 4 * LENGTH;
    assertThat(from()).isEqualTo(4 * LENGTH);
    before = 6 * LENGTH;
    assertThat(from()).isEqualTo(8 * LENGTH);
  }

  @Test
  void soDoesWhatAnotherStoreDoesNotKnow() {
    held = Set.of(1L, 4L, 8L);
    unknownToOthers = Set.of(1L, 4L, 8L);
    before = 0;
    assertThat(from()).isZero();
    before = 3 * LENGTH;
    assertThat(from()).isEqualTo(4 * LENGTH);
    before = ReplicatedFrom.UNKNOWN;
    assertThat(from()).isEqualTo(ReplicatedFrom.UNKNOWN);
  }

  @Test
  void whatWasComparedAndLacksACopyCountsWhateverWasFoundBefore() {
    held = Set.of(1L, 4L, 8L);
    unknownToOthers = Set.of(1L, 8L);
    before = 0;
    assertThat(from()).isEqualTo(8 * LENGTH);
  }
}
