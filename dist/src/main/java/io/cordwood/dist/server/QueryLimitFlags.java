package io.cordwood.dist.server;

import io.cordwood.cli.program.FlagBounds;
import io.cordwood.cli.program.FlagList;
import io.cordwood.cli.program.Flags;
import io.cordwood.query.request.QueryLimits;
import io.cordwood.query.request.QueryLimits.Effort;
import java.time.Duration;

/** The flags that bound what a node does for queries. */
final class QueryLimitFlags implements Flags {
  int maxQueries = QueryLimits.DEFAULT.queries();
  int maxPeerQueries = QueryLimits.DEFAULT.peersQueries();
  Duration maxTime = Effort.DEFAULT.time();
  long maxBytes = Effort.DEFAULT.bytes();
  long maxRecords = Effort.DEFAULT.records();

  @Override
  public void list(FlagList list) {
    list.flag("--max-queries")
        .label("N")
        .help(
            "Queries of clients at once; those beyond are refused for a moment. "
                + "Default: ${DEFAULT-VALUE}.")
        .value(int.class, maxQueries, value -> maxQueries = value);
    list.flag("--max-peer-queries")
        .label("N")
        .help(
            "Parts of other nodes' queries at once; those beyond wait, and are missing from their "
                + "answer if it takes 2s. Default: ${DEFAULT-VALUE}.")
        .value(int.class, maxPeerQueries, value -> maxPeerQueries = value);
    list.flag("--max-query-time")
        .label("DURATION")
        .help("How long a query may take; it is stopped then, and says so. Default: 12h.")
        .duration(maxTime, value -> maxTime = value);
    list.flag("--max-query-bytes")
        .label("BYTES")
        .help(
            "Bytes of logs that this node searches for a query; it is stopped then, and says so. "
                + "Default: 16TiB.")
        .size(maxBytes, value -> maxBytes = value);
    list.flag("--max-query-records")
        .label("N")
        .help(
            "Records that a query is given; it is stopped then, and says so. "
                + "Default: ${DEFAULT-VALUE}.")
        .value(long.class, maxRecords, value -> maxRecords = value);
  }

  /** Refuses what cannot be. */
  void check() {
    FlagBounds.atLeastOne("--max-queries", maxQueries);
    FlagBounds.atLeastOne("--max-peer-queries", maxPeerQueries);
    FlagBounds.atLeastOne("--max-query-time", maxTime.toMillis());
    FlagBounds.atLeastOne("--max-query-bytes", maxBytes);
    FlagBounds.atLeastOne("--max-query-records", maxRecords);
  }

  QueryLimits limits() {
    return QueryLimits.DEFAULT
        .withQueries(maxQueries, maxPeerQueries)
        .withEffort(new Effort(maxTime, maxBytes, maxRecords));
  }
}
