package io.cordwood.query;

import java.util.Locale;

/**
 * The two places that hold a record, in order. It leaves the first only when it is in the second.
 * So asking the first tier of all nodes, and then the second, misses no record.
 */
public enum Tier {
  /** Received, and not consumed yet. */
  INGEST,
  /** Consumed. */
  STORE;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
