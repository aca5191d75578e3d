package io.cordwood.dist;

import io.cordwood.query.QueryLimits;
import picocli.CommandLine.Option;

/** The flags that bound what a node does for queries. */
final class QueryLimitFlags {
  @Option(
      names = "--max-queries",
      paramLabel = "N",
      description =
          "Queries of clients at once; those beyond are refused for a moment. "
              + "Default: ${DEFAULT-VALUE}.")
  int maxQueries = QueryLimits.DEFAULT.queries();

  @Option(
      names = "--max-peer-queries",
      paramLabel = "N",
      description =
          "Parts of other nodes' queries at once; those beyond wait, and are missing from their "
              + "answer if it takes 2s. Default: ${DEFAULT-VALUE}.")
  int maxPeerQueries = QueryLimits.DEFAULT.peersQueries();

  /** Refuses what cannot be. */
  void check() {
    atLeastOne("--max-queries", maxQueries);
    atLeastOne("--max-peer-queries", maxPeerQueries);
  }

  QueryLimits limits() {
    return new QueryLimits(maxQueries, maxPeerQueries);
  }

  private static void atLeastOne(String flag, long found) {
    if (found < 1) {
      throw new CommandException(flag + ": expected 1 or more, found " + found);
    }
  }
}
