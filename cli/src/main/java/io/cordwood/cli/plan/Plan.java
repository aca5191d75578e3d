package io.cordwood.cli.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Nodes for a load, and what they do under it.
 *
 * @param ingest how many ingest nodes, and what asks for them
 * @param stores how many stores, and what asks for them
 */
record Plan(
    Load load,
    Machine machine,
    Parameters parameters,
    int spare,
    Sizing ingest,
    Sizing stores,
    Cluster cluster) {

  /**
   * Makes a plan.
   *
   * @param given numbers of nodes, where they are known
   * @throws IllegalArgumentException if no number of nodes takes the load
   */
  static Plan of(Load load, Machine machine, Parameters parameters, int spare, Given given) {
    Sizing ingest =
        given.ingest.isPresent()
            ? Sizing.given(given.ingest.getAsInt())
            : Sizing.ofIngest(load, machine, parameters, spare);
    Sizing stores =
        given.stores.isPresent()
            ? Sizing.given(given.stores.getAsInt())
            : Sizing.ofStores(load, machine, parameters, spare);
    Cluster cluster = Cluster.of(load, machine, parameters, ingest.nodes(), stores.nodes());
    return new Plan(load, machine, parameters, spare, ingest, stores, cluster);
  }

  /** Numbers of nodes; empty where they are to be found. */
  record Given(OptionalInt ingest, OptionalInt stores) {}

  /** All that these nodes have too little of. */
  List<Limit> exceeded() {
    double full = parameters.of(Parameter.FULL);
    return Stream.of(Limit.values()).filter(each -> cluster.of(each.used()) > full).toList();
  }

  /** The cluster with one store less; empty if too few are left for all copies. */
  Optional<Cluster> withoutStore() {
    return stores.nodes() <= load.copies()
        ? Optional.empty()
        : Optional.of(Cluster.of(load, machine, parameters, ingest.nodes(), stores.nodes() - 1));
  }

  /** The part of the machine that bounds what is taken at most. */
  String bound() {
    double most = cluster.of(Figure.MOST);
    if (most == cluster.of(Figure.MOST_INGEST)) {
      return "ingest nodes";
    } else if (most == cluster.of(Figure.MOST_STORE_CPU)) {
      return "processors of stores";
    }
    return most == cluster.of(Figure.MOST_STORE_DISK) ? "disks of stores" : "networks of stores";
  }
}
