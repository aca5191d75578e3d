package io.cordwood.query;

import java.util.Locale;

/**
 * Where a record is on its way. It leaves the first one only when it is in the second, so who asks
 * all nodes' first and then all nodes' second misses none.
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
