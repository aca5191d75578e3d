package io.cordwood.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Figures beside a table that was made by hand, and beside what was measured. */
final class ClusterFiguresTest {
  private static final double NONE = Double.POSITIVE_INFINITY;
  private static final Percentage EXACTLY = Percentage.withPercentage(0.01);

  /** 10 MB/s, peaks of 30, 30 days, two copies; 2 ingest nodes and 4 stores of 8 cores. */
  private static final Cluster BY_HAND =
      Cluster.of(
          new Load(
              10e6,
              3,
              30 * Loads.DAY,
              2,
              0.05,
              3600,
              List.of(new Question(Question.Kind.COMMON, 3600, 0.01))),
          new Machine(8, 4e12, 500e6, 1e9),
          Parameters.USUAL,
          2,
          4);

  private static void isBy(Figure figure, double hand) {
    assertThat(BY_HAND.of(figure)).as(figure.symbol()).isCloseTo(hand, EXACTLY);
  }

  @Test
  void ingestNodesAreAsByHand() {
    isBy(Figure.INGEST_CORES, 30e6 * 3.73 * 1.42 / 1e9);
    isBy(Figure.INGEST_CPU_USED, 0.158898 / 16);
    isBy(Figure.INGEST_DISK, 54e9 + 268_435_456);
    isBy(Figure.INGEST_DISK_RATE, 30e6);
    isBy(Figure.INGEST_NET_USED, 0.015);
  }

  @Test
  void storesAreAsByHand() {
    isBy(Figure.STORE_LOAD, 2.5e6);
    isBy(Figure.REWRITTEN, 5e6);
    isBy(Figure.CONSUME_CORES, 0.03 * 3.73 * 7.06);
    isBy(Figure.SETTLE_CORES, 0.02 * 13.9);
    isBy(Figure.UPKEEP_CORES, 0.02 * 4.3 + 0.02 * 13.9);
    assertThat(BY_HAND.of(Figure.RANGE_BYTES, 0)).isCloseTo(18e9, EXACTLY);
    assertThat(BY_HAND.of(Figure.PART, 0))
        .isCloseTo(0.0017 + 0.000012 * (18e9 / 100_663_296 + 1) + 13.14, EXACTLY);
    assertThat(BY_HAND.questionCores()).isCloseTo(0.04 * BY_HAND.of(Figure.PART, 0), EXACTLY);
    isBy(Figure.STORE_CPU_USED, (0.790014 + 0.364 + BY_HAND.questionCores()) / 32);
    isBy(Figure.STORE_DISK, 5e6 * (0.285 * 3600 + 0.232 * (2_588_400 + 86_400)) + 268_435_456);
    isBy(Figure.SEGMENTS, Math.ceil(5e6 * 2_592_000 / 100_663_296) + 256);
    isBy(Figure.STORE_WRITTEN, 7.5e6 * 1.57 + 0.285 * 5e6 + 0.232 * 5e6);
    isBy(Figure.STORE_READ, 7.5e6 + 0.285 * 10e6 + 4_194_304);
    isBy(Figure.SETTLE_USED, 5e6 / 16_777_216);
  }

  @Test
  void whatIsTakenAtMostAndWhatALossDoesAreAsByHand() {
    isBy(Figure.MOST_INGEST, 0.85 * 2 * Math.min(250e6, 8e9 / (3.73 * 1.42)));
    isBy(
        Figure.MOST_STORE_CPU, (0.85 * 32 - 0.278 - BY_HAND.questionCores()) * 1e9 / (3.73 * 7.06));
    isBy(Figure.MOST, BY_HAND.of(Figure.MOST_INGEST));
    isBy(Figure.DRAINED_AFTER, 36e9 / (BY_HAND.of(Figure.MOST) - 10e6));
    isBy(Figure.FILLED_AFTER, 6.8e12 / BY_HAND.of(Figure.MOST));
    isBy(Figure.COPIED_AFTER, 600 + 5e6 * 2_592_000 / (3 * 67_108_864.0));
    isBy(Figure.DAY_BYTES, 86_400 * 20e6 * 0.232);
    isBy(Figure.FULL_AFTER, Math.log(3.4e12 / BY_HAND.of(Figure.STORE_DISK)) / Math.log(1.05));
    isBy(Figure.STARTED, 0.8 + 0.000098 * BY_HAND.of(Figure.SEGMENTS));
  }

