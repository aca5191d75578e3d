package io.cordwood.query;

/**
 * What a node does for queries at most.
 *
 * @param queries of clients at once; more are refused
 * @param peersQueries of nodes that gather at once; more wait for a moment, and are refused then
 */
public record QueryLimits(int queries, int peersQueries) {
  public static final QueryLimits DEFAULT = new QueryLimits(64, 256);

  public QueryLimits {
    atLeastOne("queries", queries);
    atLeastOne("peersQueries", peersQueries);
  }

  private static void atLeastOne(String name, long found) {
    if (found < 1) {
      throw new IllegalArgumentException(name + ": expected 1 or more, found " + found);
    }
  }
}
