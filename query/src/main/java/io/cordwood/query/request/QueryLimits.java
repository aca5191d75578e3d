package io.cordwood.query.request;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

/**
 * Limits on the work of a node for queries.
 *
 * @param queries of clients at once; more are refused
 * @param peersQueries of other nodes at once; more wait for a moment, and are then refused
 * @param effort for one query
 * @param silence of an asked peer after which its part is missing; a searching peer reports once a
 *     second
 */
public record QueryLimits(int queries, int peersQueries, Effort effort, Duration silence) {
  public static final QueryLimits DEFAULT =
      new QueryLimits(64, 256, Effort.DEFAULT, Duration.ofSeconds(10));

  public QueryLimits {
    Effort.atLeastOne("queries", queries);
    Effort.atLeastOne("peersQueries", peersQueries);
    Effort.atLeastOne("silence", silence.toMillis());
  }

  /**
   * Limits on one query; the answer says where it stopped.
   *
   * @param time from the request to the last record
   * @param bytes that each node searches
   * @param records that are returned
   */
  public record Effort(Duration time, long bytes, long records) {
    /** So large that only a mistake reaches it. */
    public static final Effort DEFAULT = new Effort(Duration.ofHours(12), 1L << 44, 1L << 32);

    public Effort {
      atLeastOne("time", time.toMillis());
      atLeastOne("bytes", bytes);
      atLeastOne("records", records);
    }

    private static void atLeastOne(String name, long found) {
      if (found < 1) {
        throw new IllegalArgumentException(name + ": expected 1 or more, found " + found);
      }
    }
  }

  /** For a connection to another node, and for how long a question of one waits for its turn. */
  public Duration turn() {
    return partOfSilence(5, Duration.ofSeconds(2));
  }

  /** An ingest node that has not begun to answer by then is left out. */
  public Duration opening() {
    return partOfSilence(2, Duration.ofSeconds(5));
  }

  /** Whoever is patient with other nodes is so in all their steps. */
  private Duration partOfSilence(int part, Duration least) {
    return Collections.max(List.of(least, silence.dividedBy(part)));
  }

  /** A copy with other numbers of queries. */
  public QueryLimits withQueries(int most, int mostOfPeers) {
    return new QueryLimits(most, mostOfPeers, effort, silence);
  }

  /** A copy with another effort for one query. */
  public QueryLimits withEffort(Effort other) {
    return new QueryLimits(queries, peersQueries, other, silence);
  }

  /** A copy with another silence. */
  public QueryLimits withSilence(Duration other) {
    return new QueryLimits(queries, peersQueries, effort, other);
  }
}
