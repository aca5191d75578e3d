package io.cordwood.cli.plan;

import java.util.Comparator;
import java.util.stream.Stream;

/** Something of each node of which more is taken, the more nodes there are. */
enum NodeBound {
  QUESTIONS(Figure.NODES_BY_QUESTIONS, "the heap for answers of all of them, which -Xmx sets"),
  TABLES(
      Figure.NODES_BY_TABLES,
      "the heap of stores for what others hold, which -Xmx sets, and --retention"),
  FILES(Figure.NODES_BY_FILES, "open files, which LimitNOFILE sets"),
  CONNECTIONS(Figure.NODES_BY_CONNECTIONS, "connections of API ports, for which there is no flag"),
  MEMBERS(Figure.NODES_BY_MEMBERS, "nodes that are remembered, for which there is no flag");

  private final Figure nodes;
  private final String words;

  NodeBound(Figure nodes, String words) {
    this.nodes = nodes;
    this.words = words;
  }

  /** The one that is met first when a cluster grows in proportion. */
  static NodeBound first(Cluster cluster) {
    return Stream.of(values())
        .min(Comparator.comparingDouble(bound -> cluster.of(bound.nodes)))
        .orElseThrow();
  }

  /** For people: the thing, and by what it is set. */
  String words() {
    return words;
  }
}
