package io.cordwood.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What clusters cost by their size; {@code COSTS=10,30,100 bench/simulate} prints larger ones. */
final class SimulationCostsTest {
  private static final int LEAST_NODES = 10;
  private static final int MINUTES = 4;

  /** Sizes with commas between them. */
  private static List<Integer> sizes() {
    String text = System.getProperty("cordwood.costs", "10,20");
    if (!text.matches("[0-9]{2,4}(,[0-9]{2,4})*")) {
      throw new IllegalArgumentException(
          "-Dcordwood.costs: expected numbers of nodes from %d with commas between them, found '%s'"
              .formatted(LEAST_NODES, text));
    }
    return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
  }

  @Test
  void whatANodeSaysGrowsNoFasterThanTheNodes() {
    List<CostTable.Column> columns =
        sizes().stream().map(nodes -> CostTable.of(nodes, MINUTES)).toList();
    System.out.println(CostTable.text(columns));
    CostTable.Column first = columns.getFirst();
    for (CostTable.Column column : columns) {
      double growth = 1.5 * column.nodes() / first.nodes();
      for (Costs.Kind kind : Costs.Kind.values()) {
        assertThat(column.count(kind))
            .as("%s of %d nodes", kind, column.nodes())
            .isLessThanOrEqualTo((long) (growth * Math.max(10, first.count(kind))));
      }
      assertThat(column.remembered())
          .as("remembered by %d nodes", column.nodes())
          .isLessThanOrEqualTo((long) (growth * first.remembered()));
    }
  }
}
