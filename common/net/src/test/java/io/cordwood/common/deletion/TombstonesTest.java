package io.cordwood.common.deletion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cordwood.common.access.TopicPatterns;
import io.cordwood.common.segment.LeftOut.Extent;
import io.cordwood.common.segment.Topic;
import io.cordwood.common.testing.Seed;
import io.cordwood.common.ulid.Ulid;
import io.cordwood.common.ulid.UlidRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The set of tombstones: it only grows, in any order, and says what is deleted. */
final class TombstonesTest {
  private static final List<Topic> TOPICS =
      Stream.of("shop", "shop-eu", "audit", "other").map(Topic::new).toList();

  private final SplittableRandom random = new SplittableRandom(Seed.of(TombstonesTest.class));
  private final List<Ulid> records =
      IntStream.range(0, 200)
          .mapToObj(i -> Ulid.firstOf(1_700_000_000_000L + i / 3).plus(i % 3))
          .toList();
  private final RandomTombstones made = new RandomTombstones(random, records);

  @Test
  void setsThatGrewInAnyOrderAreTheSameAndHaveTheSameSum() throws Exception {
    List<Tombstone> some = Stream.generate(made::next).limit(50).toList();
    Tombstones one = Tombstones.NONE;
    for (Tombstone each : some) {
      Tombstones grown = one.plus(each);
      assertThat(grown.sum()).isNotEqualTo(one.sum());
      assertThat(grown.plus(each)).isSameAs(grown);
      one = grown;
    }
    List<Tombstone> mixed = new ArrayList<>(some);
    Collections.shuffle(mixed, new Random(random.nextLong()));
    Tombstones halves =
        Tombstones.NONE.plus(mixed.subList(20, 50)).plus(one.all().stream().limit(40).toList());
    halves = halves.plus(mixed.subList(0, 20));
    assertThat(halves).isEqualTo(one);
    assertThat(halves.sum()).isEqualTo(one.sum());
    assertThat(halves.all()).containsExactlyInAnyOrderElementsOf(some);
  }

  @Test
  void whatIsDeletedIsWhatSomeTombstoneNames() throws Exception {
    for (int round = 0; round < 200; round++) {
      List<Tombstone> some = Stream.generate(made::next).limit(random.nextInt(6)).toList();
      Tombstones set = Tombstones.NONE.plus(some);
      for (Topic topic : TOPICS) {
        List<Ulid> gone = records.stream().filter(it -> isNamed(some, topic, it)).toList();
        assertThat(records.stream().filter(it -> set.has(topic, it)).toList()).isEqualTo(gone);
        checkExtent(set, topic, gone);
      }
    }
  }

  private static boolean isNamed(List<Tombstone> some, Topic topic, Ulid record) {
    return some.stream()
        .anyMatch(it ->
            it.topics().contain(topic.name())
                && !record.isBefore(it.range().from())
                && !record.isAfter(it.range().to())
                && it.records().map(named -> named.contain(record)).orElse(true));
  }

  private void checkExtent(Tombstones set, Topic topic, List<Ulid> gone) {
    int from = random.nextInt(records.size());
    int to = from + random.nextInt(records.size() - from);
    var range = new UlidRange(records.get(from), records.get(to));
    List<Ulid> inRange = records.subList(from, to + 1);
    Extent extent = set.of(topic, range);
    if (extent == Extent.ALL) {
      assertThat(gone).containsAll(inRange);
    } else if (extent == Extent.NONE) {
      assertThat(gone).doesNotContainAnyElementsOf(inRange);
    }
    if (!Collections.disjoint(gone, inRange)) {
      assertThat(extent).isNotEqualTo(Extent.NONE);
      assertThat(set.touches(range)).isTrue();
    }
  }

  @Test
  void aTextIsReadAsItWasWritten() throws Exception {
    for (int count : new int[] {0, 1, 30}) {
      Tombstones set = Tombstones.NONE.plus(Stream.generate(made::next).limit(count).toList());
      for (boolean lost : new boolean[] {false, true}) {
        TombstoneText.Read read = TombstoneText.read(TombstoneText.write(set, lost));
        assertThat(read).isEqualTo(new TombstoneText.Read(set, lost, Optional.empty()));
      }
    }
  }

