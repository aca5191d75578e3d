package io.cordwood.cli.plan;

import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * How many nodes a load takes: the least with which nothing is used beyond {@link Parameter#FULL},
 * while some of them are down. More load, copies or retention never give fewer.
 *
 * @param limit what asks for as many; empty if copies or spare nodes do
 * @param given whether that number was not found, but given
 */
record Sizing(int nodes, Optional<Limit> limit, boolean given) {
  /** Beyond that nobody would believe an answer. */
  private static final int MOST_NODES = 1_000_000;

  /** A number that is given. */
  public static Sizing given(int nodes) {
    return new Sizing(nodes, Optional.empty(), true);
  }

  /**
   * Ingest nodes.
   *
   * @param spare how many may be down
   * @throws IllegalArgumentException if no number is enough; the message names what is too little
   */
  public static Sizing ofIngest(Load load, Machine machine, Parameters parameters, int spare) {
    return of(load, machine, parameters, spare, true);
  }

  /**
   * Stores.
   *
   * @param spare how many may be down
   * @throws IllegalArgumentException if no number is enough; the message names what is too little
   */
  public static Sizing ofStores(Load load, Machine machine, Parameters parameters, int spare) {
    return of(load, machine, parameters, spare, false);
  }

  private static Sizing of(
      Load load, Machine machine, Parameters parameters, int spare, boolean ingest) {
    int most = ingest ? 1 : load.copies();
    Optional<Limit> by = Optional.empty();
    for (Limit limit : Stream.of(Limit.values()).filter(l -> l.isOfIngest() == ingest).toList()) {
      int least =
          least(
              limit,
              n -> {
                Cluster cluster =
                    Cluster.of(
                        load, machine, parameters, ingest ? n : 1, ingest ? load.copies() : n);
                return cluster.of(limit.used()) <= parameters.of(Parameter.FULL);
              });
      if (least > most) {
        most = least;
        by = Optional.of(limit);
      }
    }
    return new Sizing(most + spare, by, false);
  }

  private static int least(Limit limit, IntPredicate isEnough) {
    int enough = 1;
    while (!isEnough.test(enough)) {
      if (enough >= MOST_NODES) {
        throw new IllegalArgumentException(
            "%s: too little on each of %d %s; expected a load that some number of them takes"
                .formatted(
                    limit.words(), MOST_NODES, limit.isOfIngest() ? "ingest nodes" : "stores"));
      }
      enough *= 2;
    }
    int tooFew = enough / 2;
    while (enough - tooFew > 1) {
      int middle = (enough + tooFew) / 2;
      if (isEnough.test(middle)) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough;
  }
}
