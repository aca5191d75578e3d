package io.cordwood.cli.plan;

import java.util.List;

/**
 * Figures that are planned for a simulated cluster, each minute on average over all nodes.
 *
 * @param descriptions of other nodes that a node takes in
 * @param tables of slices that are asked for
 * @param remembered bytes that a node remembers of all
 */
public record SimPlan(double descriptions, double tables, double remembered) {
  private static final double ANY = Double.POSITIVE_INFINITY;

  /** What {@code cordwood plan} says of that many nodes. */
  public static SimPlan of(int ingest, int stores, int queries, int compareSeconds) {
    Cluster planned =
        Cluster.of(
            new Load(1e6, 1, 86_400, 1, 0, 0, List.of()),
            new Machine(2, ANY, ANY, ANY),
            Parameters.USUAL
                .with(Parameter.QUERY_NODES, queries, "simulated")
                .with(Parameter.COMPARE_TIME, compareSeconds, "simulated"),
            ingest,
            stores);
    return new SimPlan(
        planned.of(Figure.DESCRIPTIONS),
        planned.of(Figure.TABLES_ASKED) * stores / planned.of(Figure.ALL_NODES),
        planned.of(Figure.REMEMBERED));
  }
}