  @Test
  void costsOfTheNumberOfNodesAreAsByHand() {
    isBy(Figure.ALL_NODES, 6);
    isBy(Figure.DESCRIPTIONS, 5 * 60 / 18.0);
    isBy(Figure.DESCRIPTION_RATE, 160 * 5 / 18.0);
    isBy(Figure.REMEMBERED, 1440);
    isBy(Figure.TABLES_ASKED, 3);
    isBy(Figure.TABLE_RATE, 3 * 250 / 60.0);
    isBy(Figure.TABLE_MEMORY, 3 * 120 * 4320);
    isBy(Figure.CONNECTIONS, 20);
    isBy(Figure.GOSSIP_CONNECTIONS, 10);
    isBy(Figure.OPEN, 30 + 32_768);
    isBy(Figure.QUESTION_MEMORY, 6 * 131_072);
    isBy(Figure.AT_ONCE, 64);
    isBy(Figure.NODES_BY_QUESTIONS, 512);
    isBy(Figure.NODES_BY_TABLES, 6 * 67_108_864 / (3 * 120 * 4320.0));
    isBy(Figure.NODES_BY_FILES, 8001);
    isBy(Figure.NODES_BY_CONNECTIONS, 2049);
    isBy(Figure.MOST_NODES, BY_HAND.of(Figure.NODES_BY_TABLES));
    assertThat(NodeBound.first(BY_HAND)).isEqualTo(NodeBound.TABLES);
  }

  /** Loads of a large cluster are published the more seldom, and a year's slices are many. */
  @Test
  void ofAThousandNodesEachHearsOfFewLoads() {
    Cluster large =
        Cluster.of(
            new Load(1e9, 1, 365 * Loads.DAY, 2, 0, 0, List.of()),
            new Machine(8, NONE, NONE, NONE),
            Parameters.USUAL.with(Parameter.QUERY_NODES, 200, "set"),
            300,
            500);
    assertThat(large.of(Figure.ALL_NODES)).isEqualTo(1000);
    assertThat(large.of(Figure.DESCRIPTIONS)).isCloseTo(999 * 60 / 315.0, EXACTLY);
    assertThat(large.of(Figure.AT_ONCE)).isEqualTo(1);
    assertThat(NodeBound.first(large)).isEqualTo(NodeBound.TABLES);
  }

  private static Cluster idle(double cores, Parameters parameters) {
    return Cluster.of(
        new Load(1e6, 1, Loads.DAY, 1, 0, 0, List.of(new Question(Question.Kind.RARE, 60, 1e-6))),
        new Machine(cores, NONE, NONE, NONE),
        parameters,
        1,
        3);
  }

  @Test
  void aQuarterOfACoreIsACoreThatTakesFourTimesTheTime() {
    Parameters slow = Parameters.USUAL;
    for (Parameter each : Parameter.values()) {
      if (each.symbol().endsWith("_cpu")) {
        slow = slow.with(each, 4 * slow.of(each), "set");
      }
    }
    Cluster quarter = idle(0.25, Parameters.USUAL);
    Cluster whole = idle(1, slow);
    for (Figure figure :
        List.of(Figure.MOST_STORE_CPU, Figure.MOST_INGEST, Figure.QUERYABLE, Figure.STORED)) {
      assertThat(quarter.of(figure)).as(figure.symbol()).isCloseTo(whole.of(figure), EXACTLY);
    }
    assertThat(quarter.of(Figure.ANSWERED, 0)).isCloseTo(whole.of(Figure.ANSWERED, 0), EXACTLY);
  }

  /** Three ingest nodes and three stores on two cores, which they share. */
  private static double sustained(int copies) {
    Parameters all =
        Parameters.USUAL.with(Parameter.FULL, 1, "set").with(Parameter.SETTLE_CPU, 0, "set");
    Cluster cluster =
        Cluster.of(Loads.of(1, copies), new Machine(2.0 / 3, NONE, NONE, NONE), all, 3, 3);
    return 1 / (1 / cluster.of(Figure.MOST_INGEST) + 1 / cluster.of(Figure.MOST_STORE_CPU)) / 1e6;
  }

  @Test
  void sustainedRatesAreThoseThatParametersComeFrom() {
    assertThat(sustained(1)).isCloseTo(93.8, within(0.5));
    assertThat(sustained(2)).isCloseTo(63.3, within(0.5));
  }

  @Test
  void anIdleClusterAnswersAsItWasMeasured() {
    var question = new Question(Question.Kind.ABSENT, 1074, 1e-6);
    Parameters none = Parameters.USUAL.with(Parameter.SHARE_ABSENT, 0, "set");
    Cluster cluster =
        Cluster.of(
            new Load(1e6, 1, 7 * Loads.DAY, 1, 0, 0, List.of(question)),
            new Machine(2.0 / 3, NONE, NONE, NONE),
            none,
            3,
            3);
    assertThat(cluster.of(Figure.ANSWERED, 0)).isBetween(0.0045 / 1.5, 0.0045 * 1.5);
    assertThat(cluster.of(Figure.QUERYABLE)).isBetween(0.0127, 0.0127 * 1.5);
    assertThat(cluster.of(Figure.STORED)).isBetween(0.251, 0.251 * 1.5);
    assertThat(cluster.of(Figure.FULL_AFTER)).isInfinite();
  }
}
