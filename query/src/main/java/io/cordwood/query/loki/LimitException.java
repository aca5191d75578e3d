package io.cordwood.query.loki;

import java.util.Locale;

/** A question asks for more than is answered; the message says how much is. */
final class LimitException extends RuntimeException {
  private final Limit limit;

  /** The kind of thing that there was too much of. */
  enum Limit {
    /** Characters, parentheses, alternatives, operations or fields of a query. */
    QUERY,
    POINTS,
    SERIES,
    STREAMS,
    RECORDS;

    /** As a label of a metric. */
    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  LimitException(Limit limit, String message) {
    super(message, null, false, false);
    this.limit = limit;
  }

  Limit limit() {
    return limit;
  }
}