  @Test
  void oneMoreThanThereMayBeIsRefusedUnlessItComesFromAnotherNode() throws Exception {
    List<Tombstone> many =
        IntStream.range(0, Tombstones.MAX).mapToObj(i -> RandomTombstones.of(i, "shop")).toList();
    Tombstones full = Tombstones.NONE.plus(many);
    Tombstone more = RandomTombstones.of(Tombstones.MAX, "shop");
    assertThatThrownBy(() -> full.plus(more))
        .isInstanceOf(RefusedTombstoneException.class)
        .hasMessage("expected at most 10000 deletions, found 10001");
    assertThat(full.plus(many.getFirst())).as("it is there").isSameAs(full);
    assertThat(full.plus(List.of(more)).size()).isEqualTo(Tombstones.MAX + 1);
  }

  @Test
  void moreRecordsThanMayBeNamedAreRefused() throws Exception {
    Tombstones set = Tombstones.NONE;
    int each = NamedRecords.MAX;
    for (int i = 0; i < Tombstones.MAX_RECORDS / each; i++) {
      set = set.plus(naming(i, each));
    }
    Tombstones full = set;
    assertThatThrownBy(() -> full.plus(naming(100, each)))
        .isInstanceOf(RefusedTombstoneException.class)
        .hasMessageContaining("expected at most 250000 records deleted one by one, found 300000");
    assertThat(TombstoneText.read(TombstoneText.write(full, false)).known()).isEqualTo(full);
  }

  private static Tombstone naming(int number, int count) {
    Tombstone whole = RandomTombstones.of(number, "shop");
    List<Ulid> some =
        IntStream.range(0, count).mapToObj(i -> whole.range().from().plus(i)).toList();
    return new Tombstone(
        whole.id(), whole.topics(), whole.range(), Optional.of(NamedRecords.of(some)), "ops");
  }

  @Test
  void twoThatDifferAndHaveOneIdAreRefused() throws Exception {
    Tombstone one = RandomTombstones.of(1, "shop");
    Tombstones set = Tombstones.NONE.plus(one);
    assertThatThrownBy(() -> set.plus(List.of(RandomTombstones.of(1, "audit"))))
        .isInstanceOf(RefusedTombstoneException.class)
        .hasMessageContaining("with the id " + one.id());
  }

  @Test
  void aRangeEndsInThePastAndHoldsTheRecordsThatAreNamed() {
    Tombstone it = RandomTombstones.of(1, "shop");
    assertThatThrownBy(() -> with(it, new UlidRange(it.range().from(), it.id()), Optional.empty()))
        .hasMessageContaining("expected a range that ends before 2026-11-21T13:00:00Z");
    Ulid outside = it.range().to().plus(1);
    assertThatThrownBy(() -> with(it, it.range(), Optional.of(NamedRecords.of(List.of(outside)))))
        .hasMessageContaining("expected records in ");
    assertThatThrownBy(() -> NamedRecords.of(List.of()))
        .hasMessage("expected 1 to 100000 records, found 0");
    assertThatThrownBy(() -> NamedRecords.parse("AAAA")).hasMessageContaining("found 3 bytes");
    List<String> patterns = IntStream.range(0, 11).mapToObj(i -> "t" + i).toList();
    assertThatThrownBy(() ->
            new Tombstone(
                it.id(), new TopicPatterns(patterns), it.range(), Optional.empty(), "ops"))
        .hasMessage("expected 1 to 10 patterns of topics, found 11");
  }

  private static Tombstone with(Tombstone it, UlidRange range, Optional<NamedRecords> records) {
    return new Tombstone(it.id(), it.topics(), range, records, it.who());
  }

  @Test
  void namedRecordsThatAreAllOfABatchDeleteItAsAWhole() throws Exception {
    Tombstone it = RandomTombstones.of(1, "shop");
    Ulid first = it.range().from();
    List<Ulid> named = List.of(first, first.plus(1), first.plus(2), first.plus(9));
    Tombstones set =
        Tombstones.NONE.plus(with(it, it.range(), Optional.of(NamedRecords.of(named))));
    var shop = new Topic("shop");
    assertThat(set.of(shop, UlidRange.of(first, 3))).isEqualTo(Extent.ALL);
    assertThat(set.of(shop, UlidRange.of(first.plus(9), 1))).isEqualTo(Extent.ALL);
    assertThat(set.of(shop, UlidRange.of(first, 4))).isEqualTo(Extent.SOME);
    assertThat(set.of(shop, UlidRange.of(first.plus(2), 8))).isEqualTo(Extent.SOME);
    assertThat(set.of(shop, UlidRange.of(first.plus(3), 2))).isEqualTo(Extent.NONE);
    assertThat(set.of(shop, UlidRange.ALL)).isEqualTo(Extent.SOME);
  }
}
