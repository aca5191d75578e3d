package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.cordwood.cli.plan.SimPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What clusters cost by their size; {@code COSTS=10,30,100 bench/simulate} prints larger ones. */
final class SimulationCostsTest {
  private static final int LEAST_NODES = 10;
  private static final int MINUTES = Settings.minutes(4);

  /** Stores of the simulation compare that often. */
  private static final int COMPARE_SECONDS = 12;

  /** Plans and simulation agree within this factor. */
  private static final double AGREEMENT = 1.5;

  /** Sizes with commas between them. */
  private static List<Integer> sizes() {
    return Settings.sizes("cordwood.costs", "10,20", LEAST_NODES);
  }

  @Test
  void whatANodeSaysGrowsNoFasterThanTheNodes() {
    List<CostTable.Column> columns =
        sizes().stream().map(nodes -> CostTable.of(nodes, MINUTES)).toList();
    System.out.println(CostTable.text(columns));
    CostTable.Column first = columns.getFirst();
    for (CostTable.Column column : columns) {
      double growth = 1.5 * (column.nodes() - 1) / (first.nodes() - 1);
      for (Costs.Kind kind : Costs.Kind.values()) {
        assertThat(column.count(kind))
            .as("%s of %d nodes", kind, column.nodes())
            .isLessThanOrEqualTo((long) (growth * Math.max(10, first.count(kind))));
      }
      isAsPlanned(
          column.nodes(),
          column.count(Costs.Kind.DESCRIPTION),
          column.count(Costs.Kind.SLICES),
          column.remembered());
      assertThat(column.remembered())
          .as("remembered by %d nodes", column.nodes())
          .isLessThanOrEqualTo((long) (growth * first.remembered()));
    }
  }

  private static void isAsPlanned(int nodes, double descriptions, double tables, double members) {
    SimCluster.Shape shape = CostTable.shape(nodes, MINUTES);
    SimPlan planned = SimPlan.of(shape.ingest(), shape.stores(), shape.queries(), COMPARE_SECONDS);
    isAbout(planned.descriptions(), descriptions, nodes);
    isAbout(planned.tables(), tables, nodes);
    isAbout(planned.remembered(), members, nodes);
  }

  private static void isAbout(double planned, double measured, int nodes) {
    assertThat(planned)
        .as("%d nodes, measured %s", nodes, measured)
        .isBetween(measured / AGREEMENT, measured * AGREEMENT);
  }

  /** Figures of the table in the document, one for each number of nodes. */
  private static List<Double> row(String title) throws IOException {
    String row =
        Files.readAllLines(Path.of("../docs/simulation.md")).stream()
            .filter(line -> line.startsWith("| " + title + " |"))
            .findFirst()
            .orElseThrow();
    return Stream.of(row.split("\\|"))
        .skip(2)
        .map(figure -> Double.valueOf(figure.replaceAll("[^0-9]", "")))
        .toList();
  }

  @Test
  void plansAgreeWithTheTableOfTheDocument() throws IOException {
    List<Double> nodes = row("a node and minute");
    List<Double> descriptions = row("descriptions of others taken in");
    List<Double> tables = row("tables of slices asked for");
    List<Double> remembered = row("bytes remembered of others");
    for (int i = 0; i < nodes.size(); i++) {
      isAsPlanned(nodes.get(i).intValue(), descriptions.get(i), tables.get(i), remembered.get(i));
    }
  }
}
