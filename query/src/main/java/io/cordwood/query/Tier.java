package io.cordwood.query;

import java.util.Locale;

/**
 * The places that hold a record, in order. It leaves one only when it is in the next. So asking the
 * first tier of all nodes, and then the second, and then the third, misses no record.
 */
public enum Tier {
  /** Received, and not consumed yet. */
  INGEST,
  /** Consumed. */
  STORE,
  /** In a bucket, which is asked by the node that gathers. */
  COLD;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
