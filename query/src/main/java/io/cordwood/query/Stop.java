package io.cordwood.query;

import io.cordwood.common.ulid.UlidRange;

/**
 * Why a search ended before its end, and where.
 *
 * @param unsearched only records in it can be missing
 */
public record Stop(Limit limit, UlidRange unsearched) {
  /** What was reached; of {@link QueryLimits.Effort}. */
  public enum Limit {
    TIME("time was up"),
    BYTES("the limit of bytes to search was reached"),
    RECORDS("the limit of records to give was reached"),
    MEMORY("the limit of memory for the newest records was reached");

    private final String text;

    Limit(String text) {
      this.text = text;
    }

    /** For a person. */
    public String text() {
      return text;
    }
  }
}
