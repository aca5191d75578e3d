package io.cordwood.dist.server;

import io.cordwood.cli.program.CommandException;
import io.cordwood.cli.program.Values;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.request.QueryLimits.Effort;
import java.time.Duration;
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

  @Option(
      names = "--max-query-time",
      paramLabel = "DURATION",
      converter = Values.DurationValue.class,
      description = "How long a query may take; it is stopped then, and says so. Default: 12h.")
  Duration maxTime = Effort.DEFAULT.time();

  @Option(
      names = "--max-query-bytes",
      paramLabel = "BYTES",
      converter = Values.SizeValue.class,
      description =
          "Bytes of logs that this node searches for a query; it is stopped then, and says so. "
              + "Default: 16TiB.")
  long maxBytes = Effort.DEFAULT.bytes();

  @Option(
      names = "--max-query-records",
      paramLabel = "N",
      description =
          "Records that a query is given; it is stopped then, and says so. "
              + "Default: ${DEFAULT-VALUE}.")
  long maxRecords = Effort.DEFAULT.records();

  /** Refuses what cannot be. */
  void check() {
    atLeastOne("--max-queries", maxQueries);
    atLeastOne("--max-peer-queries", maxPeerQueries);
    atLeastOne("--max-query-time", maxTime.toMillis());
    atLeastOne("--max-query-bytes", maxBytes);
    atLeastOne("--max-query-records", maxRecords);
  }

  QueryLimits limits() {
    return QueryLimits.DEFAULT
        .withQueries(maxQueries, maxPeerQueries)
        .withEffort(new Effort(maxTime, maxBytes, maxRecords));
  }

  private static void atLeastOne(String flag, long found) {
    if (found < 1) {
      throw new CommandException(flag + ": expected 1 or more, found " + found);
    }
  }
}
