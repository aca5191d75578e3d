package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Numbers of nodes are enough, and the least that are; more of anything never takes fewer. */
final class SizingTest {
  private static final Parameters USUAL = Parameters.USUAL;
  private static final Machine TWO_CORES =
      new Machine(2, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
  private static final int CASES = 500;

  /** Looks at many loads, each beside one of which there is more. */
  private static void neverFewer(UnaryOperator<Load> more) {
    var loads = new Loads(46);
    for (int i = 0; i < CASES; i++) {
      Load less = loads.any();
      Machine machine = loads.machine();
      Load greater = more.apply(less);
      String of = less + " and " + greater + " on " + machine;
      assertThat(nodes(greater, machine)).as(of).isGreaterThanOrEqualTo(nodes(less, machine));
      assertThat(Sizing.ofIngest(greater, machine, USUAL, 1).nodes())
          .as(of)
          .isGreaterThanOrEqualTo(Sizing.ofIngest(less, machine, USUAL, 1).nodes());
    }
  }

  private static int nodes(Load load, Machine machine) {
    return Sizing.ofStores(load, machine, USUAL, 1).nodes();
  }

  @Test
  void moreLoadNeverTakesFewerNodes() {
    var factors = new Loads(7);
    neverFewer(load -> load.withBytesPerSecond(load.bytesPerSecond() * factors.between(1, 3)));
  }

  @Test
  void moreCopiesAreNeverCheaper() {
    neverFewer(SizingTest::withAnotherCopy);
    var loads = new Loads(3);
    for (int i = 0; i < CASES; i++) {
      Load load = loads.any();
      Machine machine = loads.machine();
      Cluster less = Cluster.of(load, machine, USUAL, 2, 5);
      Cluster more = Cluster.of(withAnotherCopy(load), machine, USUAL, 2, 5);
      for (Figure cost :
          new Figure[] {
            Figure.STORE_CPU_USED, Figure.STORE_DISK, Figure.STORE_WRITTEN, Figure.DAY_BYTES
          }) {
        assertThat(more.of(cost)).as("%s of %s", cost, load).isGreaterThan(less.of(cost));
      }
      assertThat(more.of(Figure.MOST)).isLessThanOrEqualTo(less.of(Figure.MOST));
    }
  }

  private static Load withAnotherCopy(Load load) {
    return new Load(
        load.bytesPerSecond(),
        load.peak(),
        load.retentionSeconds(),
        load.copies() + 1,
        load.growth(),
        load.outageSeconds(),
        load.questions());
  }

  @Test
  void moreRetentionNeverTakesLessDisk() {
    var factors = new Loads(5);
    neverFewer(load -> keptFor(load, load.retentionSeconds() * factors.between(1, 5)));
    var loads = new Loads(9);
    for (int i = 0; i < CASES; i++) {
      Load load = loads.any();
      Machine machine = loads.machine();
      double less = Cluster.of(load, machine, USUAL, 2, 5).of(Figure.STORE_DISK);
      Load longer = keptFor(load, load.retentionSeconds() + loads.between(1, 1e7));
      assertThat(Cluster.of(longer, machine, USUAL, 2, 5).of(Figure.STORE_DISK))
          .isGreaterThan(less);
    }
  }

  private static Load keptFor(Load load, double seconds) {
    return new Load(
        load.bytesPerSecond(),
        load.peak(),
        seconds,
        load.copies(),
        load.growth(),
        load.outageSeconds(),
        load.questions());
  }

  /** With those that may be down all is enough, and with one less something is not. */
  @Test
  void thatManyAreEnoughAndOneLessIsNot() {
    var loads = new Loads(11);
    for (int i = 0; i < CASES; i++) {
      Load load = loads.any();
      Machine machine = loads.machine();
      Sizing stores = Sizing.ofStores(load, machine, USUAL, 0);
      Sizing ingest = Sizing.ofIngest(load, machine, USUAL, 0);
      Cluster cluster = Cluster.of(load, machine, USUAL, ingest.nodes(), stores.nodes());
      for (Limit limit : Limit.values()) {
        assertThat(cluster.of(limit.used())).isLessThanOrEqualTo(0.85);
      }
      stores
          .limit()
          .ifPresent(limit -> {
            Cluster fewer = Cluster.of(load, machine, USUAL, ingest.nodes(), stores.nodes() - 1);
            assertThat(fewer.of(limit.used())).isGreaterThan(0.85);
          });
      assertThat(stores.limit().isPresent() || stores.nodes() == load.copies()).isTrue();
    }
  }

  /** A TB a day on two cores, computed by hand: 11.57 MB/s, of which a store settles 14.26. */
  @Test
  void limitsAreThoseThatAreFoundByHand() {
    assertThat(Sizing.ofStores(Loads.of(1e12 / Loads.DAY, 1), TWO_CORES, USUAL, 1))
        .extracting(Sizing::nodes, sizing -> sizing.limit().isPresent())
        .containsExactly(2, false);
    assertThat(Sizing.ofStores(Loads.of(2e12 / Loads.DAY, 1), TWO_CORES, USUAL, 1))
        .extracting(Sizing::nodes, sizing -> sizing.limit().orElseThrow())
        .containsExactly(3, Limit.SETTLING);
    Parameters fast = USUAL.with(Parameter.SETTLE_RATE, 1e9, "set");
    assertThat(Sizing.ofStores(Loads.of(200e6, 1), TWO_CORES, fast, 0))
        .extracting(Sizing::nodes, sizing -> sizing.limit().orElseThrow())
        .containsExactly(5, Limit.STORE_CPU);
  }

  @Test
  void noNumberIsEnoughIfEachNodeHasTooLittle() {
    var tiny = new Machine(1, 1e8, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    assertThatThrownBy(() -> Sizing.ofStores(Loads.of(1e6, 1), tiny, USUAL, 1))
        .hasMessage(
            "disk: too little on each of 1000000 stores;"
                + " expected a load that some number of them takes");
  }
}
