package io.cordwood.sim;

import io.cordwood.common.cluster.SimMembership;
import io.cordwood.sim.SimCluster.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.ToLongFunction;

/** What clusters of some sizes cost while nothing goes wrong. */
final class CostTable {
  private static final int WARM_MINUTES = 3;

  private CostTable() {}

  /**
   * The costs of a size.
   *
   * @param remembered bytes that the node remembers of others that remembers most
   * @param table bytes of the longest slice table
   * @param speed simulated hours in an hour of a core
   */
  record Column(int nodes, int minutes, Costs costs, long remembered, long table, long speed) {
    long count(Costs.Kind kind) {
      return costs.count(kind, nodes, minutes);
    }

    long bytes(Costs.Kind kind) {
      return costs.bytes(kind, nodes, minutes);
    }
  }

  /** Of the nodes, three tenths take batches, half store them, and the rest ask. */
  static Shape shape(int nodes, int minutes) {
    int ingest = nodes * 3 / 10;
    int stores = nodes / 2;
    return new Shape(ingest, stores, nodes - ingest - stores, 2, minutes);
  }

  static Column of(int nodes, int minutes) {
    var none = new Faults.Limits(Set.of(), 0);
    var run = new Run(1, shape(nodes, minutes), none, Mistake.NONE, false);
    var task = new FutureTask<>(() -> measure(run, nodes));
    Thread.ofVirtual().name("costs-" + nodes).start(task);
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(nodes + " nodes", e);
    }
  }

  private static Column measure(Run run, int nodes) throws IOException {
    Simulation.silence();
    var begin = new Speed();
    var cluster = new SimCluster(run);
    try {
      int minutes = run.shape().minutes();
      cluster.measure(WARM_MINUTES, minutes);
      long speed = begin.of(cluster.sim.nanos() / 1e9);
      long remembered = 0;
      long table = 0;
      for (SimNode node : cluster.nodes()) {
        remembered = Math.max(remembered, SimMembership.remembered(node.disk));
        table =
            Math.max(
                table,
                node instanceof SimStore store ? store.table().text(Optional.empty()).length() : 0);
      }
      return new Column(nodes, minutes, cluster.costs, remembered, table, speed);
    } finally {
      cluster.sim.end();
    }
  }

  /** A table for people, in the form of the documents. */
  static String text(List<Column> columns) {
    List<String> lines = new ArrayList<>();
    lines.add(line("a node and minute", columns, column -> column.nodes));
    lines.add("|---|" + "---|".repeat(columns.size()));
    Set<Costs.Kind> sized =
        Set.of(
            Costs.Kind.DESCRIPTION,
            Costs.Kind.RECOLLECTION,
            Costs.Kind.SLICES,
            Costs.Kind.QUESTION);
    for (Costs.Kind kind : Costs.Kind.values()) {
      String name = kind.name().toLowerCase(Locale.ROOT);
      lines.add(line(name, columns, column -> column.count(kind)));
      if (sized.contains(kind)) {
        lines.add(line(name + ", bytes", columns, column -> column.bytes(kind)));
      }
    }
    lines.add(line("bytes remembered of others", columns, Column::remembered));
    lines.add(line("bytes of a slice table", columns, Column::table));
    lines.add(line("simulated hours in an hour of a core", columns, Column::speed));
    return String.join("\n", lines);
  }

  private static String line(String name, List<Column> columns, ToLongFunction<Column> figure) {
    StringBuilder line = new StringBuilder("| ").append(name).append(" |");
    columns.forEach(
        column -> line.append(String.format(Locale.ROOT, " %,d |", figure.applyAsLong(column))));
    return line.toString();
  }
}
